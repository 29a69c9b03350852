"""One item as a whole: picture, gold, standard form, every answer with its edits, note, marks."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence

import streamlit as st

from annotator.analyses.items import Answer, ItemDetail
from annotator.analyses.severity.checking import severities_of
from annotator.analyses.severity.providers import DEFAULT_PROVIDER
from annotator.store.project import Project
from annotator.text.visible import escape_controls
from components.classes import LABELS
from components.edits import cells_html, legend_html, lens_html, lines_html, text_html
from components.image import show_picture
from components.state import Key, read, write
from components.sureness import KINDS, sure_html

Severities = Sequence[float | None]
VIEWS = {"lines": "Lines", "aligned": "Aligned", "points": "Code points", "sure": "Confidence"}
MARKS = {"gold-wrong": "gold marked wrong: in no rate", "unreadable": "marked unreadable: in no rate"}


def show_item_detail(
    project: Project,
    detail: ItemDetail,
    *,
    profile: str = "raw",
    condition: str = "default",
    key: str = "item",
    stacked: bool = False,
) -> None:
    """Draw an item: picture, gold and standard form, and beside them (below them when `stacked`) every answer."""
    item = detail.item
    st.html(_heading(detail))
    left, right = st.columns([1, 1] if stacked else [4, 7], gap="medium")
    with left:
        show_picture(project, item, condition=condition, key=f"{key}-picture", alt=f"item {item.id}", height=200)
    with right if stacked else left:
        st.html(_golds(detail, marks=read(Key.MARKS) == "1"))
    with st.container() if stacked else right:
        view = _choose_view(key)
        charged = _severities(project, detail, profile)
        answers = "".join(_answer(detail, answer, view, profile, charged) for answer in detail.answers)
        provider = (read(Key.PROVIDER) or DEFAULT_PROVIDER) if charged else ""
        st.html(legend_html(provider) + (answers or '<p class="v-note">No system has answered this item.</p>'))


def _severities(project: Project, detail: ItemDetail, profile: str) -> Mapping[int, Severities]:
    """What the provider in the address (the built-in rules without one) charges; severities belong to profile raw."""
    if profile != "raw" or read(Key.OWN_GOLD) == "1":
        return {}
    answers = [(a.row.key, a.alignment.distance) for a in detail.answers if a.alignment is not None]
    return severities_of(project, read(Key.PROVIDER) or DEFAULT_PROVIDER, answers)


def _choose_view(key: str) -> str:
    widget, marks = f"{key}-view", f"{key}-marks"
    current = read(Key.VIEW) if read(Key.VIEW) in VIEWS else "lines"
    st.session_state[widget] = current
    st.session_state[marks] = read(Key.MARKS) == "1"
    with st.container(horizontal=True, vertical_alignment="center"):
        st.segmented_control(
            "Show edits as",
            list(VIEWS),
            key=widget,
            required=True,
            format_func=VIEWS.__getitem__,
            label_visibility="collapsed",
            on_change=lambda: write({Key.VIEW: _unless("lines", str(st.session_state[widget] or ""))}),
        )
        st.toggle(
            "Mark spaces and joiners",
            key=marks,
            on_change=lambda: write({Key.MARKS: "1" if st.session_state[marks] else ""}),
        )
    return current


def _unless(default: str, value: str) -> str:
    return "" if value == default else value


def _heading(detail: ItemDetail) -> str:
    item = detail.item
    facts = [item.benchmark, item.language, item.split, item.document, MARKS.get(item.mark, "")]
    more = [f"{name}: {value}" for name, value in item.attributes.items() if value]
    said = " · ".join(_inert(fact) for fact in [*facts, *more] if fact)
    return f'<div class="v-item"><h3><bdi>{_inert(item.id)}</bdi></h3><p class="v-note">{said}</p></div>'


def _inert(text: str) -> str:
    return html.escape(escape_controls(text))


def _golds(detail: ItemDetail, marks: bool) -> str:
    item = detail.item
    gold = (
        '<i class="ge-ctl">no gold</i>'
        if item.gold is None
        else text_html(item.gold, language=item.language, marks=marks)
    )
    rows = _labelled("gold", gold)
    if item.standard and item.gold is not None:
        names = ("standard form", "gold")
        rows = lines_html(item.standard, item.gold, language=item.language, names=names, marks=marks)
    elif item.standard:
        rows += _labelled("standard form", text_html(item.standard, language=item.language, marks=marks))
    corrected = [row for row in detail.history if row.field == "gold" and not row.undone]
    if corrected:
        rows += _labelled("gold before", text_html(corrected[-1].old or "", language=item.language, marks=marks))
    return f'<div class="ge v-golds">{rows}</div>'


def _labelled(name: str, inner: str) -> str:
    return f'<div class="ge-row"><span class="ge-lab">{name}</span>{inner}</div>'


def _answer(detail: ItemDetail, answer: Answer, view: str, profile: str, charged: Mapping[int, Severities]) -> str:
    item, row = detail.item, answer.row
    name = row.system if row.condition == "default" else f"{row.system} · {row.condition}"
    gold = item.gold if answer.alignment is None or row.own_gold is None else row.own_gold
    severities = charged.get(row.key, ())
    body = _body(gold, answer, view, profile, item.language, severities)
    return (
        f'<div class="v-answer"><div class="v-who"><bdi>{_inert(name)}</bdi></div>'
        f'<div class="v-what">{body}</div><div class="v-facts">{_facts(answer, severities)}</div></div>'
    )


def _facts(answer: Answer, severities: Severities) -> str:
    row, alignment = answer.row, answer.alignment
    facts = []
    if answer.exact:
        facts.append('<span class="v-ok">exact</span>')
    elif alignment is not None:
        facts.append(
            f"{alignment.distance:,} edit{'s' * (alignment.distance != 1)} on {alignment.gold_length:,} graphemes"
        )
    known = [severity for severity in severities if severity is not None]
    if alignment is not None and known and len(known) == alignment.distance and alignment.gold_length:
        facts.append(f"CER {100 * alignment.distance / alignment.gold_length:.1f} %, "
                     f"semCER {100 * sum(known) / alignment.gold_length:.1f} %")  # fmt: skip
    if answer.outcome is not None:
        facts.append(html.escape(str(answer.outcome.value)))
    facts += [html.escape(LABELS[name].lower()) for name in answer.classes]
    if row.confidence is not None:
        facts.append(f"confidence {row.confidence:.3f} ({KINDS.get(row.confidence_kind, row.confidence_kind)})")
    if row.own_gold is not None:
        facts.append("against the gold of its own file")
    return "<br>".join(facts)


def _body(gold: str | None, answer: Answer, view: str, profile: str, language: str, severities: Severities) -> str:
    predicted, marks = answer.row.predicted, read(Key.MARKS) == "1"
    if view == "points":
        return lens_html(predicted)
    if view == "sure":
        return sure_html(predicted, answer.row.char_confidence or (), answer.row.confidence_kind, language)
    if gold is None or answer.alignment is None:
        return f'<div class="ge">{text_html(predicted, language=language, marks=marks)}</div>'
    if view == "aligned":
        return cells_html(gold, predicted, language=language, profile=profile, severities=severities)
    # The gold line is there to carry deletions; without any, the gold above is enough.
    lost = bool(answer.alignment.deletions) or not predicted
    names = ("gold", "predicted") if lost else ("", "")
    return lines_html(
        gold,
        predicted,
        language=language,
        profile=profile,
        marks=marks,
        gold_line=lost,
        names=names,
        severities=severities,
    )


def step_buttons(previous: str, following: str, *, place: str, key: str, close: bool = True) -> None:
    """Buttons to the item before and after (arrow keys too) and one that closes the item. Ids stay out of the labels."""
    with st.container(horizontal=True, vertical_alignment="center", key=f"{key}-steps"):
        _step("Previous", previous, "Left", ":material/chevron_left:", f"{key}-previous")
        _step("Next", following, "Right", ":material/chevron_right:", f"{key}-next")
        st.html(f'<span class="v-place">{html.escape(place)}</span>')
        if close:
            st.button("Close", key=f"{key}-close", type="tertiary", on_click=write, args=({Key.ITEM: ""},))


def _step(label: str, target: str, shortcut: str, icon: str, key: str) -> None:
    st.button(
        label,
        key=key,
        icon=icon,
        shortcut=shortcut,
        disabled=not target,
        on_click=write,
        args=({Key.ITEM: target},),
    )
