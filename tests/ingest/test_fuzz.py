"""Whatever comes in: an import succeeds or says why in our own words, and a refused file writes nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotator.errors import InputError
from annotator.ingest.bringing import bring
from annotator.ingest.formats.brought import Kind
from annotator.ingest.options import ImportOptions
from annotator.ingest.preview import preview_import
from annotator.ingest.sources import source_of
from annotator.store.project import Project, open_project

SOME = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
OPTIONS = ImportOptions(system="s", replace=True)

PAGE = (
    b'<PcGts><Page imageFilename="p.png"><TextRegion><TextLine id="l"><Coords points="1,1 9,9"/><TextEquiv conf="0.5">'
    b"<Unicode>a</Unicode></TextEquiv></TextLine></TextRegion></Page></PcGts>"
)
ALTO = (
    b'<alto><Layout><Page><TextLine ID="x" HPOS="3" VPOS="3" WIDTH="2" HEIGHT="6"><String CONTENT="a" WC="0.5"/>'
    b"</TextLine></Page></Layout></alto>"
)
HOCR = b"<div class='ocr_page' title='image \"p.png\"'><span class='ocr_line' title='bbox 1 2 3 4; x_wconf 9'>a</span></div>"
TASK = b'[{"id":1,"data":{"image":"a.png"},"annotations":[{"result":[{"type":"textarea","value":{"text":["a"]}}]}]}]'
VALID = {
    "a.csv": b'id,gold,predicted,box,image\na,"x, y",z,"1,2,3,4",i.png\n',
    "a.tsv": b"id\tgold\tpredicted\tconf\na\tx\ty\t0.5\n",
    "a.jsonl": b'{"id": 1, "gold": "x", "predicted": "y", "char_confidence": [0.5], "candidates": [["y", -1]]}\n',
    "a.json": b'[{"id": "a", "gold": "x", "predicted": "y", "box": [1, 2, 3, 4]}]',
    "gt.txt": b'a.png, "x"\nb.png, "y"\n',
    "p.xml": PAGE,
    "q.xml": ALTO,
    "r.hocr": HOCR,
    "t.json": TASK,
}


@pytest.fixture
def project(tmp_path: Path) -> Project:
    project = open_project(tmp_path / "project", create=True)
    items = source_of("items.csv", b"id,gold\na,x\nb,y\n1,z\np/l,x\np/x,x\np/1,x\nq/x,x\n")
    bring(Kind.ITEMS, items, OPTIONS, lambda: project)
    return project


def state(project: Project) -> tuple[int, ...]:
    with project.read() as connection:
        tables = ("item", "prediction", "edit", "system", "run", "import_log", "image_root")
        counts = [connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in tables]
    return (project.revision(), *counts)


def survives(project: Project, name: str, data: bytes, kind: Kind, options: ImportOptions = OPTIONS) -> None:
    """Import it: our own error and nothing written, or a report."""
    before, report, why = state(project), None, ""
    try:
        source = source_of(name, data)
        report = bring(kind, source, options, lambda: project)
    except InputError as error:
        why = str(error)
    if report is None:
        assert why
        assert state(project) == before
        return
    assert json.loads(json.dumps(report.document()))["read"] >= 0
    assert list(report.lines())
    again = bring(kind, source, options, lambda: project)
    assert again.written == 0


kinds = st.sampled_from(Kind)


@SOME
@given(name=st.sampled_from(sorted(VALID)), data=st.binary(max_size=120), kind=kinds)
def test_any_bytes(project: Project, name: str, data: bytes, kind: Kind) -> None:
    survives(project, name, data, kind)


@settings(SOME, max_examples=150)
@given(name=st.sampled_from(sorted(VALID)), kind=kinds, data=st.data())
def test_valid_files_with_a_few_bytes_changed(project: Project, name: str, kind: Kind, data: st.DataObject) -> None:
    text = bytearray(VALID[name])
    for _ in range(data.draw(st.integers(0, 3))):
        at = data.draw(st.integers(0, max(len(text) - 1, 0)))
        end = data.draw(st.sampled_from([at, at + 1, len(text)]))
        text[at:end] = data.draw(
            st.sampled_from([b"", b'"', b"\x00", b"\xff", b"\n", b"\\ud800", b"null", b"1e999", b",", b"<"])
        )
    survives(project, name, bytes(text), kind)


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.just("\ud800"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)
names = st.sampled_from(
    [
        "id",
        "gold",
        "predicted",
        "system",
        "raw",
        "confidence",
        "char_confidence",
        "candidates",
        "box",
        "image",
        "x",
        "data",
        "annotations",
    ]
)


@settings(SOME, max_examples=150)
@given(rows=st.lists(st.dictionaries(names, values, max_size=8), max_size=4), kind=kinds, is_list=st.booleans())
def test_any_json_rows(project: Project, rows: list[dict[str, Any]], kind: Kind, is_list: bool) -> None:
    text = json.dumps(rows) if is_list else "\n".join(json.dumps(row) for row in rows)
    survives(project, "a.json" if is_list else "a.jsonl", text.encode(), kind)


@SOME
@given(
    rows=st.lists(st.lists(st.text(max_size=6), min_size=1, max_size=4), max_size=4),
    separator=st.sampled_from([",", ";", "\t"]),
    kind=kinds,
    options=st.sampled_from([OPTIONS, OPTIONS.changed(wide=True), OPTIONS.changed(quoted=True)]),
)
def test_any_cells(project: Project, rows: list[list[str]], separator: str, kind: Kind, options: ImportOptions) -> None:
    text = "\n".join([separator.join(("id", "gold", "predicted")), *(separator.join(row) for row in rows)])
    survives(project, "a.tsv" if separator == "\t" else "a.csv", text.encode("utf-8", "surrogatepass"), kind, options)


@SOME
@given(name=st.sampled_from(sorted(VALID)), cut=st.integers(0, 400), kind=kinds)
def test_a_preview_never_raises_and_never_writes(project: Project, name: str, cut: int, kind: Kind) -> None:
    before = state(project)
    preview = preview_import(kind, source_of(name, VALID[name][:cut]), OPTIONS, lambda: project)
    assert preview.report is not None or preview.summary
    assert state(project) == before


@pytest.mark.parametrize("name", ["a.csv.gz", "a.parquet"])
@SOME
@given(data=st.binary(max_size=60))
def test_broken_containers(project: Project, name: str, data: bytes) -> None:
    magic = b"\x1f\x8b" if name.endswith("gz") else b"PAR1"
    survives(project, name, magic + data, Kind.ITEMS)
