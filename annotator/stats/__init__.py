"""Bootstrap, intervals, paired tests and agreement. A Generator comes in; nothing is seeded here."""
