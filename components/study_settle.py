"""Settling transcriptions and labels: all versions side by side with their edits, pick one or write another."""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import streamlit as st

from annotator.analyses.items import items_by_key
from annotator.errors import VerbatimError
from annotator.exports.dataset import split_shares, zip_dataset
from annotator.ingest.adoption import SettledText, adopt_texts, undo_adoption
from annotator.store.project import Project
from annotator.studies.adjudicate import Case, adjudicate, cases, settled_texts
from annotator.studies.written import Written
from annotator.text.visible import escape_controls
from components.edits import lines_html, text_html
from components.image import show_picture
from components.notes import command_block, empty_state, error_in_words, note
from components.state import say_after


def draw_settle(project: Project, name: str) -> None:
    """Draw the disputed tasks one by one, and the button that adopts what is settled."""
    found = cases(project, name)
    open_cases = [case for case in found if case.disagreed and case.settled is None]
    settled = [case for case in found if case.settled is not None]
    single = sum(case.single for case in found)
    st.text(
        f"{len(found)} tasks have answers · {len(open_cases)} in dispute · {len(settled)} settled · "
        f"{single} read by one rater alone, which adopting and the dataset take as they are"
    )
    with st.container(horizontal=True):
        st.button(
            "Adopt as gold and standard form", key="adopt", on_click=_adopt, args=(project, name), disabled=not found
        )
        st.button("Put the earlier texts back", key="adopt-undo", on_click=_unadopt, args=(project, name))
    if found:
        _dataset(project, name)
    if not open_cases:
        empty_state("Nothing in dispute", "No two readings of a task differ, or what differed is settled.")
        return
    case = open_cases[0]
    st.subheader(f"Task {case.task.number}", anchor=False)
    if case.task.item_key is not None:
        for item in items_by_key(project, (case.task.item_key,)):
            st.text(f"item {escape_controls(item.id)}")
            show_picture(project, item, key=f"settle-picture-{case.task.number}", alt="The image that was transcribed")
    _versions(project, name, case)
    _own(project, name, case)


def _dataset(project: Project, name: str) -> None:
    with st.expander("Take it home as a dataset", icon=":material/download:"):
        with st.container(horizontal=True, vertical_alignment="bottom"):
            split = st.text_input("Shares of train, validation and test", "50,10,40", key="dataset-split")
            seed = int(st.number_input("Seed", 0, 2**31, 0, key="dataset-seed"))
            make = st.button("Make the dataset", key="dataset-make")
        command_block(
            f"python -m annotator export dataset --study {shlex.quote(name)} --split {shlex.quote(split)} --seed {seed} "
            f"--project {project.folder}"
        )
        if make:
            _make_dataset(project, name, split, seed)


def _make_dataset(project: Project, name: str, split: str, seed: int) -> None:
    try:
        with TemporaryDirectory() as folder:
            path = Path(folder) / "dataset.zip"
            done = zip_dataset(project, name, path, split_shares(split), seed)
            data = path.read_bytes()
    except VerbatimError as error:
        error_in_words(error)
        return
    parts = [f"{part} {rows:,}" for part, rows in done.splits.items()]
    left = [f"{rows:,} {reason}" for reason, rows in done.left_out.items()]
    note(f"{done.table.rows:,} items: {', '.join(parts)}" + (f"; left out: {', '.join(left)}" if left else ""))
    st.download_button(
        "Download", data, f"{name}-dataset.zip", "application/zip", key="dataset-take", on_click="ignore"
    )


def _versions(project: Project, name: str, case: Case) -> None:
    first = case.versions[0][1]
    for number, (rater, written) in enumerate(case.versions):
        with st.container(border=True, key=f"version-{number}"):
            st.text(rater)
            if number:
                st.html(lines_html(first.verbatim, written.verbatim, names=(case.versions[0][0], rater)))
            else:
                st.html(f'<div class="ge">{text_html(written.verbatim)}</div>')
            if written.standard:
                st.html(f'<div class="ge">standard form {text_html(written.standard)}</div>')
            facts = [*written.flags, *(f"{label}: {value}" for label, value in sorted(written.labels.items()))]
            if facts:
                st.text(" · ".join(facts))
            st.button(
                "Take this version",
                key=f"pick-{case.task.number}-{number}",
                on_click=_settle,
                args=(project, name, case.task.number, written),
            )


def _own(project: Project, name: str, case: Case) -> None:
    number, first = case.task.number, case.versions[0][1]
    with st.expander("Write another"):
        st.text_area("Written, exactly as it is", first.verbatim, key=f"own-verbatim-{number}")
        st.text_input("Standard form, only where it differs", first.standard, key=f"own-standard-{number}")
        st.button("Settle with this", key=f"own-{number}", on_click=_settle_own, args=(project, name, number, first))


def _settle(project: Project, name: str, number: int, written: Written) -> None:
    try:
        adjudicate(project, name, number, written)
    except VerbatimError as error:
        say_after(str(error))


def _settle_own(project: Project, name: str, number: int, first: Written) -> None:
    texts = (str(st.session_state[f"own-{part}-{number}"]) for part in ("verbatim", "standard"))
    verbatim, standard = texts
    _settle(project, name, number, replace(first, verbatim=verbatim, standard=standard))


def _adopt(project: Project, name: str) -> None:
    texts = [SettledText(s.item_id, s.written.verbatim, s.written.standard) for s in settled_texts(project, name)]
    done = adopt_texts(project, texts, f"study:{name}")
    say_after(f"{done.rows} items changed, {done.realigned} predictions aligned anew")


def _unadopt(project: Project, name: str) -> None:
    say_after(f"{undo_adoption(project, f'study:{name}').rows} items put back")
