"""Distil a provider's severities into a small student, and charge edits with one."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from annotator.analyses.severity.charging import charge_runs
from annotator.analyses.severity.loading import require_provider
from annotator.errors import UsageError
from annotator.metrics.severity.levels import Distribution
from annotator.models.marking import MarkedEdit, mark_line, soft_label
from annotator.records import Query
from annotator.store.project import Project
from annotator.store.reading import RunRow, read_runs
from annotator.store.severities import Charge, Line, iter_charged, iter_lines, require_kind, require_own_name

if TYPE_CHECKING:
    from annotator.models.student import Student

Floats = npt.NDArray[np.float64]
Say = Callable[[str], None]
STUDENT = "student"
LEAST_EDITS = 200
CLEAR = 0.125
"""Pairs whose severities differ by at least half a rubric step are clear."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """A student against its teacher on held-out texts. Undefined figures are `None` with the reason in `why`.

    `clear_pairs` are pairs of edits whose teacher's severities differ by at least half a step (0.125), drawn by seed when
    there are more than `clear_n`; `clear_alike` the share that the student orders alike.
    """

    edits: int
    spearman: float | None
    mean_absolute_difference: float | None
    clear_alike: float | None
    clear_n: int
    why: dict[str, str]


@dataclass(frozen=True, slots=True)
class _Examples:
    edits: list[MarkedEdit]
    targets: Floats
    severities: Floats
    texts: list[str]

    def where(self, chosen: npt.NDArray[np.bool_]) -> _Examples:
        at = np.flatnonzero(chosen)
        return _Examples(
            [self.edits[i] for i in at], self.targets[at], self.severities[at], [self.texts[i] for i in at]
        )


def distill(
    project: Project, provider: str, out: Path, seed: int = 0, most: int = 200_000, say: Say | None = None
) -> dict[str, Any]:
    """Train a student on a provider's charges and save it with its card, which is returned.

    Texts are split 80 / 10 / 10 by a hash of gold and seed: no held-out gold is trained on. Stopping looks at the second
    part, agreement is told on the third. Raises `UsageError` with fewer than 200 charged edits or fewer than 10 texts.
    """
    from annotator.models.student import Training, train

    with project.read() as connection:
        runs = read_runs(connection)
    row = require_provider(project, provider, runs)
    examples = _examples(project, runs, row.key, most)
    part = np.array([_part(text, seed) for text in examples.texts])
    learn, stop, test = examples.where(part < 8), examples.where(part == 8), examples.where(part == 9)
    if len(examples.edits) < LEAST_EDITS or not stop.edits or not test.edits:
        raise UsageError(
            f"too little to learn from: {provider} has charged {len(examples.edits)} edits of "
            f"{len(set(examples.texts))} texts; expected at least {LEAST_EDITS} edits, with texts to hold out"
        )
    how = Training(seed=seed)
    student, trained = train(learn.edits, learn.targets, (stop.edits, stop.targets), how, progress=say)
    card = {
        "teacher": {"provider": row.name, "kind": row.kind, "version": row.version},
        "seed": seed,
        "edits": {"train": len(learn.edits), "stop": len(stop.edits), "test": len(test.edits)},
        "texts": {name: len(set(p.texts)) for name, p in (("train", learn), ("stop", stop), ("test", test))},
        "epoch": trained.epoch + 1,
        "validation_loss": trained.loss,
        "agreement": _as_dict(agree(test.severities, _severities(student, test.edits), seed)),
    }
    student.save(out, card)
    return card


def _as_dict(agreement: Agreement) -> dict[str, Any]:
    from dataclasses import asdict

    return asdict(agreement)


def _part(text: str, seed: int) -> int:
    return int.from_bytes(hashlib.sha256(f"{seed}\0{text}".encode()).digest()[:4], "big") % 10


def _examples(project: Project, runs: Sequence[RunRow], provider_key: int, most: int) -> _Examples:
    with project.read() as connection:
        charged = {(c.prediction_key, c.ordinal): c for c in iter_charged(connection, provider_key)}
        edits: list[MarkedEdit] = []
        targets: list[tuple[float, ...]] = []
        severities: list[float] = []
        texts: list[str] = []
        for line in (line for run in runs for line in iter_lines(connection, run.key)):
            for ordinal, marked in enumerate(mark_line(line.gold, line.predicted, line.alignment.edits)):
                found = charged.get((line.prediction_key, ordinal))
                if found is not None and len(edits) < most:
                    edits.append(marked)
                    targets.append(_target(found.severity, found.probabilities))
                    severities.append(found.severity)
                    texts.append(line.gold)
    return _Examples(edits, np.array(targets).reshape(-1, 5), np.array(severities), texts)


def _target(severity: float, probabilities: tuple[float, ...] | None) -> tuple[float, ...]:
    if probabilities is None:
        return soft_label(severity)
    total = sum(probabilities)
    return tuple(p / total for p in probabilities)


def _severities(student: Student, edits: Sequence[MarkedEdit]) -> Floats:
    found: Floats = student.predict(edits) @ (np.arange(5) / 4)
    return found


def agree(teacher: Floats, student: Floats, seed: int, most_pairs: int = 100_000) -> Agreement:
    """Spearman, mean absolute difference, and the share of clear pairs ordered alike (semCER, appendix E)."""
    from scipy.stats import spearmanr

    n = len(teacher)
    why: dict[str, str] = {}
    spearman = None
    if n > 2 and len(set(teacher.tolist())) > 1 and len(set(student.tolist())) > 1:
        spearman = float(spearmanr(teacher, student).statistic)
    else:
        why["spearman"] = "severities of at least three edits that differ are needed"
    rng = np.random.default_rng(seed)
    a, b = rng.integers(0, max(n, 1), most_pairs), rng.integers(0, max(n, 1), most_pairs)
    clear = np.abs(teacher[a] - teacher[b]) >= CLEAR if n else np.zeros(0, dtype=bool)
    alike = (teacher[a] - teacher[b]) * (student[a] - student[b]) > 0 if n else clear
    if not clear.any():
        why["clear_alike"] = "no pair of edits differs by half a step"
    return Agreement(
        n,
        spearman,
        float(np.abs(teacher - student).mean()) if n else None,
        float(alike[clear].mean()) if clear.any() else None,
        int(clear.sum()),
        why,
    )


@dataclass(frozen=True, slots=True)
class StudentProvider:
    """A student as a provider, under a name of its own."""

    name: str
    version: str
    student: Student
    kind: str = STUDENT

    def charge_lines(self, lines: Iterable[Line]) -> Iterator[Charge]:
        """The student's distribution for every edit, many lines at a time."""
        places: list[tuple[int, int]] = []
        marked: list[MarkedEdit] = []
        for line in lines:
            edits = mark_line(line.gold, line.predicted, line.alignment.edits)
            places += [(line.prediction_key, at) for at in range(len(edits))]
            marked += edits
            if len(marked) >= 2048:
                yield from self._charge(places, marked)
                places, marked = [], []
        yield from self._charge(places, marked)

    def _charge(self, places: Sequence[tuple[int, int]], marked: Sequence[MarkedEdit]) -> Iterator[Charge]:
        for (key, at), p in zip(places, self.student.predict(marked), strict=True):
            probabilities = (float(p[0]), float(p[1]), float(p[2]), float(p[3]), float(p[4]))
            yield Charge(key, at, min(Distribution(probabilities).severity, 1.0), probabilities=probabilities)


def charge_with_student(project: Project, query: Query, folder: Path, name: str) -> dict[str, int]:
    """Charge the runs of `query` with the student saved in `folder`; returns edits charged by run. Raises `InputError` for no student,
    `UsageError` for a name that another kind of provider has."""
    from annotator.models.student import WEIGHTS, load_student

    require_own_name(name, "--name")
    with project.read() as connection:
        require_kind(connection, name, STUDENT)
        runs = read_runs(connection, query.systems, query.conditions)
    student, _ = load_student(folder)
    version = hashlib.sha256((folder / WEIGHTS).read_bytes()).hexdigest()[:16]
    return charge_runs(project, StudentProvider(name, version, student), runs)
