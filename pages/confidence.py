"""Confidence by cell, whether it can be believed, any number as a map of the grid, and probes of activations."""

import shlex

import streamlit as st

from annotator.analyses.quantities import number_names
from components import reports
from components.calibration import calibration_of, show_calibration, show_confident_errors
from components.confidence import (
    SHOWN,
    choose_field,
    confidence_of,
    has_confidence,
    rows_of,
    show_cells,
    show_number_map,
    show_probe,
    show_wrong_gaps,
)
from components.filters import choose, choose_chip, command_options, filter_bar, names_of
from components.notes import command_block, computed_line, empty_state, errors_in_words, note
from components.remember import resampling
from components.rescoring import show_rescoring
from components.shell import start_page
from components.state import Key

VIEWS = {
    "cells": "By cell",
    "calibration": "Calibration",
    "errors": "Most confident errors",
    "rescoring": "Rescoring",
    "map": "Any number",
    "probe": "Probe",
}

project = start_page("Confidence", "Is a system less sure where it fails more? And what do its layers know of it?")
names = names_of(project)
if not names.predictions:
    empty_state(
        "No answers yet",
        "Confidence comes with predictions: a column confidence, or char_confidence with one number per character.",
        "python -m annotator import predictions PREDICTIONS.jsonl",
    )
    st.stop()
one = (Key.SYSTEM, Key.CONDITION)
query = filter_bar(
    project, (*one, Key.BENCHMARK, Key.LANGUAGE), one=one, more=reports.strata_choices(project), clears=(Key.CELL,)
)
system, condition = query.systems[0], query.conditions[0]
everyone = reports.all_systems(query)
view = choose_chip("View", Key.VIEW, VIEWS, default="cells", clears=(Key.CELL,))
command = ""
with errors_in_words():
    if view == "cells":
        field = choose_field()
        report = confidence_of(project, everyone, field)
        rows = rows_of(report, system, condition)
        if not rows or not has_confidence(report):
            empty_state(
                "No confidence here",
                "None of these answers carries a confidence. Import predictions with confidence or char_confidence.",
                "python -m annotator import predictions PREDICTIONS.jsonl --replace",
            )
            st.stop()
        shown = choose_chip("Show", Key.SHOW, SHOWN, default="mean_wrong")
        show_cells(report, rows, shown)
        show_wrong_gaps(report)
        command = "report confidence" + (f" --field {field}" if field else "")
    elif view in ("calibration", "errors"):
        field = choose_field()
        believed = calibration_of(project, everyone, field)
        if view == "calibration":
            show_calibration(believed, system, condition)
        else:
            show_confident_errors(project, believed, system, condition)
        command = "report calibration" + (f" --field {field}" if field else "")
    elif view == "rescoring":
        show_rescoring(project, everyone, system, condition)
        command = "report rescoring"
    elif view == "map":
        columns = number_names(project)
        column = choose("Number", Key.METRIC, columns, default=columns[0])
        show_number_map(project, everyone, system, condition, column)
        command = f"report strata --metric {shlex.quote(column)}"
    else:
        note("Activations: an .npz with one array per layer (items x features) and an array ids. Nothing in it is run.")
        command_block("np.savez('layers.npz', ids=ids, block_0=features_0, decoder=features_decoder)")
        upload = st.file_uploader("Activations (.npz)", type=["npz"])
        if upload is not None:
            show_probe(project, everyone, upload)
        command = "report probe --activations FILE.npz"
computed_line(
    {
        "seed": query.seed,
        "resamples": f"{query.resamples:,}",
        "resampling": resampling(project, query),
        "revision": names.revision,
    },
    f"python -m annotator {command}{command_options(everyone)}",
)
