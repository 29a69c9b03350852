"""Verbatim's library: alignment, strata, outcomes, error classes, severity and studies for text recognition.

`from annotator import open_project, scores, strata, grid, outcomes, taxonomy, severity, compare, predictions, edits,
agreement`: see `annotator.api`.

The library never imports Streamlit. Layers only point down:
cli, api -> exports -> analyses, studies, ingest -> store, runners, models -> metrics, stats, images -> text -> records -> errors.
"""

from __future__ import annotations

import importlib
from typing import Any

__version__ = "0.1.0"

_PUBLIC = (
    "open_project",
    "scores",
    "strata",
    "grid",
    "outcomes",
    "taxonomy",
    "severity",
    "compare",
    "predictions",
    "edits",
    "agreement",
)


def __getattr__(name: str) -> Any:
    """Load the public interface when it is used: `import annotator` alone stays light."""
    if name in _PUBLIC:
        return getattr(importlib.import_module("annotator.api"), name)
    raise AttributeError(f"module 'annotator' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *_PUBLIC])
