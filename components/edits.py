"""Edits between gold and predicted text as safe HTML, for every script.

Two views: natural lines (one inline span per run of one kind of edit, nothing that adds width, so that Arabic joins and
Bengali conjuncts keep their shape) and aligned cells (a table with one column per pair). Every character is escaped;
what would be invisible or would reorder the page is shown as a mark. The edits are those of `align_texts`.
"""

from __future__ import annotations

import html
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from annotator.text.align import Op, align_texts
from annotator.text.graphemes import split_graphemes
from annotator.text.profiles import apply_profile
from components.marks import direction, joins, shown

WORDS = {"match": "same", Op.SUBSTITUTION: "substituted", Op.INSERTION: "inserted", Op.DELETION: "deleted"}
LETTERS = {"match": "", Op.SUBSTITUTION: "S", Op.INSERTION: "I", Op.DELETION: "D"}
LISTED_EDITS = 12
LONGEST_LINE = 2_000
LONGEST_CELLS = 160


@dataclass(frozen=True, slots=True)
class Pair:
    """One column of an alignment: `op` is `match`, `sub`, `del` or `ins`; the absent side is `None`.

    `edit` counts the edits from 0 (`None` for a match); `severity` is in [0, 1] where one is known.
    """

    op: str
    gold: str | None
    predicted: str | None
    edit: int | None = None
    severity: float | None = None


def edit_pairs(
    gold: str, predicted: str, profile: str = "raw", severities: Sequence[float | None] = ()
) -> tuple[Pair, ...]:
    """The columns of the alignment of two texts under `profile`; `severities` go with the edits in their order."""
    left, right = (split_graphemes(apply_profile(text, profile)) for text in (gold, predicted))
    pairs: list[Pair] = []
    i = j = 0
    for number, edit in enumerate(align_texts(gold, predicted, profile=profile).edits):
        same = edit.gold_index - i if edit.op is not Op.INSERTION else edit.predicted_index - j
        pairs += [Pair("match", left[i + k], right[j + k]) for k in range(same)]
        i, j = i + same, j + same
        severity = severities[number] if number < len(severities) else None
        pairs.append(Pair(edit.op.value, edit.gold or None, edit.predicted or None, number, severity))
        i, j = i + (edit.op is not Op.INSERTION), j + (edit.op is not Op.DELETION)
    pairs += [Pair("match", x, y) for x, y in zip(left[i:], right[j:], strict=True)]
    return tuple(pairs)


def lines_html(
    gold: str,
    predicted: str,
    *,
    language: str = "",
    names: tuple[str, str] = ("gold", "predicted"),
    profile: str = "raw",
    severities: Sequence[float | None] = (),
    marks: bool = False,
    gold_line: bool = True,
) -> str:
    """Two lines, gold above predicted, with their edits coloured, underlined and listed with their letters.

    Without `gold_line` only the predicted one (deletions are then seen in the list alone). `marks` shows every space
    and joiner; without it only those in an edit. `severities` tint each edit by its weight.
    """
    pairs = edit_pairs(gold, predicted, profile, severities)
    way, lang = direction(gold or predicted), _lang(language)
    rows = "".join(
        f'<div class="ge-row">{_label(name)}<bdi class="ge-txt" dir="{way}"{lang}>{_line(pairs, side, marks)}</bdi></div>'
        for side, name in enumerate(names)
        if side or gold_line
    )
    return f'<div class="ge">{rows}{_listed(pairs)}</div>'


def predicted_html(gold: str, predicted: str, *, language: str = "", profile: str = "raw", marks: bool = False) -> str:
    """The predicted line alone with its substitutions and insertions coloured (deletions have no place in it)."""
    line = _line(edit_pairs(gold, predicted, profile), 1, marks)
    return f'<bdi class="ge-txt" dir="{direction(gold or predicted)}"{_lang(language)}>{line}</bdi>'


def text_html(text: str, *, language: str = "", marks: bool = False) -> str:
    """One text without edits, its controls visible."""
    inner = "".join(shown(cluster, marks) for cluster in split_graphemes(text)[:LONGEST_LINE]) or _EMPTY
    return f'<bdi class="ge-txt" dir="{direction(text)}"{_lang(language)}>{inner}</bdi>'


def cells_html(
    gold: str,
    predicted: str,
    *,
    language: str = "",
    profile: str = "raw",
    severities: Sequence[float | None] = (),
) -> str:
    """A table with one column per aligned pair, gold above predicted, the letter of each edit below.

    Contextual Arabic forms are kept by a joiner where both neighbours join; right-to-left text runs from the right, its
    digits and Latin words in the order they are stored.
    """
    pairs = edit_pairs(gold, predicted, profile, severities)[:LONGEST_CELLS]
    tops, bottoms = in_context([p.gold for p in pairs]), in_context([p.predicted for p in pairs])
    cells = "".join(_cell(pair, top, bottom) for pair, top, bottom in zip(pairs, tops, bottoms, strict=True))
    table = f'<table class="ge-cells" dir="{direction(gold or predicted)}"{_lang(language)}><tr>{cells}</tr></table>'
    return f'<div class="ge ge-scroll" tabindex="0" role="region" aria-label="aligned text">{table}</div>'


