"""Read-outs on severities: ratings, preferences, equal counts, load, real words, disagreement."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from annotator.analyses.severity.contrasts import report_equal_count, report_load
from annotator.analyses.severity.disagreement import mean_pairwise_cer, report_disagreement
from annotator.analyses.severity.loading import require_provider
from annotator.analyses.severity.preferences import report_preferences
from annotator.analyses.severity.rated import RatedTask
from annotator.analyses.severity.ratings import report_ratings, split_half
from annotator.analyses.severity.realword import report_realword
from annotator.analyses.severity.report import report_severity
from annotator.analyses.severity.textratings import report_text_ratings
from annotator.analyses.severity.twoproviders import report_two_providers
from annotator.cli.main import root
from annotator.errors import UsageError
from annotator.records import Query
from annotator.store.project import Project
from annotator.store.reading import read_runs
from annotator.store.severities import Charge, iter_lines, put_provider, run_stamp, write_charges
from annotator.store.study_records import TaskRow
from annotator.studies.kinds import StudyKind
from annotator.studies.work import current_desk
from tests.builders import _run, build_project
from tests.studies.builders import answer, open_study, seat

QUICK = Query(resamples=50)
YEARS = [f"Born in 19{k}9 here" for k in range(1, 9)]
TYPOS = [f"the planned street number {k}" for k in range(1, 9)]
CASES = [f"The name of place {k}" for k in range(1, 9)]


def lines(folder: Path) -> Project:
    golds = {f"year{k}": g for k, g in enumerate(YEARS)} | {f"typo{k}": g for k, g in enumerate(TYPOS)}
    golds |= {f"case{k}": g for k, g in enumerate(CASES)}
    items = [{"id": name, "gold": gold, "language": "en"} for name, gold in golds.items()]
    read = {
        n: g.replace("9 here", "4 here").replace("planned", "plamned").replace("The", "the") for n, g in golds.items()
    }
    return build_project(folder, items, {"one": read})


def rate_all(project: Project, value_of: dict[str, str], study: str = "s") -> None:
    """A rater who answers every task by the start of its item's id."""
    rater = seat(project, study)
    with project.read() as connection:
        ids = dict(connection.execute("SELECT task_key, item_id FROM task").fetchall())
    while (desk := current_desk(project, rater)).task is not None:
        answer(project, rater, value_of[ids[desk.task.task_key][:4]], desk)


@pytest.fixture
def rated(tmp_path: Path) -> Project:
    project = lines(tmp_path)
    open_study(project, StudyKind.EDIT_SEVERITY)
    with project.write() as connection:
        connection.execute("UPDATE task SET band = CASE substr(item_id, 1, 4) WHEN 'case' THEN 'low' WHEN 'typo' THEN "
                           "'middle' ELSE 'high' END")  # fmt: skip
    for values in ({"year": "4", "typo": "1", "case": "0"}, {"year": "4", "typo": "2", "case": "0"}):
        rate_all(project, values)
    return project


def test_rules_against_ratings(rated: Project) -> None:
    (row,) = report_ratings(rated, QUICK, "s").rows
    assert (row.language, row.n, row.not_charged) == ("en", 24, 0)
    assert row.spearman.value == pytest.approx(1.0)
    assert row.share.value == pytest.approx(1.0)
    assert row.catch.value == pytest.approx(1.0)
    assert row.best_order in ("filter-label", "real-word-label", "1/m", "in-turn")
    assert row.best_share is not None
    assert row.best_share < 1.0
    assert row.lead_p_holm == row.lead_p
    assert row.given_band.value is None


def test_the_ratings_are_a_provider(rated: Project) -> None:
    (row,) = report_severity(rated, QUICK, "ratings").rows
    assert row.coverage == 1.0
    assert row.mean_severity == pytest.approx((1.0 + 0.375 + 0.0) / 3)
    with pytest.raises(UsageError, match="whole-line"):
        report_severity(rated, QUICK, "whole-line")


def test_new_ratings_change_the_provider(rated: Project) -> None:
    with rated.read() as connection:
        runs = read_runs(connection)
    before = require_provider(rated, "ratings", runs).version
    rate_all(rated, {"year": "3", "typo": "1", "case": "0"})
    assert require_provider(rated, "ratings", runs).version != before


