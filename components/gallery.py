"""A gallery of items: picture, gold, and one system's answer with its edits (a Components v2 component)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

import streamlit as st

from annotator.text.visible import escape_controls
from components.edits import Pair, edit_pairs
from components.marks import direction

LONGEST_TILE = 60


@dataclass(frozen=True, slots=True)
class Tile:
    """One item of a gallery. `src` is a picture's data address, or `why` there is none; `label` names whose answer it is.

    With `standard` the standard form stands above gold; `badge` is a word after the answer (its outcome).
    """

    id: str
    src: str
    why: str
    gold: str | None
    predicted: str | None
    language: str = ""
    label: str = ""
    standard: str = ""
    badge: str = ""


_CSS = (
    Path(__file__).with_name("edits.css").read_text(encoding="utf-8")
    + """
.gallery { display: grid; grid-template-columns: repeat(auto-fill, minmax(9.5rem, 1fr)); gap: 8px; padding: 3px; margin: 0; list-style: none;
  font-family: var(--st-font); color: var(--st-text-color); }
.gallery button { display: grid; grid-template-rows: 5rem auto; width: 100%; height: 100%; padding: 6px; gap: 4px; text-align: start; font: inherit;
  color: inherit; background: transparent; border: 1px solid light-dark(#d9dce1, #3a3f47); border-radius: 6px; cursor: pointer; }
.gallery button:hover { border-color: var(--st-primary-color); }
.gallery button:focus-visible { outline: 3px solid var(--st-primary-color); outline-offset: 1px; }
.gallery button[aria-current=true] { border-color: var(--st-primary-color); box-shadow: inset 0 0 0 1px var(--st-primary-color); }
.gallery img { width: 100%; height: 5rem; object-fit: contain; background: light-dark(#f5f6f8, #1b1f26); border-radius: 3px; }
.gallery .none { display: grid; place-items: center; text-align: center; font-size: .75rem; overflow: hidden; background: light-dark(#f5f6f8, #1b1f26);
  color: light-dark(#50565f, #b3bac4); overflow-wrap: anywhere; }
.gallery .texts { align-self: start; min-width: 0; }
.gallery .line { display: block; font-size: 1.02rem; line-height: 1.5; overflow-wrap: anywhere; white-space: pre-wrap; }
.gallery .gold { color: light-dark(#50565f, #b3bac4); }
.gallery .ge-ctl { font-size: .7em; }
.gallery .badge { font-size: .75rem; color: light-dark(#50565f, #b3bac4); }
"""
)
_HTML = '<ul class="gallery ge"></ul>'
_JS = """
export default function ({ parentElement, data, setTriggerValue }) {
  const host = parentElement.querySelector('.gallery');
  const make = (tag, cls, text) => { const e = document.createElement(tag); if (cls) e.className = cls; if (text !== undefined) e.textContent = text; return e; };
  const signature = JSON.stringify(data.tiles.map(t => [t.id, t.gold, t.runs, t.standard, t.badge, t.src.length, t.src.slice(-64)]));
  if (host.dataset.signature !== signature) {
    host.dataset.signature = signature; host.replaceChildren();
    data.tiles.forEach(t => {
      const li = make('li'), b = make('button'); b.type = 'button'; b.dataset.id = t.id;
      if (t.src) { const img = make('img'); img.src = t.src; img.alt = ''; img.loading = 'lazy'; b.append(img); } else b.append(make('span', 'none', t.why));
      const texts = make('span', 'texts');
      const line = (cls, runs) => { const e = make('bdi', 'line ' + cls); e.dir = t.dir; if (t.language) e.lang = t.language;
        runs.forEach(([kind, text]) => e.append(kind === 'match' ? text : make('span', kind === 'note' ? 'ge-ctl' : 'ge-' + kind, text))); return e; };
      if (t.standard) { const e = line('gold', [['match', t.standard]]); e.prepend(make('small', 'badge', 'standard ')); texts.append(e); }
      texts.append(line('gold', t.gold), line('predicted', t.runs)); if (t.badge) texts.append(make('small', 'badge', t.badge)); b.append(texts);
      b.setAttribute('aria-label', t.words); li.append(b); host.append(li);
    });
  }
  host.querySelectorAll('button').forEach(b => b.setAttribute('aria-current', b.dataset.id === data.chosen ? 'true' : 'false'));
  // An item opens above the gallery: bring it into view once it is there.
  if (host.dataset.asked && host.dataset.asked === data.chosen) {
    delete host.dataset.asked;
    setTimeout(() => document.querySelector('[class*="st-key-item-steps"]')?.scrollIntoView({ block: 'start' }), 60);
  }
  // On a narrow screen a group (a cell) opens below what was pressed: go to its heading, below Streamlit's own bar.
  if (data.group && host.dataset.group !== data.group) {
    host.dataset.group = data.group;
    const head = document.querySelector('[class*="st-key-group-head"]');
    if (head) setTimeout(() => {
      const { top, bottom } = head.getBoundingClientRect();
      head.style.scrollMarginTop = '4rem';
      if (bottom < 0 || top > innerHeight - 120) head.scrollIntoView({ block: 'start' });
    }, 60);
  }
  host.onclick = e => { const b = e.target.closest('button'); if (!b) return; host.dataset.asked = b.dataset.id; setTriggerValue('pick', b.dataset.id); };
  return () => { host.onclick = null; };
}
"""
_gallery = st.components.v2.component("verbatim_gallery", html=_HTML, css=_CSS, js=_JS)


def gallery(tiles: Sequence[Tile], *, chosen: str, key: str, on_pick: Callable[[str], None], group: str = "") -> None:
    """Draw the tiles; `on_pick(id)` runs as a callback when one is chosen. Text goes in as text, never as markup.

    `group` names what the tiles belong to: when it is another one and its heading (a container with the key `group-head`)
    is out of sight, the page goes there.
    """

    def picked() -> None:
        value = st.session_state[key].pick
        if value:
            on_pick(str(value))

    data = {"tiles": [_drawn(tile) for tile in tiles], "chosen": chosen, "group": group}
    _gallery(key=key, data=data, on_pick_change=picked)


def _drawn(tile: Tile) -> dict[str, object]:
    return {
        "id": tile.id,
        "src": tile.src,
        "why": tile.why,
        "dir": direction(tile.gold or tile.predicted or ""),
        "language": tile.language,
        "gold": _gold(tile),
        "runs": _runs(tile),
        "standard": _inert(tile.standard),
        "badge": tile.badge,
        "words": _words(tile),
    }


def _gold(tile: Tile) -> list[tuple[str, str]]:
    if tile.gold is None:
        return [("note", "no gold")]
    if not tile.gold:
        return [("note", "empty gold")]
    return _runs_of(tile, 0) if tile.predicted else [("match", _inert(tile.gold))]


def _runs(tile: Tile) -> list[tuple[str, str]]:
    if tile.predicted is None:
        return [("note", "no answer")]
    if not tile.predicted:
        return [("note", "empty answer")]
    return [("match", _inert(tile.predicted))] if tile.gold is None else _runs_of(tile, 1)


def _runs_of(tile: Tile, side: int) -> list[tuple[str, str]]:
    """Runs of one side: on gold only deletions are coloured, on the answer what it put in."""
    pairs = edit_pairs((tile.gold or "")[: 4 * LONGEST_TILE], (tile.predicted or "")[: 4 * LONGEST_TILE])
    parts = [(op if side or op == "del" else "match", text) for op, text in _side(pairs, side)]
    runs = groupby(parts[:LONGEST_TILE], key=lambda part: part[0])
    drawn = [(op, _inert("".join(text for _, text in run))) for op, run in runs]
    return [*drawn, ("note", "…")] if len(parts) > LONGEST_TILE else drawn


def _side(pairs: Sequence[Pair], side: int) -> list[tuple[str, str]]:
    texts = [(pair.op, (pair.gold, pair.predicted)[side]) for pair in pairs]
    return [(op, text) for op, text in texts if text is not None]


def _inert(text: str) -> str:
    return escape_controls(text[: 4 * LONGEST_TILE])


def _words(tile: Tile) -> str:
    gold = "no gold" if tile.gold is None else f"gold {_inert(tile.gold)}"
    answer = "no answer" if tile.predicted is None else f"{tile.label or 'answer'} {_inert(tile.predicted)}"
    badge = f", {tile.badge}" if tile.badge else ""
    standard = f"standard form {_inert(tile.standard)}; " if tile.standard else ""
    return f"{tile.id}: {standard}{gold}; {answer}{badge}"
