"""`annotator report calibration` and `annotator system confidence`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from annotator.cli.frame import common_options, emit, query_options, table
from annotator.records import Query

COLUMNS = (
    "system", "condition", "kind", "n", "accuracy", "mean", "mean_correct", "mean_wrong", "ece", "ece_low", "ece_high",
    "ece_fitted", "auroc", "auroc_low", "auroc_high",
)  # fmt: skip
ERRORS = ("system", "condition", "rank", "item_id", "gold", "predicted", "confidence")
SHOWN = (0.5, 0.8, 0.9, 1.0)


@click.command("calibration")
@click.option("--field", default="", help="confidence, char_confidence or a numeric column. Default: characters first.")
@click.option("--combine", type=click.Choice(["mean", "min", "product"]), default="mean", show_default=True, help="How characters make an answer's confidence.")  # fmt: skip
@click.option("--metric", type=click.Choice(["str_accuracy", "exact", "charitable"]), default="str_accuracy", show_default=True, help="When an answer is right.")  # fmt: skip
@click.option("--bins", type=click.IntRange(2, 100), default=10, show_default=True, help="Bins of equal width.")
@click.option("--limit", type=click.IntRange(0), default=20, show_default=True, help="Most confident errors per run.")
@query_options
@common_options
def calibration(
    project: Path, as_json: bool, query: Query, field: str, combine: str, metric: str, bins: int, limit: int
) -> None:
    """Can a confidence be believed: reliability, calibration error, ranking, accuracy by coverage, confident errors."""
    import msgspec

    from annotator.analyses.confidence.calibration import report_calibration
    from annotator.store.project import open_project

    report = report_calibration(open_project(project), query, field, combine, metric, bins, limit)
    document = msgspec.to_builtins(report)
    for row in document["rows"]:
        for part in (*row["bins"], *row["fitted_bins"]):
            if not part["n"]:
                part["why"] = "no answer in this bin"
    emit(document, as_json, lambda: _lines(document))


def _lines(document: dict[str, Any]) -> Iterator[str]:
    yield table(document["rows"], COLUMNS)
    for row in document["rows"]:
        name = f"{row['system']}, {row['condition']}"
        yield from (f"{name}: {key} undefined: {why}" for key, why in row["why"].items())
        if row["note"]:
            yield f"{name}: {row['note']}"
        reached = (next((p for p in row["coverage"] if p["coverage"] >= share), None) for share in SHOWN)
        points = [p for p in reached if p is not None]
        shown = ", ".join(f"{p['coverage']:.0%} at {p['threshold']:.3f}: {p['accuracy']:.4f}" for p in points)
        if shown:
            yield f"{name}: accuracy by coverage: {shown}"
    yield ""
    yield table(document["errors"], ERRORS)
    yield (
        f"right by {document['metric']}, seed {document['seed']}, {document['resamples']} resamples, "
        f"revision {document['project_revision']}"
    )


@click.command("confidence")
@click.argument("system")
@click.argument("kind", type=click.Choice(["softmax", "engine-score", "unknown"]))
@common_options
def kind_of_confidence(project: Path, as_json: bool, system: str, kind: str) -> None:
    """Say what the confidences of SYSTEM are: only softmax ones are probabilities."""
    from annotator.analyses.confidence.answersure import say_confidence_kind
    from annotator.store.project import open_project

    say_confidence_kind(open_project(project), system, kind)
    document = {"system": system, "confidence_kind": kind}
    emit(document, as_json, lambda: [f"{system}: confidences are {kind}"])
