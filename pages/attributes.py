"""A metric by the values of one or two attributes of the items."""

import shlex

import streamlit as st

from annotator.analyses.attributes import AttributeReport, report_attributes
from annotator.analyses.names import axis_names
from annotator.records import Query
from annotator.store.project import Project
from components.attributes import (
    METRICS,
    joint_grid,
    narrowed,
    run_names,
    show_bars,
    show_extremes,
    show_misread,
    show_rows,
    values_of,
)
from components.filters import choose, command_options, filter_bar, names_of
from components.heatmap import heat_map
from components.notes import computed_line, empty_state, errors_in_words
from components.remember import resampling
from components.shell import start_page
from components.state import Key, read, write

CELL = (Key.VALUE, Key.ITEM, Key.PAGE)


@st.cache_resource(max_entries=16, show_spinner="Scoring by value …")
def report_of(
    folder: str, revision: int, query: Query, axis: str, axis2: str, metric: str, _project: Project
) -> AttributeReport:
    return report_attributes(_project, query, axis, axis2, metric)


project = start_page("Attributes", "Which properties of the items make them hard, alone and together.")
axes = axis_names(project)
if not axes or not names_of(project).predictions:
    empty_state(
        "Nothing to split by yet",
        "Any further column of the items file is an attribute. Import items with some, and the outputs of a system.",
        "python -m annotator import attributes FILE",
    )
    st.stop()
query = filter_bar(project, (Key.SYSTEM, Key.CONDITION, Key.BENCHMARK, Key.LANGUAGE, Key.PROFILE), clears=CELL)
with st.container(horizontal=True, vertical_alignment="bottom"):
    axis = choose("Attribute", Key.AXIS, axes, default=axes[0], clears=CELL)
    others = ["", *(name for name in axes if name != axis)]
    axis2 = choose("And", Key.AXIS2, others, shown={"": "no second attribute"}, clears=CELL)
    metric = choose("Metric", Key.METRIC, list(METRICS), default="cer", shown=METRICS, clears=CELL)
with errors_in_words():
    runs = run_names(project, query)
    if not runs:
        empty_state("No such answers", "This system has no answers under this condition. Take a filter away.")
        st.stop()
    run = choose("Answers of", Key.RUN, runs, default=runs[0], clears=CELL) if axis2 else ""
    report = report_of(str(project.folder), project.revision(), narrowed(query, run), axis, axis2, metric, project)
    if axis2:
        grid = joint_grid(report, run)
        names = {grid.names[x][y]: (x, y) for x, y in grid.places}
        chosen = [names[read(Key.VALUE)]] if read(Key.VALUE) in names else []
        heat_map(
            grid,
            chosen,
            key="joint",
            on_pick=lambda x, y: write({Key.VALUE: grid.names[x][y], **dict.fromkeys(CELL[1:], "")}),
        )
        picked = tuple(zip((axis2, axis), chosen[0], strict=True)) if chosen else ()
        value = tuple((name, values_of(report, name)[at]) for name, at in picked)
        if value:
            show_misread(project, query, value, run)
        show_extremes(report, run)
        with st.expander("Every cell as a table", icon=":material/table:"):
            show_rows(report, report.rows, key="cells", caption=f"Every cell of {run}, easiest first")
    else:
        show_bars(report)
        show_rows(report, report.rows, key="values", caption="Every value per system and condition, easiest first")
        with st.container(horizontal=True, vertical_alignment="bottom"):
            one = choose(
                "Look at", Key.VALUE, ["", *values_of(report, axis)], shown={"": "choose a value"}, clears=CELL[1:]
            )
            run = choose("Answers of", Key.RUN, runs, default=runs[0], clears=CELL[1:])
        if one:
            show_misread(project, query, ((axis, one),), run)
computed_line(
    {
        "metric": METRICS[metric],
        "profile": query.profile,
        "items": report.items,
        "without a value": report.without_value,
        "seed": report.seed,
        "resamples": report.resamples,
        "resampling": resampling(project, query),
        "alignment": report.alignment_version,
        "revision": report.project_revision,
    },
    f"python -m annotator report attributes {shlex.join(filter(None, (axis, axis2)))} --metric {metric}{command_options(query)}",
)
