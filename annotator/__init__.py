"""Verbatim's library: alignment, strata, outcomes, error classes, severity and studies for text recognition.

The library never imports Streamlit. Layers only point down:
cli -> exports -> analyses, studies, ingest -> store, runners, models -> metrics, stats, images -> text -> records -> errors.
"""

__version__ = "0.1.0"
