"""Find items, and go through them one by one."""

import streamlit as st

from annotator.analyses.names import axis_names
from annotator.records import ItemFilter
from components.classes import LABELS
from components.confusions import chosen_edit, show_chosen_edit
from components.corrections import correction_panel
from components.filters import choose, filter_bar, names_of, run_name, switch, type_in
from components.itemview import show_item_detail, step_buttons
from components.listacts import list_acts
from components.lists import PAGE_SIZE, detail_of, neighbours, page_of, show_gallery, show_rows
from components.notes import empty_state, errors_in_words
from components.pager import page_number, pager
from components.shell import start_page
from components.state import Key, read

SHOW = {
    "": "All items",
    "wrong": "Wrong",
    "right": "Right",
    "missing": "Without an answer",
    "differ": "Systems disagree",
}
SORT = {"": "Order of import", "id": "Id", "length": "Longest gold", "edits": "Most edits", "difference": "A minus B"}
WHERE = {"": "anywhere", "gold": "in gold", "standard": "in standard forms", "predicted": "in answers", "id": "in ids"}
MARK = {"": "Any mark", "gold-wrong": "Gold marked wrong", "unreadable": "Marked unreadable"}
LIST = (Key.ITEM, Key.PAGE)

project = start_page(
    "Items", "Find items, see every answer beside its picture, and correct what is wrong with the gold."
)
names = names_of(project)
if not names.items:
    empty_state(
        "No items yet",
        "Import a file of items with their images and gold text, then the outputs of your systems.",
        "python -m annotator import items ITEMS.csv --images DIR",
    )
    st.stop()
with st.container(horizontal=True, vertical_alignment="bottom"):
    text = type_in("Search", Key.SEARCH, placeholder="text, or a regular expression", clears=LIST)
    show = choose("Show", Key.SHOW, list(SHOW), shown=SHOW, clears=LIST)
    sort = choose("Sort by", Key.SORT, list(SORT), shown=SORT, clears=LIST)
    other = choose("B", Key.B, list(names.systems), default=names.systems[-1]) if sort == "difference" else ""
    with st.popover("More", icon=":material/tune:"):
        regex = switch("Search is a regular expression", Key.REGEX)
        where = choose("Search in", Key.WHERE, list(WHERE), shown=WHERE, clears=LIST)
        error_class = choose(
            "Error class", Key.CLASS, ["", *LABELS], shown=LABELS | {"": "Any class, or none"}, clears=LIST
        )
        mark = choose("Mark", Key.MARK, list(MARK), shown=MARK, clears=LIST)
        tag = type_in("Tag", Key.TAG, clears=LIST)
        attribute = choose("Attribute", Key.ATTRIBUTE, ["", *axis_names(project)], shown={"": "none"}, clears=LIST)
        value = type_in("is", Key.VALUE, clears=LIST) if attribute else ""
        table = switch("As a table", Key.TABLE)
query = filter_bar(
    project, (Key.SYSTEM, Key.CONDITION, Key.BENCHMARK, Key.LANGUAGE, Key.PROFILE), clears=LIST, narrow=False
)
show_chosen_edit(LIST)
run = run_name(names, read(Key.SYSTEM), read(Key.CONDITION))
wanted = ItemFilter(
    text=text,
    where=where or "any",
    regex=regex,
    show=show or "all",
    run=run or (run_name(names, names.systems[0], "") if sort == "difference" else ""),
    other=run_name(names, other, ""),
    tag=tag,
    mark=mark,
    attributes=((attribute, value),) if attribute else (),
    sort=sort or "import",
    error_class=error_class,
    edit=chosen_edit(),
)
with errors_in_words():
    number = page_number()
    page = page_of(project, query, wanted, (number - 1) * PAGE_SIZE)
    item = read(Key.ITEM)
    if item:
        detail = detail_of(project, query, item)
        before, after, place = neighbours(project, page.keys, detail.item.key)
        step_buttons(before, after, place=place, key="item")
        show_item_detail(project, detail, profile=query.profile, condition=read(Key.CONDITION) or "default")
        correction_panel(project, detail)
if not page.total:
    empty_state("No item matches", "Take a filter away, or search for something shorter.")
    st.stop()
pager(page.total, PAGE_SIZE, number, lambda: list_acts(project, query, page.keys, name="items"))
if table:
    show_rows(page.rows, key="rows")
else:
    show_gallery(project, page.rows, run, chosen=item, condition=read(Key.CONDITION) or "default", key="gallery")
