"""Severity: providers, semCER, what to check first, and how severities agree with people."""
