"""`annotator agreement FILE`: how far raters agree, from a table of item, rater and value."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from annotator.cli.frame import common_options, emit


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--level", type=click.Choice(["ordinal", "nominal", "interval"]), required=True)
@click.option(
    "--min-share", type=click.FloatRange(0, 1), default=0.5, show_default=True, help="Of the items, per rater."
)
@click.option("--map", "pairs", multiple=True, metavar="FIELD=COLUMN", help="For item, rater or value (repeatable).")
@click.option("--encoding", default=None, help="Of the file, when it is not UTF-8.")
@click.option("--quoted", is_flag=True, help="TSV cells are quoted as a spreadsheet does.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Seed of the bootstrap.")
@click.option("--resamples", type=click.IntRange(1, 1_000_000), default=10_000, show_default=True)
@common_options
def agreement(
    file: Path,
    level: str,
    min_share: float,
    pairs: tuple[str, ...],
    encoding: str | None,
    quoted: bool,
    seed: int,
    resamples: int,
    project: Path,
    as_json: bool,
) -> None:
    """Krippendorff's alpha with its interval, ICC(2,k) and Cohen's kappa per pair of raters.

    FILE has the columns item (item_id, task), rater (rater_id, annotator, user) and value (rating, score, severity,
    label); an empty value is a missing rating.
    """
    import numpy as np

    from annotator.ingest.columns import parse_mapping
    from annotator.ingest.ratingfile import read_ratings
    from annotator.stats.agreement import rate_agreement
    from annotator.stats.alpha import Level

    read = read_ratings(file, Level(level), parse_mapping(pairs), encoding, quoted)
    found = rate_agreement(read.ratings, level, min_share, np.random.default_rng(seed), resamples)
    document: dict[str, Any] = {
        "alpha": found.alpha,
        "alpha_low": found.alpha_low,
        "alpha_high": found.alpha_high,
        "icc2k": found.icc2k,
        "icc_items": found.icc_items,
        "icc_raters": found.icc_raters,
        "kappa": found.kappa,
        "items": found.items,
        "raters": found.raters,
        "ratings": found.ratings,
        "why": found.why,
        "level": found.level.value,
        "min_share": min_share,
        "dropped_raters": list(found.dropped_raters),
        "duplicates": read.duplicates,
        "repeats": found.repeats,
        "notes": list(read.notes),
        "seed": seed,
        "resamples": resamples,
    }
    emit(document, as_json, lambda: _lines(document))


def _lines(document: dict[str, Any]) -> list[str]:
    why = document["why"]
    interval = f"[{_number(document['alpha_low'])}, {_number(document['alpha_high'])}]"
    used = f"{document['icc_items']} items rated by all {document['icc_raters']} raters"
    return [
        f"{document['items']} items, {document['raters']} raters, {document['ratings']} ratings, {document['level']}",
        f"Krippendorff's alpha  {_number(document['alpha'])} {interval}" + _because(why.get("alpha")),
        f"ICC(2,k)              {_number(document['icc2k'])} over {used}" + _because(why.get("icc2k")),
        *(
            f"kappa {pair}  {_number(value)}" + _because(why.get(f"kappa {pair}"))
            for pair, value in document["kappa"].items()
        ),
        *(
            [f"left out, too few ratings: {', '.join(document['dropped_raters'])}"]
            if document["dropped_raters"]
            else []
        ),
        f"seed {document['seed']}, {document['resamples']} resamples of items",
    ]


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.4f}"


def _because(why: str | None) -> str:
    return f"  ({why})" if why else ""
