"""A task on the screen: image, texts, the marked edit. Only what a blind rater may see comes in."""

from __future__ import annotations

import base64
import html

import streamlit as st

from annotator.store.study_records import EditMark, Shown
from annotator.studies.kinds import StudyKind
from annotator.studies.pictures import Picture, task_picture
from annotator.text.graphemes import nfc, split_graphemes
from components.edits import text_html
from components.marks import direction
from components.marks import shown as shown_cluster
from components.rating_state import Bench

_OPS = {"sub": "S", "del": "D", "ins": "I"}


def draw_task(bench: Bench, task: Shown) -> None:
    """Draw the image where the study shows it (or where there is no gold), then the texts."""
    if bench.settings.image or task.gold is None:
        picture = task_picture(bench.project, bench.rater.key, task.task_key)
        if picture is not None:
            st.html(picture_html(picture))
    if texts := texts_html(bench, task):
        st.html(texts)


def texts_html(bench: Bench, task: Shown) -> str:
    """The task's texts as rows, gold first."""
    language, rows = task.language, []
    if bench.kind in (StudyKind.TRANSCRIPTION, StudyKind.LABELS):
        return ""
    if task.edit is not None and task.gold is not None:
        gold, predicted = marked_texts(task.gold, task.predicted or "", task.edit, language)
        rows = [(bench.word("gold"), gold), (bench.word("predicted"), predicted)]
    else:
        rows = [(bench.word("gold"), text_html(nfc(task.gold), language=language))] if task.gold is not None else []
        rows += [(name, text_html(nfc(text), language=language)) for name, text in outputs(bench, task)]
    lines = "".join(
        f'<div class="ge-row"><span class="ge-lab">{html.escape(name)}</span>{text}</div>' for name, text in rows
    )
    return f'<div class="ge v-task">{lines}</div>'


def outputs(bench: Bench, task: Shown) -> list[tuple[str, str]]:
    """The outputs with the names that they have on the screen."""
    if bench.kind is not StudyKind.PREFERENCE:
        return [(bench.word("predicted"), task.predicted or "")]
    pair = [task.predicted or "", task.predicted_b or ""]
    if task.shown_first == "b":
        pair.reverse()
    return list(zip(("A", "B"), pair, strict=True))


def marked_texts(gold: str, predicted: str, edit: EditMark, language: str) -> tuple[str, str]:
    """Gold and predicted with the one edit marked on both; where a side has nothing, a caret shows the place."""
    way = direction(gold or predicted)
    deletion_at = edit.predicted_index + (1 if edit.op == "del" and edit.gold_index > 0 else 0)
    left = _marked(gold, edit.gold_index, edit.op, present=edit.op != "ins")
    right = _marked(
        predicted, deletion_at if edit.op == "del" else edit.predicted_index, edit.op, present=edit.op != "del"
    )
    lang = f' lang="{html.escape(language, quote=True)}"' if language else ""
    wrap = f'<bdi class="ge-txt" dir="{way}"{lang}>'
    return f"{wrap}{left}</bdi>", f"{wrap}{right}</bdi>"


def picture_html(picture: Picture) -> str:
    """The image as a data URI. A click enlarges it; the target box is drawn over it."""
    source = base64.b64encode(picture.jpeg).decode("ascii")
    box = ""
    if picture.box is not None:
        left, top, width, height = (100 * side for side in picture.box)
        box = f'<span class="v-box" style="left:{left:.2f}%;top:{top:.2f}%;width:{width:.2f}%;height:{height:.2f}%"></span>'
    size = f'width="{picture.width}" height="{picture.height}"'
    return (
        f'<div class="v-task-image"><span class="v-frame"><img alt="the image of this task" {size} '
        f'src="data:image/jpeg;base64,{source}">{box}</span></div>'
    )


def _marked(text: str, index: int, op: str, *, present: bool) -> str:
    clusters = split_graphemes(nfc(text))
    before = "".join(shown_cluster(c, False) for c in clusters[:index])
    if not present:
        caret = f'<span class="v-gap-at" title="{_OPS[op]}"><i aria-hidden="true"></i></span>'
        return before + caret + "".join(shown_cluster(c, False) for c in clusters[index:])
    inner = shown_cluster(clusters[index], True) if index < len(clusters) else ""
    after = "".join(shown_cluster(c, False) for c in clusters[index + 1 :])
    return f'{before}<span class="ge-{op}">{inner}</span>{after}'
