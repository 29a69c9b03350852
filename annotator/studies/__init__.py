"""Use cases of rating studies: pools, assignment, ratings, agreement. Blind by construction."""
