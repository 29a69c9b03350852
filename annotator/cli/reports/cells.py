"""`annotator report marginals|crosscorpus|confidence|modes|probe|suspects`: read-outs of the grid."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from annotator.cli.frame import cell_options, common_options, emit, query_options, table
from annotator.cli.readouts import document_of, footer
from annotator.records import Query


@click.command("marginals")
@click.option("--metric", default="", help="Default str_accuracy.")
@query_options
@cell_options
@common_options
def marginals(project: Path, as_json: bool, query: Query, metric: str) -> None:
    """Accuracy along each axis, pooled over the other."""
    from annotator.analyses.strata.marginals import report_marginals
    from annotator.store.project import open_project

    document = document_of(report_marginals(open_project(project), query, metric))
    columns = ("system", "condition", "axis", "quintile", "n", "correct", "value", "low", "high")
    emit(document, as_json, lambda: _rows(document, columns))


@click.command("crosscorpus")
@click.option("--second", required=True, metavar="REFERENCE", help="The reference corpus to compare with.")
@query_options
@cell_options
@common_options
def crosscorpus(project: Path, as_json: bool, query: Query, second: str) -> None:
    """The same grid under a second reference corpus: shape of the curves, level, order of systems."""
    from annotator.analyses.strata.marginals import report_cross_corpus
    from annotator.store.project import open_project

    document = document_of(report_cross_corpus(open_project(project), query, second))
    columns = ("system", "condition", "axis", "pearson", "corner", "n_corner", "second_corner", "second_n_corner", "change",
               "change_low", "change_high")  # fmt: skip
    emit(document, as_json, lambda: _crossed(document, columns))


def _crossed(document: dict[str, Any], columns: Sequence[str]) -> Iterator[str]:
    yield f"{document['reference']} against {document['second']}"
    yield table(document["rows"], columns)
    order = document["rank_correlation"]
    shown = f"{order['value']:.3f}" if order["value"] is not None else f"- ({order['why']})"
    yield f"rank correlation of the {order['n']} systems by q5/q5: {shown}"
    yield from footer(document)


@click.command("confidence")
@click.option("--field", default="", help="confidence, char_confidence or a numeric column. Default: characters first.")
@query_options
@cell_options
@common_options
def confidence(project: Path, as_json: bool, query: Query, field: str) -> None:
    """Confidence in each cell: mean, when right, when wrong."""
    from annotator.analyses.strata.confidence import report_confidence
    from annotator.store.project import open_project

    document = document_of(report_confidence(open_project(project), query, field))
    columns = ("system", "condition", "cell", "n", "accuracy", "given", "mean", "mean_low", "mean_high", "n_correct",
               "mean_correct", "mean_correct_low", "mean_correct_high", "n_wrong", "mean_wrong", "mean_wrong_low",
               "mean_wrong_high")  # fmt: skip
    emit(document, as_json, lambda: _rows(document, columns))


@click.command("modes")
@click.option("--cell", default="", metavar="I-J", help="Only this cell (default: the whole grid).")
@click.option(
    "--sample", default=50, show_default=True, type=click.IntRange(0), help="Wrong answers listed for review."
)
@query_options
@cell_options
@common_options
def modes(project: Path, as_json: bool, query: Query, cell: str, sample: int) -> None:
    """Error modes of wrong answers: abstain, lexical-snap, whole-word, char-edit, char-noise."""
    from annotator.analyses.names import require_cell
    from annotator.analyses.strata.modes import report_modes
    from annotator.store.project import open_project

    report = report_modes(open_project(project), query, require_cell(cell) if cell else None, sample)
    document = document_of(report)
    emit(document, as_json, lambda: _moded(document))


def _moded(document: dict[str, Any]) -> Iterator[str]:
    rows = [{**row, **row["counts"]} for row in document["rows"]]
    names = list(rows[0]["counts"]) if rows else []
    yield table(rows, ("system", "condition", "script", "n", "wrong", *names, "commit", "commit_share", "low", "high"))
    yield ""
    yield table(document["sample"], ("item_id", "system", "gold", "predicted", "mode", "rule"))
    yield from footer(document)


@click.command("probe")
@click.option("--activations", required=True, type=click.Path(path_type=Path), metavar="FILE.npz")
@query_options
@cell_options
@common_options
def probe(project: Path, as_json: bool, query: Query, activations: Path) -> None:
    """Can each layer's activations tell whether an item lies in the corner?"""
    from annotator.analyses.strata.probe import report_probe
    from annotator.store.project import open_project

    document = document_of(report_probe(open_project(project), query, activations))
    columns = ("layer", "features", "n_train", "n_test", "balanced_accuracy", "auc", "auc_low", "auc_high")
    emit(document, as_json, lambda: _rows(document, columns))


@click.command("suspects")
@click.option("--agree", default=0, type=click.IntRange(0), help="Systems that must agree (default: more than half).")
@query_options
@cell_options
@common_options
def suspects(project: Path, as_json: bool, query: Query, agree: int) -> None:
    """Items where systems agree with each other against gold, and what they do to the gap."""
    from annotator.analyses.strata.suspects import report_suspects
    from annotator.store.project import open_project

    document = document_of(report_suspects(open_project(project), query, agree))
    emit(document, as_json, lambda: _suspected(document))


def _suspected(document: dict[str, Any]) -> Iterator[str]:
    rows = [{**row, "reviews": _reviews(row["verdicts"])} for row in document["rows"]]
    yield table(rows, ("item_id", "gold", "answer", "agree", "of", "cell", "benchmark", "mark", "reviews"))
    yield ""
    columns = ("system", "condition", "gap", "low", "high", "n_corner", "n_centre", "gap_without", "without_low",
               "without_high", "n_corner_without", "n_centre_without")  # fmt: skip
    yield table(document["sensitivity"], columns)
    yield f"{document['n']} suspects, {document['in_corner']} in the corner, {document['in_centre']} in the centre"
    yield "review one: annotator review ITEM gold-right|gold-wrong|both-acceptable|unreadable --by NAME [--gold TEXT]"
    yield from footer(document)


def _reviews(verdicts: Sequence[dict[str, Any]]) -> str:
    return "; ".join(
        f"{given['reviewer']}: {given['verdict']}{'' if given['binding'] else ' (proposal)'}" for given in verdicts
    )


def _rows(document: dict[str, Any], columns: Sequence[str]) -> Iterator[str]:
    yield table(document["rows"], columns)
    yield from footer(document)
