"""Written answers: transcription and codebook labels. What is typed is kept code point by code point."""

from __future__ import annotations

import streamlit as st

from annotator.errors import VerbatimError
from annotator.store.study_records import Shown
from annotator.studies.codebook import Label, load_codebook
from annotator.studies.kinds import StudyKind
from annotator.studies.written import UNSURE, Flag, Written, read_written, write_written
from components.rating_state import Bench, give_value

# Marks that are hard to type, by language; every language has the mark for an unsure character.
HARD_MARKS = {
    "bn": "ঁ ং ঃ ্ ় ৎ ড় ঢ় য় ক্ষ ৃ ৌ ।",
    "hi": "ँ ं ः ् ़ क़ ख़ ग़ ज़ ड़ ढ़ फ़ ।",
    "ar": "أ إ آ ء ؤ ئ ة ى ً ٌ ٍ َ ُ ِ ّ ْ ؟ ،",
    "vi": "ă â đ ê ô ơ ư ấ ầ ẩ ẫ ậ ế ề ể ễ ệ ố ồ ổ ỗ ộ ớ ờ ở ỡ ợ",
    "zh": "、 。 《 》 「 」 · —",
    "ja": "、 。 「 」 ・ ー 々",
    "fr": "à â ç é è ê ë î ï ô œ ù û ÿ « »",
    "de": "ä ö ü ß ſ „ “ —",
}


def draw_form(bench: Bench, shown: Shown) -> None:
    """Draw the fields of a transcription or labels task and its save button."""
    before = read_written(shown.value) if shown.value else Written()
    tail = f"{shown.task_key}-{shown.repeat}"
    with st.container(key="answers"):
        if bench.kind is StudyKind.TRANSCRIPTION:
            _texts(bench, shown, before, tail)
        for label in _labels(bench):
            _label(label, before, tail)
        st.button(bench.word("submit"), key=f"save-{tail}", type="primary", on_click=_save, args=(bench, shown, tail))


def _texts(bench: Bench, shown: Shown, before: Written, tail: str) -> None:
    st.text_area(bench.word("form_verbatim"), before.verbatim, key=f"verbatim-{tail}", height=100)
    marks = [UNSURE, *HARD_MARKS.get(shown.language.partition("-")[0], "").split()]
    with st.container(horizontal=True, gap="small", key="marks"):
        for number, mark in enumerate(marks):
            # A mark alone is a label of a button: a dotted circle carries combining ones.
            name = f"\u25cc{mark}" if len(mark) == 1 and not mark.isalnum() and mark > "\u02ff" else mark
            st.button(
                name.replace("[", "\\["), key=f"mark-{number}-{tail}", on_click=_append, args=(f"verbatim-{tail}", mark)
            )
    st.text_input(bench.word("form_standard"), before.standard, key=f"standard-{tail}")
    st.pills(
        bench.word("form_flags"), list(Flag), default=[Flag(f) for f in before.flags], key=f"flags-{tail}", selection_mode="multi",
        format_func=lambda flag: bench.word(f"flag_{Flag(flag).value}"),
    )  # fmt: skip


def _label(label: Label, before: Written, tail: str) -> None:
    values = [value.value for value in label.values]
    given = before.labels.get(label.name)
    st.radio(
        label.question,
        values,
        index=values.index(given) if given in values else None,
        captions=[value.definition for value in label.values],
        key=f"label-{label.name}-{tail}",
    )


def _labels(bench: Bench) -> tuple[Label, ...]:
    if not bench.settings.codebook:
        return ()
    return load_codebook(bench.settings.codebook, bench.project.folder).labels


def _append(key: str, mark: str) -> None:
    st.session_state[key] = str(st.session_state.get(key, "")) + mark


def _save(bench: Bench, shown: Shown, tail: str) -> None:
    try:
        labels = {
            label.name: str(value)
            for label in _labels(bench)
            if (value := st.session_state.get(f"label-{label.name}-{tail}"))
        }
    except VerbatimError:
        labels = {}
    written = Written(
        verbatim=str(st.session_state.get(f"verbatim-{tail}", "")),
        standard=str(st.session_state.get(f"standard-{tail}", "")),
        flags=tuple(str(flag) for flag in st.session_state.get(f"flags-{tail}") or ()),
        labels=labels,
    )
    give_value(bench, shown.task_key, shown.repeat, write_written(written), shown.event)
