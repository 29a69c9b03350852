"""`annotator train-recogniser`: the reference recogniser, trained on words that are drawn for it."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click

from annotator.cli.frame import common_options, emit, table
from annotator.cli.recognise import progress_line

COLUMNS = ("head", "words", "n", "correct", "accuracy", "low", "high")


@click.command("train-recogniser")
@click.option("--out", required=True, type=click.Path(path_type=Path), help="Folder for the recogniser and its card.")
@click.option("--reference", default="wordfreq-en", show_default=True, help="Whose words, by their frequency: wordfreq-LANG, or an imported corpus.")  # fmt: skip
@click.option("--vocabulary", type=click.IntRange(100), default=20_000, show_default=True, help="The most frequent words of it.")  # fmt: skip
@click.option("--crops", type=click.IntRange(1), default=40_000, show_default=True, help="Pictures to learn from, each drawn anew.")  # fmt: skip
@click.option("--tests", type=click.IntRange(1), default=400, show_default=True, help="Words, seen and held out each, to try both heads on in the end.")  # fmt: skip
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True)
@click.option("--threads", type=click.IntRange(1, 64), default=2, show_default=True, help="Threads of PyTorch.")
@click.option("--font", "fonts", multiple=True, type=click.Path(path_type=Path), help="A font file to draw with (repeatable; needed for scripts other than Latin).")  # fmt: skip
@common_options
def command(
    project: Path,
    as_json: bool,
    out: Path,
    reference: str,
    vocabulary: int,
    crops: int,
    tests: int,
    seed: int,
    threads: int,
    fonts: tuple[Path, ...],
) -> None:
    """Train a small recogniser (one encoder, a CTC head, an autoregressive head) on drawn words; prints its card."""
    import msgspec

    from annotator.analyses.trainreader import WordChoice, train_recogniser
    from annotator.models.reader.training import ReaderTraining
    from annotator.store.project import open_project

    how, choice = (
        ReaderTraining(seed=seed, crops=crops, threads=threads),
        WordChoice(reference, vocabulary, fonts, tests),
    )
    try:
        with TemporaryDirectory() as spare:  # wordfreq's lists need no project
            opened = open_project(project) if project.exists() else open_project(Path(spare), create=True)
            card = train_recogniser(opened, out, choice, how, _told(time.monotonic()))
    except KeyboardInterrupt:
        click.echo("\nended; nothing was written", err=True)
        sys.exit(130)
    document = msgspec.to_builtins(card)
    emit(document, as_json, lambda: _lines(document, out))


def _told(began: float) -> Callable[[int, int, float], None]:
    """Progress as crops, crops a second and time left, with the loss at each tenth."""
    line = progress_line(sys.stderr.isatty(), verb="learned")
    tenths = [0]

    def tell(done: int, total: int, loss: float) -> None:
        line(done, total, time.monotonic() - began)
        if done * 10 // total > tenths[0]:
            tenths[0] = done * 10 // total
            click.echo(f"loss {loss:.3f} after {done:,} crops", err=True)

    return tell


def _lines(card: dict[str, Any], out: Path) -> Iterator[str]:
    yield (
        f"{out}: {card['vocabulary']:,} words of {card['reference']}, {card['crops']:,} crops, seed {card['seed']}, "
        f"{card['parameters']:,} weights"
    )
    yield table(card["scores"], COLUMNS)
    yield f"run it: python -m annotator recognise --system torch:{out}:ar --activations states.npz"
