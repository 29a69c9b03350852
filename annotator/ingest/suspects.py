"""Review of suspect golds: a verdict is kept like a rating, and the owner's marks the item."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from annotator.errors import UsageError
from annotator.ingest.realign import realign_items
from annotator.store.corrections import write_correction
from annotator.store.detail import find_item
from annotator.store.project import Project, read_revision
from annotator.store.suspects import SuspectReview, write_review
from annotator.text.graphemes import has_lone_surrogate


class SuspectVerdict(StrEnum):
    """What a reviewer finds on looking at the image."""

    GOLD_RIGHT = "gold-right"
    GOLD_WRONG = "gold-wrong"
    BOTH_ACCEPTABLE = "both-acceptable"
    UNREADABLE = "unreadable"


_MARKS = {SuspectVerdict.GOLD_WRONG: "gold-wrong", SuspectVerdict.UNREADABLE: "unreadable"}


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A review that was kept, the item's `mark` and gold after it, and how many answers were aligned anew."""

    item_id: str
    review: SuspectReview
    mark: str
    gold: str | None
    realigned: int
    project_revision: int


def review_suspect(
    project: Project, item_id: str, verdict: str, reviewer: str, *, binding: bool, gold: str | None = None
) -> Reviewed:
    """Keep a verdict on an item's gold, with who gave it and when.

    A `binding` verdict (of the owner or a researcher) sets the item's mark: gold-wrong and unreadable leave it out of
    every rate, the other two take such a mark back. Any other verdict is only a proposal to the owner. With a corrected
    `gold` beside gold-wrong the item's gold is replaced, its answers are aligned anew and it stays in the rates; the old
    gold is kept. Raises `UsageError` for an unknown item or verdict, a reviewer without a name, and a corrected gold
    beside another verdict or a proposal.
    """
    _check(verdict, reviewer, binding, gold)
    with project.write(raises_revision=binding) as connection:
        item = find_item(connection, item_id)
        if item is None:
            raise UsageError(f"no item has the id {item_id!r}")
        review = SuspectReview(item.key, reviewer.strip(), SuspectVerdict(verdict).value, binding, project.clock())
        write_review(connection, review)
        revision = read_revision(connection)
        mark, shown, realigned = item.mark, item.gold, 0
        if binding:
            mark = "" if gold is not None else _MARKS.get(SuspectVerdict(verdict), "")
            source = f"review by {review.reviewer}"
            write_correction(connection, item.key, "mark", mark, source, revision, review.at)
            if gold is not None:
                changed = write_correction(connection, item.key, "gold", gold, source, revision, review.at)
                shown, realigned = gold, 0 if changed is None else realign_items(connection, [item.key], revision)
    return Reviewed(item_id, review, mark, shown, realigned, revision)


def _check(verdict: str, reviewer: str, binding: bool, gold: str | None) -> None:
    if verdict not in set(SuspectVerdict):
        raise UsageError(f"verdict on a gold: found {verdict!r}; expected one of {', '.join(SuspectVerdict)}")
    if not reviewer.strip():
        raise UsageError("review: found no reviewer; expected a name or pseudonym, for example rater-03")
    if gold is None:
        return
    if verdict != SuspectVerdict.GOLD_WRONG or not binding:
        raise UsageError(
            f"review: found a corrected gold beside {'a proposal' if not binding else verdict}; "
            "expected it beside the verdict gold-wrong of an owner"
        )
    if not gold.strip() or has_lone_surrogate(gold):
        raise UsageError(f"review: found the corrected gold {gold!r}; expected the text that is written on the image")
