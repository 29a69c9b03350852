"""Lists of items: remembered per revision and question, drawn as a gallery or a table, walked item by item."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from annotator.analyses.dataset import Dataset, load_dataset
from annotator.analyses.items import ItemDetail, ItemGlance, ItemPage, items_by_key, list_items, show_item
from annotator.analyses.strata.cells import CellItem
from annotator.records import ItemFilter, Query
from annotator.store.project import Project
from annotator.text.visible import escape_controls
from components.gallery import Tile, gallery
from components.image import picture_of
from components.state import Key, write

PAGE_SIZE = 48
CELL_PAGE = 24
DATASETS_KEPT = 3
LISTS_KEPT = 32
ITEMS_KEPT = 64


@st.cache_resource(max_entries=DATASETS_KEPT, show_spinner="Reading and aligning …")
def _dataset(folder: str, revision: int, query: Query, _project: Project) -> Dataset:
    return load_dataset(_project, query)


def dataset_of(project: Project, query: Query) -> Dataset:
    """The dataset of a query, remembered per revision."""
    return _dataset(str(project.folder), project.revision(), query, project)


@st.cache_resource(max_entries=LISTS_KEPT, show_spinner="Searching …")
def _page(folder: str, revision: int, query: Query, wanted: ItemFilter, offset: int, _project: Project) -> ItemPage:
    return list_items(_project, query, wanted, offset, PAGE_SIZE, dataset_of(_project, query))


def page_of(project: Project, query: Query, wanted: ItemFilter, offset: int) -> ItemPage:
    """A page of a list, remembered per revision."""
    return _page(str(project.folder), project.revision(), query, wanted, offset, project)


@st.cache_resource(max_entries=ITEMS_KEPT, show_spinner=False)
def _detail(folder: str, revision: int, query: Query, item_id: str, _project: Project) -> ItemDetail:
    return show_item(_project, query, item_id)


def detail_of(project: Project, query: Query, item_id: str) -> ItemDetail:
    """One item with every answer, remembered per revision."""
    return _detail(str(project.folder), project.revision(), query, item_id, project)


def forget_items() -> None:
    """Read items and lists anew (a note or tag changes them without a new revision)."""
    _detail.clear()
    _page.clear()


def neighbours(project: Project, keys: Sequence[int], item_key: int) -> tuple[str, str, str]:
    """Ids before and after an item in a list of keys, and its place in words; empty where there is none."""
    if item_key not in keys:
        return "", (_id_of(project, keys[0]) if keys else ""), "not in this list"
    at = keys.index(item_key)
    before = _id_of(project, keys[at - 1]) if at else ""
    after = _id_of(project, keys[at + 1]) if at + 1 < len(keys) else ""
    return before, after, f"{at + 1:,} of {len(keys):,}"


def _id_of(project: Project, key: int) -> str:
    found = items_by_key(project, (key,))
    return found[0].id if found else ""


def show_gallery(
    project: Project, rows: Sequence[ItemGlance], run: str, *, chosen: str, condition: str, key: str
) -> None:
    """Draw a page of items as tiles with the answer of `run` (`system@condition`; the first run when empty)."""
    gallery([_tile(project, row, run, condition) for row in rows], chosen=chosen, key=key, on_pick=open_item)


def open_item(item_id: str) -> None:
    """Put an item into the address."""
    write({Key.ITEM: item_id})


def _tile(project: Project, row: ItemGlance, run: str, condition: str) -> Tile:
    picture = picture_of(project, row.item, condition=condition)
    named = [glance for glance in row.answers if run in (f"{glance.run.system}@{glance.run.condition}", "")]
    glance = named[0] if named else None
    return Tile(
        row.item.id,
        picture.src,
        picture.why,
        row.item.gold,
        glance.predicted if glance else None,
        row.item.language,
        glance.run.name if glance else "",
    )


def cell_tiles(project: Project, rows: Sequence[CellItem], system: str, condition: str) -> list[Tile]:
    """The tiles of a page of a cell."""
    tiles = []
    for row in rows:
        picture = picture_of(project, row.item, condition=condition)
        item = row.item
        tiles.append(Tile(item.id, picture.src, picture.why, item.gold, row.predicted, item.language, system))
    return tiles


def show_rows(rows: Sequence[ItemGlance], *, key: str) -> None:
    """Draw a page of items as a table with every run's answer; choosing a row opens the item."""
    import pandas as pd

    def picked() -> None:
        chosen = st.session_state[key].selection.rows
        if chosen:
            open_item(rows[chosen[0]].item.id)

    frame = pd.DataFrame([_row(row) for row in rows])
    st.dataframe(frame, key=key, hide_index=True, on_select=picked, selection_mode="single-row", height="content")


def _row(row: ItemGlance) -> dict[str, str | None]:
    texts = {glance.run.name: _shown(glance.predicted) for glance in row.answers}
    return {"id": row.item.id, "gold": _shown(row.item.gold), "benchmark": row.item.benchmark, **texts}


def _shown(text: str | None) -> str | None:
    return None if text is None else escape_controls(text[:300])
