"""Every report prints the keys of the command line contract, and says why of what is undefined."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.contract import annotate, nulls, read, write_small_project

GRID = ("--reference", "signs", "--resamples", "100")
PAIRED = {"n", "a", "b", "delta", "low", "high", "p", "verdict", "mcnemar_p", "transitions"}
SCORES = {"system", "condition", "n", "missing", "without_gold", "cer", "cer_low", "cer_high", "cer_macro", "wer",
          "one_minus_ned", "exact", "str_accuracy", "charitable", "semcer"}  # fmt: skip
OUTCOMES = {"system", "condition", "n", "missing", "literal", "canonical", "other", "literal_accuracy",
            "rewriting_rate", "rewriting_low", "rewriting_high", "macro_rewriting_rate"}  # fmt: skip
CLASSES = ["truncation", "script-contamination", "semantic-hallucination", "spurious-content", "numeric",
           "word-boundary", "unicode-normalization", "lexical-substitution", "word-corruption", "vowel-sign",
           "conjunct", "consonant-homophone", "nasal", "compound-orthographic", "visual-misread"]  # fmt: skip

ROWS: list[tuple[str, set[str]]] = [
    ("scores", SCORES),
    ("scores --by benchmark", {*SCORES, "group"}),
    ("outcomes", OUTCOMES),
    ("outcomes --macro domain", OUTCOMES),
    ("outcomes --by domain", {*OUTCOMES, "group"}),
    ("outcomes --by-perturbation", {*OUTCOMES, "group"}),
    ("outcomes --by-length", {*OUTCOMES, "group"}),
    (
        "taxonomy",
        {"system", "condition", "events", "shares", "counts", "exact", "visual_orthographic_ratio"},
    ),
    ("attributes domain", {"system", "condition", "values", "n", "value", "low", "high"}),
    ("attributes domain benchmark --metric exact", {"system", "condition", "values", "n", "value", "low", "high"}),
    (
        "severity --provider rubric --limit 2",
        {
            "system",
            "condition",
            "n",
            "coverage",
            "imputed",
            "semcer",
            "cer",
            "normalized_cer",
            "edits",
            "mean_severity",
        },
    ),
    ("confidence", {"system", "condition", "cell", "n", "accuracy", "mean", "mean_correct", "mean_wrong"}),
    ("ngrams one@default two --cell 1-1 --min-count 1", {"ngram", "n", "a_failure", "b_failure"}),
    ("marginals", {"system", "condition", "axis", "quintile", "n", "correct", "value", "low", "high"}),
    ("crosscorpus --second wordfreq-en", {"system", "condition", "axis", "pearson"}),
    ("mitigation two", {"system", "condition", "corner", "centre", "aggregate", "improves_both"}),
    ("modes", {"system", "condition", "n", "wrong", "counts", "abstain", "commit"}),
    ("suspects --agree 2", {"item_id", "gold", "answer", "agree"}),
    ("control one@default two", {"scope", "n", "a", "b", "delta", "low", "high", "gained", "lost"}),
    ("families", {"n"}),
    ("conditions", {"n"}),
    ("traces", {"n"}),
    ("confusions", {"op", "gold", "predicted", "count"}),
    ("equal-count one@default two", {"a", "b", "n", "mean_a", "mean_b", "difference", "low", "high", "p"}),
    ("load", {"language", "mark_only", "content", "edit"}),
    ("realword", {"system", "condition", "language", "letter_errors", "share", "chance"}),
    ("disagreement", {"id", "n", "disagreement"}),
    ("calibration", {"system", "condition", "n", "accuracy", "ece", "auroc"}),
]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("contract")
    write_small_project(folder, folder / "p")
    return str(folder / "p")


def report(project: str, line: str) -> Any:
    name = line.split()[0]
    grid = GRID if name in {"confidence", "ngrams", "marginals", "crosscorpus", "mitigation", "modes", "suspects",
                            "control", "strata"} else GRID[2:]  # fmt: skip
    return read("report", *line.split(), *grid, "--project", project)


@pytest.mark.parametrize(("line", "keys"), ROWS, ids=[line for line, _ in ROWS])
def test_rows_hold_the_keys_of_the_contract(line: str, keys: set[str], project: str) -> None:
    document = report(project, line)
    assert {"project_revision", "alignment_version", "profile", "seed"} <= set(document)
    assert all(keys <= set(row) for row in document["rows"])
    assert document["rows"] or line.startswith("suspects")


@pytest.mark.parametrize("line", [line for line, _ in ROWS] + ["strata", "compare one@default two", "compare one@default "
                         "two --metric cer", "lexical --prior lm_gap", "consensus one@default two"])  # fmt: skip
def test_what_is_undefined_is_null_with_a_reason_beside_it(line: str, project: str) -> None:
    assert nulls(report(project, line)) == []


def test_strata(project: str) -> None:
    document = report(project, "strata")
    assert {"reference", "kept", "dropped", "short_labels", "edges", "systems", "language",
            "languages_left_out"} <= set(document)  # fmt: skip
    assert set(document["dropped"]) == {"total", "by_benchmark", "by_reason"}
    assert set(document["edges"]) == {"set0", "set1"}
    assert all(len(edges["word"]) == len(edges["ngram"]) == 4 for edges in document["edges"].values())
    for system in document["systems"]:
        assert {"system", "condition", "grid", "gap", "gap_low", "gap_high", "gap_stratified", "corner", "centre",
                "aggregate", "aggregate_kept", "interaction"} <= set(system)  # fmt: skip
        assert {"marginal_ngram", "marginal_word", "conditional_ngram", "joint"} <= set(system["interaction"])
        assert [len(row) for row in system["grid"]] == [5] * 5
        assert all({"n", "correct", "value"} <= set(cell) for row in system["grid"] for cell in row)


def test_compare_never_turns_the_sign(project: str) -> None:
    ahead = report(project, "compare one@default two --metric cer")
    back = report(project, "compare two one@default --metric cer")
    assert set(ahead) >= PAIRED
    assert ahead["delta"] == pytest.approx(ahead["a"] - ahead["b"]) == pytest.approx(-back["delta"])
    assert (ahead["transitions"], ahead["mcnemar_p"]) == (None, None)
    assert ahead["low"] <= ahead["delta"] <= ahead["high"]
    assert ahead["verdict"] in {"significant", "marginal", "within-noise"}


def test_compare_of_a_yes_or_no_metric_has_a_two_by_two(project: str) -> None:
    document = report(project, "compare one@default two --metric exact")
    (both, only_a), (only_b, neither) = document["transitions"]
    assert both + only_a + only_b + neither == document["n"] == 20
    assert document["a"] == pytest.approx((both + only_a) / 20)
    assert document["b"] == pytest.approx((both + only_b) / 20)


def test_compare_of_outcomes_is_of_the_rewriting_rate_with_literal_accuracy_beside(project: str) -> None:
    document = report(project, "compare one@default two --metric outcome")
    rows = document["transitions"]
    assert [len(row) for row in rows] == [3, 3, 3]
    assert document["a"] == pytest.approx(sum(rows[1]) / document["n"])
    assert document["b"] == pytest.approx(sum(row[1] for row in rows) / document["n"])
    assert set(document["literal"]) >= PAIRED - {"transitions"}
    assert document["literal"]["a"] == pytest.approx(sum(rows[0]) / document["n"])


def test_compare_uses_the_items_that_both_answered(project: str) -> None:
    assert report(project, "compare one@gray two --metric exact")["n"] == 15


@pytest.mark.parametrize("cell", ["0-1", "1-6", "55", "q5-q5"])
def test_a_cell_is_two_numbers_from_one_to_five(cell: str, project: str) -> None:
    ran = annotate("report", "compare", "one@default", "two", "--cell", cell, "--json", "--project", project)
    assert (ran.code, ran.out) == (2, "")
    assert "I-J" in ran.err


def test_outcomes_of_groups_come_with_rows_pooled_over_systems(project: str) -> None:
    for line in ("outcomes --by domain", "outcomes --by-perturbation", "outcomes --by-length"):
        document = report(project, line)
        assert document["pooled"]
        assert all(
            {"group", "n", "literal", "canonical", "other", "rewriting_rate"} <= set(r) for r in document["pooled"]
        )
        assert {row["group"] for row in document["pooled"]} == {row["group"] for row in document["rows"]}


def test_consensus_and_lexical(project: str) -> None:
    found = report(project, "consensus one@default two --fold")
    assert found["accepted"] == found["literal"] + found["canonical"] + found["other"]
    assert found["coverage"] == pytest.approx(found["accepted"] / 20)
    prior = report(project, "lexical --prior lm_gap")
    assert {"n", "spearman", "low", "high", "quintiles"} <= set(prior)
    assert len(prior["quintiles"]) == 5


def test_every_class_has_a_share_and_a_count(project: str) -> None:
    for row in report(project, "taxonomy")["rows"]:
        assert list(row["counts"]) == list(row["shares"]) == CLASSES
        assert sum(row["counts"].values()) == row["events"]


def test_severity_lists_the_worst_edits_first(project: str) -> None:
    edits = report(project, "severity --provider rubric --limit 5")["edits"]
    assert len(edits) == 5
    assert [edit["severity"] for edit in edits] == sorted((edit["severity"] for edit in edits), reverse=True)


def test_missing_answers_count_as_empty_only_when_asked(project: str) -> None:
    gray = {row["condition"]: row for row in report(project, "scores --system one")["rows"]}["gray"]
    assert (gray["n"], gray["missing"]) == (15, 5)
    counted = {row["condition"]: row for row in report(project, "scores --system one --missing error")["rows"]}["gray"]
    assert counted["n"] == 20
    assert counted["exact"] < gray["exact"]


def test_an_unknown_name_is_bad_input_in_one_message(project: str) -> None:
    ran = annotate("report", "scores", "--system", "nobody", "--json", "--project", project)
    assert (ran.code, ran.out) == (2, "")
    assert "expected one of: one, two" in ran.err


def test_files_are_scored_without_a_project_or_a_system_column(tmp_path: Path) -> None:
    (tmp_path / "items.csv").write_text("id,gold\n1,abc\n", encoding="utf-8")
    (tmp_path / "said.csv").write_text("id,predicted\n1,abd\n", encoding="utf-8")
    out = tmp_path / "scores.jsonl"
    read(
        "score", "--items", str(tmp_path / "items.csv"), "--predictions", str(tmp_path / "said.csv"), "--out", str(out)
    )
    row = json.loads(out.read_text(encoding="utf-8").splitlines()[0])
    assert (row["id"], row["system"]) == ("1", "said")


@pytest.mark.parametrize(
    ("values", "kind"), [("0 1 2 4", "text-severity"), ("1 3 5 5", "text-score"), ("1 2 3 4", None), ("7 8 9 9", None)]
)
def test_the_kind_of_imported_ratings_is_guessed_only_where_one_fits(
    values: str, kind: str | None, tmp_path: Path
) -> None:
    (tmp_path / "items.csv").write_text("id,gold\n1,abc\n2,abd\n", encoding="utf-8")
    rows = zip(("1", "1", "2", "2"), ("r1", "r2", "r1", "r2"), values.split(), strict=True)
    (tmp_path / "r.csv").write_text("item,rater,value\n" + "\n".join(map(",".join, rows)) + "\n", encoding="utf-8")
    read("import", "items", str(tmp_path / "items.csv"), "--project", str(tmp_path / "p"))
    ran = annotate("import", "ratings", str(tmp_path / "r.csv"), "--json", "--project", str(tmp_path / "p"))
    assert ran.code == (0 if kind else 2)
    if kind:
        assert ran.document["written"] == 4
        assert kind in ran.document["notes"][0]
        found = read("report", "agreement", "--study", "r", "--resamples", "10", "--project", str(tmp_path / "p"))
        assert (found["kind"], found["ratings"], found["raters"]) == (kind, 4, 2)
