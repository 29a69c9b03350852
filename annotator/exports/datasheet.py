"""The draft of a datasheet: what the data says is filled in, what only people know is marked.

Questions after Gebru et al., "Datasheets for Datasets", Communications of the ACM 64 (2021).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from annotator.exports.writing import Table
from annotator.stats.intervals import Estimate
from annotator.studies.agreement import StudyAgreement

OPEN = "*(to be written by the owner)*"


@dataclass(frozen=True, slots=True)
class Facts:
    """What a datasheet is filled from."""

    study: str
    table: Table
    splits: Mapping[str, int]
    agreement: StudyAgreement
    ratios: tuple[float, ...]
    seed: int


def datasheet(facts: Facts) -> str:
    """Markdown."""
    return (
        "\n\n".join(
            [
                f"# Datasheet of `{facts.study}` (draft)",
                f"## Motivation\n\nFor what purpose was the dataset made, by whom, and who paid for it? {OPEN}",
                _composition(facts),
                _collection(facts),
                "## Preprocessing\n\nTexts are as transcribers typed them; nothing was normalised. Comparisons were made after NFC.",
                f"## Uses\n\nWhat is it for, and what should it not be used for? {OPEN}",
                f"## Distribution\n\nUnder which licence, and who holds the rights in the images? {OPEN}",
                f"## Maintenance\n\nWho answers questions and corrects errors? {OPEN}",
            ]
        )
        + "\n"
    )


def _composition(facts: Facts) -> str:
    columns, rows = facts.table.columns, facts.table.rows
    standard, language = columns.index("standard"), columns.index("language")
    deviating = sum(bool(row[standard]) for row in rows)
    share = f" ({100 * deviating / len(rows):.2f} %)" if rows else ""
    parts = [
        f"{len(rows)} images, each with a verbatim transcription. {deviating}{share} deviate from standard spelling and "
        "carry the standard form beside it.",
        _table("language", Counter(str(row[language]) or "(none)" for row in rows)),
        _table(f"split ({'/'.join(f'{r:g}' for r in facts.ratios)}, seed {facts.seed})", facts.splits),
        *(_table(c, Counter(str(row[columns.index(c)]) or "(none)" for row in rows)) for c in columns[8:]),
    ]
    if facts.table.left_out:
        parts.append("Left out: " + "; ".join(f"{n} {reason}" for reason, n in facts.table.left_out.items()) + ".")
    return "## Composition\n\n" + "\n\n".join(parts)


def _collection(facts: Facts) -> str:
    found = facts.agreement
    lines = [
        f"Where and when were the images taken, and with whose consent? {OPEN}",
        f"{found.agreement.raters} people transcribed the images independently of each other; what they disagreed on was "
        "settled by the owner.",
        f"- Mean pairwise CER of the transcriptions: {_percent(found.pairwise_cer)}",
        f"- Images that needed adjudication: {_percent(found.needed_adjudication)}",
    ]
    for label, agreement in found.labels.items():
        kappas = [value for value in agreement.kappa.values() if value is not None]
        mean = f"{sum(kappas) / len(kappas):.2f}" if kappas else "undefined"
        lines.append(f"- Cohen's kappa of {label}, mean over pairs: {mean}")
    return "## Collection\n\n" + "\n\n".join(lines[:2]) + "\n\n" + "\n".join(lines[2:])


def _percent(estimate: Estimate | None) -> str:
    if estimate is None or estimate.value is None:
        return "undefined" + (f" ({estimate.why})" if estimate is not None and estimate.why else "")
    interval = (
        ""
        if estimate.low is None or estimate.high is None
        else f" [{100 * estimate.low:.2f}, {100 * estimate.high:.2f}]"
    )
    return f"{100 * estimate.value:.2f} %{interval}, n {estimate.n}"


def _table(name: str, counts: Mapping[str, int]) -> str:
    return "\n".join(
        [f"| {name} | images |", "|---|---:|", *(f"| {value} | {n} |" for value, n in sorted(counts.items()))]
    )
