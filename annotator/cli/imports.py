"""`annotator import items|predictions`: parse, call one use case, print the report."""

from __future__ import annotations

import functools
import gc
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import click

from annotator.cli.frame import Command, common_options, emit
from annotator.errors import FileError, InputError
from annotator.ingest.options import FORMATS

Progress = Callable[[str, int, int], None]


def import_options(command: Command) -> Command:
    """Add the options that every import takes, passed on as one `options: ImportOptions`."""

    @click.option(
        "--map", "mapping", multiple=True, metavar="FIELD=COLUMN", help="Take a column for a field (repeatable)."
    )
    @click.option("--images", metavar="DIR", help="Image root (default: the folder of the file).")
    @click.option("--language", default="", help="Language of items without one (BCP 47).")
    @click.option("--encoding", default=None, help="Encoding of a file that is not UTF-8.")
    @click.option("--system", default="", help="System of a file without a system column.")
    @click.option("--condition", default="", help="Condition of a file without a condition column.")
    @click.option("--wide", is_flag=True, help="One column per system.")
    @click.option("--replace", is_flag=True, help="Let changed rows replace those in the project.")
    @click.option("--dry-run", is_flag=True, help="Check and report, write nothing.")
    @click.option("--quoted", is_flag=True, help="TSV cells may be quoted, as spreadsheets write them.")
    @click.option("--strict", is_flag=True, help="Refuse what is otherwise a warning.")
    @click.option("--box", type=click.Choice(["xywh", "xyxy"]), default=None, help="How a bbox column is meant.")
    @click.option("--copy-images", is_flag=True, help="Copy images into the project.")
    @click.option("--no-gold", is_flag=True, help="Items without gold; FILE may be a folder of images.")
    @click.option(
        "--join",
        multiple=True,
        metavar="RULE",
        help="Join ids by leading-zeros, extension, folder, case, normal-form or decimal.",
    )
    @click.option("--as", "format", default="", metavar="FORMAT", help=f"Reader: {', '.join(FORMATS)}.")
    @click.option(
        "--level", type=click.Choice(["line", "word", "region"]), default=None, help="What of a page is an item."
    )
    @click.option(
        "--confidence-kind",
        type=click.Choice(["softmax", "engine-score", "unknown"]),
        default=None,
        help="What the confidences of these predictions are; only softmax ones are probabilities.",
    )
    @functools.wraps(command)
    def wrapped(*args: Any, mapping: Sequence[str], images: str | None, join: Sequence[str], **kwargs: Any) -> None:
        from annotator.ingest.columns import parse_mapping
        from annotator.ingest.joining import by_rules
        from annotator.ingest.options import ImportOptions

        chosen = {name: kwargs.pop(name) for name in _NAMES}
        chosen |= {name: chosen[name] or "" for name in ("level", "confidence_kind")}
        root = Path(images) if images else None
        if chosen["format"] not in ("", *FORMATS):
            raise click.BadParameter(f"{chosen['format']!r} is not one of {', '.join(FORMATS)}", param_hint="--as")
        by_rules(join)
        options = ImportOptions(mapping=parse_mapping(mapping), images=root, join=tuple(join), **chosen)
        command(*args, options=options, **kwargs)

    return wrapped


_NAMES = (
    "language",
    "encoding",
    "system",
    "condition",
    "wide",
    "replace",
    "dry_run",
    "quoted",
    "strict",
    "box",
    "copy_images",
    "no_gold",
    "format",
    "level",
    "confidence_kind",
)


@click.command("items")
@click.argument("file", type=click.Path(path_type=Path))
@import_options
@common_options
def items(file: Path, options: Any, project: Path, as_json: bool) -> None:
    """Import items with their gold from a FILE or folder; makes the project when there is none."""
    run_import("items", file, options, project, as_json)


@click.command("predictions")
@click.argument("file", type=click.Path(path_type=Path))
@import_options
@common_options
def predictions(file: Path, options: Any, project: Path, as_json: bool) -> None:
    """Import what systems returned from a FILE or folder, and align it with the items' golds."""
    run_import("predictions", file, options, project, as_json)


@click.command("pairs")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--predicted", type=click.Path(path_type=Path), help="A second page or text with what was recognised.")
@import_options
@common_options
def pairs(file: Path, predicted: Path | None, options: Any, project: Path, as_json: bool) -> None:
    """Import gold and predicted from one table (or two files side by side): items and predictions at once."""
    run_import("pairs", file, options, project, as_json, predicted)


@click.command("attributes")
@click.argument("file", type=click.Path(path_type=Path))
@import_options
@common_options
def attributes(file: Path, options: Any, project: Path, as_json: bool) -> None:
    """Import more columns for items that are there."""
    run_import("attributes", file, options, project, as_json)


def run_import(
    kind: str, file: Path, options: Any, project: Path, as_json: bool, predicted: Path | None = None
) -> None:
    """Read and check FILE, then open the project and write; a refused file makes no project."""
    from annotator.ingest.bringing import bring
    from annotator.ingest.formats.brought import Kind

    file = file.resolve() if file.name in ("", "..") else file  # `.` and `..` have no name of their own
    makes = kind in ("items", "pairs")

    def work() -> Any:
        with ExitStack() as stack:
            door = _project(project, options.dry_run and makes, create=makes)
            return bring(
                Kind(kind),
                file,
                options,
                lambda: stack.enter_context(door),
                predicted=predicted,
                progress=progress_line(),
            )

    show_report(kind, file, as_json, work)


class _project:  # noqa: N801
    """The project to import into. A dry run on a folder without one happens in a passing empty project."""

    def __init__(self, folder: Path, dry_run: bool, create: bool = True) -> None:
        self.folder, self.dry_run, self.create = folder, dry_run, create
        self.passing: Any = None

    def __enter__(self) -> Any:
        from tempfile import TemporaryDirectory

        from annotator.store.project import DATABASE, open_project

        folder = self.folder
        if self.dry_run and not (folder / DATABASE).exists():
            self.passing = TemporaryDirectory()
            folder = Path(self.passing.name)
        return open_project(folder, create=self.create)

    def __exit__(self, *_: object) -> None:
        if self.passing is not None:
            self.passing.cleanup()


def show_report(kind: str, file: Path, as_json: bool, work: Callable[[], Any], changed: str = "") -> None:
    """Run one import and print its report; a refused file prints its problems as JSON too, then ends with status 2.

    `changed` is a further key of the document for the number of rows written.
    """
    gc.disable()  # a short process that makes millions of small rows and no cycles: collecting costs a third of its time
    try:
        report = work()
    except FileError as error:
        if as_json:
            from annotator.ingest.report import refusal_document

            emit(refusal_document(kind, file.name, error.summary, error.problems), True, list)
        raise
    except InputError as error:
        if as_json:
            from annotator.ingest.report import refusal_document

            emit(refusal_document(kind, file.name, str(error), ()), True, list)
        raise
    document = report.document()
    emit({**document, changed: document["written"]} if changed else document, as_json, report.lines)


def progress_line() -> Progress | None:
    """Rows, rate and time left on standard error, when that is a terminal."""
    if not sys.stderr.isatty():
        return None
    began = time.monotonic()

    def tell(what: str, done: int, total: int) -> None:
        seconds = max(time.monotonic() - began, 1e-6)
        if seconds > 1 and done:
            rate = done / seconds
            left = (total - done) / rate
            click.echo(f"\r{what}: {done:,} of {total:,}, {rate:,.0f} a second, {left:.0f} s left ", nl=False, err=True)

    return tell
