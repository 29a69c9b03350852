"""What columns are taken for: own names before others, no guess where two readings are possible."""

from __future__ import annotations

import pytest

from annotator.errors import UsageError
from annotator.ingest.columns import ColumnMap, map_columns, parse_mapping
from annotator.ingest.fields import ITEM_FIELDS, PREDICTION_FIELDS, PREDICTION_ID_STAND_INS
from annotator.ingest.tables import Table


def mapped(columns: str, explicit: tuple[tuple[str, str], ...] = (), predictions: bool = False) -> ColumnMap:
    table = Table("f.csv", tuple(columns.split(",")), [], [], False, "")
    fields = PREDICTION_FIELDS if predictions else ITEM_FIELDS
    return map_columns(table, fields, explicit, stand_ins={"id": PREDICTION_ID_STAND_INS} if predictions else {})


def taken(found: ColumnMap) -> dict[str, str]:
    return {name: found.columns[position] for name, position in found.at.items()}


@pytest.mark.parametrize(
    ("columns", "expected"),
    [
        ("ID, Gold ", {"id": "ID", "gold": " Gold "}),
        ("id,text,gold", {"id": "id", "gold": "gold"}),
        ("uid,verbatim,file_name,lang", {"id": "uid", "gold": "verbatim", "image": "file_name", "language": "lang"}),
        ("id,gold,image_path,path", {"id": "id", "gold": "gold", "image": "image_path"}),
    ],
)
def test_items(columns: str, expected: dict[str, str]) -> None:
    found = mapped(columns)
    assert (taken(found), found.problems) == (expected, ())


def test_in_predictions_the_image_name_may_stand_for_the_id_and_gold_is_their_own() -> None:
    found = mapped("filename,gt,pred,model", predictions=True)
    assert taken(found) == {"id": "filename", "own_gold": "gt", "predicted": "pred", "system": "model"}
    assert found.notes == ("filename is taken for id",)
    assert "id" not in taken(mapped("filename,gold"))
    assert [(m.column, m.field) for m in found.shown()][1] == ("gt", "gold")
    assert mapped("id,gold_in_file,gt,pred,model", predictions=True).notes == (
        "gold_in_file is taken for gold; gt kept as attribute",
    )


def test_a_second_name_for_an_optional_field_is_kept_and_shown() -> None:
    found = mapped("id,gold,image_path,path")
    assert found.notes == ("image_path is taken for image; path kept as attribute",)
    assert found.extra == (("path", 3),)


@pytest.mark.parametrize(
    ("columns", "found", "expected"),
    [
        ("id,label,transcription", "2 columns that could be gold: label, transcription", "--map gold=transcription"),
        ("id,words", "no column for gold among: id, words", "--map gold=COLUMN"),
        ("id,gold,ID", "two columns named 'ID'", "each column name once"),
    ],
)
def test_what_is_open_is_asked(columns: str, found: str, expected: str) -> None:
    (problem,) = mapped(columns).problems
    assert problem.found == found
    assert expected in problem.expected


def test_the_user_decides() -> None:
    found = mapped("name,label,transcription,score", (("id", "name"), ("gold", "label"), ("attribute", "score")))
    assert taken(found) == {"id": "name", "gold": "label"}
    assert [name for name, _ in found.extra] == ["transcription", "score"]
    assert taken(mapped("id,text,truth", (("gold", "truth"),), predictions=True))["own_gold"] == "truth"
    assert mapped("id,gold", (("image", "pic"),)).problems[0].found == "no column 'pic' to map to image"


def test_mapping_options() -> None:
    assert parse_mapping(["Gold=my text", "attribute=a", "attribute=b"]) == (
        ("gold", "my text"),
        ("attribute", "a"),
        ("attribute", "b"),
    )
    for wrong in ("gold", "=x", "gold="):
        with pytest.raises(UsageError, match="expected field=column"):
            parse_mapping([wrong])


def test_an_unnamed_column_has_a_name_to_be_kept_under() -> None:
    assert mapped("id,gold,").extra == (("column_3", 2),)
