"""Bytes as text: marks, encodings, gzip, and where decoding fails."""

from __future__ import annotations

import codecs
import gzip
import tracemalloc
from pathlib import Path

import pytest

from annotator.errors import FileError, InputError, UsageError
from annotator.ingest.sources import decode, guess_encoding, read_source, source_of


@pytest.mark.parametrize("raw", ["é".encode(), codecs.BOM_UTF8 + "é".encode(), gzip.compress("é".encode(), mtime=0)])
def test_utf8_with_or_without_a_mark_and_zipped(raw: bytes) -> None:
    assert decode(source_of("f.csv.gz", raw)) == "é"


def test_the_suffix_is_that_inside_the_zip() -> None:
    assert source_of("a/b.TSV.gz", b"").suffix == ".tsv"
    assert source_of("f.json", b"").suffix == ".json"


def test_other_encodings_only_when_named() -> None:
    source = source_of("f.csv", "id\nmarché\n".encode("cp1252"))
    with pytest.raises(FileError, match=r"f\.csv, line 2: found byte 0xE9 \(byte 6 of the line\) is not UTF-8"):
        decode(source)
    assert decode(source, "windows-1252") == "id\nmarché\n"
    assert decode(source_of("f", "é".encode("utf-16")), "UTF-16") == "é"


@pytest.mark.parametrize("name", ["base64", "no-such", "rot13", "a\0b"])
def test_what_is_no_text_encoding_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match="not a known text encoding"):
        decode(source_of("f", b"x"), name)


@pytest.mark.parametrize(
    ("text", "codec", "label"),
    [
        ("Tél : marché – l’an", "cp1252", "Windows-1252"),
        ("id,gold\na,b\n", "utf-16", "UTF-16"),
        ("id,gold\na,b\n", "utf-16-le", "UTF-16"),
        ("欢迎光临湖南特产", "gb18030", "GB 18030"),
    ],
)
def test_guesses(text: str, codec: str, label: str) -> None:
    guess = guess_encoding(text.encode(codec))
    assert guess is not None
    assert guess[1] == label


def test_cut_and_missing_files(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="cut gzip file"):
        source_of("f.gz", gzip.compress(b"x" * 1000)[:-9])
    with pytest.raises(InputError, match="no such file"):
        read_source(tmp_path / "none.csv")
    with pytest.raises(InputError, match="cannot be read"):
        read_source(tmp_path)


def test_a_gzip_bomb_is_refused_before_it_fills_the_memory() -> None:
    bomb = gzip.compress(b"id,gold" + bytes(100_000_000), compresslevel=9)
    tracemalloc.start()
    with pytest.raises(FileError, match="unpacks to more than"):
        source_of("bomb.csv.gz", bomb)
    assert tracemalloc.get_traced_memory()[1] < 200_000_000
    tracemalloc.stop()


def test_a_spreadsheet_is_named_as_one() -> None:
    with pytest.raises(FileError, match="spreadsheet workbook"):
        source_of("items.xlsx", b"PK\x03\x04" + b"x" * 50)
    with pytest.raises(FileError, match="zip archive"):
        source_of("items.csv", b"PK\x03\x04" + b"x" * 50)
