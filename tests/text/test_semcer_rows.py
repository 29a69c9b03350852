"""Rows in the form that `semcer score --details edits` writes hold the edits that we find."""

from __future__ import annotations

import json

import pytest

from annotator.text.align import align_texts

# Field names and nulls as the package writes them; severities are left out, they are the model's.
ROWS = [
    r"""{"id": 1, "reference": "The total is 15", "hypothesis": "The total is 75", "cer": 0.06666666666666667, "n_edits": 1,
    "n_ref_graphemes": 15, "edits": [{"op": "SUB", "ref_index": 13, "hyp_index": 13, "ref_grapheme": "1",
    "hyp_grapheme": "7"}]}""",
    r"""{"id": 2, "reference": "aab", "hypothesis": "ac", "cer": 0.6666666666666666, "n_edits": 2, "n_ref_graphemes": 3,
    "edits": [{"op": "DEL", "ref_index": 0, "hyp_index": 0, "ref_grapheme": "a", "hyp_grapheme": null},
    {"op": "SUB", "ref_index": 2, "hyp_index": 1, "ref_grapheme": "b", "hyp_grapheme": "c"}]}""",
    r"""{"id": 3, "reference": "ক্ষমতা", "hypothesis": "ক্ষমতার", "cer": 0.3333333333333333, "n_edits": 1, "n_ref_graphemes": 3,
    "edits": [{"op": "INS", "ref_index": 3, "hyp_index": 3, "ref_grapheme": null, "hyp_grapheme": "র"}]}""",
    r"""{"id": 4, "reference": "ab", "hypothesis": "", "cer": 1.0, "n_edits": 2, "n_ref_graphemes": 2,
    "edits": [{"op": "DEL", "ref_index": 0, "hyp_index": 0, "ref_grapheme": "a", "hyp_grapheme": null},
    {"op": "DEL", "ref_index": 1, "hyp_index": 0, "ref_grapheme": "b", "hyp_grapheme": null}]}""",
    r"""{"id": 5, "reference": "same", "hypothesis": "same", "cer": 0.0, "n_edits": 0, "n_ref_graphemes": 4, "edits": []}""",
]


@pytest.mark.parametrize("line", ROWS)
def test_every_edit_is_found(line: str) -> None:
    row = json.loads(line)
    alignment = align_texts(row["reference"], row["hypothesis"])
    assert alignment.gold_length == row["n_ref_graphemes"]
    assert alignment.distance == row["n_edits"]
    assert alignment.distance / alignment.gold_length == row["cer"]
    assert [
        (e.op.upper(), e.gold_index, e.predicted_index, e.gold or None, e.predicted or None) for e in alignment.edits
    ] == [(e["op"], e["ref_index"], e["hyp_index"], e["ref_grapheme"], e["hyp_grapheme"]) for e in row["edits"]]
