"""Further views of the severity page: readers, equal counts, languages, real words, items without gold."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import asdict

from annotator.analyses.severity.contrasts import report_equal_count, report_load
from annotator.analyses.severity.disagreement import report_disagreement
from annotator.analyses.severity.loading import provider_state
from annotator.analyses.severity.realword import report_realword
from annotator.records import Query
from annotator.store.project import Project
from components.notes import empty_state, note
from components.numbers import Kind
from components.remember import kept
from components.severityreaders import show_readers, show_two_providers, spread
from components.state import address
from components.tables import Column, show_table, speaking

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
    Column("id", "Item", link="item"),
    Column("n", "Answers", Kind.COUNT),
    Column("disagreement", "Disagreement", Kind.PERCENT, "Mean CER over all pairs of answers, each taken both ways."),
    Column("texts", "Read as", Kind.READ),
)


def show_equal_counts(project: Project, query: Query, provider: str) -> str:
    """What the same number of edits costs, by two systems."""
    asked = (query, provider, provider_state(project, query, provider))
    report = kept(project, "equal count", asked, lambda: report_equal_count(project, query, provider))
    rows = [asdict(row) for row in report.rows if row.n]
    if rows:
        show_table(EQUAL, rows, key="equal", caption="Severity an edit on lines with the same number of edits")
        note("On these lines CER calls it a tie; the difference is what the same number of edits costs a reader.")
    else:
        empty_state("No two systems to compare", "Two systems are needed that make the same 1 to 5 edits on a line.",
                    "python -m annotator import predictions PREDICTIONS.csv")  # fmt: skip
    return f"report equal-count --provider {shlex.quote(provider)}"


def show_load(project: Project, query: Query, provider: str) -> str:
    """What the smallest edit costs, by language."""
    asked = (query, provider, provider_state(project, query, provider))
    report = kept(project, "load", asked, lambda: report_load(project, query, provider))
    show_table(LOAD, [spread(asdict(row)) for row in report.rows], key="load", caption="Severity by language")
    if report.rank_correlation is not None:
        note(f"Rank correlation of the load with the severity of any edit over {report.languages} languages with marks: "
             f"{report.rank_correlation:.3f}.")  # fmt: skip
    note("The load is what the smallest edit that changes a word costs: a wrong mark, or in Chinese a wrong character.")
    return f"report load --provider {shlex.quote(provider)}"


def show_real_words(project: Project, query: Query, provider: str) -> str:
    """Letter errors that form another word."""
    report = kept(project, "realword", (query,), lambda: report_realword(project, query))
    rows = [asdict(row) for row in report.rows]
    show_table(speaking(REAL, rows), rows, key="real", caption="Real-word errors against chance, in percent")
    note("No severity is used here: this view is the same for every provider.")
    return "report realword"


def show_disagreement(project: Project, query: Query, provider: str) -> str:
    """Items without gold, the most disagreed first."""
    report = kept(project, "disagreement", (query,), lambda: report_disagreement(project, query))
    if not report.rows:
        empty_state("No item without gold has two answers", "Items without gold are ordered by how far systems disagree.",
                    "python -m annotator import items DIR --no-gold")  # fmt: skip
        return "report disagreement"
    rows = [
        asdict(row) | {"texts": " | ".join(row.texts.values()), "item": address("items", item=row.id)}
        for row in report.rows
    ]
    show_table(UNLIKE, rows, key="unlike", caption="What to check first without gold")
    note("Open an item to see its answers side by side, and to write down what it really says.")
    return "report disagreement"


DRAW: dict[str, Callable[[Project, Query, str], str]] = {
    "readers": show_readers,
    "two": show_two_providers,
    "equal": show_equal_counts,
    "load": show_load,
    "words": show_real_words,
    "unlike": show_disagreement,
}
