"""A task on the screen as HTML: image, texts, the marked edit. Only what a blind rater may see comes in."""

from __future__ import annotations

import base64
import hashlib
import html

from streamlit import runtime

from annotator.store.study_records import EditMark, Shown
from annotator.studies.kinds import StudyKind, keys
from annotator.studies.pictures import Picture, next_picture, task_picture
from annotator.text.align import Op, align_texts
from annotator.text.graphemes import nfc, split_graphemes
from components.edits import text_html
from components.marks import direction
from components.marks import shown as shown_cluster
from components.rating_state import Bench

_OPS = {"sub": "S", "del": "D", "ins": "I"}


def task_html(bench: Bench, task: Shown) -> str:
    """The image where the study shows it (or where there is no gold), the texts, the question."""
    picture = None
    if bench.settings.image or task.gold is None:
        picture = task_picture(bench.project, bench.rater.key, task.task_key)
    image = "" if picture is None else picture_html(picture, bench.word("image"))
    return f'{image}{texts_html(bench, task)}<p class="v-question">{html.escape(bench.rubric.question)}</p>'


def next_picture_html(bench: Bench) -> str:
    """The picture of the task that will most likely be next, for the browser to fetch; empty when there is none."""
    picture = next_picture(bench.project, bench.rater.key)
    return "" if picture is None else f'<div class="v-ahead"><img alt="" src="{address_of(picture, "ahead")}"></div>'


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
    return f'<div class="ge v-texts">{lines}</div>'


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
    at = _deleted_before(gold, predicted, edit) if edit.op == "del" else edit.predicted_index
    left = _marked(gold, edit.gold_index, edit.op, present=edit.op != "ins")
    right = _marked(predicted, at, edit.op, present=edit.op != "del")
    lang = f' lang="{html.escape(language, quote=True)}"' if language else ""
    wrap = f'<bdi class="ge-txt" dir="{way}"{lang}>'
    return f"{wrap}{left}</bdi>", f"{wrap}{right}</bdi>"


def _deleted_before(gold: str, predicted: str, edit: EditMark) -> int:
    """How many predicted clusters stand before a deletion: the index of an edit cannot tell none from one."""
    place = edit.gold_index
    for other in align_texts(gold, predicted).edits:
        if other.op is Op.DELETION and other.gold_index == edit.gold_index:
            return place
        place += {Op.DELETION: -1, Op.INSERTION: 1}.get(other.op, 0)
    return edit.predicted_index + (1 if edit.gold_index > 0 else 0)


def picture_html(picture: Picture, name: str) -> str:
    """The image by an address that says nothing. A click or the key i enlarges it; the target box is drawn over it."""
    box = ""
    if picture.box is not None:
        left, top, width, height = (100 * side for side in picture.box)
        box = f'<span class="v-box" style="left:{left:.2f}%;top:{top:.2f}%;width:{width:.2f}%;height:{height:.2f}%"></span>'
    size = f'width="{picture.width}" height="{picture.height}"'
    return (
        f'<div class="v-task-image"><span class="v-frame"><img alt="{html.escape(name, quote=True)}" {size} '
        f'src="{address_of(picture, "now")}">{box}</span></div>'
    )


def address_of(picture: Picture, place: str) -> str:
    """Where the browser finds the picture: a hash of its content, kept while this session shows it at `place`.

    Relative, so that it holds under any base address; without a server (tests of the page alone) the bytes themselves.
    """
    if runtime.exists():
        files = runtime.get_instance().media_file_mgr
        return files.add(picture.jpeg, "image/jpeg", f"verbatim-rate-{place}").lstrip("/")
    return "data:image/jpeg;base64," + base64.b64encode(picture.jpeg).decode("ascii")


def key_map_html(bench: Bench) -> str:
    """Every key of this study and what it does, in the rater's language."""
    titles = {v.value: v.title for v in bench.rubric.values}
    rows = [(key.upper(), titles.get(value, value)) for key, value in keys(bench.kind, bench.settings).items()]
    if bench.kind in (StudyKind.TRANSCRIPTION, StudyKind.LABELS):
        if bench.settings.codebook or bench.kind is StudyKind.TRANSCRIPTION:
            rows += [("1 – 9", bench.word("key_choose")), ("↑ ↓", bench.word("key_question"))]
        rows += [("Enter · Ctrl Enter", bench.word("submit")), ("Esc", bench.word("key_leave"))]
    rows += [("← →", f"{bench.word('back')} · {bench.word('forward')}"), ("U", bench.word("undo"))]
    rows += [("Z", bench.word("cannot")), ("I", bench.word("key_zoom")), ("H", bench.word("help"))]
    lines = "".join(f"<dt><kbd>{html.escape(key)}</kbd></dt><dd>{html.escape(text)}</dd>" for key, text in rows)
    return f'<dl class="v-keys">{lines}</dl>'


def storage_slot(token: str) -> str:
    """What the browser's storage calls this rater: the same for the same link, and nothing that opens it."""
    return hashlib.sha256(f"storage:{token}".encode()).hexdigest()[:16]


def _marked(text: str, index: int, op: str, *, present: bool) -> str:
    clusters = split_graphemes(nfc(text))
    before = "".join(shown_cluster(c, False) for c in clusters[:index])
    if not present:
        caret = f'<span class="v-gap-at" title="{_OPS[op]}"><i aria-hidden="true"></i></span>'
        return before + caret + "".join(shown_cluster(c, False) for c in clusters[index:])
    inner = shown_cluster(clusters[index], True) if index < len(clusters) else ""
    after = "".join(shown_cluster(c, False) for c in clusters[index + 1 :])
    return f'{before}<span class="ge-{op}">{inner}</span>{after}'
