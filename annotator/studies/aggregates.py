"""Rating aggregates: one row per task (and label), in the columns that analyses of ratings expect."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from annotator.records import Query
from annotator.store.project import Project
from annotator.store.study_records import RatingRow, TaskRow
from annotator.studies.adjudicate import needs_adjudication, pairwise_cer, settled_values
from annotator.studies.answers import StudyData, by_task, counted, load_study
from annotator.studies.kinds import BOTH_BAD, SCORE_VALUES, SEVERITY_VALUES, TIE, StudyKind
from annotator.studies.written import Written, read_written

Cell = str | int | float | None
NO_MAJORITY = "none"

_COMMON = ("study", "kind", "task", "item_id", "language", "band", "gold")
_EDIT = ("predicted", "op", "gold_index", "predicted_index", "gold_edit", "predicted_edit")
_SCALE = ("n_raters", "mean", "median", "sd")
COLUMNS: Mapping[StudyKind, tuple[str, ...]] = {
    StudyKind.EDIT_SEVERITY: (*_COMMON, *_EDIT, *_SCALE, *(f"share_{v}" for v in SEVERITY_VALUES)),
    StudyKind.TEXT_SEVERITY: (*_COMMON, "predicted", *_SCALE, *(f"share_{v}" for v in SEVERITY_VALUES)),
    StudyKind.TEXT_SCORE: (*_COMMON, "predicted", *_SCALE, *(f"share_{v}" for v in SCORE_VALUES)),
    StudyKind.PREFERENCE: (
        *(*_COMMON, "predicted_a", "predicted_b", "n_raters", "a_wins", "b_wins", "ties", "both_bad", "majority"),
    ),
    StudyKind.LABELS: (*_COMMON, "label", "n_raters", "majority", "share_majority"),
    StudyKind.OTHER_REVIEW: (*_COMMON, "label", "n_raters", "majority", "share_majority"),
    StudyKind.TRANSCRIPTION: (*_COMMON, "n_raters", "pairwise_cer", "needed_adjudication", "standard"),
}


@dataclass(frozen=True, slots=True)
class Aggregates:
    """The table. `left_out` counts current answers that were not used, by reason."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    left_out: tuple[tuple[str, int], ...]


def study_aggregates(
    project: Project, name: str, *, with_systems: bool = False, query: Query | None = None
) -> Aggregates:
    """Aggregates of a study, ordered by item. No rater, rationale or time is in them.

    Withdrawn raters, attention tasks and model judges are left out; of repeats the first answer counts. `with_systems`
    adds the systems behind each task (owner only). `query` keeps some of the tasks, as in `load_study`.
    """
    data = load_study(project, name, query)
    settled = settled_values(project, data.study)
    used = counted(data.study, data.ratings)
    kind = StudyKind(data.study.kind)
    columns = COLUMNS[kind] + (("systems",) if with_systems else ())
    rows = tuple(
        tuple(record.get(column) for column in columns) for record in _records(data, kind, by_task(used), settled)
    )
    return Aggregates(columns, rows, left_out(data, used))


def left_out(data: StudyData, used: Sequence[RatingRow]) -> tuple[tuple[str, int], ...]:
    """Current answers that no aggregate uses, by reason; the first reason that fits counts."""
    kept = {(r.task_key, r.rater_key, r.repeat) for r in used}
    reasons = Counter(_reason(row) for row in data.ratings if (row.task_key, row.rater_key, row.repeat) not in kept)
    return tuple(sorted(reasons.items()))


def _reason(row: RatingRow) -> str:
    if row.withdrawn:
        return "withdrawn rater"
    if row.attention:
        return "attention task"
    if row.rater_kind == "model":
        return "model judge"
    if row.repeat:
        return "repeat"
    return "cannot judge" if row.value is None else "beyond the overlap"


