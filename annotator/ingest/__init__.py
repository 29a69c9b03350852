"""Use cases that bring data into a project: check every row, then write all or nothing."""
