"""The data dictionary: every column of an export in one sentence."""

from __future__ import annotations

from collections.abc import Sequence

from annotator.exports.writing import Table

_ITEM = {
    "id": "the item's id, as text",
    "gold": "what is written on the image; empty when the gold is empty, absent when the item has none",
    "standard": "the standard spelling, where it differs from gold",
    "image": "path of the image below the image folder",
    "benchmark": "the benchmark or data set that the item is from",
    "language": "BCP 47 tag",
    "split": "split of the data set",
    "document": "page or book; items of one document are resampled together",
    "box": "target box: x, y, width, height in pixels",
}
_PREDICTION = {
    "id": "the item's id",
    "predicted": "the text that the system returned; the empty text is an answer",
    "system": "the recogniser",
    "condition": "how the item was shown or asked",
    "raw": "the unparsed response",
    "confidence": "the system's confidence, in [0, 1]",
    "char_confidence": "JSON list: one confidence or null per code point of predicted",
    "candidates": "JSON list of {text, log_prob}",
    "gold": "the gold of the system's own file; empty: the item's gold",
    "reasoning": "text before the answer",
}
_EDIT = {
    "id": "the item's id",
    "system": "the recogniser",
    "condition": "how the item was shown or asked",
    "op": "sub (substitution), del (gold cluster missing) or ins (cluster that gold lacks)",
    "gold_index": "grapheme cluster of gold, from 0; an insertion stands before it",
    "predicted_index": "grapheme cluster of predicted, from 0",
    "gold_edit": "the cluster of gold, empty for an insertion",
    "predicted_edit": "the cluster of predicted, empty for a deletion",
    "severity": "what the edit is charged, in [0, 1]; absent when nobody has charged it",
    "error_class": "class of the error that the edit belongs to; absent for white space alone",
}
_KNOWN = {"items": _ITEM, "predictions": _PREDICTION, "edits": _EDIT}


def dictionary_table(tables: Sequence[tuple[str, Table]]) -> Table:
    """One row per column of `tables`: table, column, meaning."""
    rows = [
        (name, column, _KNOWN.get(name, {}).get(column, "a further column, as it was imported or defined in the study"))
        for name, table in tables
        for column in table.columns
    ]
    return Table("dictionary", ("table", "column", "meaning"), rows)
