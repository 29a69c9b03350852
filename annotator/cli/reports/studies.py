"""`annotator report agreement|preferences|ranking`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from annotator.cli.frame import common_options, emit, query_options, table
from annotator.records import Query

_STUDY = click.option("--study", required=True, help="Name of the study.")


@click.command()
@_STUDY
@click.option(
    "--min-share", type=click.FloatRange(0, 1), default=0.5, show_default=True, help="Of the items, per rater."
)
@query_options
@common_options
def agreement(query: Query, study: str, min_share: float, project: Path, as_json: bool) -> None:
    """How far the raters of a study agree, and what was used and left out.

    Options on systems and items keep some of the tasks; those on how texts are scored change nothing.
    """
    from annotator.store.project import open_project
    from annotator.studies.agreement import study_agreement

    store = open_project(project)
    found = study_agreement(store, study, min_share=min_share, seed=query.seed, resamples=query.resamples, query=query)
    document = agreement_document(found)
    document |= {
        "min_share": min_share,
        "seed": query.seed,
        "resamples": query.resamples,
        "project_revision": store.revision(),
    }
    emit(document, as_json, lambda: _agreement_lines(document))


@click.command()
@_STUDY
@click.option("--rater", default="", help="Only this rater.")
@query_options
@common_options
def ranking(query: Query, study: str, rater: str, project: Path, as_json: bool) -> None:
    """Systems ranked from preferences: Bradley-Terry scores and head to head.

    Options on systems and items keep some of the tasks; those on how texts are scored change nothing.
    """
    import msgspec

    from annotator.store.project import open_project
    from annotator.studies.ranking import rank_systems

    store = open_project(project)
    found = rank_systems(store, study, rater=rater, seed=query.seed, resamples=query.resamples, query=query)
    document = msgspec.to_builtins(found) | {"seed": query.seed, "project_revision": store.revision()}
    columns = ("system", "score", "low", "high", "n", "wins", "group", "why")
    pairs = ("a", "b", "n", "a_wins", "b_wins", "ties", "both_bad", "share", "low", "high")
    emit(document, as_json, lambda: [table(document["rows"], columns), "", table(document["pairs"], pairs)])


@click.command()
@_STUDY
@click.option(
    "--provider", "providers", multiple=True, help="Hold the semCER of this provider against it (repeatable)."
)
@query_options
@common_options
def preferences(study: str, providers: Sequence[str], query: Query, project: Path, as_json: bool) -> None:
    """Answers on pairs of systems head to head, and position bias; with --provider, scores against the readers.

    Options on systems and items keep some of the tasks; those on how texts are scored change nothing.
    """
    import msgspec

    from annotator.store.project import open_project
    from annotator.studies.agreement import study_agreement
    from annotator.studies.judge import judge_agreement
    from annotator.studies.ranking import rank_systems

    store = open_project(project)
    found = rank_systems(store, study, resamples=0, query=query)
    bias = study_agreement(store, study, resamples=1_000, query=query).position
    document = {
        "rows": msgspec.to_builtins(found.pairs),
        "answers": found.answers,
        "both_bad": found.both_bad,
        "position": msgspec.to_builtins(bias),
        "judges": msgspec.to_builtins(judge_agreement(store, study)),
        "project_revision": store.revision(),
    }
    if providers:
        from annotator.analyses.severity.preferences import report_preferences

        document["severity"] = msgspec.to_builtins(report_preferences(store, query, study, tuple(providers)))
    emit(document, as_json, lambda: _preference_lines(document))


def _preference_lines(document: dict[str, Any]) -> list[str]:
    pairs = ("a", "b", "n", "a_wins", "b_wins", "ties", "both_bad", "share", "low", "high")
    lines = [table(document["rows"], pairs)]
    if held := document.get("severity"):
        scores = ("language", "pairs", "score", "n", "agreement", "low", "high", "ties", "margin", "p_holm")
        overrides = ("language", "provider", "overrides", "agreement", "low", "high")
        lines += ["", table(held["rows"], scores), "", table(held["overrides"], overrides)]
    return lines


def agreement_document(found: Any) -> dict[str, Any]:
    """The JSON of an agreement: the contract's keys first, then the rest."""
    import msgspec

    a = found.agreement
    names = (
        "alpha",
        "alpha_low",
        "alpha_high",
        "icc2k",
        "icc_items",
        "icc_raters",
        "kappa",
        "items",
        "raters",
        "ratings",
    )
    document: dict[str, Any] = {name: getattr(a, name) for name in (*names, "why")}
    document |= {
        "study": found.study,
        "kind": found.kind.value,
        "level": found.level.value,
        "dropped_raters": list(a.dropped_raters),
        "both_bad": found.both_bad,
        "cannot_judge": found.cannot,
        "against_rest": msgspec.to_builtins(found.rest),
        "groups": msgspec.to_builtins(found.groups),
        "confusion": [{"value": a, "other": b, "pairs": n} for (a, b), n in found.confusion.items()],
        "position": msgspec.to_builtins(found.position),
        "pairwise_cer": msgspec.to_builtins(found.pairwise_cer),
        "needed_adjudication": msgspec.to_builtins(found.needed_adjudication),
        "labels": {label: msgspec.to_builtins(value) for label, value in found.labels.items()},
    }
    return document


def _agreement_lines(document: dict[str, Any]) -> list[str]:
    names = ("alpha", "alpha_low", "alpha_high", "icc2k", "icc_items", "icc_raters", "items", "raters", "ratings")
    rows = [{"figure": name, "value": document[name], "why": document["why"].get(name, "")} for name in names]
    rows += [
        {"figure": f"kappa {pair}", "value": value, "why": document["why"].get(f"kappa {pair}", "")}
        for pair, value in document["kappa"].items()
    ]
    return [table(rows, ("figure", "value", "why"))]
