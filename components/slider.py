"""Two pictures of one size, one over the other, with a slider between them (a Components v2 component)."""

from __future__ import annotations

import base64
import io

import streamlit as st

LARGEST = (1600, 1600)
_QUALITY = 92

_HTML = """<div class="s"><div class="pane"><img class="before" alt=""><img class="after" alt=""><i></i></div>
  <label><input type="range" min="0" max="100" value="50" aria-label="Show more of the original or of the result"></label>
  <div class="ends"><span>all result</span><span>all original</span></div></div>"""
_CSS = """
.s { font-family: var(--st-font); color: var(--st-text-color); font-size: .82rem; width: fit-content; max-width: 100%; }
.pane { position: relative; width: fit-content; max-width: 100%; border: 1px solid light-dark(#d9dce1, #3a3f47); border-radius: 4px; overflow: hidden; }
.pane img { display: block; max-width: 100%; max-height: 60vh; }
.pane .after { position: absolute; inset: 0; width: 100%; height: 100%; }
.pane i { position: absolute; top: 0; bottom: 0; width: 2px; background: #d55e00; box-shadow: 0 0 0 1px #fff; pointer-events: none; }
label { display: block; margin-top: 6px; }
input { width: 100%; accent-color: var(--st-primary-color); }
input:focus-visible { outline: 2px solid var(--st-primary-color); outline-offset: 2px; }
.ends { display: flex; justify-content: space-between; color: light-dark(#50565f, #b3bac4); }
"""
_JS = """
export default function ({ parentElement, data }) {
  const q = s => parentElement.querySelector(s);
  const before = q('.before'), after = q('.after'), line = q('.pane i'), range = q('input');
  if (before.getAttribute('src') !== data.before) before.src = data.before;
  if (after.getAttribute('src') !== data.after) after.src = data.after;
  before.alt = data.alt + ', original'; after.alt = data.alt + ', result';
  const draw = () => { const at = +range.value; after.style.clipPath = `inset(0 0 0 ${at}%)`; line.style.left = `calc(${at}% - 1px)`; };
  range.oninput = draw; draw();
  return () => { range.oninput = null; };
}
"""
_slider = st.components.v2.component("verbatim_slider", html=_HTML, css=_CSS, js=_JS)


def picture_slider(
    before: bytes, after: bytes, *, key: str, alt: str, around: tuple[int, int, int, int] | None = None
) -> None:
    """Draw two pictures of one size (PNG or JPEG bytes) with a slider: the original left of it, the result right.

    `around` (left, top, width, height) shows that place alone with its surroundings, enlarged pixel by pixel.
    """
    _slider(key=key, data={"before": _address(before, around), "after": _address(after, around), "alt": alt})


@st.cache_data(max_entries=32, show_spinner=False)
def _address(picture: bytes, around: tuple[int, int, int, int] | None) -> str:
    """A picture (or a place in it) as a PNG or JPEG data address, no larger than a screen."""
    from PIL import Image

    with Image.open(io.BytesIO(picture)) as opened:
        shown = opened.convert("RGB")
    out = io.BytesIO()
    if around is None:
        shown.thumbnail(LARGEST)
        shown.save(out, "JPEG", quality=_QUALITY)
        return "data:image/jpeg;base64," + base64.b64encode(out.getvalue()).decode()
    left, top, width, height = around
    margin = max(height, 16)
    place = (max(0, left - margin), max(0, top - margin), left + width + margin, top + height + margin)
    shown = shown.crop((*place[:2], min(place[2], shown.width), min(place[3], shown.height)))
    times = max(1, round(900 / shown.width))
    shown.resize((shown.width * times, shown.height * times), Image.Resampling.NEAREST).save(out, "PNG")
    return "data:image/png;base64," + base64.b64encode(out.getvalue()).decode()
