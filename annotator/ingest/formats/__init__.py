"""Readers of the field's own formats: each turns one kind of file or folder into the table of an ordinary import."""
