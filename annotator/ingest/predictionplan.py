"""What an import of predictions will change: rows joined with the project's items and compared with what is stored."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from itertools import islice, tee

import msgspec

from annotator.errors import FileError, Problem
from annotator.ingest.fields import said
from annotator.ingest.itemimages import Progress
from annotator.ingest.joining import join_ids, miss_words, near_misses
from annotator.ingest.options import ImportOptions
from annotator.ingest.predictionwarnings import warn_extra, warn_rows
from annotator.ingest.prepared import PreparedPredictions
from annotator.ingest.realign import align_optional
from annotator.ingest.report import SHOWN, IdReport, Warned
from annotator.ingest.tables import Table, refused
from annotator.ingest.warned import WarningLog
from annotator.metrics.outcomes import PARSER_VERSION
from annotator.records import PredictionRow
from annotator.store.imports import set_key
from annotator.store.items import read_golds
from annotator.store.predictions import (
    Answer,
    NewAnswer,
    delete_predictions,
    ensure_run,
    find_run,
    read_answers,
)
from annotator.store.staging import move_staged, stage_predictions
from annotator.store.undo import keep_predictions
from annotator.text.align import alignment_version

Golds = Mapping[str, tuple[int, str | None]]
Run = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Planned:
    """A row to write, with the key and gold of its item. `answer` is what is stored of it."""

    row: PredictionRow
    item_key: int
    gold: str | None
    answer: Answer


def planned(row: PredictionRow, item_key: int, gold: str | None) -> Planned:
    """A row to write as it is."""
    return Planned(row, item_key, gold, answer_of(row))


@dataclass(frozen=True, slots=True)
class PredictionPlan:
    """`new` are the rows to write; `replaced` the keys of predictions that they take the place of."""

    new: tuple[Planned, ...]
    replaced: tuple[int, ...]
    unchanged: int
    ids: IdReport
    warnings: tuple[Warned, ...]
    notes: tuple[str, ...]


def plan_predictions(
    connection: sqlite3.Connection, prepared: PreparedPredictions, options: ImportOptions
) -> PredictionPlan:
    """Join the rows with the project's items and compare with what is stored.

    Raises `FileError` when no id is known, when two rows join one item, and for rows that differ unless
    `options.replace`; with `options.strict` for warnings too.
    """
    golds = read_golds(connection)
    met = join_ids({row.id for row in prepared.checked.rows}, golds, options.join)
    if not met:
        raise _no_id_known(prepared, golds)
    planner = _Planner(prepared, golds, met, options.replace)
    runs = planner.join()
    for run, joined in runs.items():
        planner.compare(connection, run, joined, several=len(runs) > 1)
    log = WarningLog()
    rows, places, table = prepared.checked.rows, prepared.checked.places, prepared.table
    warn_extra(table, [(rows[p], places[p]) for p in planner.extra], log)
    warn_rows(table, rows, places, {each: golds[target][1] for each, target in met.items()}, log)
    if options.strict:
        planner.problems.extend(problem for warned in log.warnings() for problem in warned.first)
    if planner.problems:
        raise refused(table.file, sorted(planner.problems, key=lambda problem: problem.line or 0))
    return planner.plan(log.warnings())


@dataclass(slots=True)
class _Planner:
    prepared: PreparedPredictions
    golds: Golds
    met: Mapping[str, str]
    may_replace: bool
    problems: list[Problem] = field(default_factory=list)
    extra: list[int] = field(default_factory=list)
    new: list[Planned] = field(default_factory=list)
    replaced: list[int] = field(default_factory=list)
    unchanged: int = 0
    missing: int = 0
    first_missing: list[str] = field(default_factory=list)

    def join(self) -> dict[Run, dict[int, int]]:
        """By run: the position of the row that answers each item key."""
        runs: dict[Run, dict[int, int]] = {}
        file = self.prepared.table.file
        for position, row in enumerate(self.prepared.checked.rows):
            target = self.met.get(row.id)
            if target is None:
                self.extra.append(position)
                continue
            joined = runs.setdefault((row.system, row.condition), {})
            if joined.setdefault(self.golds[target][0], position) != position:
                found = f"a second row that joins the item {target}: {row.id}"
                self.problems.append(Problem(file, row.line, "id", found, "one row for an item, system and condition"))
        return runs

    def compare(self, connection: sqlite3.Connection, run: Run, joined: Mapping[int, int], several: bool) -> None:
        """Sort the rows of one run into new, replacing and unchanged."""
        run_key = find_run(connection, *run)
        stored = read_answers(connection, run_key) if run_key is not None else {}
        answered = set(stored)
        for item_key, position in joined.items():
            row = self.prepared.checked.rows[position]
            if row.predicted is not None:
                answered.add(item_key)
                self._take(row, item_key, stored.get(item_key))
        self.missing += len(self.golds) - len(answered)
        name = f" ({run[0]})" if several else ""
        unanswered = (f"{id_}{name}" for id_, (key, _) in self.golds.items() if key not in answered)
        self.first_missing.extend(islice(unanswered, SHOWN - len(self.first_missing)))

    def _take(self, row: PredictionRow, item_key: int, old: tuple[int, Answer] | None) -> None:
        gold, answer = self.golds[self.met[row.id]][1], answer_of(row)
        if old is None:
            self.new.append(planned(row, item_key, gold))
            return
        differs = _differences(old[1], answer, self.prepared.given, gold)
        if not differs:
            self.unchanged += 1
        elif self.may_replace:
            self.new.append(Planned(row, item_key, gold, _merged(old[1], answer, self.prepared.given)))
            self.replaced.append(old[0])
        else:
            self.problems.append(_changed(self.prepared.table, row, old[1], differs))

    def plan(self, warnings: tuple[Warned, ...]) -> PredictionPlan:
        """The finished plan."""
        rows, duplicates = self.prepared.checked.rows, self.prepared.checked.duplicates
        unknown = [rows[position].id for position in self.extra]
        ids = IdReport(
            matched=len(self.met),
            missing=self.missing,
            extra=len(self.extra),
            duplicates=len(duplicates),
            first_missing=tuple(self.first_missing),
            first_extra=tuple(unknown[:SHOWN]),
            first_duplicates=duplicates[:SHOWN],
        )
        misses = near_misses(list(dict.fromkeys(unknown)), self.golds)
        notes = tuple(miss_words(rules, n, len(unknown), example, meets) for rules, n, example, meets in misses[:2])
        return PredictionPlan(tuple(self.new), tuple(self.replaced), self.unchanged, ids, warnings, notes)


def _differences(old: Answer, new: Answer, given: frozenset[str], gold: str | None) -> tuple[str, ...]:
    """Fields of the file that say something else than what is stored. Without an own gold it is the item's."""
    names = [name for name in given if getattr(old, name) != getattr(new, name)]
    if "own_gold" in names and (old.own_gold or gold) == (new.own_gold or gold):
        names.remove("own_gold")
    return tuple(sorted(names))


