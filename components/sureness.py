"""How sure a system was of each character of an answer: a number under every cluster, tinted where it was least sure."""

from __future__ import annotations

import html
from collections.abc import Sequence

import regex

from components.edits import in_context
from components.marks import direction

LONGEST = 160
SOFTMAX = "softmax"
KINDS = {SOFTMAX: "softmax", "engine-score": "engine score", "unknown": "kind unknown"}
ABSOLUTE = "Tint: 1 minus the softmax probability of the character."
RELATIVE = "Tint: from the surest to the least sure character of this answer; these numbers are no probabilities."


def sure_html(text: str, chars: Sequence[float | None], kind: str, language: str = "") -> str:
    """The text with its confidences as a table: one column per cluster, the least sure of its code points below it.

    `chars` has one number or `None` per code point of `text` as it is stored. A softmax probability is tinted by itself,
    any other score by its place within the answer.
    """
    clusters = regex.findall(r"\X", text)[:LONGEST]
    values = _by_cluster(clusters, chars)
    known = [value for value in values if value is not None]
    if not known:
        return '<p class="v-note">No character of this answer carries a confidence.</p>'
    low, high = (0.0, 1.0) if kind == SOFTMAX else (min(known), max(known))
    cells = "".join(
        f"<td{_tint(value, low, high)}><bdi>{shown}</bdi><br><small>{_number(value)}</small></td>"
        for shown, value in zip(in_context(clusters), values, strict=True)
    )
    lang = f' lang="{html.escape(language, quote=True)}"' if language else ""
    table = f'<table class="ge-cells" dir="{direction(text)}"{lang}><tr>{cells}</tr></table>'
    said = ABSOLUTE if kind == SOFTMAX else RELATIVE
    return (
        f'<div class="ge ge-scroll" tabindex="0" role="region" aria-label="confidence per character">{table}</div>'
        f'<p class="v-note">{said}</p>'
    )


def _by_cluster(clusters: Sequence[str], chars: Sequence[float | None]) -> list[float | None]:
    values: list[float | None] = []
    at = 0
    for cluster in clusters:
        known = [value for value in chars[at : at + len(cluster)] if value is not None]
        values.append(min(known) if known else None)
        at += len(cluster)
    return values


def _tint(value: float | None, low: float, high: float) -> str:
    if value is None:
        return ' title="no confidence"'
    share = (high - value) / (high - low) if high > low else 0.0
    return f' class="ge-sure" title="confidence {value:.4f}" style="--ge-v:{100 * min(max(share, 0.0), 1.0):.0f}%"'


def _number(value: float | None) -> str:
    return "\u2013" if value is None else f"{value:.2f}"
