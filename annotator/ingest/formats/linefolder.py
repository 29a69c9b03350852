"""Folders of line images with their texts beside: `x.png`, `x.gt.txt`, and perhaps `x.rec.txt` or `x.pred.txt`."""

from __future__ import annotations

from pathlib import Path

from annotator.images.paths import inside
from annotator.ingest.formats.brought import Brought, Kind, hash_of, make_table, nothing_in
from annotator.ingest.imagefolder import EXTENSIONS
from annotator.ingest.sources import Source, decode, read_source
from annotator.ingest.tables import Cells

GOLD = ".gt.txt"
PREDICTED = (".rec.txt", ".pred.txt", ".ocr.txt")
_VARIANTS = (".nrm", ".bin", ".dew")  # what line tools put between the name and the image's extension


def looks_like(folder: Path) -> bool:
    """Whether a folder (or one below it) holds `.gt.txt` files."""
    return next(folder.rglob(f"*{GOLD}"), None) is not None


def read(folder: Path, kind: Kind, encoding: str | None = None) -> Brought:
    """Read a folder of lines; the id is the path without extensions. One line feed at the end of a text is not text.

    Raises `FileError` when there are no texts of the kind asked for.
    """
    endings = {Kind.ITEMS: (GOLD,), Kind.PREDICTIONS: PREDICTED, Kind.PAIRS: (GOLD,)}[kind]
    found = {
        path.relative_to(folder).as_posix()[: -len(ending)]: path
        for ending in reversed(endings)
        for path in sorted(folder.rglob(f"*{ending}"))
        if inside(folder, path.relative_to(folder).as_posix()) is not None
    }
    if not found:
        raise nothing_in(folder.name, f"no file ending in {' or '.join(endings)}", "lines with their texts beside")
    rows, parts = list[Cells](), []
    for name in sorted(found):
        text, data = _text(folder, found[name], encoding)
        parts.append(data)
        if kind is Kind.PREDICTIONS:
            rows.append((name, text))
        elif kind is Kind.ITEMS:
            rows.append((name, text, _image(folder, name)))
        else:
            answer = next((path for ending in PREDICTED if (path := folder / f"{name}{ending}").is_file()), None)
            rows.append(
                (name, text, _image(folder, name), None if answer is None else _text(folder, answer, encoding)[0])
            )
    columns = {
        Kind.PREDICTIONS: ("id", "predicted"),
        Kind.ITEMS: ("id", "gold", "image"),
        Kind.PAIRS: ("id", "gold", "image", "predicted"),
    }[kind]
    return Brought(make_table(folder.name, columns, rows, sha256=hash_of(*parts)), folder)


def _text(folder: Path, path: Path, encoding: str | None) -> tuple[str, bytes]:
    source = read_source(path)
    named = Source(path.relative_to(folder).as_posix(), source.data, source.sha256)
    return decode(named, encoding).removesuffix("\n").removesuffix("\r"), source.data


def _image(folder: Path, name: str) -> str:
    """The image of a line: same name, perhaps with the mark of a line tool; '' when there is none."""
    for middle in ("", *_VARIANTS):
        for extension in sorted(EXTENSIONS):
            for suffix in (extension, extension.upper()):
                if (folder / f"{name}{middle}{suffix}").is_file():
                    return f"{name}{middle}{suffix}"
    return ""