def test_whole_lines_are_charged_their_rating(tmp_path: Path) -> None:
    project = lines(tmp_path)
    open_study(project, StudyKind.TEXT_SEVERITY)
    rate_all(project, {"year": "4", "typo": "2", "case": "0"})
    (row,) = report_severity(project, QUICK, "whole-line").rows
    assert row.cer is not None
    assert row.semcer == pytest.approx(row.cer * 0.5)
    report = report_text_ratings(project, QUICK, "s", "rubric")
    found = {row.score: row for row in report.rows}
    rates = {"cer_raw", "cer_ws", "cer_omni2025", "cer_full", "cer_light"}
    assert set(found) == rates | {"semcer", "class_charge", "whole_line"}
    assert (found["whole_line"].spearman, report.whole_line) == (None, "")
    assert "judge-line" in found["whole_line"].why["spearman"]
    assert found["semcer"].spearman is not None
    assert found["cer_raw"].spearman is not None
    assert found["semcer"].spearman > found["cer_raw"].spearman
    assert found["cer_raw"].gain == pytest.approx(found["semcer"].spearman - found["cer_raw"].spearman)


def test_a_judge_of_whole_lines_stands_beside_semcer(tmp_path: Path) -> None:
    project = lines(tmp_path)
    open_study(project, StudyKind.TEXT_SEVERITY)
    rate_all(project, {"year": "4", "typo": "2", "case": "0"})
    with project.read() as connection:
        run = read_runs(connection)[0]
        severity = {"year": 1.0, "typo": 0.5, "case": 0.0}
        charges = [
            Charge(line.prediction_key, at, severity[line.item_id[:4]])
            for line in iter_lines(connection, run.key)
            for at in range(len(line.alignment.edits))
        ]
    with project.write() as connection:
        key = put_provider(connection, "judge-line:m", "judge-line", "1", {}, 1.0)
        write_charges(connection, key, run.key, charges, run_stamp(run))
    report = report_text_ratings(project, QUICK, "s", "rubric")
    found = {row.score: row for row in report.rows}["whole_line"]
    assert report.whole_line == "judge-line:m"
    assert found.spearman is not None
    assert found.spearman > 0.9
    assert (found.gain is None, found.n) == (False, 24)


def test_texts_of_a_document_are_resampled_together(tmp_path: Path) -> None:
    """Six documents of four texts each, alike inside: whole documents spread wider than texts on their own."""
    project = lines(tmp_path)
    open_study(project, StudyKind.TEXT_SEVERITY)
    rate_all(project, {"year": "4", "typo": "2", "case": "0"})
    loose = {row.score: row for row in report_text_ratings(project, QUICK, "s", "rubric").rows}["cer_raw"]
    with project.write() as connection:
        connection.execute(
            "UPDATE item SET document = substr(id, 1, 4) || (CASE WHEN substr(id, 5, 1) < '5' THEN 'x' ELSE 'y' END)"
        )
    bound = {row.score: row for row in report_text_ratings(project, QUICK, "s", "rubric").rows}["cer_raw"]
    assert bound.spearman == loose.spearman
    assert bound.high is not None
    assert bound.low is not None
    assert loose.high is not None
    assert loose.low is not None
    assert bound.high - bound.low > loose.high - loose.low
    with project.write() as connection:
        connection.execute("UPDATE item SET document = substr(id, 1, 4)")
    few = {row.score: row for row in report_text_ratings(project, QUICK, "s", "rubric").rows}["cer_raw"]
    assert "documents" in few.note


def test_two_providers_on_shared_edits(tmp_path: Path) -> None:
    project = lines(tmp_path)
    report = report_two_providers(project, QUICK, "rubric", "mode:rubric")
    (row,) = report.rows
    assert (row.language, row.n, row.items, row.mean_absolute_difference) == ("all", 24, 24, 0.0)
    assert (row.spearman.value, row.spearman.low) == (pytest.approx(1.0), pytest.approx(1.0))
    flat = report_two_providers(project, QUICK, "unit", "rubric").rows[0]
    assert flat.spearman.value is None
    assert "equal" in flat.spearman.why
    assert flat.mean_difference == pytest.approx(1 - (flat.mean_b or 0))
    with pytest.raises(UsageError, match="twice"):
        report_two_providers(project, QUICK, "rubric", "rubric")


