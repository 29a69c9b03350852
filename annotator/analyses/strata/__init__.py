"""The stratified diagnostic of a project: grid, gaps, curves, failures, modes, confidence, router, probe.

Source: StratiSTR; each function names its table.
"""

from __future__ import annotations

from annotator.analyses.strata.cells import CellItem, CellPage, ItemPlace, cell_items, explain_item
from annotator.analyses.strata.report import StrataReport, SystemStrata, report_strata

__all__ = [
    "CellItem",
    "CellPage",
    "ItemPlace",
    "StrataReport",
    "SystemStrata",
    "cell_items",
    "explain_item",
    "report_strata",
]
