"""The one way in: any known file or folder, previewed or imported, for the command line and the page alike."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from annotator.ingest.attributes import import_attribute_table
from annotator.ingest.formats.brought import Brought, Kind
from annotator.ingest.formats.detect import open_pair, open_path, open_source
from annotator.ingest.itemimages import Progress
from annotator.ingest.items import prepare_item_table, write_items
from annotator.ingest.options import ImportOptions
from annotator.ingest.pairs import prepare_pair_table
from annotator.ingest.predictions import prepare_prediction_table, write_predictions
from annotator.ingest.report import ImportReport
from annotator.ingest.sources import Source
from annotator.ingest.together import write_together
from annotator.store.project import Project

Open = Callable[[], Project]


@contextmanager
def brought(
    given: Path | Source, kind: Kind, options: ImportOptions, predicted: Path | None = None
) -> Iterator[Brought]:
    """Read a path or an upload of any known format; images that had to be made lie there until the block ends.

    `predicted` is a second file with what was recognised (pairs of pages or of plain texts).
    """
    with TemporaryDirectory() as folder:
        scratch = Path(folder)
        if isinstance(given, Source):
            yield open_source(given, options.images or scratch, kind, options, scratch)
        elif predicted is not None:
            yield open_pair(given, predicted, options, scratch)
        else:
            yield open_path(given, kind, options, scratch)


def bring(
    kind: Kind,
    given: Path | Source,
    options: ImportOptions,
    open_project: Open,
    *,
    predicted: Path | None = None,
    progress: Progress | None = None,
) -> ImportReport:
    """Import a file or folder: all of it, or nothing.

    The file is read and checked before `open_project` is called, so that a refused file makes no project. Raises
    `FileError` with every fault, `UsageError` for options that do not fit.
    """
    with brought(given, kind, options, predicted) as found:
        return import_brought(kind, found, options, open_project, progress)


def import_brought(
    kind: Kind, found: Brought, options: ImportOptions, open_project: Open, progress: Progress | None = None
) -> ImportReport:
    """The same from what was read already."""
    if found.made:
        options = options.changed(copy_images=True, images=found.root)
    if kind is Kind.ITEMS:
        items = prepare_item_table(found.table, found.root, options, progress)
        return write_items(open_project(), items, options)
    if kind is Kind.PREDICTIONS:
        predictions = prepare_prediction_table(found.table, options)
        return write_predictions(open_project(), predictions, options, progress)
    if kind is Kind.PAIRS:
        pairs = prepare_pair_table(found.table, found.root, options, progress)
        return write_together(open_project(), kind.value, pairs.items, pairs.predictions, options, progress)
    return import_attribute_table(open_project(), found.table, options)
