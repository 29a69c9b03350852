"""The further views of the compare page: n-grams, variants, corpora, router, lexicon."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from annotator.analyses.references import list_references, wordfreq_languages
from annotator.analyses.strata.basis import Basis
from annotator.analyses.strata.control import report_control
from annotator.analyses.strata.marginals import report_cross_corpus
from annotator.analyses.strata.mitigation import MitigationReport, report_mitigation
from annotator.analyses.strata.ngrams import report_ngrams
from annotator.analyses.strata.router import report_router
from annotator.metrics.strata.grid import CENTRE, CORNER
from annotator.records import Cell, Query
from annotator.store.project import Project
from components.filters import choose
from components.notes import note
from components.numbers import Kind
from components.remember import kept
from components.state import Key, address
from components.tables import Column, show_table, speaking

RUN = (Column("system", "System"), Column("condition", "Condition"))
CHANGE = "Paired change over the baseline on the items both answered, 95 % interval (StratiSTR, Table 5 and Table 10)."


@dataclass(frozen=True, slots=True)
class Asked:
    """What every view is about: the query, two runs, variants of the first, a cell (`None`: everywhere), all runs by name."""

    project: Project
    query: Query
    a: str
    b: str
    variants: tuple[str, ...]
    cell: Cell | None
    runs: Sequence[str]


def _say_language(basis: Basis) -> None:
    """One grid is one language: name it, and count the items of the others, which these figures leave out."""
    if basis.languages_left_out:
        others = ", ".join(f"{n:,} {name}" for name, n in basis.languages_left_out.items())
        note(f"Items in {basis.language or 'no language'} only; left out: {others}. Language, above, chooses another.")


def show_ngrams(asked: Asked) -> None:
    """N-grams of the cell that fail, for both runs."""
    cell = asked.cell or CORNER
    report = kept(
        asked.project,
        "ngrams",
        (asked.query, asked.a, asked.b, str(cell)),
        lambda: report_ngrams(asked.project, asked.query, asked.a, asked.b, cell),
    )
    columns = (
        Column("ngram", "N-gram", Kind.READ),
        Column("n", "n", Kind.COUNT, "Items of the cell whose label holds the n-gram and that both answered."),
        Column("a_failure", f"{report.first} fails %", Kind.PERCENT, "1 - STR word accuracy; Wilson interval (StratiSTR, Table 8).",
               "a_low", "a_high"),
        Column("b_failure", f"{report.second} fails %", Kind.PERCENT, "The same on the same items.", "b_low", "b_high"),
        Column("reduction", "A minus B, points", Kind.POINTS),
    )  # fmt: skip
    rows = [asdict(row) for row in report.rows]
    show_table(columns, rows, key="ngrams", caption=f"Failures by n-gram inside cell {cell}", limit=100)
    note(f"{report.left_out:,} n-grams stand in fewer than {report.min_count} of the cell's {report.n:,} items.")


def show_variants(asked: Asked) -> None:
    """The mitigation table: A as the baseline, the chosen variants or every other run."""
    report = kept(
        asked.project, "mitigation", (asked.query, asked.a, asked.variants),
        lambda: report_mitigation(asked.project, asked.query, asked.a, asked.variants),
    )  # fmt: skip
    both_up = "The point estimates of corner and aggregate are both above the baseline's."
    columns = [*RUN, Column("improves_both", "Both up", help=both_up)]
    for scope, label in (("corner", "Corner"), ("aggregate", "Aggregate"), ("centre", "Centre")):
        columns += [
            Column(scope, f"{label} %", Kind.PERCENT, "STR word accuracy over the run's own answers."),
            Column(f"{scope}_delta", f"{label} change", Kind.POINTS, CHANGE, f"{scope}_low", f"{scope}_high"),
            Column(f"{scope}_p", "p", Kind.P),
            Column(f"{scope}_n", "n", Kind.COUNT, "Items that both answered; the baseline's own answers in its row."),
        ]
    rows = [_variant(asdict(row)) for row in report.rows]
    show_table(speaking(columns, rows), rows, key="variants", caption=f"Changes over the baseline {report.baseline}")
    _say_language(report.basis)
    note(_both_up(report))


def _both_up(report: MitigationReport) -> str:
    """Which variants are above the baseline in corner and aggregate, and how sure that is."""
    if report.any_improves_both is None:
        return f"No verdict: {report.why}."
    found = [row for row in report.rows if row.improves_both and not row.is_baseline]
    if not found:
        return "No variant is above the baseline in both corner and aggregate."
    sure = {True: "significant in both", False: "not significant in both"}
    named = (
        f"{row.system if row.condition == 'default' else f'{row.system}@{row.condition}'} "
        f"({sure[row.corner.verdict == row.aggregate.verdict == 'significant']})"
        for row in found
    )
    return f"Above the baseline in both corner and aggregate: {', '.join(named)}."


def _variant(row: dict[str, Any]) -> dict[str, Any]:
    flat: dict[str, Any] = {"system": row["system"], "condition": row["condition"]}
    why: dict[str, str] = {"improves_both": row["why"]}
    for scope in ("corner", "centre", "aggregate"):
        part = row[scope]
        flat |= {
            scope: part["value"],
            f"{scope}_delta": part["delta"],
            f"{scope}_p": part["p"],
            f"{scope}_n": part["n"],
        }
        flat |= {f"{scope}_low": part["low"], f"{scope}_high": part["high"]}
        why |= dict.fromkeys((scope, f"{scope}_delta", f"{scope}_p"), part["why"])
    both = row["improves_both"]
    shown = "baseline" if row["is_baseline"] else {True: "yes", False: "no"}.get(both)
    return {**flat, "improves_both": shown, "why": why}


def show_corpora(asked: Asked) -> None:
    """Curves under a second reference corpus beside the first."""
    names = [f"wordfreq-{language}" for language in wordfreq_languages()]
    second = choose("Second reference corpus", Key.VALUE, ["", *asked_references(asked.project), *names])
    if not second:
        note(
            "Choose a second reference corpus: curve shapes, the change of level and the order of systems are compared."
        )
        return
    report = kept(
        asked.project, "crosscorpus", (asked.query, second),
        lambda: report_cross_corpus(asked.project, asked.query, second),
    )  # fmt: skip
    columns = (
        *RUN,
        Column("axis", "Axis"),
        Column("pearson", "Pearson r", Kind.NUMBER, "Of the two five-point curves along the axis (StratiSTR, Table 7)."),
        Column("corner", f"q5/q5 % under {report.reference}", Kind.PERCENT, "STR word accuracy in the corner."),
        Column("n_corner", "n", Kind.COUNT, "Answered items in q5/q5."),
        Column("second_corner", f"q5/q5 % under {report.second}", Kind.PERCENT),
        Column("second_n_corner", "n", Kind.COUNT, "Answered items in q5/q5."),
        Column("change", "Change, points", Kind.POINTS, "Items resampled with the corners they lie in.", "change_low", "change_high"),
    )  # fmt: skip
    rows = [{**asdict(row), "why": {"pearson": row.why}} for row in report.rows]
    show_table(speaking(columns, rows), rows, key="corpora", caption=f"{report.reference} against {report.second}")
    order = report.rank_correlation
    note(
        f"Rank correlation of the {order.n} runs by q5/q5: "
        + (f"{order.value:.3f}." if order.value is not None else f"undefined ({order.why}).")
    )


def asked_references(project: Project) -> list[str]:
    """The imported reference corpora by name."""
    return [row.name for row in list_references(project)]


def show_router(asked: Asked) -> None:
    """Oracle and confidence router of A and B, and of a third run when one is chosen."""
    others = [run for run in asked.runs if run not in (asked.a, asked.b)]
    third = choose("A third system", Key.RUN, ["", *others], shown={"": "none"})
    systems = tuple(name for name in (asked.a, asked.b, third) if name)
    report = kept(
        asked.project, "router", (asked.query, systems),
        lambda: report_router(asked.project, asked.query, systems),
    )  # fmt: skip
    columns = (
        Column("scope", "Where"),
        Column("n", "n", Kind.COUNT, "Items that every system answered."),
        *(Column(f"single{k}", f"{name} %", Kind.PERCENT) for k, name in enumerate(report.systems)),
        Column("oracle", "Oracle %", Kind.PERCENT, "Right if any of them is."),
        Column("routed", "Routed %", Kind.PERCENT, "Chosen by logistic regression on confidences, five-fold cross-validated."),
        Column("gain", "Over the best single", Kind.POINTS, "Paired, 95 % interval (StratiSTR, section 5.4).", "low", "high"),
        Column("p", "p", Kind.P),
    )  # fmt: skip
    rows = [{**asdict(row), **{f"single{k}": value for k, value in enumerate(row.single)}} for row in report.rows]
    show_table(columns, rows, key="router", caption="Oracle and confidence router")
    _say_language(report.basis)
    show_table(
        (Column("system", "Speaks for"), Column("feature", "Feature"), Column("weight", "Weight", Kind.SIGNED)),
        [asdict(one) for one in report.coefficients],
        key="coefficients",
        caption="Strongest coefficients (standardised features)",
    )
    shares = ", ".join(f"{name} {100 * share:.1f} %" for name, share in zip(report.systems, report.shares, strict=True))
    note(f"Trained on {report.trained_on:,} items, {report.folds} folds; sent to {shares}. {report.why}".rstrip())


def show_control(asked: Asked) -> None:
    """A control pair: A with its lexicon, B without."""
    report = kept(
        asked.project, "control", (asked.query, asked.a, asked.b),
        lambda: report_control(asked.project, asked.query, asked.a, asked.b),
    )  # fmt: skip
    columns = (
        Column("scope", "Where", help="absent and present: whether the label is a word of the reference corpus."),
        Column("n", "n", Kind.COUNT),
        Column("a", f"{report.first} %", Kind.PERCENT),
        Column("b", f"{report.second} %", Kind.PERCENT),
        Column("delta", "A minus B, points", Kind.POINTS, "Paired, 95 % interval.", "low", "high"),
        Column("p", "p", Kind.P),
        Column(
            "gained",
            "Only A right",
            Kind.COUNT,
            "Opens the items, where a cell or all items are meant.",
            link="gained_of",
        ),
        Column(
            "lost", "Only B right", Kind.COUNT, "Opens the items, where a cell or all items are meant.", link="lost_of"
        ),
    )
    rows: list[Mapping[str, Any]] = [
        {**asdict(row), "why": {"delta": row.why}, **_behind(asked, row.scope)} for row in report.rows
    ]
    show_table(columns, rows, key="control", caption="What A gains and loses against B")
    _say_language(report.basis)
    note("Meant for one network with its lexicon (A) and without it (B): then the differences are the lexicon's.")


def _behind(asked: Asked, scope: str) -> dict[str, str]:
    """The addresses of the items that only A and only B read right, in all or in a cell."""
    cells = {"all": "", "corner": str(CORNER), "centre": str(CENTRE)}
    if scope not in cells:
        return {}
    pair = {"a": asked.a, "b": asked.b, "cell": cells[scope]}
    return {"gained_of": address("compare", **pair, value="01"), "lost_of": address("compare", **pair, value="10")}
