"""Guidelines, worked examples and values of a rubric, drawn as inert HTML."""

from __future__ import annotations

import html

import streamlit as st

from annotator.studies.kinds import StudyKind
from annotator.studies.rubric import Case, Rubric
from components.edits import text_html
from components.rating_view import marked_texts


def draw_guidelines(rubric: Rubric) -> None:
    """Draw what to judge, the values, and the worked examples."""
    points = "".join(f"<li>{html.escape(text)}</li>" for text in rubric.guidelines)
    st.html(f'<p class="v-purpose">{html.escape(rubric.purpose)}</p><ul>{points}</ul>')
    if rubric.values and rubric.kind is not StudyKind.PREFERENCE:
        st.html(values_html(rubric))
    for case in rubric.examples:
        st.html(example_html(rubric, case))


def values_html(rubric: Rubric) -> str:
    """The values with their meaning."""
    rows = "".join(
        f"<dt>{html.escape(_label(v.value, v.title))}</dt><dd>{html.escape(v.text)}</dd>" for v in rubric.values
    )
    return f'<dl class="v-values">{rows}</dl>'


def case_html(rubric: Rubric, case: Case) -> str:
    """The texts of an example or a question."""
    words = rubric.words
    if case.edit is not None:
        gold, predicted = marked_texts(case.gold, case.predicted, case.edit, rubric.locale)
        rows = [(words["gold"], gold), (words["predicted"], predicted)]
    else:
        names = ("A", "B") if rubric.kind is StudyKind.PREFERENCE else (words["predicted"], "")
        rows = [(words["gold"], text_html(case.gold, language=rubric.locale))]
        rows.append((names[0], text_html(case.predicted, language=rubric.locale)))
        if case.predicted_b is not None:
            rows.append((names[1], text_html(case.predicted_b, language=rubric.locale)))
    return "".join(f'<div class="ge-row"><span class="ge-lab">{html.escape(n)}</span>{t}</div>' for n, t in rows)


def example_html(rubric: Rubric, case: Case) -> str:
    """A worked example with its answer and the reason."""
    titles = {v.value: v.title for v in rubric.values}
    given = " / ".join(html.escape(_label(v, titles.get(v, ""))) for v in case.accepted)
    answer = f'<span class="v-given">{given}</span> · ' if given else ""
    return f'<div class="ge v-case">{case_html(rubric, case)}<p>{answer}{html.escape(case.because)}</p></div>'


def _label(value: str, title: str) -> str:
    return f"{value} · {title}" if value.isdigit() else title or value
