"""XML read safely: no entities, no external files, names without their namespaces."""

from __future__ import annotations

import math
from collections.abc import Iterator
from xml.etree.ElementTree import Element, ParseError

from annotator.errors import Problem
from annotator.ingest.sources import Source
from annotator.ingest.tables import refused


def parse_xml(source: Source) -> Element:
    """The root element. Raises `FileError` with the line for broken XML, and for entities and external references."""
    from defusedxml.common import DefusedXmlException
    from defusedxml.ElementTree import fromstring

    try:
        root: Element = fromstring(source.data, forbid_dtd=False, forbid_entities=True, forbid_external=True)
    except ParseError as error:
        line = error.position[0] if getattr(error, "position", None) else None
        raise refused(
            source.name, [Problem(source.name, line, None, f"broken XML ({error})", "a whole file")]
        ) from error
    except (DefusedXmlException, ValueError, LookupError) as error:
        found = f"XML that is not read ({type(error).__name__})"
        raise refused(
            source.name, [Problem(source.name, None, None, found, "no entities or external files")]
        ) from error
    return root


def local(element: Element) -> str:
    """An element's name without its namespace."""
    return str(element.tag).rsplit("}", 1)[-1]


def children(element: Element, name: str) -> Iterator[Element]:
    """The direct children called `name`, in any namespace."""
    return (child for child in element if local(child) == name)


def below(element: Element, name: str) -> Iterator[Element]:
    """All elements called `name` below `element`, in document order."""
    return (each for each in element.iter() if local(each) == name)


def number(text: str | None) -> float | None:
    """A finite number, or `None`."""
    try:
        value = float(text) if text is not None else math.nan
    except ValueError:
        return None
    return value if math.isfinite(value) and abs(value) < 1e9 else None


def share(text: str | None) -> float | None:
    """A number in [0, 1], or `None`."""
    value = number(text)
    return value if value is not None and 0 <= value <= 1 else None
