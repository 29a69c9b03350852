"""Review of suspect golds: a verdict is kept like a rating, and the owner's marks the item."""

from __future__ import annotations

from enum import StrEnum

from annotator.errors import UsageError
from annotator.store.corrections import write_correction
from annotator.store.detail import find_item
from annotator.store.project import Project, read_revision
from annotator.store.suspects import SuspectReview, write_review


class SuspectVerdict(StrEnum):
    """What a reviewer finds on looking at the image."""

    GOLD_RIGHT = "gold-right"
    GOLD_WRONG = "gold-wrong"
    BOTH_ACCEPTABLE = "both-acceptable"
    UNREADABLE = "unreadable"


_MARKS = {SuspectVerdict.GOLD_WRONG: "gold-wrong", SuspectVerdict.UNREADABLE: "unreadable"}


def review_suspect(project: Project, item_id: str, verdict: str, reviewer: str, *, binding: bool) -> SuspectReview:
    """Keep a verdict on an item's gold.

    A `binding` verdict (of the owner or a researcher) sets the item's mark: gold-wrong and unreadable leave it out of
    every rate, the other two take such a mark back. Any other verdict is only a proposal to the owner. Raises
    `UsageError` for an unknown item or verdict.
    """
    if verdict not in set(SuspectVerdict):
        raise UsageError(f"verdict on a gold: found {verdict!r}; expected one of {', '.join(SuspectVerdict)}")
    with project.write(raises_revision=binding) as connection:
        item = find_item(connection, item_id)
        if item is None:
            raise UsageError(f"no item has the id {item_id!r}")
        review = SuspectReview(item.key, reviewer, SuspectVerdict(verdict).value, binding, project.clock())
        write_review(connection, review)
        if binding:
            mark = _MARKS.get(SuspectVerdict(verdict), "")
            write_correction(
                connection, item.key, "mark", mark, f"review by {reviewer}", read_revision(connection), project.clock()
            )
    return review
