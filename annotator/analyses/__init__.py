"""Use cases that read a project and return frozen reports made of counts."""
