"""`report all --out FILE`: every read-out of a project in one file that opens anywhere."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from annotator import __version__
from annotator.analyses.items import image_path, show_item
from annotator.analyses.overview import report_overview
from annotator.analyses.severity.checking import check_first
from annotator.analyses.severity.providers import DEFAULT_PROVIDER
from annotator.analyses.severity.report import report_severity
from annotator.analyses.strata.report import report_strata
from annotator.analyses.taxonomy import report_taxonomy
from annotator.errors import EngineError, InputError, ProjectReadOnlyError, UsageError
from annotator.exports.report import sections
from annotator.exports.report.page import Section, aligned, paragraph, picture, text, whole_page
from annotator.images.thumbnails import make_preview
from annotator.records import Query
from annotator.store.project import Project

EXAMPLES = 12
_CHROMIUM_FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run")


@dataclass(frozen=True, slots=True)
class ReportMade:
    """The files written, and the chapters in them."""

    html: Path
    pdf: Path | None
    chapters: tuple[str, ...]
    project_revision: int


def write_report(project: Project, query: Query, out: Path, pdf: bool = False, title: str = "") -> ReportMade:
    """Write the report to `out` (HTML), and beside it as PDF when asked for.

    A chapter that does not apply (no standard forms, no grid, no studies) is left out or says why. Raises `UsageError` for
    a project without predictions, `ProjectReadOnlyError` when `out` cannot be written, `EngineError` without Chromium.
    """
    raw = replace(query, profile="raw", own_gold=False)  # severities and marked edits belong to the raw alignment
    overview = report_overview(project, query)
    if not overview.rows:
        raise UsageError(
            "nothing to report: the project has no predictions. Import some (annotator import predictions FILE "
            f"--project {project.folder})"
        )
    found = [
        sections.overview_section(overview),
        _strata(project, query),
        sections.outcomes_section(project, query),
        sections.taxonomy_section(report_taxonomy(project, query)),
        sections.severity_section(report_severity(project, raw, DEFAULT_PROVIDER)),
        _examples(project, raw),
        sections.agreement_section(project, query),
    ]
    chapters = [section for section in found if section is not None]
    day = datetime.fromtimestamp(project.clock(), UTC).strftime("%Y-%m-%d")
    lead = f"{len(overview.rows)} systems and conditions. Made by Verbatim {__version__} on {day}."
    foot = (
        f"Verbatim {__version__} · project revision {overview.project_revision} · alignment {overview.alignment_version} · "
        f"seed {overview.seed} · {overview.resamples:,} resamples"
    )
    document = whole_page(title or f"Error analysis: {project.folder.name}", lead, chapters, foot)
    _write(out, document.encode("utf-8"))
    printed = _print(out) if pdf else None
    return ReportMade(out, printed, tuple(section.title for section in chapters), overview.project_revision)


def _strata(project: Project, query: Query) -> Section:
    try:
        return sections.strata_section(report_strata(project, query))
    except UsageError as error:
        return Section("Rarity and novelty", paragraph(f"No grid: {error}"))


def _examples(project: Project, query: Query) -> Section:
    """The most severe edits, one per item, with the image and every system's answer."""
    shown: list[str] = []
    seen: set[str] = set()
    for edit in check_first(project, query, DEFAULT_PROVIDER, limit=40 * EXAMPLES).edits:
        if edit.item_id not in seen and len(seen) < EXAMPLES:
            seen.add(edit.item_id)
            shown.append(_example(project, query, edit.item_id))
    body = "".join(shown) or paragraph("No edits: every answer equals its gold.")
    return Section(
        "Worked examples",
        body,
        f"The {len(shown)} items with the most severe edits by the rubric rules, one edit per item.",
    )


def _example(project: Project, query: Query, item_id: str) -> str:
    detail = show_item(project, query, item_id)
    path = image_path(project, detail.item.key)
    image = paragraph(detail.item.image_problem or "no image")
    if path is not None:
        try:
            image = picture(make_preview(path, 480, 240).jpeg, f"Image of item {item_id}")
        except InputError as error:
            image = paragraph(str(error))
    lines = [f"<strong>{text(item_id)}</strong>"]
    if detail.item.standard:
        lines.append(
            f'<div class="line"><span class="of">standard form</span><bdi dir="auto">{text(detail.item.standard)}</bdi></div>'
        )
    for answer in detail.answers:
        if answer.alignment is not None and detail.item.gold is not None:
            name = (
                answer.row.system
                if answer.row.condition == "default"
                else f"{answer.row.system}@{answer.row.condition}"
            )
            lines.append(
                aligned(detail.item.gold, answer.row.predicted, answer.alignment).replace(
                    ">predicted<", f">{text(name)}<"
                )
            )
    return f'<div class="example"><div>{image}</div><div>{"".join(lines)}</div></div>'


def _write(out: Path, data: bytes) -> None:
    """Whole or not at all: a new file takes the old one's place when it is complete."""
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=out.parent, prefix=f".{out.name}.")
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        Path(name).chmod(0o644)
        Path(name).replace(out)
    except OSError as error:
        raise ProjectReadOnlyError(f"cannot write {out}: {error.strerror}. Choose another --out") from error


def _print(page: Path) -> Path:
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None:
        raise EngineError("a PDF needs Chromium: install the package chromium, or print the HTML from a browser")
    pdf = page.with_suffix(".pdf")
    with tempfile.TemporaryDirectory() as profile:
        flags = (
            *_CHROMIUM_FLAGS,
            f"--user-data-dir={profile}",
            "--no-pdf-header-footer",
            f"--print-to-pdf={pdf.absolute()}",
        )
        done = subprocess.run(
            [chromium, *flags, page.absolute().as_uri()], capture_output=True, timeout=120, check=False
        )
    if done.returncode or not pdf.exists():
        raise EngineError(f"Chromium could not print {page.name}: {done.stderr.decode(errors='replace')[-300:]}")
    return pdf