def test_two_providers_with_few_documents_resample_items(tmp_path: Path) -> None:
    project = lines(tmp_path)
    with project.read() as connection:
        run = read_runs(connection)[0]
        places = list(iter_lines(connection, run.key))
    drawn = np.random.default_rng(4).random(len(places))
    with project.write() as connection:
        key = put_provider(connection, "drawn", "imported", "1", {}, 1.0)
        charges = [Charge(line.prediction_key, 0, float(s)) for line, s in zip(places, drawn, strict=True)]
        write_charges(connection, key, run.key, charges, run_stamp(run))
    loose = report_two_providers(project, QUICK, "rubric", "drawn").rows[0].spearman
    assert loose.low is not None
    with project.write() as connection:
        connection.execute("UPDATE item SET document = substr(id, 1, 4)")
    few = report_two_providers(project, QUICK, "rubric", "drawn").rows[0].spearman
    assert (few.value, few.low, few.high) == (loose.value, loose.low, loose.high)
    with project.write() as connection:
        connection.execute("UPDATE item SET document = substr(id, 1, 4) || (substr(id, 5, 1) < '5')")
    many = report_two_providers(project, QUICK, "rubric", "drawn").rows[0].spearman
    assert many.value == loose.value
    assert (many.low, many.high) != (loose.low, loose.high)


def test_split_halves_of_raters_who_agree_are_reliable() -> None:
    task = TaskRow(1, 1, 1, "i", "en", "", "a", "", "b", None, None, False, (), False, 0)
    tasks = [RatedTask(task, {f"r{k}": str(value) for k in range(4)}) for value in (0, 1, 2, 3, 4)]
    assert split_half(tasks, None, np.random.default_rng(0)).value == pytest.approx(1.0)
    alone = [RatedTask(task, {"r": "1"})]
    assert "two raters" in split_half(alone, None, np.random.default_rng(0)).why


def test_a_study_of_another_kind_is_refused(rated: Project) -> None:
    with pytest.raises(UsageError, match="edit-severity; expected a study of kind text-severity"):
        report_text_ratings(rated, QUICK, "s", "rubric")


def test_preferences_where_cer_and_semcer_part(tmp_path: Path) -> None:
    """The output with the wrong year has fewer edits; readers prefer the other one."""
    items = [{"id": f"year{k}", "gold": gold, "language": "en"} for k, gold in enumerate(YEARS)]
    one = {f"year{k}": gold.replace("9 here", "4 here") for k, gold in enumerate(YEARS)}
    two = {f"year{k}": gold.replace("Born", "bOrm") for k, gold in enumerate(YEARS)}
    project = build_project(tmp_path, items, {"one": one, "two": two})
    open_study(project, StudyKind.PREFERENCE)
    with project.read() as connection:
        sides = dict(connection.execute("SELECT task_key, side FROM task_system WHERE system = 'two'").fetchall())
    for _ in range(3):
        rater = seat(project)
        while (desk := current_desk(project, rater)).task is not None:
            answer(project, rater, sides[desk.task.task_key], desk)
    report = report_preferences(project, QUICK, "s", ("rubric",))
    found = {(row.pairs, row.score): row for row in report.rows}
    assert found["all", "rubric"].agreement == 1.0
    assert found["all", "cer"].agreement == 0.0
    assert found["all", "normalized_cer"].ties == 8
    assert found["all", "rubric"].margin == pytest.approx(1.0)
    assert found["near-miss", "rubric"].n == 8
    assert found["normalization-proof", "rubric"].n == 0
    assert (report.overrides[0].overrides, report.overrides[0].agreement) == (8, 1.0)
    both = report_two_providers(project, QUICK, "rubric", "unit", "s")
    assert [(row.provider, row.overrides) for row in both.overrides] == [("rubric", 8), ("unit", 0)]
    assert report.one_reader == (("en", 1.0, 24),)


def test_equal_counts(tmp_path: Path) -> None:
    project = lines(tmp_path)
    with project.read() as connection:
        golds = dict(connection.execute("SELECT id, gold FROM item").fetchall())
    build = {name: gold.lower() if name.startswith("year") else gold for name, gold in golds.items()}

    with project.write() as connection:
        _run(connection, "two", build, 1)
    (row,) = report_equal_count(project, QUICK, "rubric").rows
    assert (row.a, row.b, row.n, row.edits) == ("one", "two", 8, 8)
    assert row.difference == pytest.approx(1.0)
    assert row.p_holm == row.p
    with pytest.raises(UsageError, match="expected two"):
        report_equal_count(project, QUICK, "rubric", "one")


