"""`report strata` on a grid told by hand."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from annotator.analyses.strata import StrataReport, report_strata
from annotator.errors import FileError, UsageError
from annotator.metrics.strata.grid import CELLS, CENTRE, CORNER
from annotator.records import Cell, MissingRule, Query
from annotator.store.project import Project
from tests.analyses.strata.builders import QUERY, grid_items, grid_project, right_but
from tests.builders import build_project


@pytest.fixture
def items() -> list[dict[str, Any]]:
    return grid_items(copies=2)


@pytest.fixture
def project(tmp_path: Path, items: list[dict[str, Any]]) -> Project:
    wrong = {"5-5-0": "x", "5-5-1": "", "3-3-1": "y"}
    half = {key: text for key, text in right_but(items, {}).items() if key.endswith("-0")}
    return grid_project(tmp_path, items, {"one": right_but(items, wrong), "half": half})


def test_every_cell_holds_the_labels_made_for_it(project: Project) -> None:
    report = report_strata(project, QUERY)
    one = report.systems[0]
    assert {cell: one.grid[cell].n for cell in CELLS} == dict.fromkeys(CELLS, 2)
    assert (report.placing.kept, report.placing.dropped, report.placing.reference) == (50, 0, "signs")
    assert (report.placing.axes, report.placing.letters, report.placing.language) == ("word", "ascii", "en")


def test_the_gap_aggregate_and_interaction(project: Project) -> None:
    one = report_strata(project, QUERY).systems[0]
    assert (one.gap.corner, one.gap.centre, one.gap.value) == (0.0, 0.5, -0.5)
    assert (one.gap.n_corner, one.gap.n_centre) == (2, 2)
    assert one.gap.low is not None
    assert one.gap.high is not None
    assert one.gap.low <= -0.5 <= one.gap.high
    assert one.aggregate.value == pytest.approx(47 / 50)
    assert one.aggregate_kept.value == one.aggregate.value
    assert one.interaction.joint.value == one.interaction.conditional_ngram.value == -1.0
    assert one.interaction.adds_up


def test_a_system_with_half_the_predictions_is_measured_on_those(project: Project) -> None:
    half = report_strata(project, QUERY).systems[1]
    assert (half.n, half.missing, half.grid.total.n) == (25, 25, 25)
    counted = report_strata(project, replace(QUERY, missing=MissingRule.ERROR)).systems[1]
    assert (counted.n, counted.missing, counted.aggregate.value) == (50, 25, 0.5)


def test_any_metric_may_fill_the_cells(project: Project) -> None:
    one = report_strata(project, QUERY, "cer").systems[0]
    assert one.grid[CORNER].value == pytest.approx((3 + 3) / (3 + 3))
    assert one.grid[CENTRE].value == pytest.approx(3 / 6)
    assert (one.grid[CENTRE].n, one.grid[CENTRE].correct) == (2, 1)
    assert one.gap.value == pytest.approx(0.5)
    assert one.gap_stratified.value == pytest.approx(0.5)


def test_severities_may_fill_the_cells(project: Project) -> None:
    one = report_strata(project, QUERY, "semcer").systems[0]
    cer = report_strata(project, QUERY, "cer").systems[0]
    assert one.grid[CORNER].value is not None
    assert cer.grid[CORNER].value is not None
    assert 0 < one.grid[CORNER].value <= cer.grid[CORNER].value
    assert report_strata(project, QUERY, "semcer:rubric").systems[0].grid == one.grid
    with pytest.raises(UsageError, match="profile raw"):
        report_strata(project, replace(QUERY, profile="full"), "semcer")
    with pytest.raises(UsageError, match="'nobody'"):
        report_strata(project, QUERY, "semcer:nobody")


def test_an_unknown_metric_names_the_known_ones(project: Project) -> None:
    with pytest.raises(UsageError, match="str_accuracy"):
        report_strata(project, QUERY, "beauty")


def test_the_report_is_the_same_when_it_is_read_back(project: Project) -> None:
    assert report_strata(project, QUERY) == report_strata(project, QUERY)


def test_a_new_item_is_placed_at_the_next_report(project: Project) -> None:
    before = report_strata(project, QUERY)
    with project.write() as connection:
        connection.execute("INSERT INTO item (id, gold, changed_revision) VALUES ('new', '1984', 9)")
    after = report_strata(project, QUERY)
    assert after.placing.items == before.placing.items + 1
    assert after.placing.dropped_by_reason == {"digit": 1}


def test_a_gold_marked_wrong_leaves_the_rates_and_both_gaps_are_shown(project: Project) -> None:
    with project.write() as connection:
        connection.execute("UPDATE item SET mark = 'gold-wrong' WHERE id = '5-5-0'")
    report = report_strata(project, QUERY)
    one = report.systems[0]
    assert (report.gold_wrong, one.gap.n_corner) == (1, 1)
    assert one.gap_before is not None
    assert one.gap_before.n_corner == 2
    kept = report_strata(project, replace(QUERY, keep_wrong_gold=True)).systems[0]
    assert (kept.gap.value, kept.gap_before) == (one.gap_before.value, None)


def test_benchmarks_are_binned_apart_and_the_gap_is_given_within_them(tmp_path: Path) -> None:
    items = grid_items(2, "shops") + grid_items(1, "roads")
    answers = right_but(items, {"shops5-5-0": "", "roads3-3-0": "", "roads5-5-0": ""})
    report = report_strata(grid_project(tmp_path, items, {"one": answers}), QUERY)
    one = report.systems[0]
    assert set(report.placing.edges) == {"shops", "roads"}
    assert one.gap.value == pytest.approx(1 / 3 - 2 / 3)
    assert one.gap_stratified.value == pytest.approx((1.0 * (0.5 - 1) + 0.5 * (0 - 0)) / 1.5)
    assert {part.benchmark: part.corner.n for part in one.benchmarks} == {"roads": 1, "shops": 2}
    alone = report_strata(grid_project(tmp_path / "b", items, {"one": answers}), replace(QUERY, benchmark="Shops"))
    assert alone.systems[0].gap.value == -0.5


def test_items_of_one_document_are_resampled_together_and_the_report_says_so(tmp_path: Path) -> None:
    items = grid_items(copies=6)
    for at, item in enumerate(items):
        item["document"] = f"page{at % 6}"
    wrong = {f"5-5-{copy}": "x" for copy in range(3)}
    project = grid_project(tmp_path, items, {"one": right_but(items, wrong)})
    report = report_strata(project, QUERY)
    alone = report_strata(project, replace(QUERY, cluster="id"))
    assert any("items share documents" in note for note in report.notes)
    assert not any("items share documents" in note for note in alone.notes)
    assert report.systems[0].gap.value == alone.systems[0].gap.value == -0.5


def test_one_grid_is_one_language(tmp_path: Path) -> None:
    items = [{**item, "language": "en-GB"} for item in grid_items()]
    items += [{"id": f"bn{k}", "gold": "ভাষা শহর", "language": "bn"} for k in range(3)]
    project = grid_project(tmp_path, items, {"one": right_but(items, {})})
    report = report_strata(project, QUERY)
    assert (report.placing.language, dict(report.placing.languages_left_out)) == ("en", {"bn": 3})
    assert report.systems[0].n == 25
    bengali = report_strata(project, replace(QUERY, language="bn", axes=""))
    assert (bengali.placing.axes, bengali.placing.items) == ("character", 3)
    with pytest.raises(UsageError, match="found en, bn"):
        report_strata(project, replace(QUERY, language="vi"))


def report_on(folder: Path, items: list[dict[str, Any]], query: Query = QUERY) -> StrataReport:
    return report_strata(grid_project(folder, items, {"one": right_but(items, {})}), query)


def test_one_item_makes_a_grid_without_a_gap(tmp_path: Path) -> None:
    report = report_on(tmp_path, [{"id": "a", "gold": "bgp"}])
    one = report.systems[0]
    assert (one.gap.value, one.gap.why) == (None, "nothing measured in cells 5-5 and 3-3")
    assert one.gap_stratified.why == "no benchmark has both a corner and a centre"
    assert any("leave quintiles empty" in note for note in report.notes)


def test_when_every_label_is_dropped_the_report_says_so(tmp_path: Path) -> None:
    report = report_on(tmp_path, [{"id": "a", "gold": "42"}, {"id": "b", "gold": "a b"}])
    assert (report.placing.kept, dict(report.placing.dropped_by_reason)) == (0, {"digit": 1, "special": 1})
    assert report.systems[0].aggregate.value == 1.0
    assert report.systems[0].aggregate_kept.why == "nothing measured"
    assert any("no label enters the grid" in note for note in report.notes)


def test_when_all_ranks_are_equal_everything_lies_in_the_first_cell(tmp_path: Path) -> None:
    report = report_on(tmp_path, [{"id": f"i{k}", "gold": "zzzz"} for k in range(4)])
    assert report.systems[0].grid[CELLS[0]].n == 4
    assert len(report.placing.empty) == 8


def test_an_empty_project_gives_an_empty_report(tmp_path: Path) -> None:
    report = report_strata(grid_project(tmp_path, [], {}), QUERY)
    assert (report.placing.kept, report.systems) == (0, ())
    assert report_strata(build_project(tmp_path / "bare", [], {}), Query()).placing.kept == 0


def test_an_unknown_reference_names_the_known_ones(project: Project) -> None:
    with pytest.raises(UsageError, match=r"'nothing'; expected one of: signs"):
        report_strata(project, replace(QUERY, reference="nothing"))


def test_without_a_language_that_a_list_exists_for_a_reference_must_be_named(tmp_path: Path) -> None:
    project = build_project(tmp_path, [{"id": "a", "gold": "ꦲꦤ"}], {})
    with pytest.raises(UsageError, match="--reference NAME"):
        report_strata(project, Query())


EDGES = "benchmark,axis,e1,e2,e3,e4,reference\n,word,0,0.5,1,1.2,signs\n,ngram,0.1,0.2,0.3,0.4,signs\n"


def test_published_edges_replace_the_datas_own(tmp_path: Path, project: Project) -> None:
    path = tmp_path / "edges.csv"
    path.write_text(EDGES, encoding="utf-8")
    report = report_strata(project, replace(QUERY, edges=str(path)))
    assert report.placing.edges[""].word == (0.0, 0.5, 1.0, 1.2)
    path.write_text(EDGES.replace("0.5", "0.6"), encoding="utf-8")
    assert report_strata(project, replace(QUERY, edges=str(path))).placing.edges[""].word[1] == 0.6


def test_edges_of_another_reference_need_force_and_leave_a_note(tmp_path: Path, project: Project) -> None:
    path = tmp_path / "edges.csv"
    path.write_text(EDGES.replace("signs", "MJSynth"), encoding="utf-8")
    with pytest.raises(UsageError, match="--force-edges"):
        report_strata(project, replace(QUERY, edges=str(path)))
    forced = report_strata(project, replace(QUERY, edges=str(path), force_edges=True))
    assert any("MJSynth" in note for note in forced.notes)


def test_edges_without_a_benchmark_of_the_data_or_unreadable_are_refused(tmp_path: Path, project: Project) -> None:
    path = tmp_path / "edges.csv"
    path.write_text(EDGES.replace("\n,", "\nother,"), encoding="utf-8")
    with pytest.raises(UsageError, match="no edges for the benchmark ''"):
        report_strata(project, replace(QUERY, edges=str(path)))
    with pytest.raises(FileError):
        report_strata(project, replace(QUERY, edges=str(tmp_path / "none.csv")))


def test_the_published_edges_come_by_name_and_their_axis_scale_is_that_of_words(tmp_path: Path) -> None:
    items = grid_items(1, "SVT")
    project = grid_project(tmp_path, items, {"one": right_but(items, {})})
    query = replace(QUERY, edges="stratistr", force_edges=True)
    assert report_strata(project, query).placing.edges["SVT"].word == (1.1, 1.9, 2.65, 3.5)
    with pytest.raises(UsageError, match="character axes"):
        report_strata(project, replace(query, axes="character", force_edges=False))


def test_every_effect_has_its_interval_and_an_empty_cell_has_none(project: Project) -> None:
    one = report_strata(project, QUERY).systems[0]
    assert set(one.effects) == {"marginal_ngram", "marginal_word", "conditional_ngram", "joint"}
    for name, found in one.effects.items():
        effect = getattr(one.interaction, name)
        assert found.value == effect.value
        assert found.low is not None
        assert found.high is not None
        assert found.low <= effect.value <= found.high
    assert (one.effects["joint"].n_corner, one.effects["joint"].n_centre) == (
        one.grid[CORNER].n,
        one.grid[Cell(1, 1)].n,
    )
