"""Settling what transcribers and labellers disagree on, and adopting the result as gold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from annotator.errors import UsageError
from annotator.records import Query
from annotator.store.project import Project
from annotator.store.studies import find_study
from annotator.store.study_records import Study, TaskRow
from annotator.store.study_settle import insert_adjudication, latest_adjudications
from annotator.studies.answers import StudyData, by_task, counted, load_study
from annotator.studies.kinds import WRITTEN, StudyKind
from annotator.studies.written import Written, check_written, read_written, write_written
from annotator.text.align import align_texts
from annotator.text.graphemes import nfc


@dataclass(frozen=True, slots=True)
class Case:
    """One task with every version of its answer, and the settled one where there is one."""

    task: TaskRow
    versions: tuple[tuple[str, Written], ...]
    settled: Written | None

    @property
    def disagreed(self) -> bool:
        """Any difference after NFC, in text, standard form, flags or a label."""
        return needs_adjudication([written for _rater, written in self.versions])

    @property
    def single(self) -> bool:
        """One reading alone, not settled: nobody has confirmed it, and it is adopted as it is."""
        return self.settled is None and len(self.versions) == 1


def cases(project: Project, name: str, query: Query | None = None) -> tuple[Case, ...]:
    """Every task of a transcription or labels study that has answers. Raises `UsageError` for another kind."""
    data = load_study(project, name, query)
    _expect_written(data.study)
    settled = settled_values(project, data.study)
    return tuple(_cases(data, settled))


def adjudicate(project: Project, name: str, task: int, written: Written, by: str = "owner") -> None:
    """Settle a task: pick one version or write another. Earlier decisions stay in the history."""
    with project.write() as connection:
        study = find_study(connection, name)
        _expect_written(study)
        value = check_written(StudyKind(study.kind), write_written(written))
        insert_adjudication(connection, study.key, task, value, by, project.clock())


def settled_values(project: Project, study: Study) -> Mapping[int, Written]:
    """Task key -> the latest decision."""
    with project.read() as connection:
        return {key: read_written(value) for key, value in latest_adjudications(connection, study.key).items()}


def final_text(case: Case) -> Written | None:
    """What the study says of the item: the decision, else the version that all agree on, else `None`."""
    if case.settled is not None:
        return case.settled
    return case.versions[0][1] if case.versions and not case.disagreed else None


def needs_adjudication(written: Sequence[Written]) -> bool:
    """Whether the versions differ in anything after NFC."""
    forms = {
        (nfc(w.verbatim), nfc(w.standard), frozenset(w.flags), frozenset(pair for pair in w.labels.items() if pair[1]))
        for w in written
    }
    return len(forms) > 1


def pairwise_cer(texts: Sequence[str]) -> float | None:
    """Mean CER over all pairs of texts, each pair taken both ways; `None` under two texts or when all are empty.

    A pair with one empty side counts its defined direction alone.
    """
    rates = []
    for one, other in combinations(texts, 2):
        for gold, predicted in ((one, other), (other, one)):
            alignment = align_texts(gold, predicted)
            if alignment.gold_length:
                rates.append(len(alignment.edits) / alignment.gold_length)
    return sum(rates) / len(rates) if rates else None


def _cases(data: StudyData, settled: Mapping[int, Written]) -> list[Case]:
    answers = by_task(counted(data.study, data.ratings))
    return [
        Case(task, tuple((r.rater, read_written(r.value or "{}")) for r in answers[task.key]), settled.get(task.key))
        for task in data.tasks
        if task.key in answers
    ]


def _expect_written(study: Study) -> None:
    if StudyKind(study.kind) not in WRITTEN:
        raise UsageError(f"{study.name} is of kind {study.kind}; expected a transcription or labels study")


@dataclass(frozen=True, slots=True)
class Settled:
    """The final text of one item."""

    item_id: str
    written: Written


def settled_texts(project: Project, name: str) -> tuple[Settled, ...]:
    """Items of a transcription study with a final text: the decision, else what all raters agree on.

    Items marked unreadable, and those still in dispute, are left out. Raises `UsageError` for another kind of study.
    """
    found = []
    for case in cases(project, name):
        final = final_text(case)
        if final is not None and final.verbatim:
            found.append(Settled(case.task.item_id, final))
    return tuple(found)
