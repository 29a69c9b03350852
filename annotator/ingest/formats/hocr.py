"""hOCR: HTML whose spans carry places; lines are joined from their words."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

from annotator.ingest.formats.brought import nothing_in
from annotator.ingest.formats.pagefiles import PageFile, PageLine
from annotator.ingest.formats.xmltree import number
from annotator.ingest.sources import Source, decode

LINES = frozenset({"ocr_line", "ocrx_line", "ocr_caption", "ocr_header", "ocr_textfloat"})
WORDS = frozenset({"ocrx_word"})
_BBOX = re.compile(r"\bbbox\s+(-?\d+)\s+(-?\d+)\s+(-?\d+)\s+(-?\d+)")
_IMAGE = re.compile(r"\bimage\s+[\"']?([^\"';]+)")
_CONFIDENCE = re.compile(r"\bx_wconf\s+([\d.]+)")
_VOID = frozenset(
    {"br", "img", "meta", "link", "hr", "input", "area", "base", "col", "embed", "source", "track", "wbr"}
)


def looks_like(text: str) -> bool:
    """Whether a text is hOCR."""
    return "ocr_page" in text or "ocr_line" in text


def read(source: Source, level: str = "line", encoding: str | None = None) -> PageFile:
    """Read a page; `level` is `line` or `word`. White space inside a line is one space; word confidences (x_wconf) are
    percentages, a line has their mean. Raises `FileError` when there are no lines.
    """
    collector = _Collector(LINES if level == "line" else WORDS)
    collector.feed(decode(source, encoding))
    collector.close()
    if not collector.lines:
        raise nothing_in(source.name, f"no text {level}s", "hOCR")
    name = Path(collector.image.replace("\\", "/")).stem or Path(source.name).stem
    return PageFile(source.name, name, collector.image, tuple(collector.lines), source.sha256)


class _Collector(HTMLParser):
    def __init__(self, wanted: frozenset[str]) -> None:
        super().__init__(convert_charrefs=True)
        self.wanted = wanted
        self.image = ""
        self.lines: list[PageLine] = []
        self._depth = 0
        self._open: tuple[int, str, str] | None = None  # depth, id, title
        self._text: list[str] = []
        self._confidences: list[float] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        classes = set(values.get("class", "").split())
        title = values.get("title", "")
        found = _IMAGE.search(title)
        if "ocr_page" in classes and found and not self.image:
            self.image = found.group(1).strip()
        if classes & WORDS:
            self._add_confidence(title)
        if tag in _VOID:
            return
        self._depth += 1
        if classes & self.wanted and self._open is None:
            self._open = (self._depth, values.get("id", ""), title)
            self._text = []

    def _add_confidence(self, title: str) -> None:
        found = _CONFIDENCE.search(title)
        value = number(found.group(1)) if found else None
        if value is not None and value <= 100:
            self._confidences.append(value / 100)

    def handle_endtag(self, tag: str) -> None:
        if tag in _VOID:
            return
        if self._open is not None and self._open[0] == self._depth:
            self._finish()
        self._depth = max(0, self._depth - 1)

    def handle_data(self, data: str) -> None:
        if self._open is not None:
            self._text.append(data)

    def close(self) -> None:
        super().close()
        if self._open is not None:
            self._finish()

    def _finish(self) -> None:
        assert self._open is not None
        _, name, title = self._open
        place = _BBOX.search(title)
        corners = [float(side) for side in place.groups()] if place else []
        polygon = ((corners[0], corners[1]), (corners[2], corners[3])) if corners else ()
        confidence = sum(self._confidences) / len(self._confidences) if self._confidences else None
        line = PageLine(name or str(len(self.lines) + 1), " ".join("".join(self._text).split()), polygon, confidence)
        self.lines.append(line)
        self._open, self._text, self._confidences = None, [], []
