"""Severity: what an edit is charged, in [0, 1]; levels, edit classes, labels and the built-in rubric rules."""
