"""`annotator report outcomes | consensus | families | conditions`: verbatim or rewritten."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from annotator.cli.frame import common_options, emit, query_options, table
from annotator.records import Query

COLUMNS = ("system", "condition", "n", "missing", "literal", "canonical", "other", "literal_accuracy", "rewriting_rate",
           "rewriting_low", "rewriting_high", "macro_rewriting_rate")  # fmt: skip
POOLED = ("condition", "systems", "items", "n", "missing", "literal", "canonical", "other", "literal_accuracy",
          "rewriting_rate", "rewriting_low", "rewriting_high")  # fmt: skip


@click.command("outcomes")
@click.option("--macro", default="", metavar="ATTRIBUTE", help="Also average over the values of this attribute.")
@click.option("--by", default="", metavar="ATTRIBUTE", help="A row for each value of this attribute.")
@click.option("--by-perturbation", is_flag=True, help="A row for each of the eight kinds of change.")
@click.option("--by-pair", is_flag=True, help="A row for each changed pair of letters, as l>i.")
@click.option("--by-length", is_flag=True, help="A row for each band of lengths of the standard form.")
@click.option("--bands", default="4,6,8,10", show_default=True, metavar="N,N...", help="First length of each band.")
@query_options
@common_options
def outcomes(
    project: Path,
    as_json: bool,
    query: Query,
    macro: str,
    by: str,
    by_perturbation: bool,
    by_pair: bool,
    by_length: bool,
    bands: str,
) -> None:
    """Literal, Canonical and Other per system and condition, with the rewriting rate and its interval."""
    import msgspec

    from annotator.analyses.outcomes.groups import GroupBy, Grouping
    from annotator.analyses.outcomes.report import report_outcomes
    from annotator.store.project import open_project

    chosen = [
        way
        for way, given in (
            (GroupBy.ATTRIBUTE, bool(by)),
            (GroupBy.PERTURBATION, by_perturbation),
            (GroupBy.PAIR, by_pair),
            (GroupBy.LENGTH, by_length),
        )
        if given
    ]
    if len(chosen) > 1:
        raise click.UsageError("choose one of --by, --by-perturbation, --by-pair and --by-length")
    grouping = Grouping(chosen[0] if chosen else GroupBy.NOTHING, by, _whole_numbers(bands))
    report = report_outcomes(open_project(project), query, grouping, macro)
    document = msgspec.to_builtins(report)
    if not chosen:
        for row in (*document["rows"], *document["pooled"]):
            del row["group"]
    group = ("group",) if chosen else ()
    emit(
        document,
        as_json,
        lambda: [
            table(document["rows"], (*COLUMNS[:2], *group, *COLUMNS[2:])),
            "",
            "pooled over systems (interval: items resampled with all their answers)",
            table(document["pooled"], (*POOLED[:1], *group, *POOLED[1:])),
            "",
            f"{document['items']} items with gold and a standard form; left out: {document['without_standard']} without a "
            f"standard form, {document['without_gold']} without gold, {document['gold_wrong']} with wrong gold",
            *_footer(document),
        ],
    )


def _whole_numbers(text: str) -> tuple[int, ...]:
    try:
        return tuple(int(part) for part in text.split(","))
    except ValueError:
        raise click.UsageError(f"--bands: found {text!r}; expected whole numbers, as 4,6,8,10") from None


@click.command("consensus")
@click.argument("panel", metavar="SYSTEM...", nargs=-1, required=True)
@click.option("--fold", is_flag=True, help="Equal after folding case and white space, not code point for code point.")
@query_options
@common_options
def consensus(project: Path, as_json: bool, query: Query, panel: tuple[str, ...], fold: bool) -> None:
    """Which items a panel of systems agrees on, and how many of the agreed answers are not Literal."""
    from annotator.analyses.outcomes.consensus import report_consensus
    from annotator.store.project import open_project

    found = report_consensus(open_project(project), query, panel, fold)
    document: dict[str, Any] = {
        "panel": list(found.panel),
        "fold": fold,
        "items": found.items,
        "missing": found.missing,
        "accepted": found.accepted,
        "coverage": found.coverage.value,
        "coverage_low": found.coverage.low,
        "coverage_high": found.coverage.high,
        "literal": found.literal,
        "canonical": found.canonical,
        "other": found.other,
        "error_rate": found.error_rate.value,
        "error_low": found.error_rate.low,
        "error_high": found.error_rate.high,
        "why": found.why,
        "project_revision": found.project_revision,
        "alignment_version": found.alignment_version,
    }
    columns = ("items", "missing", "accepted", "coverage", "literal", "canonical", "other", "error_rate", "error_low",
               "error_high")  # fmt: skip
    emit(document, as_json, lambda: [table([document], columns), *_footer(document)])


@click.command("families")
@query_options
@common_options
def families(project: Path, as_json: bool, query: Query) -> None:
    """Means over systems and over families of systems, and the range when one family is left out."""
    import msgspec

    from annotator.analyses.outcomes.families import report_families
    from annotator.store.project import open_project

    document = msgspec.to_builtins(report_families(open_project(project), query))
    document["rows"] = [_flat(row, ("literal", "canonical", "other")) for row in document["rows"]]
    columns = ("condition", "weighting", "left_out", "families", "systems", "n", "literal", "canonical",
               "canonical_low", "canonical_high", "other")  # fmt: skip
    ranges = ("condition", "low", "low_without", "high", "high_without")
    emit(
        document,
        as_json,
        lambda: [
            table(document["rows"], columns),
            "",
            "rewriting rate of equal families with one family left out",
            table(document["leave_one_out"], ranges),
            *_footer(document),
        ],
    )


@click.command("conditions")
@click.option("--order", default="", metavar="C,C...", help="Conditions in order; each is held against the first.")
@click.option("--crossing", nargs=4, metavar="A1B1 A1B2 A2B1 A2B2", help="Four conditions that cross two factors.")
@query_options
@common_options
def conditions(project: Path, as_json: bool, query: Query, order: str, crossing: tuple[str, ...] | None) -> None:
    """Each system's conditions against its first: changes of L, C, O, transitions, McNemar with Holm's correction."""
    import msgspec

    from annotator.analyses.outcomes.transitions import report_conditions
    from annotator.store.project import open_project

    series = [name.strip() for name in order.split(",") if name.strip()]
    document = msgspec.to_builtins(report_conditions(open_project(project), query, series, crossing or ()))
    for crossed in document["crossings"]:
        crossed |= _flat({name: crossed.pop(name) for name in ("literal", "canonical", "other")}, ())
    lines = [_flat_pair(row) for row in document["rows"]]
    columns = ("a", "b", "n", "literal", "literal_low", "literal_high", "rewriting", "rewriting_low", "rewriting_high",
               "other", "mcnemar_p", "holm_p")  # fmt: skip
    effects = ("system", "n", "literal", "literal_low", "literal_high", "canonical", "canonical_low", "canonical_high",
               "other", "other_low", "other_high")  # fmt: skip
    emit(
        document,
        as_json,
        lambda: [
            "changes, A minus B, on the items that both answered (McNemar: of rewriting)",
            table(lines, columns),
            *(["", "interactions", table(document["crossings"], effects)] if document["crossings"] else []),
            *document["why"].values(),
            *_footer(document),
        ],
    )


def _flat(row: dict[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    """Estimates as `name`, `name_low`, `name_high`."""
    flat: dict[str, Any] = {}
    for name, value in row.items():
        if name in names or (not names and isinstance(value, dict)):
            flat |= {name: value["value"], f"{name}_low": value["low"], f"{name}_high": value["high"]}
            if value["why"]:
                flat.setdefault("why", {})[name] = value["why"]
        else:
            flat[name] = value
    return flat


def _flat_pair(row: dict[str, Any]) -> dict[str, Any]:
    flat = {"a": row["a"], "b": row["b"], "n": row["n"]}
    for name in ("literal", "rewriting", "other"):
        flat |= {name: row[name]["delta"], f"{name}_low": row[name]["low"], f"{name}_high": row[name]["high"]}
    return flat | {"mcnemar_p": row["rewriting"]["mcnemar_p"], "holm_p": row["rewriting"]["holm_p"]}


def _footer(document: dict[str, Any]) -> list[str]:
    sampled = f"seed {document['seed']}, {document['resamples']} resamples, " if "seed" in document else ""
    return ["", f"{sampled}revision {document['project_revision']}, alignment {document['alignment_version']}"]
