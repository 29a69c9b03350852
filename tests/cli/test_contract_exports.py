"""Exports have the columns, formats and descriptions of the contract, and read back as they were."""

from __future__ import annotations

import csv
import json
import zipfile
from pathlib import Path

import pytest

from tests.cli.contract import annotate, read, write_small_project

ITEMS = ["id", "gold", "standard", "image", "benchmark", "language", "split", "document", "box"]
PREDICTIONS = ["id", "predicted", "system", "condition", "raw", "confidence", "char_confidence", "candidates", "gold",
               "reasoning"]  # fmt: skip
EDITS = ["id", "system", "condition", "op", "gold_index", "predicted_index", "gold_edit", "predicted_edit", "severity",
         "error_class"]  # fmt: skip
COMMON = "study,kind,task,item_id,language,band,gold"
AGGREGATES = {
    "edit-severity": "predicted,op,gold_index,predicted_index,gold_edit,predicted_edit,n_raters,mean,median,sd,"
    "share_0,share_1,share_2,share_3,share_4",
    "text-severity": "predicted,n_raters,mean,median,sd,share_0,share_1,share_2,share_3,share_4",
    "text-score": "predicted,n_raters,mean,median,sd,share_1,share_2,share_3,share_4,share_5",
    "preference": "predicted_a,predicted_b,n_raters,a_wins,b_wins,ties,both_bad,majority",
    "other-review": "label,n_raters,majority,share_majority",
}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("exports")
    write_small_project(folder, folder / "p")
    return str(folder / "p")


