"""Error classes: how answers fail, per system and condition."""

import streamlit as st

from annotator.analyses.dual import over_corrections
from annotator.analyses.taxonomy import TaxonomyReport, report_taxonomy
from annotator.metrics.taxonomy import AUTO, script_names
from annotator.records import Query
from annotator.store.project import Project
from components.classes import LABELS, class_bars, class_grid, run_of
from components.eventlist import PAGE_SIZE, events_page, show_events
from components.filters import choose, command_options, filter_bar, names_of
from components.judge import judge_section
from components.lists import dataset_of
from components.notes import computed_line, empty_state, errors_in_words
from components.pager import page_number, pager
from components.readouts import (
    condition_tables,
    dual_table,
    mark_conditions,
    read_out_table,
    share_table,
    show_corrections,
)
from components.remember import resampling
from components.shell import start_page
from components.state import Key, read, write

SCRIPTS = script_names()[1:]
EVENTS = (Key.PAGE, Key.ITEM)


@st.cache_resource(max_entries=16, show_spinner="Classifying errors …")
def report_of(folder: str, revision: int, query: Query, script: str, _project: Project) -> TaxonomyReport:
    return report_taxonomy(_project, query, script)


def pick(error_class: str, run: str) -> None:
    write({Key.CLASS: error_class, Key.RUN: run, Key.PAGE: ""})


project = start_page("Taxonomy", "Which kinds of error each system makes, and whether it misreads or misspells.")
names = names_of(project)
if not names.predictions:
    empty_state(
        "No answers yet", "Import the outputs of a system.", "python -m annotator import predictions PREDICTIONS.csv"
    )
    st.stop()
query = filter_bar(
    project,
    (Key.SYSTEM, Key.CONDITION, Key.BENCHMARK, Key.LANGUAGE, Key.PROFILE),
    clears=EVENTS,
    more={Key.SCRIPT: ("Script", SCRIPTS, "Script of each gold")},
)
script = read(Key.SCRIPT) if read(Key.SCRIPT) in SCRIPTS else AUTO
with errors_in_words():
    report = report_of(str(project.folder), project.revision(), query, script, project)
    rows = report.rows
    if not rows:
        empty_state("No such answers", "This system has no answers under this condition. Take a filter away.")
        st.stop()
    chosen = (read(Key.CLASS) if read(Key.CLASS) in LABELS else "", read(Key.RUN))
    class_bars(rows, chosen, key="bars", on_pick=pick)
    with st.expander("The same as a grid: choose a cell to see its events", icon=":material/grid_on:", expanded=True):
        class_grid(rows, chosen, key="class-grid", on_pick=pick)
    with st.expander("The same as a table to copy", icon=":material/table:"):
        share_table(rows)
    read_out_table(report)

    st.header("Events", anchor=False)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        error_class = choose("Class", Key.CLASS, ["", *LABELS], shown=LABELS | {"": "Every class"}, clears=EVENTS)
        runs = {run_of(row): run_of(row) for row in rows} | {"": "Every system"}
        run = choose("Answers of", Key.RUN, ["", *filter(None, runs)], shown=runs, clears=EVENTS)
    number = page_number()
    page = events_page(project, query, (error_class, run), script, number)
    if page.total:
        pager(page.total, PAGE_SIZE, number)
        show_events(project, page.rows, key="event")
    else:
        empty_state("No such error", "No answer in scope has an event of this class. Take a filter away.")

    if report.dual:
        st.header("Verbatim, standard form, or neither", anchor=False)
        dual_table(report)
        with st.expander("Over-corrections: the standard form where something else is written"):
            show_corrections(over_corrections(project, dataset_of(project, query), 10))
    if len(names.conditions) > 1:
        st.header("Conditions", anchor=False)
        condition_tables(report)
        with st.expander("Mark conditions as realistic or oracle", icon=":material/label:"):
            mark_conditions(project, names.conditions)
    judge_section(project, query)
computed_line(
    {
        "script": script,
        "profile": query.profile,
        "seed": report.seed,
        "resampling": resampling(project, query),
        "taxonomy": report.taxonomy_version,
        "revision": report.project_revision,
        "left out (gold wrong)": report.gold_wrong,
    },
    f"python -m annotator report taxonomy --script {script}{command_options(query)}",
)
