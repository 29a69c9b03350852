"""Bytes of a file as text: gzip, byte order marks, and decoding that says where it failed."""

from __future__ import annotations

import codecs
import gzip
import hashlib
import io
import zlib
from dataclasses import dataclass
from pathlib import Path

from annotator.errors import FileError, InputError, Problem, UsageError
from annotator.unpacking import MOST_RATIO, most_unpacked

GZIP_MAGIC = b"\x1f\x8b"
_ZIP_MAGIC = b"PK\x03\x04"
_UTF16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
# Tried in this order on bytes that are not UTF-8; the first that decodes into mostly letters is named as the guess.
_DENSE_GUESSES = (("gb18030", "GB 18030"), ("shift_jis", "Shift JIS"), ("big5", "Big5"), ("cp1256", "Windows-1256"))


@dataclass(frozen=True, slots=True)
class Source:
    """A file as it lies on disk: its name for messages, its bytes (unzipped) and the SHA-256 of the file itself."""

    name: str
    data: bytes
    sha256: str

    @property
    def suffix(self) -> str:
        """The extension in lower case, a trailing `.gz` left out."""
        path = Path(self.name)
        return (Path(path.stem) if path.suffix.lower() == ".gz" else path).suffix.lower()


def read_source(path: Path) -> Source:
    """Read `path`, unzipping by content. Raises `InputError` when it cannot be read, `FileError` when it is cut."""
    try:
        raw = path.read_bytes()
    except FileNotFoundError as error:
        raise InputError(f"{path}: no such file") from error
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}") from error
    return source_of(path.name, raw)


def source_of(name: str, raw: bytes) -> Source:
    """The same from bytes at hand (an upload). Raises `FileError` for a spreadsheet or another zip archive too."""
    if raw.startswith(_ZIP_MAGIC):
        what = (
            "a spreadsheet workbook"
            if b"xl/" in raw[:4096] or name.lower().endswith((".xlsx", ".xlsm"))
            else "a zip archive"
        )
        expected = "CSV, TSV, JSONL, JSON or Parquet: save the sheet as CSV (UTF-8), or unpack the archive"
        raise FileError(f"{name}: refused, nothing was imported", [Problem(name, None, None, what, expected)])
    return Source(name, _unzip(name, raw), hashlib.sha256(raw).hexdigest())


def _unzip(name: str, raw: bytes) -> bytes:
    if not raw.startswith(GZIP_MAGIC):
        return raw
    most = most_unpacked(len(raw))
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(raw)) as stream:
            data = stream.read(most + 1)
        if len(data) <= most:
            return data
        found = f"a gzip file of {len(raw):,} bytes that unpacks to more than {most:,}"
        problem = Problem(
            name, None, None, found, f"at most {MOST_RATIO} times its size (2 GB); unpack it if it is what you want"
        )
        raise FileError(f"{name}: refused, nothing was imported", [problem])
    except (OSError, EOFError, zlib.error) as error:
        problem = Problem(name, None, None, f"a broken or cut gzip file ({error})", "a whole gzip file")
        raise FileError(f"{name}: refused, nothing was imported", [problem]) from error


def decode(source: Source, encoding: str | None = None) -> str:
    """The text of a source: UTF-8 with or without a byte order mark, any other encoding only when it is named.

    Raises `FileError` naming line, byte and a guess at the encoding; `UsageError` when the encoding is not known.
    """
    try:
        codec = codecs.lookup(encoding or "utf-8-sig").name
        if not codecs.lookup(codec)._is_text_encoding:
            raise LookupError(codec)
    except (LookupError, ValueError) as error:
        raise UsageError(
            f"--encoding {encoding}: not a known text encoding; expected one such as utf-8, windows-1252 or gb18030"
        ) from error
    try:
        return source.data.decode("utf-8-sig" if codec == "utf-8" else codec)
    except UnicodeDecodeError as error:
        raise _undecodable(source, error, encoding) from error
    except UnicodeError as error:
        problem = Problem(
            source.name, None, None, f"bytes that are not {encoding or 'UTF-8'} ({error})", "its encoding"
        )
        raise FileError(f"{source.name}: refused, nothing was imported", [problem]) from error


def _undecodable(source: Source, error: UnicodeDecodeError, encoding: str | None) -> FileError:
    data = source.data
    line = data.count(b"\n", 0, error.start) + 1
    column = error.start - (data.rfind(b"\n", 0, error.start) + 1) + 1
    name = encoding or "UTF-8"
    found = f"byte 0x{data[error.start]:02X} (byte {column} of the line) is not {name}"
    guess = None if encoding else guess_encoding(data)
    expected = f"{name} text" if guess is None else f"UTF-8; the file looks like {guess[1]}: give --encoding {guess[0]}"
    problem = Problem(source.name, line, None, found, expected)
    return FileError(f"{source.name}: refused, nothing was imported", [problem])


def guess_encoding(data: bytes) -> tuple[str, str] | None:
    """The codec and the common name of what bytes that are not UTF-8 look like; `None` when nothing fits."""
    if data.startswith(_UTF16_MARKS):
        return "utf-16", "UTF-16"
    sample = data[:100_000]
    if sample.count(0) > len(sample) // 4:
        return ("utf-16-le", "UTF-16") if sample[1::2].count(0) >= sample[::2].count(0) else ("utf-16-be", "UTF-16")
    # A line of Western text has few bytes above 127; one of Chinese, Japanese or Arabic mostly has.
    if sum(byte > 127 for byte in sample) > 0.25 * len(sample):
        for codec, label in _DENSE_GUESSES:
            if _mostly_letters(data, codec):
                return codec, label
    return ("windows-1252", "Windows-1252") if _mostly_letters(data, "cp1252") else None


def _mostly_letters(data: bytes, codec: str) -> bool:
    try:
        text = data.decode(codec)
    except UnicodeDecodeError:
        return False
    high = [ch for ch in text[:50_000] if ord(ch) > 127]
    return sum(ch.isalpha() or ch in "’‘“”–—…" for ch in high) > 0.6 * len(high)