def table(path: Path) -> list[list[str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def header(path: Path) -> list[str]:
    return table(path)[0]


@pytest.mark.parametrize(
    ("what", "columns", "rows"),
    [
        ("items", [*ITEMS, "domain", "lm_gap"], 20),
        ("predictions", PREDICTIONS, 55),
        ("edits", EDITS, None),
        ("cell 1-1 --reference signs", [*ITEMS, "domain", "lm_gap", "one", "two", "one@gray"], None),
        ("list", [*ITEMS, "domain", "lm_gap", "one", "two", "one@gray"], 20),
    ],
)
def test_tables_have_their_columns_and_a_description(
    what: str, columns: list[str], rows: int | None, project: str, tmp_path: Path
) -> None:
    out = tmp_path / "out.csv"
    document = read("export", *what.split(), "--out", str(out), "--project", project)
    assert document["file"] == str(out)
    assert sorted(header(out)) == sorted(columns)
    assert header(out)[: len(ITEMS)] == columns[: len(ITEMS)]
    assert document["rows"] == len(table(out)) - 1
    assert rows in (None, document["rows"])
    meta = json.loads((tmp_path / "out.csv.meta.json").read_text(encoding="utf-8"))
    assert {"schema_version", "project_revision", "alignment_version", "rows", "left_out"} <= set(meta)


@pytest.mark.parametrize("form", ["jsonl", "parquet"])
def test_other_formats(form: str, project: str, tmp_path: Path) -> None:
    out = tmp_path / f"items.{form}"
    assert read("export", "items", "--format", form, "--out", str(out), "--project", project)["rows"] == 20
    if form == "jsonl":
        rows = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    else:
        import pyarrow.parquet as parquet

        rows = parquet.read_table(out).to_pylist()
    assert (rows[0]["id"], rows[0]["gold"], rows[0]["standard"]) == ("i0", "thz", "the")


def test_excel_guards_formulas_and_the_plain_file_does_not(tmp_path: Path) -> None:
    (tmp_path / "i.csv").write_text('id,gold\n1,=1+1\n2,"@x"\n', encoding="utf-8")
    read("import", "items", str(tmp_path / "i.csv"), "--project", str(tmp_path / "p"))
    read("export", "items", "--out", str(tmp_path / "plain.csv"), "--project", str(tmp_path / "p"))
    read("export", "items", "--excel", "--out", str(tmp_path / "excel.csv"), "--project", str(tmp_path / "p"))
    assert b"1,=1+1," in (tmp_path / "plain.csv").read_bytes()
    assert (tmp_path / "excel.csv").read_bytes().startswith(b"\xef\xbb\xbf")
    assert b"1,'=1+1," in (tmp_path / "excel.csv").read_bytes()


def test_an_export_of_predictions_reads_back_as_the_same(project: str, tmp_path: Path) -> None:
    out = tmp_path / "predictions.jsonl"
    read("export", "predictions", "--format", "jsonl", "--out", str(out), "--project", project)
    again = read("import", "predictions", str(out), "--project", project)
    assert (again["written"], again["unchanged"]) == (0, 55)


def test_the_semcer_file_has_the_fields_of_that_package(project: str, tmp_path: Path) -> None:
    out = tmp_path / "semcer.jsonl"
    where = ("--out", str(out), "--project", project)
    read("export", "predictions", "--format", "semcer", "--system", "two", *where)
    row = json.loads(out.read_text(encoding="utf-8").splitlines()[0])
    assert set(row) == {"id", "reference", "hypothesis", "system", "language", "document_id"}
    assert (row["id"], row["reference"], row["system"], row["language"]) == ("i0", "thz", "two", "en")
    both = annotate("export", "predictions", "--format", "semcer", "--condition", "default", "--json", *where)
    assert (both.code, both.document["rows"]) == (0, 40)
    assert "scores one system at a time" in both.err
    assert annotate("export", "predictions", "--format", "semcer", *where).code == 2


def test_edits_carry_severities_and_classes(project: str, tmp_path: Path) -> None:
    out = tmp_path / "edits.csv"
    read("export", "edits", "--out", str(out), "--project", project)
    names, *cells = table(out)
    rows = [dict(zip(names, row, strict=True)) for row in cells]
    assert {row["op"] for row in rows} <= {"sub", "del", "ins"}
    assert all(0 <= float(row["severity"]) <= 1 and row["error_class"] for row in rows)


def test_the_bundle_says_what_is_in_it(project: str, tmp_path: Path) -> None:
    out = tmp_path / "bundle.zip"
    document = read("export", "bundle", "--out", str(out), "--project", project)
    names = set(zipfile.ZipFile(out).namelist())
    assert {"items.csv", "predictions.csv", "edits.csv", "dictionary.csv", "meta.json"} <= names
    meta = json.loads((tmp_path / "bundle.zip.meta.json").read_text(encoding="utf-8"))
    assert {"schema_version", "project_revision", "alignment_version", "left_out", "tables"} <= set(meta)
    assert meta["rows"] == document["rows"]


@pytest.mark.parametrize("kind", AGGREGATES)
def test_aggregates_have_the_columns_of_their_kind(kind: str, project: str, tmp_path: Path) -> None:
    read("study", "create", kind, "--name", kind, "--size", "4", "--project", project)
    out = tmp_path / "aggregates.csv"
    document = read("export", "aggregates", "--study", kind, "--out", str(out), "--project", project)
    assert document["rows"] == 4
    assert header(out) == f"{COMMON},{AGGREGATES[kind]}".split(",")
    read("export", "aggregates", "--study", kind, "--with-systems", "--out", str(out), "--project", project)
    assert header(out)[-1] == "systems"
    read("export", "ratings", "--study", kind, "--out", str(out), "--project", project)
    assert header(out) == ["study", "task", "rater", "repeat", "value", "rationale", "shown_first", "seconds",
                           "answered_at", "replaces"]  # fmt: skip


def test_options_on_items_and_systems_choose_tasks(project: str, tmp_path: Path) -> None:
    read("study", "create", "preference", "--name", "chosen", "--size", "0", "--project", project)
    where = ("--study", "chosen", "--out", str(tmp_path / "a.csv"), "--project", project)
    every = read("export", "aggregates", *where)["rows"]
    parts = [read("export", "aggregates", "--benchmark", name, *where)["rows"] for name in ("set0", "set1")]
    assert every == sum(parts)
    assert all(parts)
    refused = annotate("export", "aggregates", "--language", "bn", *where)
    assert (refused.code, refused.out) == (2, "")
    assert "--language bn: no item has this language; found en" in refused.err
    assert 0 < read("export", "aggregates", "--condition", "gray", *where)["rows"] < every
    assert annotate("export", "aggregates", "--system", "nobody", *where).code == 2