def legend_html(provider: str = "") -> str:
    """What the colours, line styles and letters stand for; with a `provider`, what the red tint and its number are."""
    parts = "".join(
        f'<span class="ge-{op.value}">{LETTERS[op]} {WORDS[op]}</span> '
        for op in (Op.SUBSTITUTION, Op.INSERTION, Op.DELETION)
    )
    tint = f" redder: more severe, 0 to 1, by {html.escape(provider)}" if provider else ""
    return f'<p class="ge ge-legend">{parts}{tint}</p>'


_EMPTY = '<i class="ge-ctl">empty</i>'


def _label(name: str) -> str:
    return f'<span class="ge-lab">{html.escape(name)}</span>' if name else ""


def _lang(language: str) -> str:
    return f' lang="{html.escape(language, quote=True)}"' if language else ""


def _line(pairs: Iterable[Pair], side: int, marks: bool) -> str:
    clusters = [(pair, text) for pair in pairs if (text := (pair.gold, pair.predicted)[side]) is not None]
    runs = []
    for (op, severity), run in groupby(clusters[:LONGEST_LINE], key=lambda part: (part[0].op, part[0].severity)):
        texts = [text for _, text in run]
        inner = "".join(shown(text, marks or op != "match") for text in texts)
        runs.append(inner if op == "match" else f'<span class="ge-{op}"{_weight(severity, op)}>{inner}</span>')
    cut = f'<i class="ge-ctl">{len(clusters) - LONGEST_LINE:,} more</i>' if len(clusters) > LONGEST_LINE else ""
    return ("".join(runs) + cut) or _EMPTY


def _weight(severity: float | None, op: str) -> str:
    if severity is None:
        return f' title="{WORDS[op]}"'
    return f' title="{WORDS[op]}, severity {severity:.2f}" style="--ge-v:{100 * min(max(severity, 0), 1):.0f}%" data-severity'


def _listed(pairs: Iterable[Pair]) -> str:
    """The edits in words: `S a → b`, so that colour is never alone."""
    edits = [pair for pair in pairs if pair.edit is not None]
    if not edits:
        return ""
    parts = [_one(pair) for pair in edits[:LISTED_EDITS]]
    more = f" and {len(edits) - LISTED_EDITS:,} more" if len(edits) > LISTED_EDITS else ""
    return f'<div class="ge-list">{"".join(parts)}{more}</div>'


def _one(pair: Pair) -> str:
    sides = [
        f'<bdi class="ge-one">{shown(text, True)}</bdi>' for text in (pair.gold, pair.predicted) if text is not None
    ]
    weight = f" {pair.severity:.2f}" if pair.severity is not None else ""
    return f'<span title="{WORDS[pair.op]}"><b>{LETTERS[pair.op]}</b> {" → ".join(sides)}{weight}</span>'


def in_context(clusters: Sequence[str | None]) -> list[str]:
    """Each cluster as HTML, with a joiner on the sides where it joins its neighbour in its own text."""
    text = [cluster for cluster in clusters if cluster is not None]
    html_of = []
    for k, cluster in enumerate(text):
        before = "\u200d" if k and joins(text[k - 1], cluster) else ""
        after = "\u200d" if k + 1 < len(text) and joins(cluster, text[k + 1]) else ""
        html_of.append(f"{before}{shown(cluster, True)}{after}")
    left = iter(html_of)
    return [_GAP if cluster is None else next(left) for cluster in clusters]


_GAP = '<i class="ge-gap">∅</i>'


def _cell(pair: Pair, top: str, bottom: str) -> str:
    letter = LETTERS[pair.op] or "&nbsp;"
    return (
        f'<td class="ge-{pair.op}"{_weight(pair.severity, pair.op)}>'
        f"<bdi>{top}</bdi><br><bdi>{bottom}</bdi><br><small>{letter}</small></td>"
    )


def lens_html(text: str) -> str:
    """The code points of every cluster: number, name, and whether the text as stored differs from its NFC form."""
    rows = []
    for cluster in split_graphemes(text)[:LONGEST_CELLS]:
        points = "<br>".join(f"U+{ord(ch):04X} {html.escape(_name(ch))}" for ch in cluster)
        rows.append(f'<tr><td class="ge-glyph"><bdi>{shown(cluster, True)}</bdi></td><td>{points}</td></tr>')
    changed = unicodedata.normalize("NFC", text) != text
    note = _STORED.format(points=" ".join(f"U+{ord(ch):04X}" for ch in text[:LONGEST_CELLS])) if changed else ""
    head = '<thead><tr><th scope="col">cluster</th><th scope="col">code points (NFC)</th></tr></thead>'
    return f'<div class="ge ge-scroll">{note}<table class="ge-lens">{head}<tbody>{"".join(rows)}</tbody></table></div>'


_STORED = '<p class="ge-nfc"><b>Stored text is not in NFC.</b> As stored: {points}</p>'


def _name(ch: str) -> str:
    return unicodedata.name(ch, f"<{unicodedata.category(ch)}>")
