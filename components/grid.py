"""The heat map as a table of buttons: arrow keys move, Enter or Space chooses (a Components v2 component)."""

from __future__ import annotations

from collections.abc import Callable, Collection

import streamlit as st

from components.heat import CIVIDIS, DARK_STEPS, HeatGrid, Place
from components.numbers import written

_HTML = "<div class='hg'></div>"
_CSS = """
.hg { overflow-x: auto; padding: 4px; }
table { table-layout: fixed; border-collapse: separate; border-spacing: 2px; font-family: var(--st-font); color: var(--st-text-color);
  font-variant-numeric: tabular-nums; }
th { font-weight: 600; padding: .15rem .2rem; font-size: .82rem; text-align: center; overflow-wrap: anywhere; }
thead th { vertical-align: bottom; }
th[scope=row], td.corner { position: sticky; left: 0; z-index: 2; text-align: left; padding-left: 0; background: var(--st-background-color); }
td.corner { font-size: .78rem; vertical-align: bottom; }
tbody td { padding: 0; vertical-align: top; }
button { display: block; width: 100%; height: 2.5rem; border: 0; border-radius: 3px; font: inherit; font-size: .85rem; line-height: 1.15; cursor: pointer; }
button small { display: block; font-size: .75em; }
button.framed { outline: 2px dotted var(--st-text-color); outline-offset: -2px; }
button[aria-pressed=true] { outline: 3px solid #d55e00; outline-offset: -3px; font-weight: 700; }
button.empty { background: repeating-linear-gradient(45deg, transparent 0 5px, rgba(128, 128, 128, .5) 5px 6px); color: var(--st-text-color); }
button:focus-visible { box-shadow: 0 0 0 2px var(--st-background-color), 0 0 0 5px var(--st-primary-color); position: relative; z-index: 1; }
"""
_JS = """
// The default export runs again on every rerun and its clean-up only on unmount: build once, then only update.
export default function ({ parentElement, data, setTriggerValue }) {
  const host = parentElement.querySelector('.hg');
  const { cells, columns, rows, chosen, xTitle, yTitle, caption } = data;
  const signature = JSON.stringify([cells, columns, rows]);
  if (host.dataset.signature !== signature) {
    host.dataset.signature = signature; host.replaceChildren();
    const table = document.createElement('table'); table.setAttribute('role', 'grid');
    // Columns of one width, whatever their headings: wider where the longest heading needs it.
    const longest = Math.max(...columns.map(name => name.length)), phone = matchMedia('(max-width: 640px)').matches;
    const wide = phone || longest < 10 ? 4.4 : longest > 18 ? 7.5 : 6;
    const first = Math.min(phone ? 6.5 : 11, Math.max(5, .6 * Math.max(...rows.map(row => row.name.length), yTitle.length)));
    table.style.width = `${first + wide * columns.length}rem`;
    const group = document.createElement('colgroup');
    [first, ...columns.map(() => wide)].forEach(width => { const col = document.createElement('col'); col.style.width = `${width}rem`; group.append(col); });
    table.append(group); table.setAttribute('aria-label', caption);
    const head = table.createTHead().insertRow();
    const corner = document.createElement('td'); corner.className = 'corner'; corner.textContent = yTitle + ' \\\\ ' + xTitle; head.append(corner);
    columns.forEach(name => { const th = document.createElement('th'); th.scope = 'col'; th.textContent = name; head.append(th); });
    const body = table.createTBody();
    rows.forEach((row, r) => {
      const tr = body.insertRow(); const th = document.createElement('th'); th.scope = 'row'; th.textContent = row.name; tr.append(th);
      columns.forEach((name, c) => {
        const cell = cells[r][c]; const td = tr.insertCell(); td.setAttribute('role', 'gridcell');
        const b = document.createElement('button'); b.type = 'button'; b.dataset.r = r; b.dataset.c = c; b.dataset.y = row.y;
        b.append(cell.value); const n = document.createElement('small'); n.textContent = cell.n ? 'n ' + cell.n : ''; b.append(n);
        b.setAttribute('aria-label', cell.words);
        if (cell.fill) { b.style.background = cell.fill; b.style.color = cell.ink; } else b.classList.add('empty');
        if (cell.framed) b.classList.add('framed');
        td.append(b);
      });
    });
    host.append(table);
  }
  const at = (r, c) => host.querySelector(`button[data-r="${r}"][data-c="${c}"]`);
  const buttons = [...host.querySelectorAll('button')];
  const on = b => chosen.some(([x, y]) => x === +b.dataset.c && y === +b.dataset.y);
  const stop = buttons.find(b => b === host.getRootNode().activeElement) || buttons.find(on) || buttons[0];
  buttons.forEach(b => { b.setAttribute('aria-pressed', on(b) ? 'true' : 'false'); b.tabIndex = b === stop ? 0 : -1; });
  host.onclick = e => { const b = e.target.closest('button'); if (b) setTriggerValue('pick', [+b.dataset.c, +b.dataset.y]); };
  host.onkeydown = e => {
    const b = e.target.closest('button'); if (!b) return;
    const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[e.key]; if (!step) return;
    e.preventDefault(); e.stopPropagation();
    const next = at(+b.dataset.r + step[0], +b.dataset.c + step[1]); if (!next) return;
    b.tabIndex = -1; next.tabIndex = 0; next.focus();
  };
  return () => { host.onclick = host.onkeydown = null; };
}
"""
_grid = st.components.v2.component("verbatim_grid", html=_HTML, css=_CSS, js=_JS)


def keyboard_grid(grid: HeatGrid, chosen: Collection[Place], *, key: str, on_pick: Callable[[int, int], None]) -> None:
    """Draw the table, top row first, and call `on_pick(x, y)` (as a callback) when a cell is chosen."""

    def picked() -> None:
        value = st.session_state[key].pick
        if value:
            on_pick(int(value[0]), int(value[1]))

    rows = list(reversed(range(len(grid.y_labels))))
    _grid(
        key=key,
        data={
            "cells": [[_cell(grid, (x, y)) for x in range(len(grid.x_labels))] for y in rows],
            "columns": list(grid.x_labels),
            "rows": [{"name": grid.y_labels[y], "y": y} for y in rows],
            "chosen": [list(place) for place in chosen],
            "xTitle": grid.x_title,
            "yTitle": grid.y_title,
            "caption": grid.title,
        },
        on_pick_change=picked,
    )


def _cell(grid: HeatGrid, place: Place) -> dict[str, object]:
    cell, step = grid.at(place), grid.step(place)
    drawn: dict[str, object] = {
        "value": written(cell.value, grid.kind) if cell.n else "",
        "n": cell.n,
        "words": grid.words(place),
        "framed": place in grid.framed,
    }
    if step is not None:
        drawn |= {"fill": CIVIDIS[step], "ink": "#ffffff" if step < DARK_STEPS else "#111111"}
    return drawn
