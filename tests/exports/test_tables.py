"""What people take home: every export reads back into the project it came from, and into a new one."""

from __future__ import annotations

import csv
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from annotator.errors import UsageError
from annotator.exports.bundle import write_bundle
from annotator.exports.cells import list_table
from annotator.exports.tables import EDIT_COLUMNS, edits_table, items_table, predictions_table, semcer_table
from annotator.exports.writing import Format, csv_text, write_table
from annotator.ingest.items import import_items
from annotator.ingest.options import ImportOptions
from annotator.ingest.predictions import import_predictions
from annotator.records import Query
from annotator.store.project import Project, open_project
from tests.builders import build_project

TEXTS = ("=1+1", "'=1+1", "\t=1+1", "a,b", 'say "x"', "two\nlines", "cr\rhere", "end ", "", "ক্ষমতা", "−1", "007", "NA")


@pytest.fixture
def project(tmp_path: Path) -> Project:
    project = open_project(tmp_path / "project", create=True)
    rows = [
        {"id": str(k), "gold": text, "standard": "std", "font": "serif", "box": [1, 2.5, 30, 40], "document": "p1"}
        for k, text in enumerate(TEXTS)
    ]
    items = tmp_path / "items.jsonl"
    items.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    import_items(project, items)
    said = [
        {
            "id": str(k),
            "predicted": text[::-1],
            "system": "m",
            "raw": f"Answer: {text}",
            "confidence": 0.1 + k / 17,
            "char_confidence": [0.123456789] * len(text),
            "candidates": [{"text": text, "log_prob": -0.25}],
            "gold": text or None,
            "reasoning": "so",
            "seconds": k / 7,
        }
        for k, text in enumerate(TEXTS)
    ]
    predictions = tmp_path / "predictions.jsonl"
    predictions.write_text("".join(json.dumps(row) + "\n" for row in said), encoding="utf-8")
    import_predictions(project, predictions)
    return project


def contents(project: Project) -> list[tuple[Any, ...]]:
    with project.read() as connection:
        items = connection.execute(
            "SELECT id, gold, standard, document, box_x, box_y, box_width, box_height, attributes FROM item ORDER BY id"
        ).fetchall()
        predictions = connection.execute(
            "SELECT item_key, predicted, raw, confidence, own_gold, char_confidence, candidates, reasoning, extra, "
            "matches, substitutions FROM prediction LEFT JOIN prediction_detail USING (prediction_key) ORDER BY item_key"
        ).fetchall()
    return [tuple(row) for row in (*items, *predictions)]


@pytest.mark.parametrize("format", list(Format))
def test_exports_import_again(project: Project, tmp_path: Path, format: Format) -> None:
    items = write_table(project, items_table(project, Query()), tmp_path / f"i.{format.value}", format)
    predictions = write_table(project, predictions_table(project, Query()), tmp_path / f"p.{format.value}", format)
    same = import_items(project, items.path), import_predictions(project, predictions.path)
    assert [(report.written, report.unchanged) for report in same] == [(0, len(TEXTS))] * 2
    assert project.revision() == 2
    other = open_project(tmp_path / "other", create=True)
    import_items(other, items.path)
    import_predictions(other, predictions.path)
    assert contents(other) == contents(project)


def test_a_corrected_gold_comes_back_unchanged(project: Project, tmp_path: Path) -> None:
    with project.write() as connection:
        connection.execute("UPDATE item SET gold = 'a;b' WHERE id = '3'")
        connection.execute(
            "INSERT INTO item_history (item_key, field, old, new, source, revision, at) "
            "SELECT item_key, 'gold', 'a,b', 'a;b', 'me', 3, 0 FROM item WHERE id = '3'"
        )
    written = write_table(project, items_table(project, Query()), tmp_path / "i.csv")
    assert import_items(project, written.path).written == 0


def test_what_is_left_out_is_counted(project: Project) -> None:
    with project.write() as connection:
        connection.execute("UPDATE item SET mark = 'gold-wrong' WHERE id = '3'")
    assert dict(items_table(project, Query()).left_out) == {"gold marked wrong or unreadable": 1}
    assert dict(predictions_table(project, Query()).left_out) == {"of items that are left out": 1}
    assert dict(items_table(project, Query(keep_wrong_gold=True)).left_out) == {}


def test_the_excel_mark_is_reversible_and_the_plain_export_exact(project: Project) -> None:
    table = items_table(project, Query())
    column = table.columns.index("gold")
    plain = [row[column] for row in csv.reader(csv_text(table).splitlines(keepends=True))][1:]
    guarded = [row[column] for row in csv.reader(csv_text(table, excel=True).splitlines(keepends=True))][1:]
    assert set(plain) >= {"=1+1", "'=1+1"}
    assert not [text for text in guarded if text.startswith(("=", "+", "-", "@", "\t", "\r"))]
    assert [text.removeprefix("'") for text in guarded] == plain


def test_edits_name_their_class(tmp_path: Path) -> None:
    project = open_project(tmp_path / "p", create=True)
    (tmp_path / "i.csv").write_text("id,gold\na,room 15\n", encoding="utf-8")
    (tmp_path / "q.csv").write_text("id,text\na,room 75\n", encoding="utf-8")
    import_items(project, tmp_path / "i.csv")
    import_predictions(project, tmp_path / "q.csv", ImportOptions(system="s"))
    table = edits_table(project, Query())
    assert table.columns == EDIT_COLUMNS
    assert table.rows == [("a", "s", "default", "sub", 5, 5, "1", "7", 1.0, "numeric")]
    with pytest.raises(UsageError, match="unknown severity provider"):
        edits_table(project, Query(), "nobody")


def test_a_list_has_one_column_per_system(project: Project) -> None:
    table = list_table(project, Query(), [2, 1])
    assert table.columns[-1] == "m"
    assert [(row[0], row[-1]) for row in table.rows] == [("1", "1+1='"), ("0", "1+1=")]


def test_semcer_takes_one_system_and_items_with_gold(project: Project) -> None:
    table = semcer_table(project, Query())
    assert table.columns == ("id", "reference", "hypothesis", "system", "language", "document_id")
    assert len(table.rows) == len(TEXTS) - 1
    assert dict(table.left_out) == {"without gold": 1}


def test_the_bundle_holds_tables_meta_and_a_dictionary(project: Project, tmp_path: Path) -> None:
    written = write_bundle(project, Query(), tmp_path / "b.zip")
    with zipfile.ZipFile(written.path) as bundle:
        names = bundle.namelist()
        meta = json.loads(bundle.read("meta.json"))
        dictionary = list(csv.DictReader(bundle.read("dictionary.csv").decode().splitlines()))
    assert names == ["items.csv", "predictions.csv", "edits.csv", "dictionary.csv", "meta.json"]
    assert [table["rows"] for table in meta["tables"][:2]] == [len(TEXTS), len(TEXTS)]
    assert all(row["meaning"] for row in dictionary)


def test_predictions_carry_their_error_classes_when_asked(tmp_path: Path) -> None:
    items = [{"id": "a", "gold": "stone"}, {"id": "b", "gold": "stone"}, {"id": "c", "gold": None}]
    project = build_project(tmp_path / "q", items, {"one": {"a": "stone", "b": "", "c": "x"}})
    table = predictions_table(project, Query(), classes=True)
    assert table.columns[-1] == "error_classes"
    assert [row[-1] for row in table.rows] == ["", "truncation", None]
    assert "error_classes" not in predictions_table(project, Query()).columns
