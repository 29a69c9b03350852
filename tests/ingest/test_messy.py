"""Files as users bring them: every case does what its note says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from annotator.errors import FileError
from annotator.ingest.items import import_items
from annotator.ingest.options import ImportOptions
from annotator.ingest.predictions import import_predictions
from annotator.ingest.report import ImportReport
from annotator.store.project import Project, open_project

pytestmark = pytest.mark.shared

IMPORTED = (
    "01_utf8_bom",
    "04_semicolon_csv",
    "07_crlf_no_final_newline",
    "08_empty_gold",
    "09_missing_image",
    "14_na_literals",
    "21_csv_injection",
    "22_hallucination_20000",
    "23_trailing_newline",
    "25_header_case",
    "26_renamed_columns",
    "28_extension_lies",
    "30_cmyk_jpeg",
    "32_zero_byte_and_cut_image",
    "33_path_traversal",
    "37_many_models_one_file",
)
SYSTEM = ImportOptions(system="system")


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return open_project(tmp_path / "project", create=True)


@pytest.fixture
def messy(shared_data: Path) -> Path:
    return shared_data / "messy"


def file_in(folder: Path, stem: str) -> Path:
    return next(path for path in sorted(folder.iterdir()) if path.stem == stem)


def expected_rows(messy: Path, case: str) -> list[list[str]]:
    cases: list[dict[str, Any]] = json.loads((messy / "expected.json").read_text(encoding="utf-8"))
    return next(entry["rows"] for entry in cases if entry["case"] == case)


def stored_rows(project: Project) -> set[tuple[str, str, str, str]]:
    with project.read() as connection:
        rows = connection.execute(
            "SELECT id, gold, predicted, name FROM prediction JOIN item USING (item_key) JOIN run USING (run_key) "
            "JOIN system USING (system_key)"
        )
        return {tuple(row) for row in rows}


def words(report: ImportReport) -> str:
    return "\n".join(report.lines())


def refusal(project: Project, path: Path, options: ImportOptions | None = None) -> str:
    before = project.revision()
    with pytest.raises(FileError) as caught:
        (import_items if path.stem.startswith("items") else import_predictions)(project, path, options)
    assert project.revision() == before
    return str(caught.value)


@pytest.mark.parametrize("case", IMPORTED)
def test_the_right_rows_are_there_after_import(case: str, messy: Path, project: Project) -> None:
    folder = messy / case
    import_items(project, file_in(folder, "items"))
    many = case == "37_many_models_one_file"
    import_predictions(project, file_in(folder, "predictions"), None if many else SYSTEM)
    expected = {tuple(row) if many else (*row, "system") for row in expected_rows(messy, case)}
    assert stored_rows(project) == expected


@pytest.mark.parametrize("case", IMPORTED)
def test_the_same_files_again_change_nothing(case: str, messy: Path, project: Project) -> None:
    folder = messy / case
    for _ in range(2):
        items = import_items(project, file_in(folder, "items"))
        predictions = import_predictions(project, file_in(folder, "predictions"), SYSTEM)
        revision = project.revision()
    assert (items.written, predictions.written, revision) == (0, 0, 2)


def test_windows_1252_is_refused_with_line_byte_and_guess(messy: Path, project: Project) -> None:
    items = messy / "03_windows1252" / "items.csv"
    assert "items.csv, line 2: found byte 0xE9" in refusal(project, items)
    assert "Windows-1252: give --encoding windows-1252" in refusal(project, items)
    import_items(project, items, ImportOptions(encoding="windows-1252"))
    import_predictions(project, messy / "03_windows1252" / "predictions.csv", SYSTEM)
    assert stored_rows(project) == {(*row, "system") for row in expected_rows(messy, "03_windows1252")}


def test_empty_and_blank_golds_are_listed(messy: Path, project: Project) -> None:
    report = import_items(project, messy / "08_empty_gold" / "items.tsv")
    (warned,) = report.warnings
    assert warned.count == 4
    assert [problem.line for problem in warned.first] == [2, 3, 4, 10]
    assert "row 9 (line 10), id web-space: blank gold" in words(report)
    assert "4 items with an empty or blank gold (rows 1, 2, 3, 9)" in words(report)


def test_missing_images_are_named_and_the_items_kept(messy: Path, project: Project) -> None:
    report = words(import_items(project, messy / "09_missing_image" / "items.csv"))
    assert "row 2 (line 3), id mmocr_1223733: image images/mmocr_1223733.JPG: not a file here; did you mean" in report
    assert "row 4 (line 5)" in report
    assert "row 3" not in report


def test_two_different_rows_for_one_id_are_refused(messy: Path, project: Project) -> None:
    folder = messy / "10_duplicate_ids"
    message = refusal(project, folder / "items.csv")
    assert "two different rows for id word_2: rows 2 and 3 (lines 3 and 4)" in message
    assert "word_3" not in message
    assert "id word_2, system system, condition default" in refusal(project, folder / "predictions.csv", SYSTEM)


def test_ids_without_their_zeros_join_only_when_the_user_agrees(messy: Path, project: Project) -> None:
    folder = messy / "12_leading_zeros_lost"
    import_items(project, folder / "items.tsv")
    message = refusal(project, folder / "predictions.csv", SYSTEM)
    assert "0 of 6 ids" in message
    assert "leading zeros" in message
    joined = ImportOptions(system="system", join=("leading-zeros",))
    assert import_predictions(project, folder / "predictions.csv", joined).written == 6


def test_a_null_gold_is_refused_and_the_text_null_is_not(messy: Path, project: Project) -> None:
    message = refusal(project, messy / "14_na_literals" / "items_null.jsonl")
    assert "items_null.jsonl, line 11, column gold: found null for gold (id json-null)" in message
    assert "line 9" not in message


def test_lone_surrogates_are_refused_with_line_and_id(messy: Path, project: Project) -> None:
    folder = messy / "17_lone_surrogate"
    import_items(project, folder / "items.jsonl")
    message = refusal(project, folder / "predictions.jsonl", SYSTEM)
    assert "line 2, column text" in message
    assert "id mmocr_1223733" in message
    assert "line 4, column text" in message
    assert "line 3" not in message


def test_run_aways_are_flagged(messy: Path, project: Project) -> None:
    folder = messy / "22_hallucination_20000"
    import_items(project, folder / "items.jsonl")
    report = words(import_predictions(project, folder / "predictions.jsonl", SYSTEM))
    assert "2 run-away predictions" in report
    assert "id bn-run: 20,000 characters" in report
    assert "id clova_demo_2: 20,000 characters" in report


def test_edge_white_space_is_counted_and_kept(messy: Path, project: Project) -> None:
    folder = messy / "23_trailing_newline"
    import_items(project, folder / "items.csv")
    report = import_predictions(project, folder / "predictions.jsonl", SYSTEM)
    assert [(warned.kind, warned.count) for warned in report.warnings] == [("predicted-edge-space", 6)]


def test_two_columns_that_could_be_gold_are_asked_about(messy: Path, project: Project) -> None:
    folder = messy / "26_renamed_columns"
    message = refusal(project, folder / "items_b.csv")
    assert "--map gold=label or --map gold=transcription" in message
    assert "no column for id among: filename, transcription, label" in message
    chosen = ImportOptions(mapping=(("id", "filename"), ("gold", "transcription")))
    assert import_items(project, folder / "items_b.csv", chosen).written == 9
    report = words(import_predictions(project, folder / "predictions_b.csv", SYSTEM))
    assert "columns: filename -> id, gt -> gold, pred -> predicted" in report


def test_what_is_no_image_is_told_by_content(messy: Path, project: Project) -> None:
    report = words(import_items(project, messy / "28_extension_lies" / "items.csv"))
    assert "row 3 (line 4), id c: image images/c.jpg: not an image: an HTML page" in report
    assert "row 5 (line 6), id e: image images/e.png: not an image: a Git LFS pointer" in report
    assert "2 images" in report


def test_paths_that_leave_the_folder_are_not_followed(messy: Path, project: Project) -> None:
    report = import_items(project, messy / "33_path_traversal" / "items.csv")
    assert [problem.line for problem in report.problems] == [3, 4, 5, 6, 7, 9, 10]
    assert {problem.found.rsplit(": ", 1)[1] for problem in report.problems} == {
        "leaves the dataset folder",
        "not a file here",
    }


def test_ragged_rows_and_the_open_quote_are_named_by_line(messy: Path, project: Project) -> None:
    folder = messy / "35_ragged_rows"
    message = refusal(project, folder / "items.csv")
    assert "items.csv, line 3: found 3 cells, 2 columns" in message
    assert "items.csv, line 4: found 1 cell, 2 columns" in message
    assert "line 5" not in message
    message = refusal(project, folder / "predictions.csv", SYSTEM)
    assert "predictions.csv, line 5: found a quote that is never closed" in message


def test_a_line_that_no_system_answered_is_missing_for_each(messy: Path, project: Project) -> None:
    folder = messy / "37_many_models_one_file"
    import_items(project, folder / "items.tsv")
    report = import_predictions(project, folder / "predictions.csv")
    assert (report.ids.missing, report.ids.duplicates) == (3, 0)
    assert report.ids.first_missing[0] == "kant1784-p0017-l24 (CALA-gt4histocr)"
