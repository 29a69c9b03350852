"""The rater's page, and the only one that a rater has: way in, tasks one by one, way out."""

from pathlib import Path

import streamlit as st

from annotator.access import EVERYONE
from components.rate_preview import draw_preview
from components.rating import rating_panel
from components.shell import start_page
from components.way_in import draw_seat, enter, way_in

project = start_page("Rate", "", EVERYONE, wide=False)
st.html(Path(__file__).parent.parent / "components" / "rating.css")
bench = enter(project)
if bench is None:
    draw_preview(project)
elif way_in(bench):
    rating_panel(bench)
    draw_seat(bench)
