"""Pieces of the report's HTML: sections, tables, grids, aligned texts. Everything from files is escaped."""

from __future__ import annotations

import base64
import html
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from annotator.metrics.strata.grid import Grid
from annotator.records import Cell
from annotator.text.align import Alignment, Op
from annotator.text.graphemes import split_graphemes
from annotator.text.visible import escape_controls

STYLE = Path(__file__).with_name("report.css")
_CIVIDIS = (
    "#00224e",
    "#123570",
    "#3b496c",
    "#575d6d",
    "#707173",
    "#8a8678",
    "#a59c74",
    "#c3b369",
    "#e1cc55",
    "#fee838",
)


@dataclass(frozen=True, slots=True)
class Section:
    """A chapter of the report: its title, what it says (HTML), and how it was computed (plain text)."""

    title: str
    body: str
    method: str = ""

    @property
    def anchor(self) -> str:
        return "".join(ch if ch.isalnum() else "-" for ch in self.title.casefold())


def text(value: object) -> str:
    """Escaped for HTML; control and bidi characters shown as code points."""
    return html.escape(escape_controls(str(value)), quote=True)


def percent(value: float | None, low: float | None = None, high: float | None = None) -> str:
    """A fraction as a percentage with its interval; a dash where it is undefined."""
    if value is None:
        return "–"
    between = "" if low is None or high is None else f" <small>[{100 * low:.2f}, {100 * high:.2f}]</small>"
    return f"{100 * value:.2f}{between}"


def points(value: float | None, low: float | None = None, high: float | None = None) -> str:
    """A difference of fractions in percentage points, signed, with its interval; a dash where it is undefined."""
    if value is None:
        return "–"
    between = "" if low is None or high is None else f" <small>[{_signed(low)}, {_signed(high)}]</small>"
    return f"{_signed(value)}{between}"


def _signed(value: float) -> str:
    return f"{100 * value:+.2f}".replace("-", "−")


def table(head: Sequence[str], rows: Iterable[Sequence[str]], caption: str) -> str:
    """A table of cells that are HTML already; the first column is the row's head."""
    heads = "".join(f'<th scope="col">{text(name)}</th>' for name in head)
    body = "".join(
        "<tr>"
        + "".join(f'<th scope="row">{c}</th>' if k == 0 else f"<td>{c}</td>" for k, c in enumerate(row))
        + "</tr>"
        for row in rows
    )
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{text(caption)}"><table><caption>{text(caption)}'
        f"</caption><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def paragraph(words: str) -> str:
    """A paragraph of plain text."""
    return f"<p>{text(words)}</p>"


def grid_table(grid: Grid, title: str, low: float, high: float) -> str:
    """The 5x5 grid as a coloured table: rare words at the right, novel n-grams at the top; n in every cell."""
    rows = []
    for ngram in range(5, 0, -1):
        cells = "".join(_grid_cell(grid, Cell(word, ngram), low, high) for word in range(1, 6))
        rows.append(f'<tr><th scope="row">{ngram}</th>{cells}</tr>')
    foot = "".join(f'<th scope="col">{word}</th>' for word in range(1, 6))
    return (
        f'<table class="grid"><caption>{text(title)}</caption><tbody>{"".join(rows)}</tbody>'
        f"<tfoot><tr><th>n-gram \\ word</th>{foot}</tr></tfoot></table>"
    )


def _grid_cell(grid: Grid, cell: Cell, low: float, high: float) -> str:
    found = grid[cell]
    name = f"word quintile {cell.word}, n-gram quintile {cell.ngram}"
    value = found.value
    if value is None:
        return f'<td class="empty" title="{name}: no items">·</td>'
    step = min(9, max(0, int(10 * (value - low) / (high - low)))) if high > low else 5
    ink = "#fff" if step < 5 else "#111"
    frame = " framed" if cell in (Cell(5, 5), Cell(3, 3)) else ""
    return (
        f'<td class="cell{frame}" style="background:{_CIVIDIS[step]};color:{ink}" title="{name}">'
        f"{100 * value:.1f}<small>n {found.n:,}</small></td>"
    )


def picture(jpeg: bytes, alt: str) -> str:
    """An image inside the file."""
    return f'<img alt="{text(alt)}" src="data:image/jpeg;base64,{base64.b64encode(jpeg).decode()}">'


def aligned(gold: str, predicted: str, alignment: Alignment) -> str:
    """Gold and predicted as two lines, edits marked by letter, line style and tint."""
    units = split_graphemes(gold), split_graphemes(predicted)
    of_gold: dict[int, str] = {}
    of_predicted: dict[int, str] = {}
    for edit in alignment.edits:
        if edit.op is not Op.INSERTION:
            of_gold[edit.gold_index] = "s" if edit.op is Op.SUBSTITUTION else "d"
        if edit.op is not Op.DELETION:
            of_predicted[edit.predicted_index] = "s" if edit.op is Op.SUBSTITUTION else "i"
    lines = ((units[0], of_gold, "gold"), (units[1], of_predicted, "predicted"))
    return "".join(
        f'<div class="line"><span class="of">{name}</span><bdi dir="auto">{_marked(part, marks)}</bdi></div>'
        for part, marks, name in lines
    )


_WORDS = {"s": "substituted", "d": "deleted", "i": "inserted"}


def _marked(units: Sequence[str], marks: Mapping[int, str]) -> str:
    out: list[str] = []
    at = 0
    while at < len(units):
        kind, end = marks.get(at, ""), at + 1
        while end < len(units) and marks.get(end, "") == kind:
            end += 1
        shown = text("".join(units[at:end]))
        out.append(f'<span class="e-{kind}" title="{_WORDS[kind]}">{shown}</span>' if kind else shown)
        at = end
    return "".join(out) or "∅"


def whole_page(title: str, lead: str, sections: Sequence[Section], foot: str) -> str:
    """The file: no script, no address outside it."""
    contents = "".join(f'<li><a href="#{s.anchor}">{text(s.title)}</a></li>' for s in sections)
    body = "".join(
        f'<section id="{s.anchor}"><h2>{text(s.title)}</h2>{s.body}'
        + (f'<p class="method"><strong>Method.</strong> {text(s.method)}</p>' if s.method else "")
        + "</section>"
        for s in sections
    )
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; style-src 'unsafe-inline'\">"
        f"<title>{text(title)}</title><style>{STYLE.read_text(encoding='utf-8')}</style></head><body><main>"
        f"<h1>{text(title)}</h1><p>{text(lead)}</p><nav><ol>{contents}</ol></nav>{body}<footer>{text(foot)}</footer>"
        "</main></body></html>\n"
    )
