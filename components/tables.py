"""Tables of numbers: intervals beside values, "?" in the head, a reason behind each dash, and a copy for a paper."""

from __future__ import annotations

import csv
import html
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from annotator.text.visible import escape_controls
from components.meanings import meaning_of
from components.numbers import Kind, help_mark, interval, written

Row = Mapping[str, Any]
COPIED_ROWS = 2_000


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table. `key` is the name in the rows (and in the copy); `low` and `high` name its interval.

    A row explains an undefined value under `why` (a mapping of key to reason) or under `KEY_why`. `link` names the row's
    key that holds the address which the value opens.
    """

    key: str
    label: str
    kind: Kind = Kind.TEXT
    help: str = ""
    low: str = ""
    high: str = ""
    link: str = ""

    @property
    def is_number(self) -> bool:
        return self.kind not in (Kind.TEXT, Kind.READ)


def show_table(columns: Sequence[Column], rows: Sequence[Row], *, key: str, caption: str, limit: int = 500) -> None:
    """Draw a table with its copy button. `caption` says what it is; at most `limit` rows are drawn, all are copied."""
    st.html(table_html(columns, rows[:limit], caption))
    if len(rows) > limit:
        st.text(f"The first {limit:,} of {len(rows):,} rows are shown.")
    copy_button(columns, rows, key=key, caption=caption)


def speaking(columns: Sequence[Column], rows: Sequence[Row]) -> list[Column]:
    """The columns that say something: no `condition` where all are default, no `missing` where nothing is missing, no
    `role` where no condition is marked, no rewriting rate where no item has a standard form."""
    same = {"condition": ("default",), "missing": (0,), "role": ("", None), "rewriting_rate": (None,)}
    return [c for c in columns if c.key not in same or any(row.get(c.key) not in same[c.key] for row in rows)]


def table_html(columns: Sequence[Column], rows: Sequence[Row], caption: str) -> str:
    """The table as HTML, every cell escaped."""
    head = "".join(
        f'<th scope="col"{_HEAD[column.is_number]}>{html.escape(column.label)}{help_mark(_meaning(column))}</th>'
        for column in columns
    )
    body = "".join(
        f"<tr>{''.join(_cell(column, row, i == 0) for i, column in enumerate(columns))}</tr>" for row in rows
    )
    name = html.escape(caption)
    return (
        f'<div class="v-scroll" tabindex="0" role="region" aria-label="{name}"><table class="v-table">'
        f"<caption>{name}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


_HEAD = {True: ' class="v-num"', False: ""}


def _meaning(column: Column) -> str:
    return meaning_of(column.key, column.help) if column.is_number else column.help


def _class(column: Column) -> str:
    if column.is_number:
        return ' class="v-num"'
    return ' class="v-text"' if column.kind is Kind.READ else ""


def _cell(column: Column, row: Row, is_head: bool) -> str:
    value = row.get(column.key)
    inner = html.escape(escape_controls(written(value, column.kind)))
    if column.kind is Kind.READ:
        inner = f'<bdi dir="auto">{inner}</bdi>'
    if value is not None and (address := row.get(column.link)):
        inner = f'<a href="{html.escape(str(address))}" target="_self">{inner}</a>'
    if value is None:
        why = _why(column, row)
        inner += help_mark(why)
    elif between := interval(row.get(column.low), row.get(column.high), column.kind):
        inner += f"<small>{between}</small>"
    return f'<th scope="row"{_class(column)}>{inner}</th>' if is_head else f"<td{_class(column)}>{inner}</td>"


def _why(column: Column, row: Row) -> str:
    reasons = row.get("why")
    found = reasons.get(column.key) if isinstance(reasons, Mapping) else None
    return str(found or row.get(f"{column.key}_why") or "")


def copy_button(columns: Sequence[Column], rows: Sequence[Row], *, key: str, caption: str) -> None:
    """A pop-up with the table as CSV (full precision), Markdown and LaTeX, and a download of the CSV."""
    with st.popover("Copy table", icon=":material/content_copy:", type="tertiary", key=f"copy-{key}"):
        names = ("CSV", "Markdown", "LaTeX")
        texts = (as_csv(columns, rows), as_markdown(columns, rows), as_latex(columns, rows, caption))
        for tab, text in zip(st.tabs(list(names)), texts, strict=True):
            with tab:
                st.code(text if len(rows) <= COPIED_ROWS else _cut(text), language=None, height=220)
        st.download_button(
            "Download CSV", texts[0], file_name=f"{key}.csv", mime="text/csv", key=f"csv-{key}", on_click="ignore"
        )


def _cut(text: str) -> str:
    lines = text.split("\n")
    return "\n".join([*lines[:COPIED_ROWS], f"... {len(lines) - COPIED_ROWS} more lines: use the download"])


def as_csv(columns: Sequence[Column], rows: Sequence[Row]) -> str:
    """The table as CSV: the columns' keys as header, numbers as they are (fractions), undefined empty."""
    keys = [name for column in columns for name in (column.key, column.low, column.high) if name]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(keys)
    for row in rows:
        writer.writerow(["" if row.get(name) is None else row[name] for name in keys])
    return out.getvalue()


def as_markdown(columns: Sequence[Column], rows: Sequence[Row]) -> str:
    """The table as Markdown, written as on the page."""
    lines = [
        _line([column.label for column in columns]),
        "|" + "|".join("---:" if column.is_number else "---" for column in columns) + "|",
    ]
    return "\n".join(lines + [_line([_plain(column, row) for column in columns]) for row in rows])


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("\\", "\\\\").replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"


def as_latex(columns: Sequence[Column], rows: Sequence[Row], caption: str) -> str:
    """The table as LaTeX (booktabs), written as on the page."""
    shape = "".join("r" if column.is_number else "l" for column in columns)
    lines = ["\\begin{table}", "\\centering", f"\\begin{{tabular}}{{{shape}}}", "\\toprule"]
    lines.append(" & ".join(_tex(column.label) for column in columns) + " \\\\")
    lines.append("\\midrule")
    lines += [" & ".join(_tex(_plain(column, row)) for column in columns) + " \\\\" for row in rows]
    return "\n".join([*lines, "\\bottomrule", "\\end{tabular}", f"\\caption{{{_tex(caption)}}}", "\\end{table}"])


def _plain(column: Column, row: Row) -> str:
    value = row.get(column.key)
    text = escape_controls(written(value, column.kind))
    between = "" if value is None else interval(row.get(column.low), row.get(column.high), column.kind)
    return f"{text} {between}" if between else text


_TEX = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "\u2212": "$-$", "\u2013": "--",
}  # fmt: skip


def _tex(text: str) -> str:
    return "".join(_TEX.get(ch, ch) for ch in text)
