"""Attention tasks: an edit of a known class injected into a correct text, so that the right answer is known."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from annotator.store.study_records import EditMark, TaskDraft
from annotator.studies.kinds import StudyKind
from annotator.text.align import align_texts
from annotator.text.graphemes import nfc, split_graphemes

Rng = random.Random
_SHORTEST = 4


@dataclass(frozen=True, slots=True)
class _Injection:
    name: str
    change: Callable[[list[str], Rng], str | None]
    accepted: tuple[str, ...]


def attention_tasks(kind: StudyKind, tasks: Sequence[TaskDraft], count: int, seed: int) -> tuple[TaskDraft, ...]:
    """Up to `count` attention tasks made from the pool's own golds; none for kinds with written answers.

    edit-severity: a changed letter case or final punctuation (0 or 1 is right), a changed digit (3 or 4 is right).
    text-severity and text-score: the gold itself as output, or a wholly different gold. preference: gold against a
    damaged gold.
    """
    if kind not in _MAKERS or not count:
        return ()
    rng = random.Random(f"{seed}:attention")
    golds = list({t.gold: t for t in tasks if t.gold and len(split_graphemes(nfc(t.gold))) >= _SHORTEST}.values())
    rng.shuffle(golds)
    made: list[TaskDraft] = []
    for source in golds:
        if len(made) == count:
            break
        bare = replace(source, attention=True, band="attention", makers=(), edit=None, predicted_b=None, repeats=False)
        made.extend(_MAKERS[kind](bare, golds, rng))
    return tuple(made[:count])


def _edit_tasks(source: TaskDraft, _golds: Sequence[TaskDraft], rng: Rng) -> Iterator[TaskDraft]:
    gold = nfc(source.gold or "")
    for injection in rng.sample(_INJECTIONS, len(_INJECTIONS)):
        predicted = injection.change(split_graphemes(gold), rng)
        if predicted is None:
            continue
        edits = align_texts(gold, predicted).edits
        if len(edits) == 1:
            edit = edits[0]
            mark = EditMark(str(edit.op), edit.gold_index, edit.predicted_index, edit.gold, edit.predicted)
            yield replace(source, gold=gold, predicted=predicted, edit=mark, expected=injection.accepted)
            return


def _text_tasks(source: TaskDraft, golds: Sequence[TaskDraft], rng: Rng) -> Iterator[TaskDraft]:
    other = rng.choice(golds).gold
    if other == source.gold or rng.random() < 0.5:
        yield replace(source, predicted=source.gold, expected=("0", "1"))
    else:
        yield replace(source, predicted=other, expected=("3", "4"))


def _score_tasks(source: TaskDraft, golds: Sequence[TaskDraft], rng: Rng) -> Iterator[TaskDraft]:
    for task in _text_tasks(source, golds, rng):
        yield replace(task, expected=("5", "4") if task.predicted == source.gold else ("1", "2"))


def _pair_tasks(source: TaskDraft, _golds: Sequence[TaskDraft], rng: Rng) -> Iterator[TaskDraft]:
    damaged = _damage(split_graphemes(nfc(source.gold or "")))
    if rng.random() < 0.5:
        yield replace(source, predicted=source.gold, predicted_b=damaged, expected=("a",))
    else:
        yield replace(source, predicted=damaged, predicted_b=source.gold, expected=("b",))


def _change_case(clusters: list[str], rng: Rng) -> str | None:
    places = [i for i, c in enumerate(clusters) if len(c) == 1 and c.swapcase() != c and len(c.swapcase()) == 1]
    if not places:
        return None
    place = rng.choice(places)
    return "".join([*clusters[:place], clusters[place].swapcase(), *clusters[place + 1 :]])


def _add_mark(clusters: list[str], _rng: Rng) -> str | None:
    return "".join([*clusters, "."]) if clusters[-1].isalpha() else None


def _change_digit(clusters: list[str], rng: Rng) -> str | None:
    places = [i for i, c in enumerate(clusters) if len(c) == 1 and c.isascii() and c.isdigit()]
    if not places:
        return None
    place = rng.choice(places)
    digit = rng.choice([d for d in "123456789" if d != clusters[place]])
    return "".join([*clusters[:place], digit, *clusters[place + 1 :]])


def _damage(clusters: list[str]) -> str:
    """Every second cluster dropped and the rest turned round: no reader takes it for the gold."""
    kept = clusters[:: 2 if len(clusters) > 2 else 1]
    turned = "".join(reversed(kept))
    return turned if turned != "".join(clusters) else turned + "?"


_INJECTIONS = (
    _Injection("case", _change_case, ("0", "1")),
    _Injection("punctuation", _add_mark, ("0", "1")),
    _Injection("digit", _change_digit, ("3", "4")),
)
_MAKERS: dict[StudyKind, Callable[[TaskDraft, Sequence[TaskDraft], Rng], Iterator[TaskDraft]]] = {
    StudyKind.EDIT_SEVERITY: _edit_tasks,
    StudyKind.TEXT_SEVERITY: _text_tasks,
    StudyKind.TEXT_SCORE: _score_tasks,
    StudyKind.PREFERENCE: _pair_tasks,
}
