"""The real test sets that lie beside the checkout: each imports as it is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from annotator.ingest.attributes import import_attributes
from annotator.ingest.bringing import bring
from annotator.ingest.formats.brought import Kind
from annotator.ingest.items import import_items
from annotator.ingest.options import ImportOptions
from annotator.ingest.pairs import import_pairs
from annotator.ingest.predictions import import_predictions
from annotator.store.project import Project, open_project

pytestmark = pytest.mark.shared


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return open_project(tmp_path / "project", create=True)


def one(project: Project, sql: str) -> tuple[Any, ...]:
    with project.read() as connection:
        return tuple(connection.execute(sql).fetchone())


def test_five_benchmarks_with_images_and_character_confidences(project: Project, shared_data: Path) -> None:
    report = import_items(project, shared_data / "str" / "items.tsv")
    assert (report.written, report.warnings) == (6657, ())
    report = import_predictions(project, shared_data / "str" / "predictions_tesseract_dict.jsonl")
    assert (report.written, report.ids.missing) == (6657, 0)
    assert one(project, "SELECT count(char_confidence) FROM prediction_detail") > (6000,)


def test_targets_with_standard_forms_boxes_and_responses(project: Project, shared_data: Path) -> None:
    folder = shared_data / "scenefaith"
    assert import_items(project, folder / "items.tsv").written == 781
    assert one(project, "SELECT count(*) FROM item WHERE standard != '' AND box_width > 0") == (781,)
    report = import_predictions(project, folder / "predictions.jsonl")
    assert report.notes == ("7,029 predictions parsed from raw responses (parser version 1)",)
    assert one(project, "SELECT count(*) FROM run") == (9,)
    assert import_attributes(project, folder / "lexical.tsv").written == 781


def test_golds_of_a_systems_own_file_are_counted_by_kind(project: Project, shared_data: Path) -> None:
    folder = shared_data / "bctr"
    assert import_items(project, folder / "items_scene.tsv.gz").written == 63646
    report = import_predictions(project, folder / "predictions_scene_CRNN.tsv.gz", ImportOptions(system="CRNN"))
    assert [(warned.kind, warned.count) for warned in report.warnings] == [
        ("own-gold-compatibility", 2721),
        ("own-gold-real", 2),
    ]


def test_arabic_lines_keep_their_edge_spaces(project: Project, shared_data: Path) -> None:
    folder = shared_data / "arabic"
    assert import_items(project, folder / "items_unique.tsv.gz").written == 7140
    path = folder / "predictions_unique_kraken-beirut.tsv.gz"
    report = import_predictions(project, path, ImportOptions(system="kraken"))
    assert report.written == 7140
    assert one(project, "SELECT count(*) FROM prediction WHERE predicted != trim(predicted)") > (5000,)


def test_fraktur_lines_of_eight_engines_with_glyph_confidences(project: Project, shared_data: Path) -> None:
    folder = shared_data / "ocrd"
    import_items(project, folder / "items.tsv.gz", ImportOptions(box="xyxy"))
    assert one(project, "SELECT box_x, box_y, box_width, box_height FROM item") == (114, 366, 804, 72)
    for path in sorted(folder.glob("predictions_*.jsonl.gz")):
        system = path.name.removeprefix("predictions_").removesuffix(".jsonl.gz")
        assert import_predictions(project, path, ImportOptions(system=system)).written > 0
    assert one(project, "SELECT count(*) FROM system") == (8,)


@pytest.mark.parametrize(
    ("gold", "said", "lines", "missing"),
    [
        ("4_larex_462875/gt.page.xml", "4_larex_462875/ocr.tesseract.page.xml", 35, 0),
        ("6_kant_p0017/gt.alto.xml", "6_kant_p0017/ocr.tesseract-gt4histocr.page.xml", 24, 2),
        ("1_brochrnx/gt.page.xml", "1_brochrnx/ocr.tesseract-frk.page.xml", 34, 2),
        ("5_actevedef/gt.page.xml", "5_actevedef/ocr.calamari.page.xml", 68, None),
    ],
)
def test_pages_pair_by_place(
    project: Project, shared_data: Path, gold: str, said: str, lines: int, missing: int | None
) -> None:
    folder = shared_data / "ocrd" / "pairs"
    options = ImportOptions(system="s")
    report = bring(Kind.PAIRS, folder / gold, options, lambda: project, predicted=folder / said)
    assert report.read == lines
    assert missing is None or report.ids.missing == missing
    assert one(project, "SELECT 1.0 * sum(matches) / sum(gold_length) FROM prediction") > (0.7,)


def test_pairs_without_ids(project: Project, shared_data: Path) -> None:
    report = import_pairs(project, shared_data / "banglawild" / "examples.tsv")
    assert (report.written, report.mapping[0].column) == (28, "row number")
