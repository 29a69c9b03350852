"""One test per format of the field: what is brought, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from annotator.errors import FileError, UsageError
from annotator.ingest.bringing import bring, brought
from annotator.ingest.formats.brought import Kind
from annotator.ingest.formats.pagefiles import PageLine, join_by_place
from annotator.ingest.options import ImportOptions
from annotator.ingest.report import ImportReport
from annotator.store.project import Project, open_project

NONE = ImportOptions()
SYSTEM = ImportOptions(system="s")


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return open_project(tmp_path / "project", create=True)


def put(path: Path, text: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def picture(path: Path, size: tuple[int, int] = (40, 20)) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.new("RGB", size, "red").save(path)
    return path


def rows(path: Path, kind: Kind, options: ImportOptions = NONE) -> list[dict[str, Any]]:
    with brought(path, kind, options) as found:
        return [dict(zip(found.table.columns, cells, strict=True)) for cells in found.table.rows]


def run(project: Project, kind: Kind, path: Path, options: ImportOptions = NONE, **more: Any) -> ImportReport:
    return bring(kind, path, options, lambda: project, **more)


def query(project: Project, sql: str) -> list[tuple[Any, ...]]:
    with project.read() as connection:
        return [tuple(row) for row in connection.execute(sql)]


@pytest.mark.parametrize(
    "text",
    [
        'word_1.png, "JOINT"\nword_2.png, "say \\"hi\\", now"\n',
        'word_1.png\tJOINT\r\nword_2.png\tsay "hi", now\r\n',
        'word_1.png JOINT\n\nword_2.png say "hi", now',
    ],
)
def test_icdar_word_lists(tmp_path: Path, text: str) -> None:
    path = put(tmp_path / "gt.txt", "\ufeff" + text)
    assert [(row["id"], row["gold"], row["image"]) for row in rows(path, Kind.ITEMS)] == [
        ("word_1", "JOINT", "word_1.png"),
        ("word_2", 'say "hi", now', "word_2.png"),
    ]
    assert [row["predicted"] for row in rows(path, Kind.PREDICTIONS)] == ["JOINT", 'say "hi", now']


def test_icdar_lines_of_another_form_are_refused_by_number(project: Project, tmp_path: Path) -> None:
    path = put(tmp_path / "gt.txt", 'word_1.png, "JOINT"\nnonsense\n')
    with pytest.raises(FileError, match=r"gt\.txt, line 2"):
        run(project, Kind.ITEMS, path)


def test_two_texts_pair_line_by_line(project: Project, tmp_path: Path) -> None:
    gold, said = put(tmp_path / "refs.txt", "one\n\nthree\n"), put(tmp_path / "hyps.txt", "0ne\nx\nthree\n")
    report = run(project, Kind.PAIRS, gold, SYSTEM, predicted=said)
    assert (report.read, report.written) == (3, 3)
    assert query(project, "SELECT id, gold, predicted FROM prediction JOIN item USING (item_key)") == [
        ("1", "one", "0ne"),
        ("2", "", "x"),
        ("3", "three", "three"),
    ]
    put(tmp_path / "hyps.txt", "one line\n")
    with pytest.raises(FileError, match=r"1 lines; refs.txt has 3"):
        run(project, Kind.PAIRS, gold, SYSTEM, predicted=said)


def test_line_folders(project: Project, tmp_path: Path) -> None:
    folder = tmp_path / "lines"
    for name, gold, said in (("p1/a", "eins\n", "e1ns\n"), ("p1/b", "zwei", None)):
        picture(folder / f"{name}.bin.png")
        put(folder / f"{name}.gt.txt", gold)
        if said is not None:
            put(folder / f"{name}.rec.txt", said)
    assert [(row["id"], row["gold"], row["image"]) for row in rows(folder, Kind.ITEMS)] == [
        ("p1/a", "eins", "p1/a.bin.png"),
        ("p1/b", "zwei", "p1/b.bin.png"),
    ]
    report = run(project, Kind.PAIRS, folder, SYSTEM)
    assert (report.written, report.ids.missing) == (1, 1)
    assert query(project, "SELECT image_problem FROM item") == [("",), ("",)]


def test_lmdb_of_the_benchmarks(project: Project, tmp_path: Path) -> None:
    import lmdb

    image = picture(tmp_path / "x.jpg").read_bytes()
    environment = lmdb.open(str(tmp_path / "set"), map_size=1 << 20)
    with environment.begin(write=True) as transaction:
        transaction.put(b"num-samples", b"2")
        for number, label in ((1, "Tür"), (2, "zwei")):
            transaction.put(f"label-{number:09d}".encode(), label.encode())
            transaction.put(f"image-{number:09d}".encode(), image)
    environment.close()
    assert run(project, Kind.ITEMS, tmp_path / "set").written == 2
    assert query(project, "SELECT id, gold, image, path, image_problem FROM item JOIN image_root USING (root_key)") == [
        ("000000001", "Tür", "image-000000001.jpg", "images", ""),
        ("000000002", "zwei", "image-000000002.jpg", "images", ""),
    ]
    assert (project.folder / "images" / "image-000000002.jpg").read_bytes() == image
    assert run(project, Kind.ITEMS, tmp_path / "set").written == 0
    put(tmp_path / "broken" / "data.mdb", b"no database")
    with pytest.raises(FileError, match="a broken or cut LMDB"):
        run(project, Kind.ITEMS, tmp_path / "broken")


def test_image_folders_with_metadata(tmp_path: Path) -> None:
    picture(tmp_path / "one" / "a.png")
    put(tmp_path / "one" / "metadata.csv", "file_name,text\na.png,eins\n")
    (row,) = rows(tmp_path / "one", Kind.ITEMS)
    assert (row["id"], row["text"], row["file_name"]) == ("a", "eins", "a.png")
    for split in ("test", "train"):
        picture(tmp_path / "many" / split / "a.png")
        put(tmp_path / "many" / split / "metadata.jsonl", json.dumps({"file_name": "a.png", "text": split}) + "\n")
    assert [(row["id"], row["split"]) for row in rows(tmp_path / "many", Kind.ITEMS)] == [
        ("test/a", "test"),
        ("train/a", "train"),
    ]


def test_semcer_score_files_are_pairs(project: Project, tmp_path: Path) -> None:
    row = {
        "id": "a",
        "system": "m",
        "status": "ok",
        "n_edits": 1,
        "signature": {},
        "reference": "one",
        "hypothesis": "0ne",
        "edits": [{"op": "SUB", "severity": 0.5}],
    }
    path = put(tmp_path / "scores.jsonl", json.dumps(row) + "\n")
    assert run(project, Kind.PAIRS, path).written == 1
    assert query(
        project, "SELECT name, gold, predicted, attributes FROM prediction JOIN item USING (item_key) JOIN system"
    ) == [("m", "one", "0ne", "{}")]
    del row["hypothesis"]
    with pytest.raises(FileError, match="scores without texts"):
        run(project, Kind.PAIRS, put(tmp_path / "scores.jsonl", json.dumps(row) + "\n"))


def test_label_studio_exports(tmp_path: Path) -> None:
    region = {"id": "r1", "type": "textarea", "value": {"text": ["STOP"], "x": 10, "y": 50, "width": 20, "height": 10}}
    task = {
        "id": 7,
        "data": {"ocr": "/data/upload/3/ab-sign.jpg"},
        "annotations": [
            {"was_cancelled": True, "result": []},
            {"result": [{**region, "original_width": 200, "original_height": 100}, {"type": "rectangle", "value": {}}]},
        ],
        "predictions": [{"model_version": "m1", "score": 0.5, "result": [{**region, "value": {"text": "ST0P"}}]}],
    }
    path = put(tmp_path / "export.json", json.dumps([task]))
    assert rows(path, Kind.ITEMS) == [{"id": "7", "gold": "STOP", "image": "3/ab-sign.jpg", "box": "20,50,40,10"}]
    assert rows(path, Kind.PREDICTIONS) == [{"id": "7", "predicted": "ST0P", "system": "m1", "confidence": 0.5}]


PAGE = """<?xml version="1.0"?><PcGts xmlns="urn:x"><Page imageFilename="img/p1.png"><TextRegion id="r">
<TextLine id="l1"><Coords points="2,2 30,2 30,10 2,10"/><TextEquiv index="1"><Unicode>other</Unicode></TextEquiv>
<TextEquiv index="0" conf="0.5"><Unicode>erste Zeile</Unicode></TextEquiv></TextLine>
<TextLine id="l2"><Coords points="2,11 30,18"/><Word id="w"><TextEquiv><Unicode>zweite</Unicode></TextEquiv></Word></TextLine>
</TextRegion></Page></PcGts>"""
ALTO = """<alto xmlns="urn:y"><Description><MeasurementUnit>pixel</MeasurementUnit></Description><Layout><Page>
<TextLine ID="x" HPOS="3" VPOS="3" WIDTH="20" HEIGHT="6"><String CONTENT="erste" WC="0.5"/><SP/><String CONTENT="Zei" WC="1"/>
<HYP CONTENT="-"/></TextLine></Page></Layout></alto>"""
HOCR = """<html><body><div class='ocr_page' title='image "p1.png"; bbox 0 0 40 20'><br>
<span class='ocr_line' id='line_1' title='bbox 3 3 23 9'><span class='ocrx_word' title='bbox 1 1 2 2; x_wconf 50'>erste</span>
 <span class='ocrx_word' title='x_wconf 100'><em>Zei&amp;</em></span></span></div></body></html>"""


def test_page_xml_lines_are_cut_out_of_the_page(project: Project, tmp_path: Path) -> None:
    picture(tmp_path / "p1.png")
    assert run(project, Kind.ITEMS, put(tmp_path / "p1.xml", PAGE)).written == 2
    assert query(project, "SELECT id, gold, document, image, image_problem, attributes FROM item") == [
        ("p1/l1", "erste Zeile", "p1", "p1/line-0001.png", "", '{"page_box": "2,2,28,8"}'),
        ("p1/l2", "zweite", "p1", "p1/line-0002.png", "", '{"page_box": "2,11,28,7"}'),
    ]
    with Image.open(project.folder / "images" / "p1" / "line-0001.png") as image:
        assert image.size == (29, 9)


def test_alto_and_hocr(tmp_path: Path) -> None:
    alto = put(tmp_path / "p1.xml", ALTO)
    assert rows(alto, Kind.PREDICTIONS) == [{"id": "p1/x", "predicted": "erste Zei-", "confidence": 0.75}]
    hocr = put(tmp_path / "p1.hocr", HOCR)
    assert rows(hocr, Kind.PREDICTIONS) == [{"id": "p1/line_1", "predicted": "erste Zei&", "confidence": 0.75}]
    words = rows(hocr, Kind.PREDICTIONS, ImportOptions(level="word"))
    assert [row["predicted"] for row in words] == ["erste", "Zei&"]


def test_pages_pair_by_place(project: Project, tmp_path: Path) -> None:
    gold, said = put(tmp_path / "gt.xml", PAGE), put(tmp_path / "ocr.xml", ALTO)
    report = run(project, Kind.PAIRS, gold, SYSTEM, predicted=said)
    assert (report.written, report.ids.first_missing) == (1, ("p1/l2",))
    assert query(project, "SELECT predicted FROM prediction") == [("erste Zei-",)]
    with pytest.raises(UsageError, match="--predicted FILE"):
        run(project, Kind.PAIRS, gold, SYSTEM)


def test_lines_that_were_split_are_joined_in_order() -> None:
    gold = [PageLine("g", "a b", ((0, 0), (100, 10)))]
    said = [
        PageLine("1", "a", ((0, 0), (40, 10))),
        PageLine("2", "b", ((50, 1), (100, 11))),
        PageLine("3", "c", ((0, 50), (9, 60))),
    ]
    assert join_by_place(gold, said) == {"g": "a b"}


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        ("bomb.xml", '<!DOCTYPE x [<!ENTITY a "b">]><PcGts>&a;</PcGts>', "XML that is not read"),
        ("cut.xml", PAGE[:200], "broken XML"),
        ("other.xml", "<svg/>", "XML or HTML of no known kind"),
        ("empty.xml", "<PcGts><Page/></PcGts>", "no text lines"),
    ],
)
def test_xml_that_cannot_be_read_is_refused(project: Project, tmp_path: Path, name: str, text: str, found: str) -> None:
    with pytest.raises(FileError, match=found):
        run(project, Kind.ITEMS, put(tmp_path / name, text))
    assert query(project, "SELECT count(*) FROM item") == [(0,)]


def test_text_that_only_regions_hold_is_told(project: Project, tmp_path: Path) -> None:
    text = "<PcGts><Page><TextRegion id='r'><TextLine id='l'><TextEquiv><Unicode/></TextEquiv></TextLine>"
    text += "<TextEquiv><Unicode>all of it</Unicode></TextEquiv></TextRegion></Page></PcGts>"
    path = put(tmp_path / "p.xml", text)
    report = run(project, Kind.ITEMS, path)
    assert "1 regions hold text that their lines do not" in report.notes[0]
    assert rows(path, Kind.ITEMS, ImportOptions(level="region"))[0]["gold"] == "all of it"


def test_a_folder_of_no_known_kind_is_refused(project: Project, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(FileError, match="a folder of no known kind"):
        run(project, Kind.ITEMS, tmp_path / "empty")
