"""Small files that stand for huge ones: refused in words, before they fill the memory."""

from __future__ import annotations

import gzip
import io
import struct
import zlib
from collections.abc import Callable
from multiprocessing import get_context
from pathlib import Path

import lmdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from PIL import Image

from annotator.analyses.strata.probe import read_activations
from annotator.errors import FileError, InputError
from annotator.images.conditions import open_picture
from annotator.images.inspect import inspect_image
from annotator.images.thumbnails import make_preview
from annotator.ingest.formats.hocr import read as read_hocr
from annotator.ingest.formats.lmdbset import read as read_lmdb
from annotator.ingest.formats.xmltree import parse_xml
from annotator.ingest.parquet import read_parquet
from annotator.ingest.sources import Source, source_of
from tests.reliability.child import read_bombs

LONG = "x" * 1_000_000
MOST_MEMORY_KB = 700_000
LAUGHS = "".join(f'<!ENTITY a{k} "{f"&a{k - 1};" * 10 if k else "ha" * 10}">' for k in range(10))


def zeros(count: int) -> pa.Array:
    return pa.array(np.zeros(count, dtype=np.int32))


TABLES: dict[str, Callable[[], pa.Table]] = {
    "a column of one number": lambda: pa.table({"id": zeros(20_000_000)}),
    "one long text, many rows": lambda: pa.table(
        {"predicted": pa.DictionaryArray.from_arrays(zeros(100_000), pa.array([LONG]))}
    ),
    "a list of one number": lambda: pa.table({"c": pa.ListArray.from_arrays([0, 15_000_000], zeros(15_000_000))}),
    "a list of long texts": lambda: pa.table({"c": pa.ListArray.from_arrays([0, 100], pa.array([LONG] * 100))}),
}


def packed(table: pa.Table, **more: object) -> bytes:
    out = io.BytesIO()
    pq.write_table(table, out, compression="zstd", **more)
    return out.getvalue()


@pytest.mark.parametrize("name", TABLES)
def test_a_parquet_bomb_is_refused(name: str) -> None:
    data = packed(TABLES[name]())
    assert len(data) < 200_000
    with pytest.raises(FileError, match=r"Parquet file of .* bytes that unpacks to"):
        read_parquet("bomb.parquet", data, "")


def test_texts_that_repeat_the_one_before_are_unpacked_few_at_a_time() -> None:
    encoding = {"use_dictionary": False, "column_encoding": {"predicted": "DELTA_BYTE_ARRAY"}}
    words = [f"word {k}" for k in range(100)]
    assert [row[0] for row in read_parquet("t", packed(pa.table({"predicted": words}), **encoding), "").rows] == words
    with pytest.raises(FileError, match="unpacks to"):
        read_parquet("bomb.parquet", packed(pa.table({"predicted": [LONG] * 300}), **encoding), "")


def test_a_large_honest_parquet_file_is_read() -> None:
    table = pa.table({"id": [str(k) for k in range(50_000)], "system": ["one"] * 50_000, "c": [[0.5, None]] * 50_000})
    assert read_parquet("t", packed(table), "").rows[49_999] == ("49999", "one", [0.5, None])


def png_that_claims(width: int, height: int) -> bytes:
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)

    def chunk(name: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))

    body = zlib.compress(bytes(1 << 16))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", body) + chunk(b"IEND", b"")


@pytest.mark.parametrize(("width", "height"), [(6_000, 6_000), (12_000, 12_000), (2**31 - 1, 2**31 - 1)])
def test_an_image_bomb_is_refused_by_its_header(tmp_path: Path, width: int, height: int) -> None:
    path = tmp_path / "bomb.png"
    path.write_bytes(png_that_claims(width, height))
    assert "too large" in inspect_image(path).problem
    for read in (lambda: make_preview(path, 50, 50), lambda: open_picture(path)):
        with pytest.raises(InputError, match=r"too large|cannot be read"):
            read()


def test_a_plain_picture_of_a_large_scan_is_shown(tmp_path: Path) -> None:
    path = tmp_path / "page.png"
    Image.new("1", (4_960, 4_960), 1).save(path)
    assert inspect_image(path).problem == ""
    assert make_preview(path, 50, 50).width == 50


@pytest.mark.parametrize("root", ["PcGts", "alto", "html"])
def test_a_laughing_document_is_refused(root: str) -> None:
    text = f'<?xml version="1.0"?><!DOCTYPE {root} [{LAUGHS}]><{root}><p>&a9;</p></{root}>'
    with pytest.raises(FileError, match="no entities or external files"):
        parse_xml(Source("bomb.xml", text.encode(), ""))


def test_entities_of_hocr_are_text(tmp_path: Path) -> None:
    line = "<span class='ocr_line' title='bbox 0 0 9 9'><span class='ocrx_word'>&a9;&b;</span></span>"
    text = f"<!DOCTYPE html [{LAUGHS}]><html><div class='ocr_page'>{line}</div></html>"
    page = read_hocr(Source("p.hocr", text.encode(), ""), "line")
    assert [entry.text for entry in page.lines] == ["&a9;&b;"]


def test_outside_files_of_xml_are_not_read(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("secret", encoding="utf-8")
    text = f'<!DOCTYPE PcGts [<!ENTITY a SYSTEM "file://{tmp_path}/secret.txt">]><PcGts>&a;</PcGts>'
    with pytest.raises(FileError, match="no entities or external files"):
        parse_xml(Source("x.xml", text.encode(), ""))


def test_an_archive_of_activations_that_unpacks_thousandfold_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bomb.npz"
    np.savez_compressed(path, ids=np.array(["a"]), layer=np.zeros((1, 10_000_000), dtype=np.float64))
    with pytest.raises(FileError, match=r"bytes that unpack to 80,000,\d+"):
        read_activations(path)
    with path.open("rb") as upload, pytest.raises(FileError, match="bytes that unpack to"):
        read_activations(upload, "bomb.npz")


def test_an_lmdb_that_counts_without_end_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "set"
    environment = lmdb.open(str(folder))
    with environment.begin(write=True) as transaction:
        transaction.put(b"num-samples", b"9" * 5_000)
    environment.close()
    with pytest.raises(FileError, match="num-samples"):
        read_lmdb(folder, tmp_path)


def test_a_zip_archive_is_no_table() -> None:
    with pytest.raises(FileError, match="a zip archive"):
        source_of("items.csv", b"PK\x03\x04" + bytes(100))


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="reads the peak of memory where Linux tells it")
def test_bombs_are_refused_before_the_memory_goes() -> None:
    bombs = {f"{name}.parquet": packed(build()) for name, build in TABLES.items()}
    bombs["text.csv.gz"] = gzip.compress(b"id,gold" + bytes(300_000_000), compresslevel=6)
    processes = get_context("forkserver")
    ours, theirs = processes.Pipe(duplex=False)
    child = processes.Process(target=read_bombs, args=(bombs, theirs))
    child.start()
    theirs.close()
    refused, peak = ours.recv()
    child.join()
    assert refused == len(bombs)
    assert peak < MOST_MEMORY_KB, "a child of a process that holds a few hundred MB"
