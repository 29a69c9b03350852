"""A vision-language model as a rater of preferences: both orders, one letter each, never mixed with people's answers."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from annotator.errors import EngineError, EngineRefusedError, InputError, UsageError
from annotator.images.thumbnails import make_preview
from annotator.stats.intervals import Estimate, wilson_estimate
from annotator.store.detail import image_file
from annotator.store.project import Project
from annotator.store.study_import import (
    find_or_add_rater,
    insert_imported,
    replace_value,
    stored_value,
)
from annotator.store.study_raters import rater_by_key
from annotator.store.study_records import TaskRow
from annotator.studies.aggregates import strict_majority
from annotator.studies.answers import by_task, counted, load_study
from annotator.studies.kinds import TIE, StudyKind
from annotator.studies.settings import read_settings

PROMPT_VERSION = "1"
_PROMPT = """Two systems read the text on this image. Which reading serves a reader better? A slip that every reader repairs is \
better than a false word, name or number that nobody notices.
{gold}Reading A: {a}
Reading B: {b}
Answer with one letter and nothing else: A or B{tie}."""
_SIZE = 1024
GIVE_UP_AFTER = 5  # pairs in a row without a reply: the endpoint is down, and every further pair would only wait

Progress = Callable[[int, int], None]


class Asked(Protocol):
    """Anything that answers one message with text (`annotator.runners.endpoint.Endpoint`)."""

    def ask(self, content: str | Sequence[Mapping[str, Any]], *, cap: int = 256) -> Any: ...


@dataclass(frozen=True, slots=True)
class Judged:
    """What a judge's run did. `disagreed` pairs got different answers in the two orders and count as ties; `undecided`
    gave no letter twice and have no answer; `failed` got no reply and are asked again by the next run."""

    judge: str
    asked: int
    judged: int
    already: int
    disagreed: int
    undecided: int
    failed: int
    why: str = ""


@dataclass(frozen=True, slots=True)
class JudgeAgreement:
    """How often a judge equals the strict majority of the people, and in how many pairs its two orders disagreed."""

    judge: str
    agree: Estimate
    judged: int
    disagreed: int


def judge_study(project: Project, name: str, judge: str, model: Asked, progress: Progress | None = None) -> Judged:
    """Let a model answer every pair of a preference study that it has not answered, and store both orders.

    Raises `UsageError` for a study of another kind. An endpoint that refuses, or gives no reply to five pairs in a row, ends
    the run; what is done is kept and the next run asks the rest.
    """
    data = load_study(project, name)
    if data.study.kind != StudyKind.PREFERENCE:
        raise UsageError(f"{name} is of kind {data.study.kind}; expected a preference study")
    with project.write(raises_revision=False) as connection:
        rater = find_or_add_rater(connection, data.study.key, judge, project.clock(), "model")
        if rater_by_key(connection, rater).kind != "model":
            raise UsageError(
                f"a person of {name} is called {judge!r}; rename them, so that no answer of a model is taken for theirs"
            )
    allow_tie = read_settings(data.study.settings).tie
    tasks = [task for task in data.tasks if not task.attention]
    counts = dict.fromkeys(("asked", "judged", "already", "disagreed", "undecided", "failed"), 0)
    why, silent = "", 0
    for number, task in enumerate(tasks, 1):
        if progress:
            progress(number, len(tasks))
        with project.read() as connection:
            if stored_value(connection, task.key, rater) is not None:
                counts["already"] += 1
                continue
        try:
            answers = _both_orders(project, model, task, allow_tie)
        except EngineRefusedError as error:
            why = str(error)
            break
        except EngineError as error:
            counts["failed"] += 1
            why, silent = str(error), silent + 1
            if silent == GIVE_UP_AFTER:
                break
            continue
        silent = 0
        counts["asked"] += 2 if task.predicted != task.predicted_b else 0
        first, second = answers
        if first is None or second is None:
            counts["undecided"] += 1
            continue
        counts["judged"] += 1
        counts["disagreed"] += first != second
        _store(project, data.study.key, task, rater, judge, (first, second))
    return Judged(judge, **counts, why=why)


def judge_agreement(project: Project, name: str) -> tuple[JudgeAgreement, ...]:
    """Every judge of a study against the people's strict majority."""
    data = load_study(project, name)
    majority = {
        key: value
        for key, rows in by_task(counted(data.study, data.ratings)).items()
        if (value := strict_majority([row.value or "" for row in rows])) is not None
    }
    models = [row for row in data.ratings if row.rater_kind == "model"]
    found = []
    for judge in sorted({row.rater for row in models}):
        final = {row.task_key: row for row in models if row.rater == judge and not row.repeat}
        both = [key for key in final if key in majority]
        agree = sum(final[key].value == majority[key] for key in both)
        disagreed = sum(bool(row.replaces) for row in final.values())
        found.append(JudgeAgreement(judge, wilson_estimate(agree, len(both)), len(final), disagreed))
    return tuple(found)


