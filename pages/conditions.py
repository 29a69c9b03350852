"""Image conditions: how much of the scene and of the target a recogniser gets to see."""

import streamlit as st

from annotator.access import OWNERS
from annotator.exports.variants import condition_counts
from annotator.images.conditions import ConditionKind
from components.conditions import KINDS, make_all, show_made, show_preview, usable
from components.filters import choose_chip, command_options, filter_bar, type_in
from components.itemview import step_buttons
from components.notes import computed_line, empty_state, errors_in_words
from components.shell import start_page
from components.state import Key, read

project = start_page("Conditions", "Gray the scene, blur or crop the target, or move it to another scene.", OWNERS)
query = filter_bar(project, (Key.BENCHMARK, Key.LANGUAGE), narrow=False, clears=(Key.ITEM,))
items = usable(project, query)
if not items:
    empty_state(
        "No target to work on yet",
        "A condition needs items with an image and a target box (columns box, or x, y, w, h).",
        "python -m annotator import items ITEMS.csv --images DIR",
    )
    st.stop()
kind = ConditionKind(choose_chip("Condition", Key.TAB, KINDS, default=ConditionKind.GRAY.value))
background = ""
if kind is ConditionKind.PATCH:
    background = type_in("Item whose scene the patch goes on", Key.BACKGROUND, placeholder=items[-1]) or items[-1]
item = read(Key.ITEM) if read(Key.ITEM) in items else items[0]
at = items.index(item)
before, after = (items[at - 1] if at else "", items[at + 1] if at + 1 < len(items) else "")
step_buttons(before, after, place=f"{at + 1:,} of {len(items):,}", key="item", close=False)
st.text(f"Item {item}")
with errors_in_words():
    show_preview(project, kind, item, background)
with st.form("make", border=True):
    name = st.text_input("Name of the condition", value=kind.value, max_chars=60)
    wanted = st.form_submit_button(f"Make it for {len(items):,} items", type="primary")
if wanted:
    make_all(project, kind, query, name, background)
show_made(condition_counts(project))
computed_line(
    {"items with box and image": f"{len(items):,}"},
    f"python -m annotator variant {kind.value}{' --background ' + background if background else ''}"
    f"{command_options(query)}",
)