def _records(
    data: StudyData, kind: StudyKind, ratings: Mapping[int, list[RatingRow]], settled: Mapping[int, Written]
) -> Iterator[dict[str, Cell]]:
    for task in data.tasks:
        if task.attention:
            continue
        rows = ratings.get(task.key, [])
        common = _common(data, task)
        if kind is StudyKind.LABELS or kind is StudyKind.OTHER_REVIEW:
            for part in _labels(kind, rows, settled.get(task.key)):
                yield common | part
        elif kind is StudyKind.TRANSCRIPTION:
            yield common | _transcription([read_written(r.value or "{}") for r in rows], settled.get(task.key))
        elif kind is StudyKind.PREFERENCE:
            yield common | _preference([r.value or "" for r in rows])
        else:
            values = SCORE_VALUES if kind is StudyKind.TEXT_SCORE else SEVERITY_VALUES
            yield common | _scale([int(r.value or 0) for r in rows], values)


def _common(data: StudyData, task: TaskRow) -> dict[str, Cell]:
    edit = task.edit
    record: dict[str, Cell] = {
        "study": data.study.name,
        "kind": data.study.kind,
        "task": task.number,
        "item_id": task.item_id,
        "language": task.language,
        "band": task.band,
        "gold": task.gold,
        "predicted": task.predicted,
        "predicted_a": task.predicted,
        "predicted_b": task.predicted_b,
        "systems": "|".join(sorted({maker.system for maker in data.makers.get(task.key, ())})),
    }
    if edit is not None:
        record |= {
            "op": edit.op,
            "gold_index": edit.gold_index,
            "predicted_index": edit.predicted_index,
            "gold_edit": edit.gold,
            "predicted_edit": edit.predicted,
        }
    return record


def _scale(values: Sequence[int], allowed: Sequence[str]) -> dict[str, Cell]:
    n = len(values)
    record: dict[str, Cell] = {
        "n_raters": n,
        "mean": statistics.fmean(values) if n else None,
        "median": float(statistics.median(values)) if n else None,
        "sd": statistics.stdev(values) if n > 1 else None,
    }
    return record | {f"share_{v}": values.count(int(v)) / n if n else None for v in allowed}


def _preference(values: Sequence[str]) -> dict[str, Cell]:
    counts = Counter(values)
    return {
        "n_raters": len(values),
        "a_wins": counts["a"],
        "b_wins": counts["b"],
        "ties": counts[TIE],
        "both_bad": counts[BOTH_BAD],
        "majority": strict_majority(values) or NO_MAJORITY,
    }


def strict_majority(values: Sequence[str]) -> str | None:
    """The value that more than half of the answers have, or `None`."""
    if not values:
        return None
    value, n = Counter(values).most_common(1)[0]
    return value if 2 * n > len(values) else None


def _labels(kind: StudyKind, rows: Sequence[RatingRow], settled: Written | None) -> Iterator[dict[str, Cell]]:
    if kind is StudyKind.OTHER_REVIEW:
        yield _label("review", [r.value or "" for r in rows], None)
        return
    written = [read_written(r.value or "{}") for r in rows]
    names = sorted({label for w in written for label in w.labels})
    for name in names:
        given = [w.labels[name] for w in written if w.labels.get(name)]
        yield _label(name, given, settled.labels.get(name) if settled else None)
    if not names:
        yield _label("", [], None)


def _label(name: str, given: Sequence[str], settled: str | None) -> dict[str, Cell]:
    majority = strict_majority(given)
    share = max(Counter(given).values()) / len(given) if given else None
    return {
        "label": name,
        "n_raters": len(given),
        "majority": settled or majority or NO_MAJORITY,
        "share_majority": share,
    }


def _transcription(written: Sequence[Written], settled: Written | None) -> dict[str, Cell]:
    final = settled or (written[0] if written and not needs_adjudication(written) else None)
    return {
        "n_raters": len(written),
        "pairwise_cer": pairwise_cer([w.verbatim for w in written]),
        "needed_adjudication": int(needs_adjudication(written)),
        "standard": final.best_standard if final else None,
    }
