"""The fields of the tables that users bring, with the other names under which they come."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Field:
    """A field: its own name, whether a file must have it, and the names accepted for it, best first."""

    name: str
    needed: bool = False
    aliases: tuple[str, ...] = ()


_ID = Field("id", True, ("item_id", "image_id", "uid"))

ITEM_FIELDS = (
    _ID,
    Field(
        "gold",
        True,
        ("text", "label", "transcription", "ground_truth", "gt", "reference", "observed_text", "verbatim"),
    ),
    Field("standard", aliases=("standard_form", "canonical_text", "canonical", "corrected")),
    Field("image", aliases=("image_path", "file_name", "filename", "path", "file")),
    Field("benchmark", aliases=("dataset", "source")),
    Field("language", aliases=("lang",)),
    Field("split"),
    Field("document", aliases=("page", "book", "source_document", "scene")),
    Field("box", aliases=("red_bbox_xywh", "box_xywh")),
)

PREDICTION_FIELDS = (
    Field("id", True, ("item_id", "image_id")),
    Field("predicted", True, ("text", "prediction", "pred", "output", "hypothesis", "ocr")),
    Field("system", True, ("model", "engine")),
    Field("condition", aliases=("prompt", "variant")),
    Field("raw", aliases=("raw_response", "response")),
    Field("confidence", aliases=("score", "conf")),
    Field("char_confidence", aliases=("chars",)),
    Field("candidates", aliases=("beams",)),
    Field("own_gold", aliases=("gold", "gold_in_file", "gt", "reference")),
    Field("reasoning", aliases=("thinking", "trace")),
)
# In a predictions file the image's name may stand for the id, when there is no id column.
PREDICTION_ID_STAND_INS = ("filename", "file_name")

# One table that holds gold and predicted: the names of an items file, but for those that a predictions file claims.
PAIR_FIELDS = (
    Field("id", aliases=_ID.aliases),
    Field("gold", True, ("ground_truth", "gt", "reference", "observed_text", "transcription", "label", "verbatim")),
    Field("predicted", True, ("prediction", "pred", "output", "hypothesis", "ocr", "text")),
    *(field for field in ITEM_FIELDS if field.name not in ("id", "gold")),
    *(field for field in PREDICTION_FIELDS if field.name not in ("id", "predicted", "own_gold")),
)

# The gold of a prediction's own file is the field `gold` to users; inside, its name keeps it apart from the item's gold.
_SAID = {"own_gold": "gold"}

BOX_COLUMNS = ("x", "y", "w", "h")
BOX_READINGS = {"bbox": "", "box_xyxy": "xyxy"}


def folded(column: str) -> str:
    """A column name as it is compared: no edge spaces, no case."""
    return column.strip().casefold()


def said(name: str) -> str:
    """The name under which users know a field."""
    return _SAID.get(name, name)