def test_load_by_language(tmp_path: Path) -> None:
    items = [
        {"id": "v", "gold": "café noir", "language": "fr"},
        {"id": "c", "gold": "我们", "language": "zh"},
        {"id": "many", "gold": "abcdef", "language": "fr"},
        {"id": "foreign", "gold": "我们café", "language": "zh"},
    ]
    answers = {"v": "cafe noir", "c": "我门", "many": "zzzzzz", "foreign": "我们cafe"}
    project = build_project(tmp_path, items, {"one": answers})
    rows = {row.language: row for row in report_load(project, QUICK, "unit").rows}
    assert (rows["fr"].lines, rows["fr"].mark_only.n, rows["fr"].load_is) == (1, 1, "mark-only")
    assert (rows["zh"].load, rows["zh"].load_is, rows["zh"].mark_only.n) == (1.0, "content", 1)


def test_real_words_against_chance(tmp_path: Path) -> None:
    words = [f"had{k % 7}" for k in range(40)]
    items = [{"id": f"i{k}", "gold": "he had one " + word, "language": "en"} for k, word in enumerate(words)]
    real = {f"i{k}": "he has one " + word for k, word in enumerate(words)}
    junk = {f"i{k}": "he hqd one " + word for k, word in enumerate(words)}
    project = build_project(tmp_path, items, {"fluent": real, "plain": junk, "few": {"i0": "he has one had0"}})
    rows = {row.system: row for row in report_realword(project, QUICK).rows}
    assert (rows["fluent"].letter_errors, rows["fluent"].share, rows["plain"].share) == (40, 1.0, 0.0)
    assert 0.0 < (rows["fluent"].chance or 0.0) < 0.9
    assert rows["few"].share is None
    assert "30" in rows["few"].why["share"]
    again = report_realword(project, QUICK)
    assert again == report_realword(project, QUICK)


def test_chinese_pairs_have_no_chance(tmp_path: Path) -> None:
    items = [{"id": f"i{k}", "gold": "我们今天", "language": "zh"} for k in range(30)]
    items.append({"id": "x", "gold": "我的", "language": "zh"})
    project = build_project(tmp_path, items, {"one": {f"i{k}": "我的今天" for k in range(30)}})
    (row,) = report_realword(project, QUICK).rows
    assert (row.share, row.chance) == (1.0, None)
    assert "chance" in row.why


def test_items_without_gold_are_ordered_by_disagreement(tmp_path: Path) -> None:
    items = [{"id": "same"}, {"id": "near"}, {"id": "far"}, {"id": "gold", "gold": "x"}, {"id": "one"}]
    read = {"a": {"same": "cat", "near": "cat", "far": "cat", "gold": "x", "one": "z"},
            "b": {"same": "cat", "near": "cut", "far": "dog!", "gold": "y"}}  # fmt: skip
    report = report_disagreement(build_project(tmp_path, items, read), Query())
    assert [row.id for row in report.rows] == ["far", "near", "same"]
    assert report.rows[0].disagreement == pytest.approx((4 / 3 + 4 / 4) / 2)
    assert (report.items, report.fewer) == (3, 1)


@pytest.mark.parametrize(
    ("texts", "rate"), [(["ab"], None), (["", ""], None), (["ab", ""], 1.0), (["ab", "ab", "ac"], 1 / 3)]
)
def test_mean_pairwise_cer(texts: list[str], rate: float | None) -> None:
    assert mean_pairwise_cer(texts) == (None if rate is None else pytest.approx(rate))


@pytest.mark.parametrize(
    "command", ["equal-count", "providers rubric unit", "load", "realword", "disagreement", "ratings --study s"]
)
def test_commands_print_one_document(rated: Project, command: str) -> None:
    args = ["report", *command.split(), "--json", "--resamples", "20", "--project", str(rated.folder)]
    result = CliRunner().invoke(root, args, catch_exceptions=False)
    assert result.exit_code == 0
    document = json.loads(result.stdout)
    assert "project_revision" in document
    assert isinstance(document["rows"], list)
