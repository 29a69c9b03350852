"""Import of predictions: read, check all, join, align, then write all or nothing."""

from __future__ import annotations

import sqlite3
from dataclasses import fields
from pathlib import Path

from annotator.ingest.columns import ColumnMap, map_columns
from annotator.ingest.fields import PREDICTION_FIELDS, PREDICTION_ID_STAND_INS
from annotator.ingest.itemimages import Progress
from annotator.ingest.items import sorted_by_line
from annotator.ingest.options import ImportOptions
from annotator.ingest.predictionplan import PredictionPlan, plan_predictions, stage_plan, write_staged
from annotator.ingest.predictionrows import check_predictions
from annotator.ingest.prepared import PreparedPredictions
from annotator.ingest.reading import read_table
from annotator.ingest.report import ImportReport
from annotator.ingest.tables import Table, refused
from annotator.ingest.wide import widened
from annotator.metrics.outcomes import PARSER_VERSION
from annotator.store.imports import finish_import, log_import
from annotator.store.predictions import Answer
from annotator.store.project import Project, read_revision
from annotator.store.systems import set_confidence_kind

ANSWER_FIELDS = frozenset(field.name for field in fields(Answer))


def prepare_predictions(path: Path, options: ImportOptions) -> PreparedPredictions:
    """Read and check a file of predictions. Touches no project. Raises `FileError` with every fault found."""
    table = read_table(path, encoding=options.encoding, quoted=options.quoted)
    return prepare_prediction_table(table, options)


def prepare_prediction_table(table: Table, options: ImportOptions) -> PreparedPredictions:
    """The same from a table."""
    if options.wide:
        table = widened(table, options.mapping)
    mapping = map_prediction_columns(table, options)
    if mapping.problems:
        raise refused(table.file, sorted_by_line([*table.problems, *mapping.problems]))
    checked = check_predictions(table, mapping, system=options.system, condition=options.condition)
    if table.problems or checked.problems:
        raise refused(table.file, sorted_by_line([*table.problems, *checked.problems]))
    notes = [*table.notes, *mapping.notes]
    if "system" in mapping.at and options.system and not options.wide:
        notes.append(
            f"the column {table.columns[mapping.at['system']]} names the systems; --system {options.system} is not used"
        )
    if checked.decimal_commas:
        notes.append(f"{checked.decimal_commas:,} numbers with a decimal comma read as with a point")
    if checked.parsed:
        notes.append(f"{checked.parsed:,} predictions parsed from raw responses (parser version {PARSER_VERSION})")
    given = frozenset(mapping.at) & ANSWER_FIELDS | {"predicted"} | ({"extra"} if mapping.extra else frozenset())
    return PreparedPredictions(table, checked, mapping.shown(), tuple(notes), checked.parsed > 0, given)


def map_prediction_columns(table: Table, options: ImportOptions) -> ColumnMap:
    """What the columns of a predictions file are taken for."""
    optional = set[str]()
    if options.system:
        optional.add("system")
    raw_names = next(field for field in PREDICTION_FIELDS if field.name == "raw")
    columns = {column.strip().casefold() for column in table.columns}
    if columns & {raw_names.name, *raw_names.aliases} or any(name == "raw" for name, _ in options.mapping):
        optional.add("predicted")
    stand_ins = {"id": PREDICTION_ID_STAND_INS}
    return map_columns(table, PREDICTION_FIELDS, options.mapping, optional=frozenset(optional), stand_ins=stand_ins)


def import_predictions(
    project: Project, path: Path, options: ImportOptions | None = None, progress: Progress | None = None
) -> ImportReport:
    """Import a file of predictions into a project that has their items: all of it, or nothing.

    Rows with an unknown id are skipped and counted. Raises `FileError` when the file is refused, when no id is known, or
    when it would change predictions that are there (`replace` allows it).
    """
    options = options or ImportOptions()
    return write_predictions(project, prepare_predictions(path, options), options, progress)


def write_predictions(
    project: Project, prepared: PreparedPredictions, options: ImportOptions, progress: Progress | None = None
) -> ImportReport:
    """Write predictions that were prepared: all of them, or nothing. With `dry_run` only say what would be written.

    They are aligned before the project is locked, and again only when somebody else has imported in between.
    """
    with project.read() as connection:
        seen = read_revision(connection)
        plan = plan_predictions(connection, prepared, options)
    if options.dry_run or not (plan.new or options.confidence_kind):
        return prediction_report(prepared, plan, options.dry_run, seen)

    def stage(connection: sqlite3.Connection) -> None:
        stage_plan(connection, plan, prepared.parses, progress)

    with project.write(before=stage) as connection:
        revision = read_revision(connection)
        if revision != seen + 1:  # somebody else has written in between
            plan = plan_predictions(connection, prepared, options)
            stage(connection)
        return apply_staged(connection, prepared, plan, options, revision, project.clock())


def apply_staged(
    connection: sqlite3.Connection,
    prepared: PreparedPredictions,
    plan: PredictionPlan,
    options: ImportOptions,
    revision: int,
    at: float,
) -> ImportReport:
    """Write a plan that was staged, and its row of the log, inside the caller's transaction."""
    table = prepared.table
    import_key = log_import(connection, "predictions", table.file, table.sha256, options.document(), revision, at)
    write_staged(connection, plan, import_key, revision)
    if options.confidence_kind:
        for system in {row.system for row in prepared.checked.rows}:
            set_confidence_kind(connection, system, options.confidence_kind)
    report = prediction_report(prepared, plan, False, revision)
    finish_import(connection, import_key, report.document())
    return report


def prediction_report(
    prepared: PreparedPredictions, plan: PredictionPlan, dry_run: bool, revision: int
) -> ImportReport:
    """The report of a plan."""
    table = prepared.table
    return ImportReport(
        "predictions",
        table.file,
        table.sha256,
        len(table.rows),
        len(plan.new),
        plan.unchanged,
        plan.ids,
        len(plan.replaced),
        prepared.mapping,
        plan.warnings,
        (*prepared.notes, *plan.notes),
        dry_run,
        revision,
    )
