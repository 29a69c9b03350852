"""Drawing pools: pure functions from candidates to tasks. A seed in, the same pool out."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from annotator.store.study_pool import PoolEdit, PoolItem, PoolOutput
from annotator.store.study_records import Maker, TaskDraft

SEVERITY_BANDS = (("low", 0.0, 0.3), ("middle", 0.3, 0.7), ("high", 0.7, float("inf")))
QUINTILES = ("q1", "q2", "q3", "q4", "q5")
QUINTILE_WEIGHTS = (0.30, 0.25, 0.20, 0.15, 0.10)  # low error first: that is where readers and rates differ
NO_BAND = ""


@dataclass(frozen=True, slots=True)
class Pool:
    """A drawn pool. `available` and `drawn` count tasks per band; `left_out` counts candidates by reason."""

    tasks: tuple[TaskDraft, ...]
    available: tuple[tuple[str, int], ...]
    drawn: tuple[tuple[str, int], ...]
    left_out: tuple[tuple[str, int], ...] = ()
    weights: tuple[tuple[str, float], ...] = ()


def edit_pool(edits: Iterable[PoolEdit], severities: Mapping[tuple[int, int], float], size: int, seed: int) -> Pool:
    """Marked edits, near-equal thirds from the bands [0, .3), [.3, .7), [.7, 1] of `severities`.

    `severities` maps (prediction key, ordinal) to a number in [0, 1]; where it is empty there is one band. The same
    (gold, predicted, edit) of an item is one task credited to every system that made it; its severity is their mean.
    """
    groups: dict[tuple[object, ...], list[PoolEdit]] = {}
    for edit in edits:
        item = edit.output.item
        groups.setdefault((item.key, item.gold, edit.output.predicted, edit.mark), []).append(edit)
    drafts, unscored = [], 0
    for members in groups.values():
        known = [severities[key] for m in members if (key := (m.output.prediction_key, m.ordinal)) in severities]
        if severities and not known:
            unscored += 1
            continue
        band = band_of(sum(known) / len(known)) if known else NO_BAND
        drafts.append(_edit_draft(members, band))
    bands = [name for name, _low, _high in SEVERITY_BANDS] if severities else [NO_BAND]
    pool = draw(drafts, dict.fromkeys(bands, 1.0), size, seed)
    return replace(pool, left_out=(("without a severity", unscored),) if unscored else ())


def text_pool(outputs: Iterable[PoolOutput], size: int, seed: int) -> Pool:
    """Whole outputs with at least one edit, from five quintiles of CER, weighted to low error.

    Identical outputs for one item are one task. Quintile edges are those of the candidates themselves.
    """
    drafts, without = _distinct_outputs(outputs)
    ranked = sorted(drafts, key=lambda pair: (pair[0], pair[1].item_id, pair[1].predicted or ""))
    banded = [replace(draft, band=QUINTILES[5 * index // len(ranked)]) for index, (_cer, draft) in enumerate(ranked)]
    weights = dict(zip(QUINTILES, QUINTILE_WEIGHTS, strict=True))
    pool = draw(banded, weights, size, seed)
    return replace(pool, weights=tuple(weights.items()), left_out=tuple(without.items()))


def preference_pool(
    outputs: Iterable[PoolOutput], size: int, seed: int, scores: Mapping[int, float] | None = None
) -> Pool:
    """Pairs of outputs for one item, one pair per item, never two equal texts; a seeded coin says which is stored as a.

    With `scores` (prediction key -> a number, lower is better) only pairs that CER and the score order oppositely.
    Without it, two outputs at random.
    """
    rng = random.Random(f"{seed}:pairs")
    by_item: dict[int, list[PoolOutput]] = {}
    for output in outputs:
        by_item.setdefault(output.item.key, []).append(output)
    drafts, reasons = [], {"no two different outputs": 0}
    for group in by_item.values():
        pairs = [(a, b) for i, a in enumerate(group) for b in group[i + 1 :] if a.predicted != b.predicted]
        if not pairs:
            reasons["no two different outputs"] += 1
            continue
        if scores is not None:
            pairs = [(a, b) for a, b in pairs if _opposed(a, b, scores)]
            if not pairs:
                reasons["no pair ordered oppositely"] = reasons.get("no pair ordered oppositely", 0) + 1
                continue
        a, b = rng.choice(pairs)
        drafts.append(_pair_draft(*((a, b) if rng.random() < 0.5 else (b, a)), group))
    return replace(draw(drafts, {NO_BAND: 1.0}, size, seed), left_out=_counted(reasons))


def item_pool(items: Iterable[PoolItem], size: int, seed: int) -> Pool:
    """Items with an image, for transcriptions and labels."""
    kept = list(items)
    drafts = [
        TaskDraft(item_key=i.key, item_id=i.id, language=i.language, gold=i.gold, standard=i.standard)
        for i in kept
        if i.has_image
    ]
    without = len(kept) - len(drafts)
    return replace(draw(drafts, {NO_BAND: 1.0}, size, seed), left_out=_counted({"without an image": without}))


def review_pool(outputs: Iterable[PoolOutput], is_other: Callable[[str, str, str], bool], size: int, seed: int) -> Pool:
    """Outputs whose outcome is Other (`is_other(gold, standard, predicted)`), for the review of what Other holds."""
    others = [o for o in outputs if o.item.gold is not None and is_other(o.item.gold, o.item.standard, o.predicted)]
    groups = _grouped(others)
    return draw([_output_draft(members) for members in groups.values()], {NO_BAND: 1.0}, size, seed)


def draw(drafts: Sequence[TaskDraft], weights: Mapping[str, float], size: int, seed: int) -> Pool:
    """Draw `size` tasks over the bands by weight, as near as whole numbers allow, in random order.

    A band that runs short passes its share on to the others. `size` 0 takes everything.
    """
    rng = random.Random(f"{seed}:draw")
    bands: dict[str, list[TaskDraft]] = {band: [] for band in weights}
    for draft in drafts:
        bands[draft.band].append(draft)
    for members in bands.values():
        rng.shuffle(members)
    have = {band: len(members) for band, members in bands.items()}
    take = quotas(have, weights, size or len(drafts))
    chosen = [draft for band, members in bands.items() for draft in members[: take[band]]]
    rng.shuffle(chosen)
    return Pool(tuple(chosen), tuple(have.items()), tuple(take.items()))


def quotas(available: Mapping[str, int], weights: Mapping[str, float], size: int) -> dict[str, int]:
    """How many to take per band: largest remainders, never above what a band has, `size` in all where there are so many."""
    take = dict.fromkeys(available, 0)
    while (left := min(size, sum(available.values())) - sum(take.values())) > 0:
        open_bands = [b for b in available if take[b] < available[b]]
        total = sum(weights[b] for b in open_bands)
        shares = {b: left * weights[b] / total for b in open_bands}
        grants = {b: min(int(shares[b]), available[b] - take[b]) for b in open_bands}
        if not any(grants.values()):
            grants = {min(open_bands, key=lambda b: (take[b] + 1) / weights[b]): 1}
        for band, grant in grants.items():
            take[band] += grant
    return take


def band_of(severity: float) -> str:
    """`low`, `middle` or `high`."""
    return next(name for name, low, high in SEVERITY_BANDS if low <= severity < high)


def _edit_draft(members: Sequence[PoolEdit], band: str) -> TaskDraft:
    draft = _output_draft([m.output for m in members])
    return replace(draft, band=band, edit=members[0].mark)


def _output_draft(members: Sequence[PoolOutput], band: str = NO_BAND) -> TaskDraft:
    first = members[0]
    return TaskDraft(
        item_key=first.item.key,
        item_id=first.item.id,
        language=first.item.language,
        band=band,
        gold=first.item.gold,
        standard=first.item.standard,
        predicted=first.predicted,
        makers=tuple(Maker(o.system, o.condition) for o in members),
    )


def _pair_draft(a: PoolOutput, b: PoolOutput, group: Sequence[PoolOutput]) -> TaskDraft:
    draft = _output_draft([o for o in group if o.predicted == a.predicted])
    others = tuple(Maker(o.system, o.condition, "b") for o in group if o.predicted == b.predicted)
    return replace(draft, predicted_b=b.predicted, makers=draft.makers + others)


def _distinct_outputs(outputs: Iterable[PoolOutput]) -> tuple[list[tuple[float, TaskDraft]], dict[str, int]]:
    drafts, reasons = [], {"without gold": 0, "without an edit": 0}
    for members in _grouped(outputs).values():
        cer = members[0].cer
        if cer is None:
            reasons["without gold"] += 1
        elif not members[0].edits:
            reasons["without an edit"] += 1
        else:
            drafts.append((cer, _output_draft(members)))
    return drafts, {reason: n for reason, n in reasons.items() if n}


def _grouped(outputs: Iterable[PoolOutput]) -> dict[tuple[int, str], list[PoolOutput]]:
    groups: dict[tuple[int, str], list[PoolOutput]] = {}
    for output in outputs:
        groups.setdefault((output.item.key, output.predicted), []).append(output)
    return groups


def _opposed(a: PoolOutput, b: PoolOutput, scores: Mapping[int, float]) -> bool:
    if a.cer is None or b.cer is None or a.prediction_key not in scores or b.prediction_key not in scores:
        return False
    return (a.cer - b.cer) * (scores[a.prediction_key] - scores[b.prediction_key]) < 0


def _counted(reasons: Mapping[str, int]) -> tuple[tuple[str, int], ...]:
    return tuple((reason, n) for reason, n in reasons.items() if n)
