"""The method note: how a pool was drawn, in sentences that can go into a paper."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from annotator.records import Query
from annotator.store.study_records import TaskDraft
from annotator.studies.kinds import StudyKind
from annotator.studies.pools import Pool
from annotator.text.align import alignment_version

if TYPE_CHECKING:
    from annotator.studies.create import StudyPlan


def method_note(plan: StudyPlan, pool: Pool, drafts: Sequence[TaskDraft], revision: int) -> str:
    """Markdown: kind, pool, counts per band, seed, filters, raters, repeats, attention tasks, versions."""
    parts = [
        f"## Study `{plan.name}` ({plan.kind})",
        _pool_sentence(plan, pool),
        _band_table(pool),
        _rater_sentence(plan, drafts),
        f"Filter: {filter_words(plan.query, plan.item_ids)}. Seed {plan.seed}. "
        f"Project revision {revision}, alignment {alignment_version()}.",
    ]
    if pool.left_out:
        parts.append("Left out: " + "; ".join(f"{n} {reason}" for reason, n in pool.left_out) + ".")
    return "\n\n".join(part for part in parts if part) + "\n"


def filter_words(query: Query, item_ids: Sequence[str] | None) -> str:
    """The filter in words."""
    parts = [f"{name} {', '.join(values)}" for name, values in _named(query) if values]
    if item_ids is not None:
        parts.append(f"{len(item_ids)} items chosen on a page")
    if query.keep_wrong_gold:
        parts.append("items with wrong gold kept")
    return "; ".join(parts) or "everything in the project"


def _named(query: Query) -> tuple[tuple[str, tuple[str, ...]], ...]:
    return (
        ("systems", query.systems),
        ("conditions", query.conditions),
        ("benchmark", tuple(filter(None, [query.benchmark]))),
        ("language", tuple(filter(None, [query.language]))),
    )


def _pool_sentence(plan: StudyPlan, pool: Pool) -> str:
    n, credited = len(pool.tasks), sum(len({m.system for m in t.makers}) > 1 for t in pool.tasks)
    if plan.kind is StudyKind.EDIT_SEVERITY:
        lines = (
            "lines with exactly one edit"
            if plan.single_edit
            else "single marked edits of lines with any number of edits"
        )
        bands = f", near-equal thirds of the severity bands of `{plan.provider}`" if plan.severities else ""
        return (
            f"{n} tasks were drawn from {lines}{bands}. Identical (gold, predicted, edit) of several systems are one task, "
            f"credited to each: {credited} of the tasks have more than one system."
        )
    if plan.kind is StudyKind.PREFERENCE:
        how = "which CER and the score order oppositely" if plan.scores is not None else "drawn at random"
        return f"{n} pairs of different outputs for one item, {how}, one pair per item; sides were assigned by a coin."
    if plan.kind in (StudyKind.TRANSCRIPTION, StudyKind.LABELS):
        return f"{n} items with an image were drawn at random."
    if plan.kind is StudyKind.OTHER_REVIEW:
        return (
            f"{n} outputs that equal neither gold nor standard form were drawn at random; equal outputs are one task."
        )
    return f"{n} outputs with at least one edit were drawn from five quintiles of CER, weighted to low error."


def _band_table(pool: Pool) -> str:
    if len(pool.drawn) < 2:
        return ""
    available, weights = dict(pool.available), dict(pool.weights)
    head = "| band | available | drawn |" + (" weight |" if weights else "")
    rule = "|---|---:|---:|" + ("---:|" if weights else "")
    rows = [
        f"| {band} | {available[band]} | {n} |" + (f" {weights[band]:.2f} |" if weights else "")
        for band, n in pool.drawn
    ]
    return "\n".join([head, rule, *rows])


def _rater_sentence(plan: StudyPlan, drafts: Sequence[TaskDraft]) -> str:
    repeats, attention = sum(d.repeats for d in drafts), sum(d.attention for d in drafts)
    swapped = " with the sides swapped" if plan.kind is StudyKind.PREFERENCE and plan.settings.swap_repeats else ""
    check = (
        f"Raters passed a check ({plan.settings.check_pass} of {plan.settings.check_questions})."
        if plan.settings.check_questions
        else "Raters took no check."
    )
    return (
        f"Each task was planned for {plan.overlap} raters, in an order that is random for each rater. {repeats} tasks are "
        f"shown to a rater a second time{swapped}; {attention} attention tasks carry an injected edit. {check}"
    )
