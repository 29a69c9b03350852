"""The read-outs of `/agreement`: figures with their reasons, raters, repeats, position, confusion, groups, ranking."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from annotator.store.project import Project
from annotator.studies.agreement import StudyAgreement, study_agreement
from annotator.studies.answers import study_stamp
from annotator.studies.kinds import StudyKind
from annotator.studies.ranking import rank_systems
from components.numbers import Kind
from components.tables import Column, show_table

ALPHA = "Krippendorff's alpha: 1 is perfect, 0 is chance. Missing ratings are allowed. Interval: item bootstrap."
ICC = "ICC(2,k): reliability of the mean of the chosen raters, over the items that all of them answered."
KAPPA = "Cohen's kappa per pair of raters: unweighted for choices, quadratic weights for scales."
FIGURES = (
    Column("figure", "Figure"),
    Column("value", "Value", Kind.NUMBER, low="low", high="high"),
    Column("n", "Items", Kind.COUNT),
)


def agreement_of(project: Project, study: str, share: float, resamples: int = 2_000) -> StudyAgreement:
    """The agreement of a study, computed once for each state of its ratings."""
    return _agreement(str(project.folder), study_stamp(project, study), study, share, resamples, project)


@st.cache_data(max_entries=32, show_spinner="Computing agreement …")
def _agreement(
    folder: str, stamp: tuple[int, int], study: str, share: float, resamples: int, _project: Project
) -> StudyAgreement:
    return study_agreement(_project, study, min_share=share, resamples=resamples)


def agreement_in_a_line(found: StudyAgreement) -> str:
    """Agreement so far, in words, with what it rests on and why a figure is undefined."""
    a = found.agreement
    alpha = f"not defined yet ({a.why['alpha']})" if a.alpha is None else f"{a.alpha:.3f}"
    if a.alpha_low is not None and a.alpha_high is not None:
        alpha += f" [{a.alpha_low:.3f}, {a.alpha_high:.3f}]"
    parts = [f"Krippendorff's alpha {alpha}"]
    if a.icc2k is not None:
        parts.append(f"ICC(2,k) {a.icc2k:.3f} over {a.icc_items:,} items")
    if found.pairwise_cer is not None and found.pairwise_cer.value is not None:
        parts.append(f"mean pairwise CER {100 * found.pairwise_cer.value:.1f} %")
    parts.append(f"{a.items:,} items, {a.raters} raters, {a.ratings:,} ratings")
    if a.dropped_raters:
        parts.append(f"too few answers: {', '.join(a.dropped_raters)}")
    return "Agreement so far: " + " · ".join(parts).replace(" -", " −").replace("[-", "[−")


def draw_agreement(found: StudyAgreement) -> None:
    """Draw every figure of a study's agreement with what it used."""
    a = found.agreement
    st.text(
        f"{a.items:,} items · {a.raters} raters · {a.ratings:,} ratings · {found.level.value} level"
        + (f" · left out, too few answers: {', '.join(a.dropped_raters)}" if a.dropped_raters else "")
        + (f" · {found.both_bad} both-bad answers left out" if found.both_bad else "")
        + (f" · {found.cannot} could not be judged" if found.cannot else "")
    )
    show_table(FIGURES, _figures(found), key="figures", caption="Agreement")
    pairs = [
        {"pair": p.replace("|", " and "), "kappa": v, "kappa_why": a.why.get(f"kappa {p}", "")}
        for p, v in a.kappa.items()
    ]
    columns = (Column("pair", "Raters"), Column("kappa", "Cohen's kappa", Kind.NUMBER, help=KAPPA))
    show_table(columns, pairs, key="kappa", caption="Pairs of raters")
    _rest(found)
    _position(found)
    _confusion(found)
    if found.groups:
        columns = (
            Column("by", "By"), Column("group", "Group"), Column("alpha", "Alpha", Kind.NUMBER, low="low", high="high"),
            Column("items", "Items", Kind.COUNT), Column("ratings", "Ratings", Kind.COUNT),
        )  # fmt: skip
        rows = [
            {"by": g.by, "group": g.group or "(none)", "alpha": g.alpha, "low": g.low, "high": g.high, "items": g.items,
             "ratings": g.ratings, "alpha_why": g.why} for g in found.groups
        ]  # fmt: skip
        show_table(columns, rows, key="groups", caption="By language and band")


