"""Charge edits with the semcer package's local model; answers are kept, so that a run that was stopped goes on."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from annotator.metrics.severity.levels import Distribution
from annotator.records import Query
from annotator.store.judging import StoredAnswer, read_answers, write_answers
from annotator.store.project import Project
from annotator.store.reading import read_runs
from annotator.store.severities import (
    Charge,
    Line,
    iter_lines,
    put_provider,
    require_kind,
    run_stamp,
    write_charges,
)
from annotator.text.align import Edit

Progress = Callable[[int, int], None]
Levels = tuple[float, float, float, float, float]
NAME = "semcer"
LINES = 64
"""Lines scored between two writes."""


class Model(Protocol):
    """What charging needs of a model (`annotator.runners.semcerpackage.SemcerModel`)."""

    version: str

    def levels_of(
        self, pairs: Sequence[tuple[str, str]], edits: Sequence[Sequence[Edit]]
    ) -> Iterator[tuple[Levels | None, ...]]: ...


@dataclass(frozen=True, slots=True)
class LocalReport:
    """What charging did: edits charged, different lines scored now, edits that the model could not score."""

    provider: str
    charged: int
    scored_lines: int
    unscored: int


def charge_with_semcer(project: Project, query: Query, model: Model, progress: Progress | None = None) -> LocalReport:
    """Charge the edits of the runs of `query` as provider `semcer`; lines scored before with the same model are not again.

    Raises `UsageError` where severities were imported under that name.
    """
    with project.read() as connection:
        require_kind(connection, NAME, NAME)
        runs = read_runs(connection, query.systems, query.conditions)
        lines = {run.key: list(iter_lines(connection, run.key)) for run in runs}
    asked = {key: line for found in lines.values() for line in found for key in [_line_key(model, line)]}
    with project.read() as connection:
        done = read_answers(connection, list(asked))
    new = [(key, line) for key, line in asked.items() if key not in done]
    for start in range(0, len(new), LINES):
        _score(project, model, new[start : start + LINES])
        if progress:
            progress(min(start + LINES, len(new)), len(new))
    charges = {run.key: list(_charges(project, model, lines[run.key])) for run in runs}
    with project.write(raises_revision=False) as connection:
        provider = put_provider(connection, NAME, NAME, model.version, {}, project.clock())
        for run in runs:
            write_charges(connection, provider, run.key, charges[run.key], run_stamp(run))
    charged = sum(map(len, charges.values()))
    edits = sum(len(line.alignment.edits) for found in lines.values() for line in found)
    return LocalReport(NAME, charged, len(new), edits - charged)


def _score(project: Project, model: Model, part: Sequence[tuple[bytes, Line]]) -> None:
    """Score some lines and keep each edit's answer, and one for the line, which says that it was scored."""
    found = model.levels_of(
        [(line.gold, line.predicted) for _, line in part], [line.alignment.edits for _, line in part]
    )
    answers = []
    for (key, line), levels in zip(part, found, strict=True):
        keys = [*_edit_keys(model, line), key]
        answers += [_answer(at, model, one) for at, one in zip(keys, (*levels, None), strict=True)]
    with project.write(raises_revision=False) as connection:
        write_answers(connection, answers, project.clock())


def _answer(key: bytes, model: Model, levels: Levels | None) -> StoredAnswer:
    return StoredAnswer(key, NAME, model.version, 0.0, levels, levels is not None, 1, "")


def _charges(project: Project, model: Model, lines: Sequence[Line]) -> Iterator[Charge]:
    keys = {(line.prediction_key, at): key for line in lines for at, key in enumerate(_edit_keys(model, line))}
    with project.read() as connection:
        known = read_answers(connection, list(set(keys.values())))
    for (prediction, at), key in keys.items():
        levels = known.get(key)
        if levels is not None:
            yield Charge(prediction, at, min(Distribution.of(levels).severity, 1.0), probabilities=levels)


def _line_key(model: Model, line: Line) -> bytes:
    return hashlib.sha256(
        "\0".join((NAME, model.version, line.gold, line.predicted)).encode("utf-8", "surrogatepass")
    ).digest()


def _edit_keys(model: Model, line: Line) -> list[bytes]:
    whole = _line_key(model, line)
    return [hashlib.sha256(whole + str(at).encode()).digest() for at in range(len(line.alignment.edits))]
