"""SQLite: the only place with SQL. Rows in, records out."""
