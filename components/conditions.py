"""What the conditions page draws: one item before and after, the proof, and the batch."""

from __future__ import annotations

import streamlit as st

from annotator.errors import VerbatimError
from annotator.exports.variants import VariantPreview, VariantReport, make_variants, preview_variant, usable_items
from annotator.images.conditions import ConditionKind
from annotator.records import Query
from annotator.store.project import Project
from components.filters import choose_chip
from components.notes import command_block, error_in_words, note
from components.numbers import Figure, Kind, show_figures
from components.slider import picture_slider
from components.state import Key
from components.tables import Column, Row, show_table

KINDS = {
    ConditionKind.GRAY.value: "Gray scene",
    ConditionKind.MILD.value: "Mild blur",
    ConditionKind.MODERATE.value: "Moderate blur",
    ConditionKind.STRONG.value: "Strong blur",
    ConditionKind.CROP.value: "Crop",
    ConditionKind.PATCH.value: "Patch on another scene",
}
WORDS = {
    ConditionKind.GRAY: "Everything outside the target box becomes mid gray; the box keeps every pixel.",
    ConditionKind.MILD: "A Gaussian of 1.5 % of the box height (at least 0.6 px), inside the box; a red outline keeps its pixels.",
    ConditionKind.MODERATE: "A Gaussian of 3 % of the box height (at least 1.2 px), inside the box; a red outline keeps its pixels.",
    ConditionKind.STRONG: "A Gaussian of 6 % of the box height (at least 2.4 px), inside the box; a red outline keeps its pixels.",
    ConditionKind.CROP: "The box with a margin of 8 % of its height (at least 4 px), enlarged to at least 64 px high.",
    ConditionKind.PATCH: "The box's pixels at the same place on the picture of another item.",
}


@st.cache_data(max_entries=8, show_spinner="Looking for boxes and pictures …")
def _usable(folder: str, revision: int, query: Query, _project: Project) -> tuple[str, ...]:
    return usable_items(_project, query)


def usable(project: Project, query: Query) -> tuple[str, ...]:
    """The items that have a box and a picture, remembered per revision."""
    return _usable(str(project.folder), project.revision(), query, project)


@st.cache_data(max_entries=16, show_spinner="Making the picture …")
def _preview(folder: str, revision: int, kind: str, item: str, background: str, _project: Project) -> VariantPreview:
    return preview_variant(_project, ConditionKind(kind), item, background)


def show_preview(project: Project, kind: ConditionKind, item: str, background: str) -> None:
    """One item before and after, with what was measured. Raises `VerbatimError` when it cannot be made."""
    made = _preview(str(project.folder), project.revision(), kind.value, item, background, project)
    entry = made.entry
    note(WORDS[kind])
    if entry["width"] == made.width and entry["height"] == made.height:
        look = choose_chip("Look at", Key.SHOW, {"": "Target", "whole": "Whole picture"}, default="")
        left, top, width, height = entry["region"]
        around = None if look else (left, top, width, height)
        picture_slider(made.before, made.after, key=f"slider-{look}", alt=f"item {item}", around=around)
    else:
        left, right = st.columns(2)
        left.image(made.before, caption="original")
        right.image(made.after, caption="result")
    untouched, region = entry["untouched_pixels"], entry["region"]
    figures = [
        Figure("Pixels that must stay", untouched, help="Inside the box (gray, patch, crop), outside the blur and its red outline (blur).",
               why="an enlarged crop keeps no pixel as it was"),
        Figure("of them changed", entry["changed_pixels"], help="Counted on the finished picture; 0 is the proof.",
               why="an enlarged crop keeps no pixel as it was"),
        Figure("Region, px", f"{region[2]} × {region[3]}", Kind.TEXT, note=f"from x {region[0]}, y {region[1]}"),
    ]  # fmt: skip
    if entry["sigma"] is not None:
        figures += [Figure("Sigma, px", entry["sigma"], Kind.NUMBER), Figure("Inset, px", entry["inset"])]
    show_figures(figures)
    st.code(f"sha256 {entry['sha256']}\nuntouched {entry['untouched_sha256'] or '-'}", language=None, wrap_lines=True)


def make_all(project: Project, kind: ConditionKind, query: Query, name: str, background: str) -> None:
    """Make the condition of every item, with a progress bar, and say what came of it."""
    bar = st.progress(0.0, "Making pictures …")
    try:
        report = make_variants(
            project,
            kind,
            query,
            name,
            background,
            progress=lambda done, total: bar.progress(done / total, f"{done:,} of {total:,}"),
        )
    except VerbatimError as error:
        bar.empty()
        error_in_words(error)
        return
    bar.empty()
    _said(report)


def _said(report: VariantReport) -> None:
    note(
        f"{report.condition}: {report.written:,} pictures written, {report.unchanged:,} were there already, "
        f"{report.without_box:,} items have no box, {report.without_image:,} no image. Manifest: {report.manifest}"
    )
    if report.faults:
        columns = (Column("item", "Item"), Column("why", "Could not be made", Kind.READ))
        rows: list[Row] = [{"item": fault.item, "why": fault.why} for fault in report.faults]
        show_table(columns, rows, key="faults", caption="Items that could not be made", limit=100)


def show_made(counts: dict[str, int]) -> None:
    """The conditions that the project has pictures of, and what to do with them."""
    rows: list[Row] = [{"condition": name, "pictures": count} for name, count in counts.items()]
    show_table(
        (Column("condition", "Condition"), Column("pictures", "Pictures", Kind.COUNT)),
        rows,
        key="made",
        caption="Made so far",
    )
    note("Recognise them, or import answers with --condition NAME:")
    command_block("python -m annotator recognise --system tesseract --condition NAME")