def parse_letter(reply: str, allow_tie: bool) -> str | None:
    """The letter of a reply: `a`, `b` or `tie` as shown; `None` when it does not begin with one."""
    letter = reply.strip().lstrip("*\"'(").upper()[:1]
    rest = reply.strip().lstrip("*\"'(")[1:2]
    if rest.isalpha():
        return None
    return {"A": "a", "B": "b", "T": TIE if allow_tie else None}.get(letter)


def _both_orders(project: Project, model: Asked, task: TaskRow, allow_tie: bool) -> tuple[str | None, str | None]:
    """Answers as stored sides: the first with a shown first, the second with b shown first."""
    if task.predicted == task.predicted_b:
        return TIE, TIE
    image = _image(project, task)
    first = _ask(model, task, image, allow_tie, swapped=False)
    second = _ask(model, task, image, allow_tie, swapped=True)
    return first, {"a": "b", "b": "a"}.get(second or "", second)


def _ask(model: Asked, task: TaskRow, image: str | None, allow_tie: bool, *, swapped: bool) -> str | None:
    a, b = task.predicted or "", task.predicted_b or ""
    if swapped:
        a, b = b, a
    gold = f"What is really written: {task.gold}\n" if task.gold is not None else ""
    text = _PROMPT.format(gold=gold, a=a, b=b, tie=", or T when they are equally good" if allow_tie else "")
    content: list[Mapping[str, Any]] = [{"type": "text", "text": text}]
    if image is not None:
        content.append({"type": "image_url", "image_url": {"url": image}})
    for _try in range(2):
        letter = parse_letter(str(model.ask(content, cap=16).text), allow_tie)
        if letter is not None:
            return letter
    return None


def _image(project: Project, task: TaskRow) -> str | None:
    if task.item_key is None:
        return None
    with project.read() as connection:
        path = image_file(connection, project.folder, task.item_key)
    try:
        jpeg = None if path is None else make_preview(path, _SIZE, _SIZE).jpeg
    except InputError:
        return None
    return None if jpeg is None else f"data:image/jpeg;base64,{base64.b64encode(jpeg).decode('ascii')}"


def _store(project: Project, study: int, task: TaskRow, rater: int, judge: str, answers: tuple[str, str]) -> None:
    details = json.dumps({"prompt": PROMPT_VERSION})
    with project.write(raises_revision=False) as connection:
        if stored_value(connection, task.key, rater) is not None:
            return  # another run was first
        for repeat, (value, side) in enumerate(zip(answers, "ab", strict=True)):
            event = hashlib.sha256(f"{study}|{task.key}|{judge}|{PROMPT_VERSION}|{side}".encode()).hexdigest()
            insert_imported(
                connection, study, task.key, rater, value, event, project.clock(),
                repeat=repeat, shown_first=side, details=details, takes_slot=False,
            )  # fmt: skip
        if answers[0] != answers[1]:
            event = hashlib.sha256(f"{study}|{task.key}|{judge}|{PROMPT_VERSION}|both".encode()).hexdigest()
            replace_value(connection, study, task.key, rater, TIE, event, project.clock())