def draw_ranking(project: Project, study: str, rater: str, language: str) -> None:
    """Draw systems ranked from preferences, and head to head."""
    found = rank_systems(project, study, rater=rater, language=language)
    columns = (
        Column("system", "System"),
        Column(
            "score",
            "Score",
            Kind.SIGNED,
            low="low",
            high="high",
            help="Bradley-Terry: a difference is the log odds of a win.",
        ),
        Column("n", "Answers", Kind.COUNT),
        Column("wins", "Wins", Kind.NUMBER, help="A tie is half a win for both."),
        Column(
            "group", "Group", Kind.COUNT, help="Systems that never met, even through others, are in different groups."
        ),
        Column("why", "Note"),
    )
    rows: list[Mapping[str, Any]] = [
        {
            "system": r.system,
            "score": r.score,
            "low": r.low,
            "high": r.high,
            "n": r.n,
            "wins": r.wins,
            "group": r.group,
            "why": r.why,
        }
        for r in found.rows
    ]
    show_table(columns, rows, key="ranking", caption=f"Ranking from {found.answers:,} answers on {found.items:,} items")
    pairs = [
        {"a": p.a, "b": p.b, "n": p.n, "a_wins": p.a_wins, "b_wins": p.b_wins, "ties": p.ties, "both_bad": p.both_bad,
         "share": p.share, "low": p.low, "high": p.high, "share_why": p.why} for p in found.pairs
    ]  # fmt: skip
    show_table(
        (
            Column("a", "A"), Column("b", "B"), Column("n", "Answers", Kind.COUNT), Column("a_wins", "A", Kind.COUNT),
            Column("b_wins", "B", Kind.COUNT), Column("ties", "Ties", Kind.COUNT), Column("both_bad", "Both bad", Kind.COUNT),
            Column("share", "A's share", Kind.PERCENT, low="low", high="high", help="Of the answers that chose one; Wilson interval."),
        ),
        pairs, key="pairs", caption="Head to head",
    )  # fmt: skip


def _figures(found: StudyAgreement) -> list[Mapping[str, Any]]:
    a = found.agreement
    rows: list[Mapping[str, Any]] = [
        {"figure": "Krippendorff's alpha", "value": a.alpha, "low": a.alpha_low, "high": a.alpha_high, "n": a.items,
         "value_why": a.why.get("alpha", "")},
        {"figure": f"ICC(2,k), {a.icc_raters} raters", "value": a.icc2k, "n": a.icc_items, "value_why": a.why.get("icc2k", "")},
    ]  # fmt: skip
    for name, estimate in (
        ("Mean pairwise CER", found.pairwise_cer),
        ("Needed adjudication", found.needed_adjudication),
    ):
        if estimate is not None:
            rows.append(
                {"figure": name, "value": estimate.value, "low": estimate.low, "high": estimate.high, "n": estimate.n,
                 "value_why": estimate.why}
            )  # fmt: skip
    for label, agreement in found.labels.items():
        kappas = [k for k in agreement.kappa.values() if k is not None]
        mean = sum(kappas) / len(kappas) if kappas else None
        rows.append(
            {
                "figure": f"Mean kappa of {label}",
                "value": mean,
                "n": agreement.items,
                "value_why": "no pair has a kappa",
            }
        )
    return rows


def _rest(found: StudyAgreement) -> None:
    rows = [
        {"rater": r.rater, "exact": r.exact.value, "low": r.exact.low, "high": r.exact.high, "n": r.exact.n,
         "exact_why": r.exact.why, "shift": r.shift, "shift_why": "no number to compare",
         "repeats": f"{r.repeats_equal} of {r.repeats}" if r.repeats else ""} for r in found.rest
    ]  # fmt: skip
    columns = (
        Column("rater", "Rater"),
        Column(
            "exact",
            "Equals the rest",
            Kind.PERCENT,
            low="low",
            high="high",
            help="Equal to the most frequent answer of the others.",
        ),
        Column("n", "Compared", Kind.COUNT),
        Column("shift", "Shift", Kind.SIGNED, help="Own value minus the mean of the others, on the study's scale."),
        Column("repeats", "Repeats equal", help="Tasks shown twice that got the same answer."),
    )
    show_table(columns, rows, key="rest", caption="Each rater against the rest")


def _position(found: StudyAgreement) -> None:
    bias = found.position
    if found.kind is not StudyKind.PREFERENCE or bias is None:
        return
    rows = [
        {"what": "Chose the output shown first", "value": bias.first_chosen.value, "low": bias.first_chosen.low,
         "high": bias.first_chosen.high, "n": bias.first_chosen.n, "p": bias.p, "value_why": bias.first_chosen.why},
        {"what": "Same output after a swap", "value": bias.same / bias.swapped if bias.swapped else None, "n": bias.swapped,
         "p": bias.swap_p, "value_why": "no pair was shown twice", "p_why": "no answer followed the side"},
    ]  # fmt: skip
    columns = (
        Column("what", "Position"), Column("value", "Share", Kind.PERCENT, low="low", high="high"),
        Column("n", "Answers", Kind.COUNT), Column("p", "p", Kind.P, help="Exact binomial test against one half."),
    )  # fmt: skip
    show_table(columns, rows, key="position", caption="Position bias")


def _confusion(found: StudyAgreement) -> None:
    if not found.confusion:
        return
    values = sorted({value for pair in found.confusion for value in pair})
    columns = (Column("value", "Answer"), *(Column(f"v{v}", v, Kind.COUNT) for v in values))
    rows = [{"value": v, **{f"v{o}": found.confusion.get((v, o), 0) for o in values}} for v in values]
    show_table(columns, rows, key="confusion", caption="Pairs of answers to one task by two raters")
