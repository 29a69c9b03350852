"""PAGE-XML: lines (or words, or regions) with their first text and their outline."""

from __future__ import annotations

from pathlib import Path
from xml.etree.ElementTree import Element

from annotator.ingest.formats.brought import nothing_in
from annotator.ingest.formats.pagefiles import PageFile, PageLine, Point
from annotator.ingest.formats.xmltree import below, children, number, parse_xml, share
from annotator.ingest.sources import Source

_ELEMENTS = {"line": "TextLine", "word": "Word", "region": "TextRegion"}


def read(source: Source, level: str = "line") -> PageFile:
    """Read a page. `level` is `line`, `word` or `region`. Of several `TextEquiv` the one with the lowest index is taken.

    A line without text of its own has that of its words, joined by spaces. Raises `FileError` when it is no PAGE-XML.
    """
    root = parse_xml(source)
    page = next(below(root, "Page"), None)
    if page is None:
        raise nothing_in(source.name, "no Page element", "PAGE-XML")
    image = page.get("imageFilename") or ""
    name = Path(image.replace("\\", "/")).stem or Path(source.name).stem
    elements = below(page, _ELEMENTS[level])
    lines = tuple(_line(element, k) for k, element in enumerate(elements, start=1))
    if not lines:
        raise nothing_in(source.name, f"no text {level}s", f"at least one {level}")
    notes = _notes(source.name, page) if level == "line" else ()
    return PageFile(source.name, name, image, lines, source.sha256, notes)


def _notes(file: str, page: Element) -> tuple[str, ...]:
    """Regions whose text would be lost: it stands at the region alone."""
    alone = sum(
        1
        for region in below(page, "TextRegion")
        if (_text(region)[0] or "").strip()
        and not any((_text(line)[0] or "").strip() for line in below(region, "TextLine"))
    )
    return (f"{file}: {alone} regions hold text that their lines do not: --level region takes them",) if alone else ()


def _line(element: Element, count: int) -> PageLine:
    text, confidence = _text(element)
    if not text:
        words = [_text(word)[0] for word in children(element, "Word")]
        text = " ".join(word for word in words if word) if any(words) else text
    coords = next(children(element, "Coords"), None)
    points = () if coords is None else _points(coords)
    return PageLine(element.get("id") or str(count), text, points, confidence)


def _text(element: Element) -> tuple[str | None, float | None]:
    equivalents = list(children(element, "TextEquiv"))
    if not equivalents:
        return None, None
    first = min(equivalents, key=lambda each: number(each.get("index")) or 0)
    unicode = next(children(first, "Unicode"), None)
    return (None if unicode is None else unicode.text or ""), share(first.get("conf"))


def _points(coords: Element) -> tuple[Point, ...]:
    """`points="x,y x,y"`, or the older `Point` children."""
    pairs = [pair.split(",") for pair in (coords.get("points") or "").split()]
    pairs += [[point.get("x") or "", point.get("y") or ""] for point in children(coords, "Point")]
    found = [(number(pair[0]), number(pair[1])) for pair in pairs if len(pair) == 2]
    return tuple((x, y) for x, y in found if x is not None and y is not None)
