"""LMDB of the scene-text benchmarks: `num-samples`, `image-000000001`, `label-000000001` ..."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from annotator.errors import Problem
from annotator.ingest.formats.brought import Brought, make_table, nothing_in
from annotator.ingest.tables import Cells

_EXTENSIONS = ((b"\xff\xd8", ".jpg"), (b"\x89PNG", ".png"), (b"GIF8", ".gif"), (b"BM", ".bmp"), (b"RIFF", ".webp"))


def looks_like(folder: Path) -> bool:
    """Whether a folder is an LMDB environment."""
    return (folder / "data.mdb").is_file()


def read(folder: Path, scratch: Path) -> Brought:
    """Read items; the id is the number of the sample as its key has it. Images are written to `scratch`.

    Raises `FileError` when it is no LMDB, is cut, has no samples, or a label is missing or no UTF-8.
    """
    import lmdb

    name = folder.name
    problems: list[Problem] = []
    try:
        environment = lmdb.open(str(folder), readonly=True, lock=False, create=False, readahead=False, max_readers=1)
    except lmdb.Error as error:
        raise nothing_in(name, f"a broken or cut LMDB ({error})", "a whole LMDB folder") from error
    try:
        with environment.begin() as transaction:
            rows = list(_rows(name, transaction, scratch, problems))
    except lmdb.Error as error:
        raise nothing_in(name, f"a broken or cut LMDB ({error})", "a whole LMDB folder") from error
    finally:
        environment.close()
    table = make_table(name, ("id", "gold", "image"), rows, problems=problems)
    return Brought(table, scratch, made=True)


def _rows(name: str, transaction: object, scratch: Path, problems: list[Problem]) -> Iterator[Cells]:
    get = transaction.get  # type: ignore[attr-defined]
    count = get(b"num-samples")
    if count is None or not count.isdigit() or len(count) > 9:
        raise nothing_in(name, f"num-samples is {count!r:.40}", "the number of samples")
    for number in range(1, int(count) + 1):
        key = f"{number:09d}"
        label, image = get(f"label-{key}".encode()), get(f"image-{key}".encode())
        if label is None:
            problems.append(Problem(name, number, f"label-{key}", "no label", "a label for every sample"))
            if len(problems) > _GIVE_UP:
                return
            continue
        try:
            text = label.decode("utf-8")
        except UnicodeDecodeError as error:
            problems.append(Problem(name, number, f"label-{key}", f"byte 0x{label[error.start]:02X}", "UTF-8"))
            continue
        yield key, text, "" if image is None else _write(scratch, key, image)


_GIVE_UP = 1000  # a count far beyond the samples would be told a billion times


def _write(scratch: Path, key: str, image: bytes) -> str:
    extension = next((ending for start, ending in _EXTENSIONS if image.startswith(start)), ".bin")
    name = f"image-{key}{extension}"
    (scratch / name).write_bytes(image)
    return name
