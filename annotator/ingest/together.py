"""Items and predictions of one source written in one transaction: both, or nothing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from annotator.ingest.imagefolder import COPIED
from annotator.ingest.itemimages import Progress
from annotator.ingest.itemplan import plan_items
from annotator.ingest.items import apply_items, copy_shown, item_report
from annotator.ingest.options import ImportOptions
from annotator.ingest.predictionplan import PredictionPlan, plan_predictions, stage_plan
from annotator.ingest.predictions import apply_staged, prediction_report
from annotator.ingest.prepared import PreparedItems, PreparedPredictions
from annotator.ingest.report import IdReport, ImportReport
from annotator.store.items import read_stored_items
from annotator.store.project import Project, read_revision


class _NothingToKeep(Exception):  # noqa: N818
    """Ends a transaction of which nothing is to stay; carries the report."""

    def __init__(self, report: ImportReport) -> None:
        super().__init__("nothing to keep")
        self.report = report


def write_together(
    project: Project,
    kind: str,
    items: PreparedItems,
    predictions: PreparedPredictions,
    options: ImportOptions,
    progress: Progress | None = None,
) -> ImportReport:
    """Write items, then the predictions on them, and report both as one. Raises `FileError` as the single imports."""
    root = items.root
    if options.copy_images:
        items = replace(items, root=Path(COPIED))
    try:
        with project.write() as connection:
            revision, at = read_revision(connection), project.clock()
            plan = plan_items(items, read_stored_items(connection), options.replace)
            of_items = item_report(items, plan, options.dry_run, revision)
            if not plan.nothing:
                if options.copy_images and not options.dry_run:
                    copy_shown(items, root, project.folder)
                of_items = apply_items(connection, items, plan, options, revision, at)
            answers = plan_predictions(connection, predictions, options)
            of_answers = prediction_report(predictions, answers, options.dry_run, revision)
            nothing = plan.nothing and not answers.new and not options.confidence_kind
            if options.dry_run or nothing:
                raise _NothingToKeep(_joined(kind, of_items, of_answers, answers, options.dry_run, revision - 1))
            if answers.new or options.confidence_kind:
                stage_plan(connection, answers, predictions.parses, progress)
                of_answers = apply_staged(connection, predictions, answers, options, revision, at)
            return _joined(kind, of_items, of_answers, answers, False, revision)
    except _NothingToKeep as ended:
        return ended.report


def _joined(
    kind: str, items: ImportReport, answers: ImportReport, plan: PredictionPlan, dry_run: bool, revision: int
) -> ImportReport:
    """One report: rows as the predictions count them, items in a note."""
    mapping = {
        **{m.column: m for m in answers.mapping},
        **{m.column: m for m in items.mapping if m.field != "attribute"},
    }
    for mapped in items.mapping:
        mapping.setdefault(mapped.column, mapped)
    done = "would be written" if dry_run else "written"
    note = f"items: {items.written:,} {done}, {items.unchanged:,} unchanged"
    ids = plan.ids
    return ImportReport(
        kind,
        answers.file,
        answers.sha256,
        answers.read,
        answers.written,
        answers.unchanged,
        IdReport(ids.matched, ids.missing, ids.extra, ids.duplicates, ids.first_missing, ids.first_extra),
        items.replaced + answers.replaced,
        tuple(mapping.values()),
        (*items.warnings, *answers.warnings),
        (note, *dict.fromkeys((*items.notes, *answers.notes))),
        dry_run,
        revision,
    )
