"""A table whose counts are buttons: each opens the items behind it (a Components v2 component)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

import streamlit as st

from annotator.text.visible import escape_controls
from components.numbers import Kind, interval, written
from components.tables import Column, Row, copy_button

_HTML = "<div class='ct'></div>"
_CSS = """
.ct { overflow-x: auto; padding: 3px; font-family: var(--st-font); color: var(--st-text-color); }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .92rem; }
caption { text-align: left; font-size: .85rem; color: light-dark(#50565f, #b3bac4); padding: 0 0 .3rem; caption-side: top; }
th, td { padding: .28rem .7rem; border-bottom: 1px solid light-dark(#d9dce1, #3a3f47); vertical-align: baseline; text-align: left; }
th { font-weight: 600; white-space: nowrap; }
thead th { vertical-align: bottom; border-bottom-width: 1.5px; }
.num { text-align: right; white-space: nowrap; }
small { color: light-dark(#50565f, #b3bac4); font-size: .8rem; margin-left: .35rem; }
.none { color: light-dark(#50565f, #b3bac4); border-bottom: 1px dotted currentColor; cursor: help; }
.q { display: inline-block; width: 1.05rem; height: 1.05rem; margin-left: .25rem; border-radius: 50%; text-align: center; cursor: help;
  border: 1px solid light-dark(#c4c9d0, #4a515c); color: light-dark(#50565f, #b3bac4); font-size: .7rem; line-height: .95rem; }
button { font: inherit; font-variant-numeric: tabular-nums; color: var(--st-primary-color); background: none; border: 0; padding: .1rem .25rem;
  min-width: 1.5rem; min-height: 1.5rem; text-align: right; text-decoration: underline; text-underline-offset: 2px; cursor: pointer; border-radius: 3px; }
button:focus-visible { outline: 2px solid var(--st-primary-color); }
button[aria-pressed=true] { outline: 2px solid #d55e00; font-weight: 700; }
"""
_JS = """
export default function ({ parentElement, data, setTriggerValue }) {
  const host = parentElement.querySelector('.ct');
  const make = (tag, text, cls) => { const e = document.createElement(tag); if (text !== undefined) e.textContent = text; if (cls) e.className = cls; return e; };
  const { caption, columns, rows, chosen } = data;
  const signature = JSON.stringify([caption, columns, rows]);
  if (host.dataset.signature !== signature) {
    host.dataset.signature = signature; host.replaceChildren();
    const table = make('table'); table.append(make('caption', caption));
    const head = table.createTHead().insertRow();
    columns.forEach(c => {
      const th = make('th', c.label, c.num ? 'num' : ''); th.scope = 'col';
      if (c.help) { const q = make('span', '?', 'q'); q.tabIndex = 0; q.title = c.help; q.setAttribute('role', 'note'); q.setAttribute('aria-label', c.help); th.append(q); }
      head.append(th);
    });
    const body = table.createTBody();
    rows.forEach((row, r) => {
      const tr = body.insertRow();
      row.forEach((cell, c) => {
        const td = make(c ? 'td' : 'th', undefined, columns[c].num ? 'num' : ''); if (!c) td.scope = 'row';
        if (cell.words) {
          const b = make('button', cell.text); b.type = 'button'; b.dataset.at = r + ' ' + columns[c].key; b.setAttribute('aria-label', cell.words); td.append(b);
        } else if (cell.why) { const s = make('span', cell.text, 'none'); s.title = cell.why; td.append(s); }
        else td.append(c ? cell.text : make('bdi', cell.text));
        if (cell.small) td.append(make('small', cell.small));
        tr.append(td);
      });
    });
    host.append(table);
  }
  host.querySelectorAll('button').forEach(b => b.setAttribute('aria-pressed', b.dataset.at === chosen ? 'true' : 'false'));
  host.onclick = e => { const b = e.target.closest('button'); if (b) setTriggerValue('pick', b.dataset.at); };
  return () => { host.onclick = null; };
}
"""
_table = st.components.v2.component("verbatim_counts", html=_HTML, css=_CSS, js=_JS)

OnPick = Callable[[Row, str], None]


def count_table(
    columns: Sequence[Column],
    rows: Sequence[Row],
    opens: Collection[str],
    *,
    key: str,
    caption: str,
    on_pick: OnPick,
    chosen: tuple[int, str] | None = None,
) -> None:
    """Draw a table whose cells in the columns `opens` are buttons (a count of 0 is none), and its copy button.

    `on_pick(row, column key)` runs as a callback. `chosen` marks the cell that is open, by row number and column key.
    """

    def picked() -> None:
        number, _, column = str(st.session_state[key].pick or "").partition(" ")
        if number.isascii() and number.isdigit() and int(number) < len(rows) and column in opens:
            on_pick(rows[int(number)], column)

    _table(
        key=key,
        data={
            "caption": caption,
            "columns": [{"key": c.key, "label": c.label, "help": c.help, "num": c.is_number} for c in columns],
            "rows": [[_cell(column, row, opens, columns[0]) for column in columns] for row in rows],
            "chosen": "" if chosen is None else f"{chosen[0]} {chosen[1]}",
        },
        on_pick_change=picked,
    )
    copy_button(columns, rows, key=key, caption=caption)


def _cell(column: Column, row: Row, opens: Collection[str], first: Column) -> dict[str, str]:
    value = row.get(column.key)
    text = escape_controls(written(value, column.kind))
    if column.key in opens and value:
        return {
            "text": text,
            "words": f"{written(row.get(first.key), Kind.TEXT)}: {column.label} {text}, show the items",
        }
    if value is None:
        reasons = row.get("why")
        return {"text": text, "why": str(reasons.get(column.key, "")) if isinstance(reasons, dict) else ""}
    return {"text": text, "small": interval(row.get(column.low), row.get(column.high), column.kind)}
