"""Pictures of items: bounded JPEG previews, and a viewer with zoom and the target box (a Components v2 component)."""

from __future__ import annotations

import base64
from dataclasses import dataclass

import streamlit as st

from annotator.analyses.items import image_path
from annotator.errors import InputError
from annotator.images.thumbnails import Preview, PreviewCache
from annotator.records import Box
from annotator.store.detail import ItemFields
from annotator.store.project import Project

THUMBNAIL = (320, 160)
FULL = (1600, 1600)


@dataclass(frozen=True, slots=True)
class Picture:
    """A preview as a data address with the size of the picture it shows; without one, `why` says so."""

    src: str = ""
    full_width: int = 0
    full_height: int = 0
    why: str = ""


@st.cache_resource
def _previews() -> PreviewCache:
    return PreviewCache()


def picture_of(
    project: Project, item: ItemFields, *, condition: str = "default", size: tuple[int, int] = THUMBNAIL
) -> Picture:
    """The picture of an item under a condition, small enough for `size`; never raises for a bad file."""
    if not item.image:
        return Picture(why="no image")
    path = image_path(project, item.key, condition)
    if path is None:
        return Picture(why=item.image_problem or "the image is not inside its root")
    try:
        preview = _previews().get(path, *size)
    except InputError as error:
        return Picture(why=str(error))
    return Picture(_address(preview), preview.full_width, preview.full_height)


def _address(preview: Preview) -> str:
    return "data:image/jpeg;base64," + base64.b64encode(preview.jpeg).decode()


_HTML = """<div class="v">
  <div class="bar" role="group" aria-label="Zoom"><button type="button" data-z="out" aria-label="Zoom out">−</button>
  <button type="button" data-z="fit">Fit</button><button type="button" data-z="in" aria-label="Zoom in">+</button>
  <button type="button" data-z="box" hidden>Target</button><output></output></div>
  <div class="pane" tabindex="0" role="group" aria-label="Picture; scroll to move"><div class="sheet"><img alt=""><i hidden></i></div></div>
</div>"""
_CSS = """
.v { font-family: var(--st-font); color: var(--st-text-color); }
.bar { display: flex; gap: 4px; align-items: center; margin-bottom: 4px; font-size: .8rem; }
.bar button { min-width: 2rem; height: 1.75rem; padding: 0 .5rem; border: 1px solid light-dark(#c4c9d0, #4a515c); border-radius: 4px;
  background: transparent; color: inherit; font: inherit; cursor: pointer; }
.bar button:focus-visible, .pane:focus-visible { outline: 2px solid var(--st-primary-color); outline-offset: 1px; }
.bar output { font-variant-numeric: tabular-nums; margin-left: .3rem; }
.pane { height: var(--pane, 240px); overflow: auto; border: 1px solid light-dark(#d9dce1, #3a3f47); border-radius: 4px;
  background: light-dark(#f5f6f8, #1b1f26); display: grid; }
.sheet { position: relative; margin: auto; }
.sheet img { display: block; width: 100%; height: 100%; image-rendering: auto; }
.sheet i { position: absolute; border: 2px solid #d55e00; box-shadow: 0 0 0 1px #fff; pointer-events: none; }
"""
_JS = """
const zooms = new WeakMap();
export default function ({ parentElement, data }) {
  const q = s => parentElement.querySelector(s);
  const pane = q('.pane'), sheet = q('.sheet'), img = q('img'), mark = q('i'), out = q('output'), toBox = q('[data-z=box]');
  const state = zooms.get(parentElement) || { zoom: 0 };
  if (state.src !== data.src) { state.src = data.src; state.zoom = 0; img.src = data.src; }
  img.alt = data.alt; zooms.set(parentElement, state);
  pane.style.setProperty('--pane', data.pane + 'px');
  const { width: w, height: h, box } = data;
  const fit = () => Math.min((pane.clientWidth - 2) / w, (pane.clientHeight - 2) / h, 4);
  const draw = () => {
    const z = state.zoom || fit();
    sheet.style.width = w * z + 'px'; sheet.style.height = h * z + 'px';
    out.textContent = Math.round(z * 100) + ' %';
    mark.hidden = toBox.hidden = !box;
    if (box) Object.assign(mark.style, { left: 100 * box[0] / w + '%', top: 100 * box[1] / h + '%', width: 100 * box[2] / w + '%', height: 100 * box[3] / h + '%' });
  };
  const zoomTo = (z, x = .5, y = .5) => {
    state.zoom = Math.min(Math.max(z, fit() / 2), 16); draw();
    pane.scrollLeft = x * sheet.offsetWidth - pane.clientWidth / 2; pane.scrollTop = y * sheet.offsetHeight - pane.clientHeight / 2;
  };
  const centre = () => [(pane.scrollLeft + pane.clientWidth / 2) / sheet.offsetWidth, (pane.scrollTop + pane.clientHeight / 2) / sheet.offsetHeight];
  const acts = {
    in: () => zoomTo((state.zoom || fit()) * 1.5, ...centre()), out: () => zoomTo((state.zoom || fit()) / 1.5, ...centre()),
    fit: () => { state.zoom = 0; draw(); },
    box: () => zoomTo(Math.min((pane.clientWidth - 40) / box[2], (pane.clientHeight - 40) / box[3]), (box[0] + box[2] / 2) / w, (box[1] + box[3] / 2) / h),
  };
  q('.bar').onclick = e => { const b = e.target.closest('button'); if (b) acts[b.dataset.z](); };
  pane.onwheel = e => { if (!e.ctrlKey) return; e.preventDefault(); acts[e.deltaY < 0 ? 'in' : 'out'](); };
  if (!state.watch) { state.watch = new ResizeObserver(() => draw()); state.watch.observe(pane); }
  draw();
  return () => { state.watch.disconnect(); zooms.delete(parentElement); };
}
"""
_viewer = st.components.v2.component("verbatim_picture", html=_HTML, css=_CSS, js=_JS)


def show_picture(
    project: Project, item: ItemFields, *, condition: str = "default", key: str, alt: str = "", height: int = 240
) -> None:
    """Draw an item's picture with zoom and its target box; a picture that cannot be shown says why in its place."""
    show_viewer(picture_of(project, item, condition=condition, size=FULL), item.box, key=key, alt=alt, height=height)


def show_viewer(picture: Picture, box: Box | None, *, key: str, alt: str = "", height: int = 240) -> None:
    """Draw a picture with zoom. `alt` never holds what a rater must not know."""
    if not picture.src:
        with st.container(border=True):
            st.text(f"No picture: {picture.why}")
        return
    _viewer(
        key=key,
        data={
            "src": picture.src,
            "alt": alt or "the item's image",
            "width": picture.full_width,
            "height": picture.full_height,
            "box": [box.x, box.y, box.width, box.height] if box else None,
            "pane": height,
        },
    )
