"""Which reader a file or folder is for, by its content; and the one door to all of them."""

from __future__ import annotations

from pathlib import Path

from annotator.errors import UsageError
from annotator.ingest.formats import (
    alto,
    hocr,
    icdar,
    labelstudio,
    linefolder,
    lmdbset,
    metadata,
    pagefiles,
    pagexml,
    plaintext,
    semcerscores,
)
from annotator.ingest.formats.brought import Brought, Kind, nothing_in
from annotator.ingest.formats.pagefiles import PageFile
from annotator.ingest.imagefolder import folder_table
from annotator.ingest.options import ImportOptions
from annotator.ingest.reading import table_of
from annotator.ingest.sources import Source, decode, read_source
from annotator.ingest.tables import Table

_PAGES = {"page": pagexml.read, "alto": alto.read, "hocr": hocr.read}


def open_path(path: Path, kind: Kind, options: ImportOptions, scratch: Path) -> Brought:
    """Read a file or folder of any known format. `scratch` is an empty folder for images that have to be made.

    `options.format` says which; without it the content decides. Raises `FileError` and `InputError` as the readers do.
    """
    if path.is_dir():
        return _folder(path, kind, options, scratch)
    return open_source(read_source(path), path.absolute().parent, kind, options, scratch)


def open_source(source: Source, folder: Path, kind: Kind, options: ImportOptions, scratch: Path) -> Brought:
    """The same from a source that was read already (an upload); images are looked for below `folder`."""
    name = options.format or detect(source, options.encoding)
    if name in _PAGES:
        return pagefiles.bring([_page(source, name, options)], kind, folder, scratch, source.name)
    if name == "icdar":
        return icdar.read(source, folder, kind, options.encoding)
    if name == "text":
        return plaintext.read(source, folder, kind, options.encoding)
    if name in ("lmdb", "image-folder", "lines", "images"):
        raise UsageError(f"--as {name}: {source.name} is a file; expected a folder")
    table = table_of(source, encoding=options.encoding, quoted=options.quoted)
    return _from_table(table, name, folder, kind)


def _from_table(table: Table, name: str, folder: Path, kind: Kind) -> Brought:
    if name == "label-studio" or (name == "" and labelstudio.looks_like(table)):
        return labelstudio.table_to_brought(table, folder, kind)
    if name == "semcer" or (name == "" and kind is Kind.PAIRS and semcerscores.looks_like(table)):
        return semcerscores.pairs_of(table, folder)
    return Brought(table, folder)


def detect(source: Source, encoding: str | None = None) -> str:
    """The format of a file, or '' when it is a table (or JSON, which its columns tell apart)."""
    head = source.data[:4096].lstrip(b"\xef\xbb\xbf \t\r\n")
    if head.startswith(b"<"):
        opening = source.data[:65536]
        if b"PcGts" in opening:
            return "page"
        if b"<alto" in opening or b":alto" in opening:
            return "alto"
        if b"ocr_page" in opening or b"ocr_line" in opening:
            return "hocr"
        raise nothing_in(source.name, "XML or HTML of no known kind", "PAGE-XML, ALTO or hOCR")
    if source.suffix == ".txt" and icdar.looks_like(decode(source, encoding)[:10_000]):
        return "icdar"
    return ""


def _page(source: Source, name: str, options: ImportOptions) -> PageFile:
    level = options.level or "line"
    if level == "region" and name != "page":
        raise UsageError(f"--level region: {source.name} is {name}; only PAGE-XML has texts of regions")
    return hocr.read(source, level, options.encoding) if name == "hocr" else _PAGES[name](source, level)


def _folder(path: Path, kind: Kind, options: ImportOptions, scratch: Path) -> Brought:
    name = options.format or _detect_folder(path, options)
    if name == "lmdb":
        return lmdbset.read(path, scratch)
    if name == "image-folder":
        return metadata.read(path, options.encoding)
    if name == "lines":
        return linefolder.read(path, kind, options.encoding)
    if name == "images":
        return Brought(folder_table(path), path)
    pages = [_page(source, detect(source), options) for source in map(read_source, _xml_files(path))]
    if not pages:
        expected = "an LMDB, metadata.csv, .gt.txt files, PAGE or ALTO files; or images with --no-gold"
        raise nothing_in(path.name, "a folder of no known kind", expected)
    return pagefiles.bring(pages, kind, path, scratch, path.name)


def _detect_folder(path: Path, options: ImportOptions) -> str:
    if options.no_gold:
        return "images"
    if lmdbset.looks_like(path):
        return "lmdb"
    if metadata.metadata_files(path):
        return "image-folder"
    return "lines" if linefolder.looks_like(path) else ""


def _xml_files(path: Path) -> list[Path]:
    return sorted(
        each for each in path.iterdir() if each.suffix.lower() in (".xml", ".hocr", ".html") and each.is_file()
    )


def open_pair(gold: Path, predicted: Path, options: ImportOptions, scratch: Path) -> Brought:
    """Two files side by side: pages joined by place, or texts line by line.

    Raises `UsageError` when they are of different kinds.
    """
    left, right = read_source(gold), read_source(predicted)
    names = [options.format or detect(each, options.encoding) for each in (left, right)]
    folder = gold.absolute().parent
    if all(name in _PAGES for name in names):
        pages = [_page(each, name, options) for each, name in zip((left, right), names, strict=True)]
        return pagefiles.pairs_of(pages[0], pages[1], folder, scratch)
    if any(name in _PAGES for name in names):
        raise UsageError(
            f"{gold.name} and {predicted.name}: one is a page and the other is not; expected two of a kind"
        )
    return plaintext.read_pair(left, right, folder, options.encoding)
