"""Graphemes, normalisation profiles, scripts and alignment."""
