"""How sure systems were of their answers, and whether that can be believed."""