def _merged(old: Answer, new: Answer, given: frozenset[str]) -> Answer:
    """The new answer; while the text is the same, what the file says nothing of stays."""
    if old.predicted != new.predicted:
        return new
    kept = {field.name: getattr(old, field.name) for field in fields(Answer) if field.name not in given}
    return replace(new, **kept)


def _changed(table: Table, row: PredictionRow, old: Answer, differs: tuple[str, ...]) -> Problem:
    where = f"id {row.id}, system {row.system}, condition {row.condition}"
    found = f"{where}: another {', '.join(map(said, differs))} than in the project"
    if row.predicted != old.predicted:
        found += f" ({row.predicted!r:.40}, there {old.predicted!r:.40})"
    return Problem(table.file, row.line, said(differs[0]), found, "the same row, or --replace")


def _no_id_known(prepared: PreparedPredictions, golds: Golds) -> FileError:
    file = prepared.table.file
    ids = list(dict.fromkeys(row.id for row in prepared.checked.rows))
    found = f"0 of {len(ids)} ids known to the project" if ids else "no rows"
    expected = "ids of the project's items"
    misses = near_misses(ids, golds)
    if not golds:
        found, expected = f"{found}, which has no items", "items first: annotator import items FILE"
    elif misses:
        rules, count, example, meets = misses[0]
        expected += f"; {miss_words(rules, count, len(ids), example, meets)}"
    elif ids:
        found += f" (here {ids[0]!r:.40}, there {next(iter(golds))!r:.40})"
    return refused(file, [Problem(file, None, "id", found, expected)])


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


def stage_plan(
    connection: sqlite3.Connection, plan: PredictionPlan, parses: bool, progress: Progress | None = None
) -> None:
    """Align the planned predictions into temporary tables of the connection: nobody waits for that."""
    numbers = {run: number for number, run in enumerate(_runs(plan))}
    stage_predictions(connection, _aligned(_told(plan.new, progress), numbers, parses), alignment_version())


def write_staged(connection: sqlite3.Connection, plan: PredictionPlan, import_key: int, revision: int) -> None:
    """Write the predictions that `stage_plan` has staged, inside the caller's transaction."""
    keep_predictions(connection, plan.replaced, import_key)
    delete_predictions(connection, plan.replaced)
    move_staged(connection, [ensure_run(connection, *run, revision) for run in _runs(plan)], import_key)
    set_key(connection, "alignment_version", alignment_version())


def _runs(plan: PredictionPlan) -> tuple[Run, ...]:
    return tuple(dict.fromkeys((new.row.system, new.row.condition) for new in plan.new))


def _told(rows: tuple[Planned, ...], progress: Progress | None) -> Iterator[Planned]:
    for done, row in enumerate(rows):
        if progress is not None and done % 2000 == 0:
            progress("predictions", done, len(rows))
        yield row


def _aligned(rows: Iterable[Planned], runs: Mapping[Run, int], parses: bool) -> Iterator[NewAnswer]:
    for_pairs, for_rows = tee(rows)
    alignments = align_optional((new.gold, new.answer.predicted) for new in for_pairs)
    for new, alignment in zip(for_rows, alignments, strict=True):
        parser = str(PARSER_VERSION) if parses and new.row.raw is not None else None
        yield NewAnswer(runs[new.row.system, new.row.condition], new.item_key, new.answer, parser, alignment)
