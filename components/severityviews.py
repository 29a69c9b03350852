"""Further views of the severity page: readers, equal counts, languages, real words, items without gold."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any

from annotator.analyses.severity.contrasts import report_equal_count, report_load
from annotator.analyses.severity.disagreement import report_disagreement
from annotator.analyses.severity.loading import provider_state
from annotator.analyses.severity.rated import EDITS, read_rated, studies_of
from annotator.analyses.severity.ratings import report_ratings
from annotator.analyses.severity.realword import report_realword
from annotator.records import Query
from annotator.store.project import Project
from components.filters import choose
from components.notes import empty_state, note
from components.numbers import Kind
from components.remember import kept
from components.state import Key
from components.tables import Column, show_table

RHO = "Spearman's correlation with the raters' mean"
READERS = (
    Column("language", "Language"),
    Column("n", "n", Kind.COUNT, "Rated edits that the provider charges."),
    Column("spearman", "Spearman", Kind.NUMBER, f"{RHO}.", "spearman_low", "spearman_high"),
    Column("given_band", "Within band", Kind.NUMBER, f"{RHO}, given the sampling band.", "given_band_low", "given_band_high"),
    Column("share", "Top-of-list share", Kind.NUMBER, "Mean of (G_f - f) / (O_f - f), f = .1 to .5 (semCER, B.1).", "share_low", "share_high"),
    Column("catch", "Top-10 % catch", Kind.NUMBER, "Damage in the first tenth / in the raters' own first tenth.", "catch_low", "catch_high"),
    Column("best_share", "Best judge-free share", Kind.NUMBER, "Filter label, real-word label, 1/m, or the three in turn."),
    Column("best_order", "which is"),
    Column("lead_p_holm", "p of the lead", Kind.P, "Bootstrap, Holm over the languages."),
    Column("reliability", "Raters' reliability", Kind.NUMBER, "Split half within band, Spearman-Brown.", "reliability_low", "reliability_high"),
)  # fmt: skip
EQUAL = (
    Column("a", "A"),
    Column("b", "B"),
    Column("language", "Language"),
    Column("n", "Lines", Kind.COUNT, "Lines where both make the same 1 to 5 edits (semCER, D.1)."),
    Column("mean_a", "A, an edit", Kind.NUMBER),
    Column("mean_b", "B, an edit", Kind.NUMBER),
    Column("difference", "A minus B", Kind.SIGNED, "Severity an edit; paired bootstrap.", "low", "high"),
    Column("p_holm", "p", Kind.P, "Holm over all rows."),
)
LOAD = (
    Column("language", "Language"),
    Column("lines", "Lines", Kind.COUNT, "Answers with 1 to 5 edits, all charged."),
    Column("mark_only", "Mark-only edit", Kind.NUMBER, "The grapheme load (semCER, D.2).", "mark_only_low", "mark_only_high"),
    Column("mark_only_n", "n", Kind.COUNT),
    Column("content", "Letter substituted", Kind.NUMBER, "", "content_low", "content_high"),
    Column("content_n", "n", Kind.COUNT),
    Column("edit", "Any edit", Kind.NUMBER, "", "edit_low", "edit_high"),
    Column("edit_n", "n", Kind.COUNT),
)  # fmt: skip
REAL = (
    Column("system", "System"),
    Column("condition", "Condition"),
    Column("language", "Language"),
    Column("letter_errors", "Letter errors", Kind.COUNT),
    Column("share", "Form another word", Kind.PERCENT, "Seen twice in the golds, or in the word list (semCER, D.3).", "low", "high"),
    Column("chance", "By chance", Kind.PERCENT, "20 random corruptions of the same shape, seeded."),
    Column("difference", "Above chance", Kind.POINTS, "", "difference_low", "difference_high"),
)  # fmt: skip
UNLIKE = (
    Column("id", "Item"),
    Column("n", "Answers", Kind.COUNT),
    Column("disagreement", "Disagreement", Kind.PERCENT, "Mean CER over all pairs of answers, each taken both ways."),
    Column("texts", "Read as", Kind.READ),
)


def show_readers(project: Project, query: Query, provider: str) -> None:
    """The provider against the ratings of an edit-severity study."""
    names = [study.name for study in studies_of(project, EDITS)]
    if not names:
        empty_state("No ratings of edits yet", "A study of kind edit-severity asks readers what single edits cost.",
                    "python -m annotator study create edit-severity --name S")  # fmt: skip
        return
    study = choose("Study", Key.STUDY, names, default=names[-1])
    stamp = tuple(tuple(one.values.items()) for one in read_rated(project, study, EDITS))
    if not stamp:
        empty_state("No answers yet", "Nobody has rated an edit of this study.")
        return
    asked = (query, provider, study, stamp, provider_state(project, query, provider))
    report = kept(project, "severity ratings", asked, lambda: report_ratings(project, query, study, (provider,)))
    rows = [_flat(asdict(row)) for row in report.rows]
    show_table(READERS, rows, key="readers", caption=f"{provider} against the readers")


def show_equal_counts(project: Project, query: Query, provider: str) -> None:
    """What the same number of edits costs, by two systems."""
    asked = (query, provider, provider_state(project, query, provider))
    report = kept(project, "equal count", asked, lambda: report_equal_count(project, query, provider))
    rows = [asdict(row) for row in report.rows if row.n]
    show_table(EQUAL, rows, key="equal", caption="Severity an edit on lines with the same number of edits")


def show_load(project: Project, query: Query, provider: str) -> None:
    """What the smallest edit costs, by language."""
    asked = (query, provider, provider_state(project, query, provider))
    report = kept(project, "load", asked, lambda: report_load(project, query, provider))
    show_table(LOAD, [_flat(asdict(row)) for row in report.rows], key="load", caption="Severity by language")


def show_real_words(project: Project, query: Query, provider: str) -> None:
    """Letter errors that form another word."""
    report = kept(project, "realword", (query,), lambda: report_realword(project, query))
    show_table(
        REAL, [asdict(row) for row in report.rows], key="real", caption="Real-word errors against chance, in percent"
    )
    note("No severity is used here: this view is the same for every provider.")


def show_disagreement(project: Project, query: Query, provider: str) -> None:
    """Items without gold, the most disagreed first."""
    report = kept(project, "disagreement", (query,), lambda: report_disagreement(project, query))
    if not report.rows:
        empty_state("No item without gold has two answers", "Items without gold are ordered by how far systems disagree.",
                    "python -m annotator import items DIR --no-gold")  # fmt: skip
        return
    rows = [asdict(row) | {"texts": " | ".join(row.texts.values())} for row in report.rows]
    show_table(UNLIKE, rows, key="unlike", caption="What to check first without gold")


def _flat(row: Mapping[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = dict(row)
    for name, value in row.items():
        if isinstance(value, dict) and "value" in value:
            found |= {name: value["value"], f"{name}_low": value["low"], f"{name}_high": value["high"]}
            found |= {f"{name}_n": value["n"], f"{name}_why": value["why"]}
    return found


DRAW: dict[str, Callable[[Project, Query, str], None]] = {
    "readers": show_readers,
    "equal": show_equal_counts,
    "load": show_load,
    "words": show_real_words,
    "unlike": show_disagreement,
}
