"""`annotator report ratings|providers|equal-count|load|realword|disagreement`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from annotator.cli.frame import common_options, emit, query_options, table
from annotator.records import Query

PROVIDER = click.option("--provider", default="rubric", show_default=True, help="Where the severities come from.")
TEXTS = ("language", "score", "n", "spearman", "low", "high", "gain", "gain_low", "gain_high", "p_holm")
ESTIMATES = (
    "spearman",
    "given_band",
    "given_filter",
    "given_type_table",
    "given_mode",
    "share",
    "catch",
    "reliability",
)
TWO = ("language", "n", "items", "spearman", "spearman_low", "spearman_high", "mean_a", "mean_b", "mean_difference",
       "mean_absolute_difference")  # fmt: skip
EQUAL = ("a", "b", "language", "n", "mean_a", "mean_b", "difference", "low", "high", "p", "p_holm")
LOAD = ("language", "lines", "mark_only", "mark_only_n", "content", "content_n", "edit", "edit_n", "load", "load_is")
REAL = ("system", "condition", "language", "letter_errors", "share", "low", "high", "chance", "difference",
        "difference_low", "difference_high")  # fmt: skip


@click.command("ratings")
@click.option("--study", required=True, help="A study of kind edit-severity or text-severity.")
@click.option(
    "--provider",
    "providers",
    multiple=True,
    help="Whose severities (repeatable; default: every source, of whole texts the rules).",
)
@query_options
@common_options
def ratings(project: Path, as_json: bool, query: Query, study: str, providers: Sequence[str]) -> None:
    """Severities against readers' ratings: of single edits, or of whole texts."""
    import msgspec

    from annotator.analyses.severity.loading import compared_names
    from annotator.analyses.severity.rated import TEXTS as WHOLE
    from annotator.analyses.severity.rated import studies_of
    from annotator.analyses.severity.ratings import report_ratings
    from annotator.analyses.severity.textratings import report_text_ratings
    from annotator.store.project import open_project

    opened = open_project(project)
    chosen = tuple(providers) or compared_names(opened)
    if study in {found.name for found in studies_of(opened, WHOLE)}:
        document = msgspec.to_builtins(report_text_ratings(opened, query, study, chosen[0]))
        emit(document, as_json, lambda: [table(document["rows"], TEXTS)])
        return
    document = msgspec.to_builtins(report_ratings(opened, query, study, chosen))
    document["rows"] = [flat(row, ESTIMATES) for row in document["rows"]]
    columns = ("language", "provider", "n", *ESTIMATES, "best_order", "best_share", "lead_p_holm")
    emit(document, as_json, lambda: [table(document["rows"], columns)])


@click.command("providers")
@click.argument("a")
@click.argument("b")
@click.option("--study", default="", help="A preference study: whose overrides of CER do its readers follow?")
@query_options
@common_options
def two_providers(project: Path, as_json: bool, query: Query, a: str, b: str, study: str) -> None:
    """Two severity providers on the edits that both charge: how alike they order them, by language."""
    import msgspec

    from annotator.analyses.severity.twoproviders import report_two_providers
    from annotator.store.project import open_project

    document = msgspec.to_builtins(report_two_providers(open_project(project), query, a, b, study))
    document["rows"] = [flat(row, ("spearman",)) for row in document["rows"]]
    lines = [table(document["rows"], TWO)]
    if document["overrides"]:
        lines += ["", table(document["overrides"], ("language", "provider", "overrides", "agreement", "low", "high"))]
    emit(document, as_json, lambda: lines)


@click.command("equal-count")
@click.argument("pair", nargs=-1, metavar="[A B]")
@PROVIDER
@query_options
@common_options
def equal_count(project: Path, as_json: bool, query: Query, pair: Sequence[str], provider: str) -> None:
    """What the same number of edits costs, A minus B (or every two), on lines where both make 1 to 5."""
    import msgspec

    from annotator.analyses.severity.contrasts import report_equal_count
    from annotator.errors import UsageError
    from annotator.store.project import open_project

    if len(pair) not in (0, 2):
        raise UsageError(f"equal-count: found {len(pair)} systems; expected two, or none for every two")
    document = msgspec.to_builtins(report_equal_count(open_project(project), query, provider, *pair))
    emit(document, as_json, lambda: [table(document["rows"], EQUAL)])


@click.command("load")
@PROVIDER
@query_options
@common_options
def load(project: Path, as_json: bool, query: Query, provider: str) -> None:
    """The grapheme load: what the smallest edit costs, by language, on lines with 1 to 5 edits."""
    import msgspec

    from annotator.analyses.severity.contrasts import report_load
    from annotator.store.project import open_project

    document = msgspec.to_builtins(report_load(open_project(project), query, provider))
    document["rows"] = [flat(row, ("mark_only", "content", "edit")) for row in document["rows"]]
    emit(document, as_json, lambda: [table(document["rows"], LOAD)])


@click.command("realword")
@query_options
@common_options
def realword(project: Path, as_json: bool, query: Query) -> None:
    """How many letter errors form another word, against random ones of the same shape."""
    import msgspec

    from annotator.analyses.severity.realword import report_realword
    from annotator.store.project import open_project

    document = msgspec.to_builtins(report_realword(open_project(project), query))
    emit(document, as_json, lambda: [table(document["rows"], REAL)])


@click.command("disagreement")
@click.option("--with-gold", is_flag=True, help="All items, not only those without gold.")
@click.option("--limit", type=click.IntRange(0), default=50, show_default=True)
@query_options
@common_options
def disagreement(project: Path, as_json: bool, query: Query, with_gold: bool, limit: int) -> None:
    """Items in the order of how far the systems disagree: what to check first without gold."""
    import msgspec

    from annotator.analyses.severity.disagreement import report_disagreement
    from annotator.store.project import open_project

    document = msgspec.to_builtins(report_disagreement(open_project(project), query, with_gold, limit))
    emit(document, as_json, lambda: [table(document["rows"], ("id", "n", "disagreement"))])


def flat(row: dict[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """A row whose estimates are spread out: NAME, NAME_low, NAME_high, NAME_n, the reason of an undefined one, and
    NAME_note where something must be known about its interval."""
    found: dict[str, Any] = {key: value for key, value in row.items() if key not in names}
    why = dict(row.get("why") or {})
    for name in names:
        estimate = row[name]
        found |= {name: estimate["value"], f"{name}_low": estimate["low"], f"{name}_high": estimate["high"],
                  f"{name}_n": estimate["n"]}  # fmt: skip
        if estimate["note"]:
            found[f"{name}_note"] = estimate["note"]
        if estimate["value"] is None:
            why[name] = estimate["why"] or "no such edit"
    return found | {"why": why}
