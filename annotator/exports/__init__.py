"""Use cases that write files: items, predictions, edits, cells, ratings, aggregates, bundles."""
