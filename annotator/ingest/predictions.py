"""Import of predictions: read, check all, join, align, then write all or nothing."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from itertools import tee
from pathlib import Path

import msgspec

from annotator.errors import Problem
from annotator.ingest.columns import ColumnMap, map_columns
from annotator.ingest.fields import PREDICTION_FIELDS, PREDICTION_ID_STAND_INS
from annotator.ingest.itemimages import Progress
from annotator.ingest.items import sorted_by_line
from annotator.ingest.joining import join_ids, miss_words, near_misses
from annotator.ingest.options import ImportOptions
from annotator.ingest.predictionrows import CheckedPredictions, check_predictions
from annotator.ingest.predictionwarnings import warn_extra, warn_rows
from annotator.ingest.reading import read_table
from annotator.ingest.realign import align_optional
from annotator.ingest.report import SHOWN, IdReport, ImportReport, Mapped
from annotator.ingest.tables import Table, refused
from annotator.ingest.warned import WarningLog
from annotator.ingest.wide import widened
from annotator.metrics.outcomes import PARSER_VERSION
from annotator.records import PredictionRow
from annotator.store.imports import finish_import, log_import, set_key
from annotator.store.items import read_golds
from annotator.store.predictions import (
    Answer,
    NewAnswer,
    delete_predictions,
    ensure_run,
    find_run,
    insert_predictions,
    read_answers,
)
from annotator.store.project import Project, read_revision
from annotator.text.align import alignment_version

_ANSWER_FIELDS = frozenset(field.name for field in fields(Answer))
Golds = dict[str, tuple[int, str | None]]
Planned = tuple[PredictionRow, int, str | None]


@dataclass(frozen=True, slots=True)
class PreparedPredictions:
    """A file of predictions that passed every check that needs no project."""

    table: Table
    checked: CheckedPredictions
    mapping: tuple[Mapped, ...]
    notes: tuple[str, ...]
    parses: bool
    given: frozenset[str]


def prepare_predictions(path: Path, options: ImportOptions) -> PreparedPredictions:
    """Read and check a file of predictions. Touches no project. Raises `FileError` with every fault found."""
    table = read_table(path, encoding=options.encoding, quoted=options.quoted)
    return prepare_prediction_table(table, options)


def prepare_prediction_table(table: Table, options: ImportOptions) -> PreparedPredictions:
    """The same from a table."""
    if options.wide:
        table = widened(table, options.mapping)
    mapping = map_prediction_columns(table, options)
    problems = [*table.problems, *mapping.problems]
    if mapping.problems:
        raise refused(table.file, problems)
    checked = check_predictions(table, mapping, system=options.system, condition=options.condition)
    problems.extend(checked.problems)
    if problems:
        raise refused(table.file, sorted_by_line(problems))
    notes = [*table.notes, *mapping.notes]
    if "system" in mapping.at and options.system and not options.wide:
        notes.append(
            f"the column {table.columns[mapping.at['system']]} names the systems; --system {options.system} is not used"
        )
    if checked.decimal_commas:
        notes.append(f"{checked.decimal_commas:,} numbers with a decimal comma read as with a point")
    if checked.parsed:
        notes.append(f"{checked.parsed:,} predictions parsed from raw responses (parser version {PARSER_VERSION})")
    given = frozenset(mapping.at) & _ANSWER_FIELDS | {"predicted"} | ({"extra"} if mapping.extra else frozenset())
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
    """Write predictions that were prepared, in one transaction. With `dry_run` only say what would be written."""
    with project.read() as connection:
        seen = read_revision(connection)
        plan = plan_predictions(connection, prepared, options)
    if options.dry_run or not plan.new:
        return _report(prepared, plan, options.dry_run, seen)
    with project.write() as connection:
        revision = read_revision(connection)
        if revision != seen + 1:  # somebody else has written in between
            plan = plan_predictions(connection, prepared, options)
        file = prepared.table.file
        import_key = log_import(
            connection, "predictions", file, prepared.table.sha256, options.document(), revision, project.clock()
        )
        write_plan(connection, plan, prepared.parses, import_key, revision, progress)
        report = _report(prepared, plan, False, revision)
        finish_import(connection, import_key, report.document())
    return report


@dataclass(frozen=True, slots=True)
class PredictionPlan:
    """What will be written: `new` rows with the key and gold of their items; `replaced` are keys of predictions that go."""

    new: tuple[Planned, ...]
    replaced: tuple[int, ...]
    unchanged: int
    ids: IdReport
    log: WarningLog


def plan_predictions(
    connection: sqlite3.Connection, prepared: PreparedPredictions, options: ImportOptions
) -> PredictionPlan:
    """Join the rows with the project's items and compare with what is stored. Raises `FileError` as `import_predictions`."""
    golds = read_golds(connection)
    rows, places, table = prepared.checked.rows, prepared.checked.places, prepared.table
    met = join_ids({row.id for row in rows}, golds, options.join)
    if not met:
        raise _no_id_known(prepared, golds)
    log = WarningLog()
    joined: dict[tuple[str, str], dict[int, int]] = {}
    problems: list[Problem] = []
    extra: list[int] = []
    for position, row in enumerate(rows):
        target = met.get(row.id)
        if target is None:
            extra.append(position)
            continue
        of_run = joined.setdefault((row.system, row.condition), {})
        if of_run.setdefault(golds[target][0], position) != position:
            found = f"two ids that both join the item {target}: {row.id} is the second"
            problems.append(
                Problem(table.file, row.line, "id", found, "one prediction for an item, system and condition")
            )
    warn_extra(table, [(rows[p], places[p]) for p in extra], log)
    warn_rows(table, rows, places, {each: golds[target][1] for each, target in met.items()}, log)
    new, replaced, unchanged, missing, first_missing = [], [], 0, 0, list[str]()
    ids_by_key = {key: id_ for id_, (key, _) in golds.items()}
    for (system, condition), of_run in joined.items():
        run_key = find_run(connection, system, condition)
        stored = read_answers(connection, run_key) if run_key is not None else {}
        answered = set(stored)
        for item_key, position in of_run.items():
            row = rows[position]
            if row.predicted is None:
                continue
            answered.add(item_key)
            old = stored.get(item_key)
            gold = golds[met[row.id]][1]
            differs = () if old is None else _differences(old[1], answer_of(row), prepared.given, gold)
            if old is not None and not differs:
                unchanged += 1
            elif old is not None and not options.replace:
                problems.append(_changed(table, row, old[1], differs))
            else:
                new.append((row, item_key, gold))
                replaced.extend([old[0]] if old is not None else [])
        missing += len(golds) - len(answered)
        if len(first_missing) < SHOWN:
            name = "" if len(joined) == 1 else f" ({system})"
            unanswered = (f"{id_}{name}" for key, id_ in ids_by_key.items() if key not in answered)
            first_missing.extend(each for each, _ in zip(unanswered, range(SHOWN - len(first_missing)), strict=False))
    if options.strict and log.warnings():
        problems.extend(problem for warned in log.warnings() for problem in warned.first)
    if problems:
        raise refused(table.file, sorted_by_line(problems))
    ids = IdReport(
        matched=len(met),
        missing=missing,
        extra=len(extra),
        duplicates=len(prepared.checked.duplicates),
        first_missing=tuple(first_missing),
        first_extra=tuple(rows[p].id for p in extra[:SHOWN]),
        first_duplicates=prepared.checked.duplicates[:SHOWN],
    )
    return PredictionPlan(tuple(new), tuple(replaced), unchanged, ids, log)


