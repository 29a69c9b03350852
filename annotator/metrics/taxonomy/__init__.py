"""Fifteen error classes, one deterministic classifier (BanglaWild). Pure, but for reading the script tables once."""

from annotator.metrics.taxonomy.attribution import edit_classes
from annotator.metrics.taxonomy.classify import classify_errors
from annotator.metrics.taxonomy.events import (
    COSMETIC,
    HIGH_RISK,
    ORTHOGRAPHIC,
    TAXONOMY_VERSION,
    VISUAL,
    ClassCounts,
    ErrorClass,
    ErrorEvent,
)
from annotator.metrics.taxonomy.scripts import AUTO, script_names, tables_version

__all__ = [
    "AUTO",
    "COSMETIC",
    "HIGH_RISK",
    "ORTHOGRAPHIC",
    "TAXONOMY_VERSION",
    "VISUAL",
    "ClassCounts",
    "ErrorClass",
    "ErrorEvent",
    "classify_errors",
    "edit_classes",
    "script_names",
    "tables_version",
]
