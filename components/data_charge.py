"""Have edits charged from the page: by a judge, a student, or the semcer package's model; and teach a student."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import streamlit as st

from annotator.analyses.severity.distill import charge_with_student, distill
from annotator.analyses.severity.judging import Judge, JudgeReport, judge_runs, plan_judging
from annotator.analyses.severity.loading import provider_names
from annotator.analyses.severity.semcerlocal import charge_with_semcer
from annotator.records import Query
from annotator.runners.endpoint import from_environment
from annotator.runners.semcerpackage import load_semcer
from annotator.store.project import Project
from components.filters import command_options, names_of
from components.links import link
from components.notes import command_block, empty_state, note
from components.numbers import Figure, Kind, show_figures

WAYS = {
    "judge": "A judge, edit by edit",
    "judge-line": "A judge, line by line",
    "student": "A student that was saved",
    "semcer": "The semcer package's model",
    "distill": "Teach a student",
}
_ENDPOINT = "Endpoint and key are read from OPENAI_BASE_URL and OPENAI_API_KEY of the server."
_STEPS = 400
Tell = Callable[[int, int], None]


def charge_form(project: Project, query: Query) -> None:
    """Draw the form: who charges, what it takes, and the run."""
    if not names_of(project).predictions:
        empty_state(
            "No edits yet",
            "Severities belong to the edits of answers to items with gold text.",
            f"python -m annotator import predictions FILE --project {project.folder}",
        )
        return
    way = st.segmented_control(
        "Who charges the edits",
        list(WAYS),
        default="judge",
        required=True,
        key="charge-way",
        format_func=WAYS.__getitem__,
    )
    draw = {"student": _student, "semcer": _semcer, "distill": _distill}
    if way in draw:
        draw[way](project, query)
    else:
        _judge(project, query, whole_line=way == "judge-line")


def _judge(project: Project, query: Query, whole_line: bool) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        model = st.text_input("Model", key="charge-model", placeholder="name at the endpoint").strip()
        temperature = float(st.number_input("Temperature", 0.0, 2.0, 1.0, 0.1, key="charge-temperature"))
        at_a_time = int(st.number_input("Requests at a time", 1, 256, 8, key="charge-concurrency"))
    note(f"{_ENDPOINT} Answers stay in the project; a run that was stopped goes on where it was.")
    if not model:
        note("Name the model.")
        return
    name = f"{'judge-line' if whole_line else 'judge'}:{model}"
    _command(
        project,
        query,
        f"severity --provider {shlex.quote(name)} --temperature {temperature:g} --concurrency {at_a_time}",
    )
    with st.container(horizontal=True):
        ask = st.button("What will it take?", key="charge-estimate", icon=":material/calculate:")
        go = st.button("Ask the judge", key="charge-run", type="primary", icon=":material/play_arrow:")
    if not (ask or go):
        return
    with closing(from_environment(model)) as endpoint:
        judge = Judge(endpoint, temperature, at_a_time, whole_line=whole_line)
        note(plan_judging(project, query, judge).words())
        if go:
            with _bar("questions") as tell:
                report = judge_runs(project, query, judge, tell)
            _show_judged(report)


def _show_judged(report: JudgeReport) -> None:
    _done(report.provider, report.charged)
    figures = [
        Figure("Undecided, charged 1", report.imputed),
        Figure("Asked now", report.asked),
        Figure("Failed", report.failed, note="asked again at the next run" if report.failed else ""),
        Figure("Not asked", report.left),
    ]
    show_figures(figures)
    for line in filter(None, [report.stopped, *report.failures]):
        note(line)


def _student(project: Project, query: Query) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        folder = st.text_input("Folder of the student", key="charge-folder", placeholder="what distill wrote").strip()
        name = st.text_input("Kept as provider", "student", key="charge-name").strip()
    if not folder:
        return
    _command(project, query, f"severity --with {shlex.quote(folder)} --provider {shlex.quote(name)}")
    if st.button("Charge the edits", key="charge-run", type="primary", icon=":material/play_arrow:"):
        with st.spinner("Charging"):
            charged = charge_with_student(project, query, Path(folder).expanduser(), name)
            _done(name, sum(charged.values()))


def _semcer(project: Project, query: Query) -> None:
    folder = st.text_input(
        "Folder of its model", key="charge-folder", placeholder="SEMCER_MODEL, or the released one in the local cache"
    ).strip()
    _command(project, query, "severity --provider semcer" + (f" --model {shlex.quote(folder)}" if folder else ""))
    if st.button("Charge the edits", key="charge-run", type="primary", icon=":material/play_arrow:"):
        model = load_semcer(Path(folder).expanduser() if folder else None)
        with _bar("lines") as tell:
            report = charge_with_semcer(project, query, model, tell)
        _done(report.provider, report.charged)
        note(f"{report.scored_lines:,} lines scored now, {report.unscored:,} edits that the model could not score.")


def _distill(project: Project, query: Query) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        teacher = st.selectbox("Teacher", list(provider_names(project)), key="charge-teacher")
        out = st.text_input("Folder to write", key="charge-folder", placeholder="student").strip()
        seed = int(st.number_input("Seed", 0, 2**31, 0, key="charge-seed"))
    command_block(
        f"python -m annotator distill --provider {shlex.quote(teacher)} --out {shlex.quote(out or 'student')} "
        f"--seed {seed} --project {project.folder}"
    )
    if out and st.button("Teach", key="charge-run", type="primary", icon=":material/school:"):
        said = st.empty()
        card = distill(project, teacher, Path(out).expanduser(), seed, say=said.text)
        _show_card(card)


def _show_card(card: dict[str, Any]) -> None:
    agreement = card["agreement"]
    st.success("Taught. It can charge edits as a student that was saved.", icon=":material/check:")
    why = agreement["why"]
    figures = [
        Figure("Held-out edits", agreement["edits"]),
        Figure("Spearman with the teacher", agreement["spearman"], Kind.NUMBER, why=why.get("spearman", "")),
        Figure("Mean absolute difference", agreement["mean_absolute_difference"], Kind.NUMBER),
        Figure("Clear pairs ordered alike", agreement["clear_alike"], Kind.PERCENT, why=why.get("clear_alike", "")),
    ]
    show_figures(figures)


def _done(provider: str, charged: int) -> None:
    st.success(f"{provider}: {charged:,} edits charged.", icon=":material/check:")
    link("pages/severity.py", "See what they cost", icon=":material/priority_high:", provider=provider)


def _command(project: Project, query: Query, command: str) -> None:
    command_block(f"python -m annotator {command}{command_options(query)} --project {project.folder}")


@contextmanager
def _bar(what: str) -> Iterator[Tell]:
    bar = st.progress(0.0, "Starting")

    def tell(done: int, total: int) -> None:
        if done == total or done % max(1, total // _STEPS) == 0:
            bar.progress(done / max(total, 1), f"{done:,} of {total:,} {what}")

    try:
        yield tell
    finally:
        bar.empty()
