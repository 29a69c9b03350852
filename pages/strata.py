"""The stratified diagnostic: from the rare corner of the grid to its failures, one by one."""

import streamlit as st

from annotator.analyses.strata.cells import cell_items, explain_item
from components import reports
from components.commands import strata_command
from components.corrections import correction_panel
from components.filters import choose, choose_chip, filter_bar, names_of, switch
from components.gallery import gallery
from components.heatmap import heat_map
from components.itemview import show_item_detail, step_buttons
from components.listacts import list_acts
from components.lists import CELL_PAGE, cell_tiles, detail_of, neighbours, open_item
from components.notes import computed_line, empty_state, errors_in_words, note
from components.pager import page_number, pager
from components.remember import resampling
from components.shell import start_page
from components.state import Key, read
from components.strata import (
    METRICS,
    chosen_cells,
    dropped_text,
    grid_of,
    pick,
    place_of,
    show_place,
    show_selection,
    show_system,
)
from components.strata_chosen import Chosen
from components.strata_readouts import show_readouts

SHOW = {"wrong": "Wrong", "right": "Right", "all": "All", "missing": "Without an answer"}
LARGEST = {Key.LANGUAGE: "The largest language"}
SELECTION = (Key.ITEM, Key.PAGE)

project = start_page("Strata", "Where rare words and unfamiliar letter sequences fail, and the failures themselves.")
names = names_of(project)
if not names.predictions:
    empty_state(
        "Nothing to place on the grid yet",
        "The grid needs items with gold text and the outputs of at least one system.",
        "python -m annotator import items ITEMS.csv --images DIR\npython -m annotator import predictions PREDICTIONS.csv",
    )
    st.stop()
one = (Key.SYSTEM, Key.CONDITION)
query = filter_bar(
    project,
    (*one, Key.BENCHMARK, Key.LANGUAGE),
    one=one,
    empty=LARGEST,
    more=reports.strata_choices(project),
    clears=SELECTION,
)
system, condition = query.systems[0], query.conditions[0]
with errors_in_words():
    metric = read(Key.METRIC) if read(Key.METRIC) in METRICS else "str_accuracy"
    report = reports.strata(project, query, metric)
    mine = next((row for row in report.systems if (row.system, row.condition) == (system, condition)), None)
    if mine is None:
        empty_state("No answers here", f"{system} has no answers under {condition}. Choose another condition.")
        st.stop()
    cells = chosen_cells()
    left, right = st.columns([5, 7], gap="medium")
    with left:
        grid = grid_of(mine, report.metric, report.placing.axes)
        heat_map(grid, [place_of(cell) for cell in cells], key="heat", on_pick=pick)
        choose("Cells show", Key.METRIC, list(METRICS), default="str_accuracy", shown=METRICS)
        switch("Add cells to the selection", Key.ADD)
    with right:
        if not cells:
            show_system(mine)
        else:
            number = page_number()
            show = choose_chip("Show", Key.SHOW, SHOW, default="wrong", clears=SELECTION)
            every = reports.all_systems(query)
            page = cell_items(project, query, system, condition, cells, show, (number - 1) * CELL_PAGE, CELL_PAGE)
            show_selection(page)
            if item := read(Key.ITEM):
                detail = detail_of(project, every, item)
                before, after, place = neighbours(project, page.keys, detail.item.key)
                step_buttons(before, after, place=place, key="item")
                show_item_detail(project, detail, condition=condition, stacked=True)
                show_place(explain_item(project, query, item))
                correction_panel(project, detail)
            pager(
                page.total,
                CELL_PAGE,
                number,
                lambda: list_acts(project, every, page.keys, name="cell", cell=read(Key.CELL)),
            )
            tiles = cell_tiles(project, page.rows, system, condition)
            followed = "" if read(Key.ADD) == "1" else read(Key.CELL)
            gallery(tiles, chosen=item, key="gallery", on_pick=open_item, group=followed)
    show_readouts(Chosen(project, query, names, report, mine, cells))
note(dropped_text(report))
for said in report.notes:
    note(said)
facts = {**reports.strata_facts(report), "resampling": resampling(project, query)}
computed_line(facts, strata_command(query, metric, (system, condition), cells))
