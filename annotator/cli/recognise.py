"""`annotator recognise`: run a recogniser over a project's items."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from annotator.cli.frame import common_options, emit


@click.command("recognise")
@click.option("--system", required=True, help='tesseract[:LANG], tesseract-nodict, ppocr, openai:MODEL, torch:DIR[:ctc|ar], command:"prog {image}", python:MODULE:NAME.')  # fmt: skip
@click.option("--condition", default="default", show_default=True, help="Which pictures: an image condition.")
@click.option("--name", default="", help="Store the predictions under this system name.")
@click.option("--workers", type=click.IntRange(1, 256), default=None, help="Items at once (default: CPUs; 8 for endpoints).")  # fmt: skip
@click.option("--language", default="", help="Only items of this language.")
@click.option("--benchmark", default="", help="Only items of this benchmark.")
@click.option("--limit", type=click.IntRange(1), default=None, help="At most this many items.")
@click.option("--replace", is_flag=True, help="Read again what is answered.")
@click.option("--psm", type=click.IntRange(0, 13), default=None, help="Tesseract's page mode (default: 8 words, 7 lines).")  # fmt: skip
@click.option("--prompt", default="P1", show_default=True, help="openai: P1, P2, P3 (oracle), or a YAML file.")
@click.option("--max-tokens", type=click.IntRange(1), default=256, show_default=True, help="openai: most tokens of an answer.")  # fmt: skip
@click.option("--tries", type=click.IntRange(1, 20), default=5, show_default=True, help="openai: tries per item.")
@click.option("--timeout", type=click.FloatRange(0.1), default=90.0, show_default=True, help="openai, command: seconds per try.")  # fmt: skip
@click.option("--price-in", type=float, default=None, help="openai: price per million tokens sent.")
@click.option("--price-out", type=float, default=None, help="openai: price per million tokens received.")
@click.option("--estimate", is_flag=True, help="openai: say what the run would send, and stop.")
@click.option(
    "--activations", type=click.Path(path_type=Path), default=None, help="torch, python: hidden states to this .npz."
)
@common_options
def recognise(project: Path, as_json: bool, system: str, name: str, workers: int | None, **chosen: Any) -> None:
    """Run a recogniser over the items and store what it answers; go on where an earlier run stopped."""
    from annotator.ingest.recognise import recognise_items
    from annotator.ingest.trainedreader import choose_recogniser
    from annotator.runners.factory import RunnerSettings
    from annotator.store.project import open_project

    opened = open_project(project)
    settings = RunnerSettings(
        opened.folder / "cache" / "tessdata",
        chosen["psm"],
        chosen["prompt"],
        chosen["max_tokens"],
        chosen["tries"],
        chosen["timeout"],
    )
    recogniser = choose_recogniser(system, settings)
    if name:
        recogniser.name = name
    try:
        options = _options(recogniser, workers, chosen)
        if _estimated(opened, recogniser, options, chosen, as_json):
            return
        report = recognise_items(opened, recogniser, options, progress_line(sys.stderr.isatty()))
    except KeyboardInterrupt:
        click.echo("\nended; what was read is stored, and the same command goes on from there", err=True)
        # A thread that waits for a slow endpoint cannot be ended, and a normal exit would wait for it.
        os._exit(130)
    finally:
        recogniser.close()
    emit(document(report), as_json, lambda: lines(report))
    if report.failed or report.stopped:
        sys.exit(1)


def _options(recogniser: Any, workers: int | None, chosen: dict[str, Any]) -> Any:
    """A prompt's name becomes the condition; an endpoint is asked eight items at once."""
    from annotator.ingest.recogniseplan import RecogniseOptions, with_prompt

    asks = getattr(recogniser, "prompt", None) is not None
    options = RecogniseOptions(
        condition=chosen["condition"],
        workers=workers or (8 if asks else os.cpu_count() or 1),
        language=chosen["language"],
        benchmark=chosen["benchmark"],
        limit=chosen["limit"],
        replace=chosen["replace"],
        activations=chosen["activations"],
    )
    return with_prompt(recogniser, options)


def _estimated(opened: Any, recogniser: Any, options: Any, chosen: dict[str, Any], as_json: bool) -> bool:
    """Say what a run against an endpoint will send; true when that was all that was asked for."""
    if not hasattr(recogniser, "estimate"):
        return False
    from annotator.ingest.recogniseplan import plan_run

    jobs = len(plan_run(opened, recogniser, options).jobs)
    guess = recogniser.estimate(jobs, chosen["price_in"], chosen["price_out"])
    click.echo(guess.words(), err=True)
    if chosen["estimate"]:
        import msgspec

        emit(msgspec.to_builtins(guess), as_json, list)
    return bool(chosen["estimate"])


def document(report: Any) -> dict[str, Any]:
    """The `--json` document."""
    import msgspec

    rates = {"seconds_per_item": report.seconds_per_item, "items_per_second": report.items_per_second}
    return {**msgspec.to_builtins(report), **rates}


def lines(report: Any) -> list[str]:
    """The report in words."""
    rate = "" if report.items_per_second is None else f" ({report.items_per_second:.1f} a second)"
    told = [
        f"{report.system}, condition {report.condition}: wrote {report.written:,} predictions in "
        f"{report.seconds:.1f} s{rate}"
    ]
    told += [f"  {answer.id}: {answer.predicted}" for answer in report.first]
    for count, words in (
        (report.already, "answered before"),
        (report.without_image, "without a picture under this condition"),
        (report.not_read, "in a language that it cannot write: left missing"),
        (report.failed, "failed: tried again at the next run"),
        (report.left, "not tried"),
    ):
        if count:
            told.append(f"{count:,} {words}")
    told += [f"  {failure.id}: {failure.message}" for failure in report.failures]
    return [*told, *([report.stopped] if report.stopped else [])]


def progress_line(
    terminal: bool, clock: Callable[[], float] = time.monotonic, verb: str = "recognised"
) -> Callable[[int, int, float], None]:
    """Items done, items per second and time left on standard error: a live line on a terminal, else one each 10 s."""
    last = [clock()]

    def tell(done: int, total: int, seconds: float) -> None:
        now = clock()
        if now - last[0] < (0.5 if terminal else 10.0) and done < total:
            return
        last[0] = now
        rate = done / max(seconds, 1e-6)
        text = f"{verb} {done:,} of {total:,}, {rate:,.1f} a second, {(total - done) / max(rate, 1e-6):,.0f} s left"
        click.echo(f"\r{text}  " if terminal and done < total else f"\r{text}" if terminal else text, nl=not terminal or done == total, err=True)  # fmt: skip

    return tell
