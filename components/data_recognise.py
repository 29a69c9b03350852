"""Run a recogniser from the page: choose it, see it work, read its first answers, go on where it stopped."""

from __future__ import annotations

import os
import shlex
from dataclasses import asdict, dataclass

import streamlit as st

from annotator.errors import VerbatimError
from annotator.exports.variants import condition_counts
from annotator.ingest.recognise import Answer, RecogniseReport, recognise_items
from annotator.ingest.recogniseplan import RecogniseOptions, plan_run, with_prompt
from annotator.runners.base import Recogniser
from annotator.runners.factory import RunnerSettings, make_recogniser
from annotator.store.project import Project
from components.filters import names_of
from components.notes import command_block, empty_state, error_in_words, note
from components.numbers import Figure, Kind, show_figures
from components.tables import Column, show_table

SYSTEMS = {
    "tesseract": "Tesseract",
    "tesseract-nodict": "Tesseract without its dictionaries",
    "ppocr": "PP-OCR",
    "openai": "A vision-language model (OpenAI-compatible endpoint)",
}
PROMPTS = {"P1": "P1, English", "P2": "P2, the language of the text", "P3": "P3, with labels (oracle)"}
ENDPOINT_WORKERS = 8
BAR_STEPS = 400
ANSWERS = (
    Column("id", "Item", Kind.READ),
    Column("predicted", "Read", Kind.READ),
    Column("confidence", "Confidence", Kind.NUMBER),
)
FAILURES = (Column("id", "Item", Kind.READ), Column("message", "Why", Kind.READ))


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be run, as on the command line: `name` after `--system`, and the options."""

    name: str
    prompt: str
    options: RecogniseOptions

    def command(self, project: Project) -> str:
        """The command that does the same."""
        given = {"--condition": self.options.condition, "--language": self.options.language,
                 "--benchmark": self.options.benchmark, "--limit": str(self.options.limit or ""),
                 "--prompt": self.prompt if self.name.startswith("openai:") else ""}  # fmt: skip
        usual = {"--condition": "default", "--prompt": "P1"}
        words = [f"{flag} {shlex.quote(value)}" for flag, value in given.items() if value and usual.get(flag) != value]
        words += ["--replace"] * self.options.replace
        return " ".join(
            ["python -m annotator recognise --system", shlex.quote(self.name), *words, "--project", str(project.folder)]
        )


def recognise_form(project: Project) -> None:
    """Draw the whole form, from the choice of a system to the report."""
    names = names_of(project)
    if not names.items:
        empty_state(
            "No items yet",
            "Import items with images first.",
            f"python -m annotator import items FILE --images DIR --project {project.folder}",
        )
        return
    wanted = _choose(project)
    if wanted is None:
        return
    note(
        "Items that are answered already are left alone; a run that was stopped goes on where it stopped, and items that failed "
        "are tried again. Programs and your own Python recogniser run from the command line."
    )
    command_block(wanted.command(project))
    if st.button("Run the recogniser", type="primary", icon=":material/play_arrow:", key="recognise-run"):
        _run(project, wanted)


def _choose(project: Project) -> Wanted | None:
    """The system and its options; `None` while a model has no name."""
    names = names_of(project)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        kind = st.selectbox("Recogniser", list(SYSTEMS), format_func=lambda each: SYSTEMS[each], key="recognise-system")
        more, prompt = _details(kind)
        pictures = {"default": "as they are", **dict.fromkeys(condition_counts(project))}
        condition = st.selectbox(
            "Pictures", list(pictures), format_func=lambda each: pictures[each] or each, key="recognise-condition"
        )
        language = _one_of("Language of the items", names.languages, "recognise-language")
        benchmark = _one_of("Benchmark", names.benchmarks, "recognise-benchmark")
        limit = st.number_input("At most (0: all)", 0, None, 0, 50, key="recognise-limit")
        replace = st.toggle("Read again what is answered", key="recognise-replace")
    if kind == "openai" and not more:
        note("Name the model. Its endpoint and key are read from OPENAI_BASE_URL and OPENAI_API_KEY of the server.")
        return None
    workers = ENDPOINT_WORKERS if kind == "openai" else os.cpu_count() or 1
    options = RecogniseOptions(
        condition, workers=workers, language=language, benchmark=benchmark, limit=int(limit) or None, replace=replace
    )
    return Wanted(f"{kind}:{more}" if more else kind, prompt, options)


def _details(kind: str) -> tuple[str, str]:
    """What stands after the colon of a system's name, and the prompt."""
    if kind == "openai":
        model = st.text_input("Model", key="recognise-model", placeholder="name at the endpoint").strip()
        prompt = st.selectbox("Prompt", list(PROMPTS), format_func=lambda each: PROMPTS[each], key="recognise-prompt")
        return model, str(prompt)
    if kind.startswith("tesseract"):
        packs = st.text_input(
            "Language packs",
            key="recognise-packs",
            placeholder="each item's own",
            help="Tesseract's names, joined by a plus sign, for example eng+ben. Empty: the language of each item.",
        )
        return packs.strip(), "P1"
    return "", "P1"