def _differences(old: Answer, new: Answer, given: frozenset[str], gold: str | None) -> tuple[str, ...]:
    """Fields of the file that say something else than what is stored. Without an own gold it is the item's."""
    names = [name for name in given if getattr(old, name) != getattr(new, name)]
    if "own_gold" in names and (old.own_gold or gold) == (new.own_gold or gold):
        names.remove("own_gold")
    return tuple(sorted(names))


def _changed(table: Table, row: PredictionRow, old: Answer, differs: tuple[str, ...]) -> Problem:
    found = (
        f"id {row.id}, system {row.system}, condition {row.condition}: another {', '.join(differs)} than in the project"
    )
    if row.predicted != old.predicted:
        found += f" ({row.predicted!r:.40}, there {old.predicted!r:.40})"
    return Problem(table.file, row.line, differs[0], found, "the same row, or --replace")


def _no_id_known(prepared: PreparedPredictions, golds: Golds) -> Exception:
    ids = list(dict.fromkeys(row.id for row in prepared.checked.rows))
    found = f"0 of {len(ids)} ids known to the project"
    if not golds:
        found = f"{found}, which has no items"
    expected = "ids of the project's items" if golds else "items first: annotator import items FILE"
    if golds and ids:
        found += f" (here {ids[0]!r:.40}, there {next(iter(golds))!r:.40})"
    for miss in near_misses(ids, golds)[:1]:
        rules, count, example, meets = miss
        expected = miss_words(rules, count, len(ids), example, meets)
    return refused(prepared.table.file, [Problem(prepared.table.file, None, "id", found, expected)])


def answer_of(row: PredictionRow) -> Answer:
    """A prediction as it is stored."""
    return Answer(
        row.predicted or "",
        row.raw,
        row.confidence,
        row.own_gold,
        _json(row.char_confidence),
        _json(row.candidates),
        row.reasoning,
        _json(dict(row.extra)) if row.extra else None,
    )


def _json(value: object) -> str | None:
    return None if value is None else msgspec.json.encode(value).decode()


def write_plan(
    connection: sqlite3.Connection,
    plan: PredictionPlan,
    parses: bool,
    import_key: int,
    revision: int,
    progress: Progress | None = None,
) -> None:
    """Write the planned predictions with their alignments inside the caller's transaction."""
    version = alignment_version()
    delete_predictions(connection, plan.replaced)
    runs: dict[tuple[str, str], int] = {}
    for row, _, _ in plan.new:
        if (row.system, row.condition) not in runs:
            runs[row.system, row.condition] = ensure_run(connection, row.system, row.condition, revision)
    insert_predictions(connection, _aligned(_told(plan.new, progress), runs, parses), version, import_key)
    set_key(connection, "alignment_version", version)


def _told(rows: tuple[Planned, ...], progress: Progress | None) -> Iterator[Planned]:
    for done, row in enumerate(rows):
        if progress is not None and done % 2000 == 0:
            progress("predictions", done, len(rows))
        yield row


def _aligned(rows: Iterable[Planned], runs: dict[tuple[str, str], int], parses: bool) -> Iterator[NewAnswer]:
    for_pairs, for_rows = tee(rows)
    alignments = align_optional((gold, row.predicted or "") for row, _, gold in for_pairs)
    for (row, item_key, _), alignment in zip(for_rows, alignments, strict=True):
        parser = str(PARSER_VERSION) if parses and row.raw is not None else None
        yield NewAnswer(runs[row.system, row.condition], item_key, answer_of(row), parser, alignment)


def _report(prepared: PreparedPredictions, plan: PredictionPlan, dry_run: bool, revision: int) -> ImportReport:
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
        plan.log.warnings(),
        prepared.notes,
        dry_run,
        revision,
    )
