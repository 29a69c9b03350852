"""ALTO: lines of strings, with places and word confidences."""

from __future__ import annotations

from pathlib import Path
from xml.etree.ElementTree import Element

from annotator.ingest.formats.brought import nothing_in
from annotator.ingest.formats.pagefiles import PageFile, PageLine, Point
from annotator.ingest.formats.xmltree import below, children, local, number, parse_xml, share
from annotator.ingest.sources import Source


def read(source: Source, level: str = "line") -> PageFile:
    """Read a page; `level` is `line` or `word`. Strings of a line are joined by spaces, a hyphen (HYP) is put after the last.

    A line's confidence is the mean of its words' (WC). Places count only in pixels. Raises `FileError` when it is no ALTO.
    """
    root = parse_xml(source)
    if next(below(root, "Layout"), None) is None:
        raise nothing_in(source.name, "no Layout element", "ALTO")
    unit = next((each.text or "" for each in below(root, "MeasurementUnit")), "pixel")
    in_pixels = unit.strip().casefold() == "pixel"
    image = next((each.text or "" for each in below(root, "fileName")), "").strip()
    name = Path(image.replace("\\", "/")).stem or Path(source.name).stem
    elements = below(root, "TextLine" if level == "line" else "String")
    lines = tuple(_line(element, k, in_pixels) for k, element in enumerate(elements, start=1))
    if not lines:
        raise nothing_in(source.name, f"no text {level}s", f"at least one {level}")
    return PageFile(source.name, name, image, lines, source.sha256)


def _line(element: Element, count: int, in_pixels: bool) -> PageLine:
    strings = [element] if local(element) == "String" else list(children(element, "String"))
    text = " ".join(string.get("CONTENT") or "" for string in strings)
    text += "".join(hyphen.get("CONTENT") or "" for hyphen in children(element, "HYP"))
    shares = [found for string in strings if (found := share(string.get("WC"))) is not None]
    confidence = sum(shares) / len(shares) if shares else None
    return PageLine(element.get("ID") or str(count), text, _place(element) if in_pixels else (), confidence)


def _place(element: Element) -> tuple[Point, ...]:
    polygon = next(below(element, "Polygon"), None)
    numbers = (
        [number(part) for part in (polygon.get("POINTS") or "").replace(",", " ").split()]
        if polygon is not None
        else []
    )
    known = [value for value in numbers if value is not None]
    if len(known) >= 6 and len(known) == len(numbers):
        return tuple(zip(known[::2], known[1::2], strict=False))
    sides = [number(element.get(name)) for name in ("HPOS", "VPOS", "WIDTH", "HEIGHT")]
    if any(side is None for side in sides):
        return ()
    x, y, width, height = (side or 0.0 for side in sides)
    return ((x, y), (x + width, y + height))