def _one_of(label: str, options: tuple[str, ...], key: str) -> str:
    if len(options) < 2:
        return ""
    return str(st.selectbox(label, ["", *options], format_func=lambda each: each or "all", key=key))


def _run(project: Project, wanted: Wanted) -> None:
    """Run it with a progress bar and its first answers; say in words what is missing."""
    bar = st.progress(0.0, "Starting the recogniser …")
    first = st.empty()
    answers: list[Answer] = []

    def watch(answer: Answer) -> None:
        answers.append(answer)
        with first.container():
            note("The first answers")
            for one in answers:
                st.text(f"{one.id}: {one.predicted}")

    def tell(done: int, total: int, seconds: float) -> None:
        if done == total or done % max(1, total // BAR_STEPS) == 0:
            bar.progress(done / total, pace(done, total, seconds))

    try:
        recogniser = make_recogniser(
            wanted.name, RunnerSettings(project.folder / "cache" / "tessdata", prompt=wanted.prompt)
        )
        try:
            options = with_prompt(recogniser, wanted.options)
            _estimate(project, recogniser, options)
            report = recognise_items(project, recogniser, options, tell, watch=watch)
        finally:
            recogniser.close()
    except VerbatimError as error:
        bar.empty()
        error_in_words(error)
        return
    bar.empty()
    first.empty()
    show_report(report)


def _estimate(project: Project, recogniser: Recogniser, options: RecogniseOptions) -> None:
    if hasattr(recogniser, "estimate"):
        note(recogniser.estimate(len(plan_run(project, recogniser, options).jobs), None, None).words())


def pace(done: int, total: int, seconds: float) -> str:
    """`120 of 400, 35.2 a second, 8 s left`."""
    rate = done / max(seconds, 1e-6)
    return f"{done:,} of {total:,}, {rate:,.1f} a second, {(total - done) / max(rate, 1e-6):,.0f} s left"


def show_report(report: RecogniseReport) -> None:
    """What a run did: counts, pace, first answers, failures and why it stopped."""
    said = f"{report.system}, condition {report.condition}: {report.written:,} answers written."
    (st.success if not report.failed and not report.stopped else st.warning)(said)
    figures = [
        Figure("Written", report.written),
        Figure("Items a second", report.items_per_second, Kind.NUMBER, why="nothing was to do"),
        Figure("Answered before", report.already),
        Figure("Failed", report.failed, note="tried again at the next run" if report.failed else ""),
        Figure("Not tried", report.left),
        Figure("Without a picture", report.without_image),
        Figure("In a language it cannot write", report.not_read),
    ]
    show_figures([figure for figure in figures if figure.value != 0 or figure.label == "Written"])
    if report.stopped:
        note(report.stopped)
    if report.first:
        show_table(ANSWERS, [asdict(one) for one in report.first], key="recognise-first", caption="The first answers")
    if report.failures:
        show_table(FAILURES, [asdict(one) for one in report.failures], key="recognise-failed", caption="Failed")
