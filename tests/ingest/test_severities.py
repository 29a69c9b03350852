"""Severities made elsewhere join our edits one for one, and say where they do not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from annotator.analyses.severity.report import report_severity
from annotator.errors import FileError, UsageError
from annotator.ingest.options import ImportOptions
from annotator.ingest.severities import import_severities
from annotator.records import Query
from annotator.store.project import Project
from annotator.store.severities import put_provider
from annotator.text.align import align_texts
from tests.builders import build_project

GOLD = {"a": "the cat sat", "b": "dogs"}
ANSWERS = {"a": "teh cat sits", "b": "dogs"}


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return build_project(tmp_path / "p", [{"id": k, "gold": g} for k, g in GOLD.items()], {"one": ANSWERS})


def semcer_file(path: Path, severity: float | None = 0.5) -> Path:
    """A score file as the semcer package writes it (schema version 1), from our alignment."""
    lines = []
    for item_id, gold in GOLD.items():
        edits: list[dict[str, Any]] = [
            {"op": e.op.upper(), "ref_index": e.gold_index, "hyp_index": e.predicted_index,
             "ref_grapheme": e.gold or None, "hyp_grapheme": e.predicted or None, "severity": severity, "status": "ok"}
            for e in align_texts(gold, ANSWERS[item_id]).edits
        ]  # fmt: skip
        lines.append({"id": item_id, "system": "one", "status": "ok", "reference": gold, "edits": edits})
    path.write_text("\n".join(json.dumps(line) for line in lines), encoding="utf-8")
    return path


def test_every_edit_of_a_semcer_score_file_is_found(project: Project, tmp_path: Path) -> None:
    report = import_severities(project, semcer_file(tmp_path / "s.jsonl"), "student-x", ImportOptions())
    count = len(align_texts(GOLD["a"], ANSWERS["a"]).edits)
    assert (report.read, report.written, report.warnings) == (count, count, ())
    row = report_severity(project, Query(resamples=20), "student-x").rows[0]
    assert row.cer is not None
    assert (row.coverage, row.semcer) == (1.0, pytest.approx(row.cer / 2))


def test_importing_twice_changes_nothing(project: Project, tmp_path: Path) -> None:
    file = semcer_file(tmp_path / "s.jsonl")
    import_severities(project, file, "x", ImportOptions())
    again = import_severities(project, file, "x", ImportOptions())
    assert (again.written, again.unchanged) == (0, again.read)


def test_a_table_with_distributions(project: Project, tmp_path: Path) -> None:
    edits = align_texts(GOLD["a"], ANSWERS["a"]).edits
    rows = [f"a,one,{e.op},{e.gold_index},0,0,0.5,0.5,0" for e in edits]
    file = tmp_path / "s.csv"
    file.write_text("\n".join(["item,system,op,gold_index,p0,p1,p2,p3,p4", *rows]), encoding="utf-8")
    import_severities(project, file, "x", ImportOptions())
    row = report_severity(project, Query(resamples=20), "x").rows[0]
    assert row.mean_severity == pytest.approx((2 + 3) / 2 / 4)


def test_rows_of_another_alignment_are_named(project: Project, tmp_path: Path) -> None:
    file = tmp_path / "s.csv"
    first = align_texts(GOLD["a"], ANSWERS["a"]).edits[0]
    file.write_text(
        f"item,system,op,gold_index,severity\na,one,{first.op},{first.gold_index},1\na,one,sub,9999,1\nz,one,del,0,1\n",
        encoding="utf-8",
    )
    report = import_severities(project, file, "x", ImportOptions())
    assert (report.written, report.warnings[0].count) == (1, 2)
    assert [p.line for p in report.warnings[0].first] == [3, 4]


@pytest.mark.parametrize(
    ("row", "found"),
    [
        ("a,one,swap,0,0.5,,,,,", "op 'swap'"),
        ("a,one,sub,-1,0.5,,,,,", "gold_index -1"),
        ("a,one,sub,x,0.5,,,,,", "gold_index"),
        ("a,one,sub,0,1.5,,,,,", "severity 1.5"),
        ("a,one,sub,0,,0.5,0.6,0,0,0", "a sum of 1.1"),
        ("a,one,sub,0,,-0.5,0.6,0,0,0", "not negative"),
        ("a,one,sub,0,,0.5,0.5,,,", "not negative"),
    ],
)
def test_bad_rows_are_refused_by_line(project: Project, tmp_path: Path, row: str, found: str) -> None:
    file = tmp_path / "s.csv"
    file.write_text(f"item,system,op,gold_index,severity,p0,p1,p2,p3,p4\n{row}\n", encoding="utf-8")
    before = project.revision()
    with pytest.raises(FileError) as error:
        import_severities(project, file, "x", ImportOptions())
    assert "line 2" in str(error.value)
    assert found in str(error.value)
    assert project.revision() == before


def test_a_row_that_repeats_an_edit_is_left_out_and_named(project: Project, tmp_path: Path) -> None:
    edit = align_texts(GOLD["a"], ANSWERS["a"]).edits[0]
    file = tmp_path / "s.csv"
    row = f"a,one,{edit.op},{edit.gold_index}"
    file.write_text(f"item,system,op,gold_index,severity\n{row},0.25\n{row},1\n", encoding="utf-8")
    report = import_severities(project, file, "x", ImportOptions())
    assert [(w.kind, w.count, [p.line for p in w.first]) for w in report.warnings] == [("repeated", 1, [3])]
    with project.read() as connection:
        assert [row[0] for row in connection.execute("SELECT severity FROM severity")] == [0.25]


def test_a_distribution_that_does_not_sum_to_one_is_told(project: Project, tmp_path: Path) -> None:
    edit = align_texts(GOLD["a"], ANSWERS["a"]).edits[0]
    file = tmp_path / "s.csv"
    row = f"a,one,{edit.op},{edit.gold_index},0.2,0,0,0,0.3"
    file.write_text(f"item,system,op,gold_index,p0,p1,p2,p3,p4\n{row}\n", encoding="utf-8")
    report = import_severities(project, file, "x", ImportOptions())
    assert [(w.kind, w.count) for w in report.warnings] == [("renormalised", 1)]
    with project.read() as connection:
        assert [row[0] for row in connection.execute("SELECT severity FROM severity")] == [pytest.approx(0.6)]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"id": "a", "status": "error", "edits": null}', "found no edits"),
        ('{"id": "a", "system": "one", "edits": [EDIT]}', "all without a severity"),
    ],
)
def test_score_files_without_severities_say_so(project: Project, tmp_path: Path, line: str, said: str) -> None:
    edit = align_texts(GOLD["a"], ANSWERS["a"]).edits[0]
    found = {"op": edit.op.upper(), "ref_index": edit.gold_index, "severity": None, "status": "truncated"}
    file = tmp_path / "s.jsonl"
    file.write_text(line.replace("EDIT", json.dumps(found)), encoding="utf-8")
    with pytest.raises(UsageError, match=said):
        import_severities(project, file, "x", ImportOptions())


def test_a_name_of_another_kind_of_provider_is_kept_safe(project: Project, tmp_path: Path) -> None:
    with project.write() as connection:
        put_provider(connection, "student", "student", "1", {}, 1.0)
    with pytest.raises(UsageError, match="kind student"):
        import_severities(project, semcer_file(tmp_path / "s.jsonl"), "student", ImportOptions())


def test_reserved_names_and_files_that_meet_nothing_are_refused(project: Project, tmp_path: Path) -> None:
    file = tmp_path / "s.csv"
    file.write_text("item,system,op,gold_index,severity\na,one,sub,999,1\n", encoding="utf-8")
    with pytest.raises(UsageError, match="built in"):
        import_severities(project, file, "rubric", ImportOptions())
    with pytest.raises(UsageError, match="none of 1 rows"):
        import_severities(project, file, "x", ImportOptions())
