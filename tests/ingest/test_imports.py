"""Imports of small files, end to end: what is written, what is refused, what stays."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from annotator.errors import FileError, UsageError
from annotator.ingest.attributes import import_attributes
from annotator.ingest.bringing import bring
from annotator.ingest.formats.brought import Kind
from annotator.ingest.items import import_items
from annotator.ingest.options import ImportOptions
from annotator.ingest.pairs import import_pairs
from annotator.ingest.predictions import import_predictions
from annotator.store.project import Project, open_project

SYSTEM = ImportOptions(system="s")


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return open_project(tmp_path / "project", create=True)


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_bytes(text.encode())
    return path


def jsonl(folder: Path, name: str, *rows: Mapping[str, Any]) -> Path:
    return write(folder, name, "".join(json.dumps(row) + "\n" for row in rows))


def query(project: Project, sql: str) -> list[tuple[Any, ...]]:
    with project.read() as connection:
        return [tuple(row) for row in connection.execute(sql)]


def refused(call: Any, *args: Any) -> str:
    with pytest.raises(FileError) as caught:
        call(*args)
    return str(caught.value)


def test_counts_and_edits_are_those_of_the_alignment(project: Project, tmp_path: Path) -> None:
    import_items(project, write(tmp_path, "i.csv", "id,gold\na,hotel\nb,\n"))
    report = import_predictions(project, write(tmp_path, "p.csv", "id,text\na,hxtelo\nb,q\n"), SYSTEM)
    assert (report.written, report.revision) == (2, 2)
    columns = "matches, substitutions, deletions, insertions, gold_length, predicted_length"
    assert query(project, f"SELECT id, {columns} FROM prediction JOIN item USING (item_key)") == [
        ("a", 4, 1, 0, 1, 5, 6),
        ("b", 0, 0, 0, 1, 0, 1),
    ]
    assert query(
        project, "SELECT op, gold_index, predicted_index, gold, predicted FROM edit WHERE prediction_key = 1"
    ) == [
        ("sub", 1, 1, "o", "x"),
        ("ins", 5, 5, "", "o"),
    ]


def test_items_without_gold_have_no_counts(project: Project, tmp_path: Path) -> None:
    import_items(project, write(tmp_path, "i.csv", "id\na\n"), ImportOptions(no_gold=True))
    import_predictions(project, write(tmp_path, "p.csv", "id,text\na,x\n"), SYSTEM)
    assert query(project, "SELECT gold, matches, gold_length FROM prediction JOIN item USING (item_key)") == [
        (None, None, None)
    ]


def test_a_changed_row_is_refused_and_replaced_only_when_asked(project: Project, tmp_path: Path) -> None:
    import_items(project, write(tmp_path, "i.csv", "id,gold\na,one\nb,two\n"))
    import_predictions(project, write(tmp_path, "p.csv", "id,text\na,one\nb,two\n"), SYSTEM)
    changed = write(tmp_path, "p.csv", "id,text\na,one\nb,tvo\n")
    assert "p.csv, line 3, column predicted" in refused(import_predictions, project, changed, SYSTEM)
    report = import_predictions(project, changed, ImportOptions(system="s", replace=True))
    assert (report.written, report.replaced, report.unchanged) == (1, 1, 1)
    assert query(project, "SELECT predicted, substitutions FROM prediction ORDER BY item_key") == [
        ("one", 0),
        ("tvo", 1),
    ]


def test_a_replaced_confidence_keeps_the_rest_and_a_replaced_text_does_not(project: Project, tmp_path: Path) -> None:
    import_items(project, write(tmp_path, "i.csv", "id,gold\na,one\nb,two\n"))
    path = write(tmp_path, "p.csv", "id,text,conf,thinking\na,one,0.5,so\nb,two,0.5,so\n")
    import_predictions(project, path, SYSTEM)
    path = write(tmp_path, "p.csv", "id,text,conf\na,one,0.75\nb,tvo,0.75\n")
    import_predictions(project, path, ImportOptions(system="s", replace=True))
    assert query(
        project,
        "SELECT predicted, confidence, reasoning FROM prediction LEFT JOIN prediction_detail USING "
        "(prediction_key) ORDER BY item_key",
    ) == [("one", 0.75, "so"), ("tvo", 0.75, None)]


def test_an_image_folder_that_is_not_there_is_an_error(project: Project, tmp_path: Path) -> None:
    path = write(tmp_path, "i.csv", "id,gold,image\na,one,x.png\n")
    with pytest.raises(UsageError, match="no such folder"):
        import_items(project, path, ImportOptions(images=tmp_path / "none"))


def test_replacing_a_gold_realigns_its_predictions_and_keeps_what_the_file_lacks(
    project: Project, tmp_path: Path
) -> None:
    import_items(project, write(tmp_path, "i.csv", "id,gold,benchmark,font\na,one,B,serif\n"))
    import_predictions(project, write(tmp_path, "p.csv", "id,text\na,one\n"), SYSTEM)
    changed = write(tmp_path, "i.csv", "id,gold\na,ones\n")
    assert "item a with another gold than in the project: 'ones', there 'one'" in refused(
        import_items, project, changed
    )
    report = import_items(project, changed, ImportOptions(replace=True))
    assert (report.written, report.replaced) == (1, 1)
    assert query(project, "SELECT gold, benchmark, attributes FROM item") == [("ones", "B", '{"font": "serif"}')]
    assert query(project, "SELECT deletions, gold_length FROM prediction") == [(1, 4)]
    assert query(project, "SELECT op, gold FROM edit") == [("del", "s")]
    assert query(project, "SELECT value FROM project WHERE key = 'items_revision'") == [("3",)]
    assert query(project, "SELECT changed_revision FROM run") == [(3,)]


def test_the_same_file_again_does_not_undo_a_correction(project: Project, tmp_path: Path) -> None:
    path = write(tmp_path, "i.csv", "id,gold\na,0ne\n")
    import_items(project, path)
    with project.write() as connection:
        connection.execute("UPDATE item SET gold = 'one'")
        connection.execute(
            "INSERT INTO item_history (item_key, field, old, new, source, revision, at) VALUES (1, 'gold', '0ne', 'one', 'me', 2, 0)"
        )
    assert import_items(project, path).unchanged == 1
    report = import_items(project, write(tmp_path, "i.csv", "id,gold,split\na,0ne,test\n"), ImportOptions(replace=True))
    assert report.written == 1
    assert query(project, "SELECT gold, split FROM item") == [("one", "test")]


def test_null_is_a_missing_prediction_and_the_empty_text_an_answer(project: Project, tmp_path: Path) -> None:
    import_items(project, write(tmp_path, "i.csv", "id,gold\na,one\nb,two\nc,three\n"))
    path = jsonl(tmp_path, "p.jsonl", {"id": "a", "text": None}, {"id": "b", "text": ""})
    report = import_predictions(project, path, SYSTEM)
    assert (report.read, report.written, report.ids.missing) == (2, 1, 2)
    assert report.ids.first_missing == ("a", "c")
    assert query(project, "SELECT predicted, deletions FROM prediction") == [("", 3)]


@pytest.mark.parametrize(
    ("row", "column", "found"),
    [
        ({"id": "a", "text": 7}, "text", "the number 7"),
        ({"id": "a", "text": True}, "text", "true"),
        ({"id": "a", "text": ["x"]}, "text", "a list"),
        ({"id": " ", "text": "x"}, "id", "an empty id"),
        ({"id": 1.5, "text": "x"}, "id", "the number 1.5"),
        ({"id": "a", "text": "x", "confidence": 87.5}, "confidence", "87.5"),
        ({"id": "a", "text": "x", "confidence": "high"}, "confidence", "'high'"),
        ({"id": "a", "text": "ab", "char_confidence": [0.5]}, "char_confidence", "1 numbers for 2 code points"),
        ({"id": "a", "text": "a", "char_confidence": ["0.5"]}, "char_confidence", "'0.5'"),
        ({"id": "a", "text": "a", "candidates": [{"log_prob": -1}]}, "candidates", "{'log_prob': -1}"),
    ],
)
def test_what_is_no_text_or_number_is_refused_by_line_and_column(
    project: Project, tmp_path: Path, row: Mapping[str, Any], column: str, found: str
) -> None:
    import_items(project, write(tmp_path, "i.csv", "id,gold\na,one\n"))
    message = refused(import_predictions, project, jsonl(tmp_path, "p.jsonl", row), SYSTEM)
    assert f"p.jsonl, line 1, column {column}: found {found}" in message
    assert query(project, "SELECT count(*) FROM prediction") == [(0,)]


def test_an_integer_id_is_its_digits(project: Project, tmp_path: Path) -> None:
    import_items(project, write(tmp_path, "i.csv", "id,gold\n7,one\n007,two\n"))
    import_predictions(project, jsonl(tmp_path, "p.jsonl", {"id": 7, "text": "x"}), SYSTEM)
    assert query(project, "SELECT id FROM prediction JOIN item USING (item_key)") == [("7",)]


def test_details_are_kept(project: Project, tmp_path: Path) -> None:
    import_items(project, write(tmp_path, "i.csv", "id,gold\na,ab\n"))
    row = {
        "id": "a",
        "model": "m",
        "prompt": "P1",
        "raw_response": "Answer: ab",
        "char_confidence": [0.25, None],
        "beams": [{"text": "ab", "log_prob": -0.5}],
        "gold": "AB",
        "thinking": "it says ab",
        "seconds": 1.5,
    }
    report = import_predictions(project, jsonl(tmp_path, "p.jsonl", row))
    assert [warned.kind for warned in report.warnings] == ["own-gold-case"]
    stored = query(project, "SELECT predicted, raw, parser_version, own_gold FROM prediction")
    assert stored == [("ab", "Answer: ab", "1", "AB")]
    details = query(project, "SELECT char_confidence, candidates, reasoning, extra FROM prediction_detail")
    assert details == [("[0.25,null]", '[["ab",-0.5]]', "it says ab", '{"seconds":"1.5"}')]
    assert query(project, "SELECT name, condition FROM run JOIN system USING (system_key)") == [("m", "P1")]


def test_wide_predictions_are_one_system_a_column(project: Project, tmp_path: Path) -> None:
    import_items(project, write(tmp_path, "i.csv", "id,gold\na,one\nb,two\n"))
    path = write(tmp_path, "w.csv", "id,A,B\na,one,0ne\nb,,two\n")
    report = import_predictions(project, path, ImportOptions(wide=True))
    assert (report.read, report.written) == (4, 4)
    rows = query(
        project,
        "SELECT name, predicted FROM prediction JOIN run USING (run_key) JOIN system USING (system_key) ORDER BY prediction_key",
    )
    assert rows == [("A", "one"), ("A", ""), ("B", "0ne"), ("B", "two")]


def test_unknown_ids_are_skipped_counted_and_near_misses_told(project: Project, tmp_path: Path) -> None:
    import_items(project, write(tmp_path, "i.csv", "id,gold\nimg_1,one\nimg_2,two\n"))
    path = write(tmp_path, "p.csv", "id,text\nimg_1,one\nimg_2.jpg,two\nother,x\n")
    report = import_predictions(project, path, SYSTEM)
    assert (report.written, report.ids.extra, report.ids.missing) == (1, 2, 1)
    assert report.ids.first_extra == ("img_2.jpg", "other")
    assert (
        "1 of 2 differ from an item's id only by a file extension (img_2.jpg here, img_2 there): --join extension"
        in report.notes[0]
    )
    assert "other" in refused(import_predictions, project, path, ImportOptions(system="s", strict=True))


def test_pairs_become_items_and_predictions_or_nothing(project: Project, tmp_path: Path) -> None:
    path = write(tmp_path, "pairs.tsv", "class\tsystem\tgold\tpredicted\nx\tG\tone\t0ne\ny\tQ\ttwo\ttwo\n")
    report = import_pairs(project, path)
    assert (report.written, report.notes[0]) == (2, "items: 2 written, 0 unchanged")
    assert query(project, "SELECT id, gold, attributes FROM item") == [
        ("1", "one", '{"class": "x"}'),
        ("2", "two", '{"class": "y"}'),
    ]
    assert import_pairs(project, path).written == 0
    assert project.revision() == 1
    bad = jsonl(tmp_path, "bad.jsonl", {"gold": "new", "predicted": 3})
    assert "line 1, column predicted" in refused(import_pairs, project, bad)
    assert query(project, "SELECT count(*) FROM item") == [(2,)]


def test_attributes_fill_what_is_empty_and_change_only_when_asked(project: Project, tmp_path: Path) -> None:
    import_items(project, write(tmp_path, "i.csv", "id,gold,font\na,one,serif\nb,two,\n"))
    report = import_attributes(project, write(tmp_path, "a.csv", "id,zipf,split\na,3.5,test\nz,1,\n"))
    assert (report.written, report.ids.extra, report.ids.missing) == (1, 1, 1)
    assert query(project, "SELECT split, attributes FROM item WHERE id = 'a'") == [
        ("test", '{"font": "serif", "zipf": "3.5"}')
    ]
    other = write(tmp_path, "b.csv", "id,font,zipf\na,mono,3.5\n")
    assert "another font than in the project: 'mono', there 'serif'" in refused(import_attributes, project, other)
    assert import_attributes(project, other, ImportOptions(replace=True)).written == 1


def test_a_dry_run_and_a_refused_file_write_nothing(project: Project, tmp_path: Path) -> None:
    path = write(tmp_path, "i.csv", "id,gold\na,one\n")
    report = import_items(project, path, ImportOptions(dry_run=True))
    assert (report.written, report.dry_run, project.revision()) == (1, True, 0)
    assert "would write 1" in next(iter(report.lines()))
    blank = write(tmp_path, "b.csv", "id,gold\na,\n")
    assert "empty gold" in refused(import_items, project, blank, ImportOptions(strict=True))
    assert query(project, "SELECT count(*) FROM import_log") == [(0,)]


def test_boxes_of_three_kinds(project: Project, tmp_path: Path) -> None:
    Image.new("RGB", (100, 50)).save(tmp_path / "x.png")
    import_items(project, write(tmp_path, "one.csv", 'id,gold,image,box\na,t,x.png,"1,2,30,40"\n'))
    import_items(project, write(tmp_path, "four.csv", "id,gold,x,y,w,h\nb,t,1,2,3,4\nc,t,,,,\n"))
    path = write(tmp_path, "bbox.csv", 'id,gold,image,bbox\nd,t,x.png,"60,10,90,40"\n')
    report = import_items(project, path, ImportOptions(dry_run=True))
    assert "bbox is kept as an attribute" in report.notes[0]
    wrong = import_items(project, path, ImportOptions(dry_run=True, box="xywh"))
    assert "leaves the image of 100 x 50; read as xyxy it fits (--box xyxy)" in wrong.problems[0].found
    assert import_items(project, path, ImportOptions(box="xyxy")).warnings == ()
    boxes = query(project, "SELECT id, box_x, box_y, box_width, box_height FROM item")
    assert boxes == [("a", 1, 2, 30, 40), ("b", 1, 2, 3, 4), ("c", None, None, None, None), ("d", 60, 10, 30, 30)]


def test_a_folder_of_images_is_items_without_gold(project: Project, tmp_path: Path) -> None:
    (tmp_path / "in" / "sub").mkdir(parents=True)
    for name in ("b.png", "sub/a.jpg"):
        Image.new("RGB", (4, 4)).save(tmp_path / "in" / name)
    (tmp_path / "in" / "notes.txt").write_text("no image")
    report = bring(Kind.ITEMS, tmp_path / "in", ImportOptions(no_gold=True), lambda: project)
    assert report.written == 2
    assert query(project, "SELECT id, gold, image FROM item") == [("b", None, "b.png"), ("sub/a", None, "sub/a.jpg")]


def test_paths_as_another_system_writes_them(project: Project, tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    Image.new("RGB", (4, 4)).save(tmp_path / "sub" / "x.png")
    report = import_items(project, write(tmp_path, "i.csv", "id,gold,image\na,t,sub\\x.png\nb,t,..\\up.png\n"))
    assert [problem.found.rsplit(": ", 1)[1] for problem in report.problems] == ["leaves the dataset folder"]
    assert query(project, "SELECT image, image_problem FROM item WHERE id = 'a'") == [("sub/x.png", "")]


def test_copied_images_lie_in_the_project(project: Project, tmp_path: Path) -> None:
    Image.new("RGB", (4, 4)).save(tmp_path / "x.png")
    path = write(tmp_path, "i.csv", "id,gold,image\na,t,x.png\n")
    import_items(project, path, ImportOptions(copy_images=True))
    assert (project.folder / "images" / "x.png").read_bytes() == (tmp_path / "x.png").read_bytes()
    assert query(project, "SELECT path FROM image_root") == [("images",)]
    Image.new("RGB", (5, 5)).save(tmp_path / "x.png")
    other = write(tmp_path, "j.csv", "id,gold,image\nb,t,x.png\n")
    assert "another image x.png" in refused(import_items, project, other, ImportOptions(copy_images=True))


def test_copied_images_stay_when_the_file_comes_again_without_the_option(project: Project, tmp_path: Path) -> None:
    Image.new("RGB", (4, 4)).save(tmp_path / "x.png")
    path = write(tmp_path, "i.csv", "id,gold,image\na,t,x.png\n")
    import_items(project, path, ImportOptions(copy_images=True))
    assert import_items(project, path).unchanged == 1


def test_a_map_of_an_unknown_field_or_column(project: Project, tmp_path: Path) -> None:
    path = write(tmp_path, "i.csv", "id,gold\na,t\n")
    with pytest.raises(UsageError, match="no field 'golds'"):
        import_items(project, path, ImportOptions(mapping=(("golds", "gold"),)))
    message = refused(import_items, project, path, ImportOptions(mapping=(("standard", "canon"),)))
    assert "no column 'canon' to map to standard" in message
    assert "one of: id, gold" in message


def test_answers_in_an_items_file_point_to_the_import_of_pairs(project: Project, tmp_path: Path) -> None:
    report = import_items(project, write(tmp_path, "i.csv", "id,gold,predicted\na,hotel,hotcl\n"))
    assert any("`import pairs`" in note and note.startswith("predicted is kept") for note in report.notes)
    words = refused(import_items, project, write(tmp_path, "p.csv", "gold,predicted\nhotel,hotcl\n"))
    assert "no column for id" in words
    assert "`import pairs`, which needs no id" in words


@pytest.mark.parametrize("kind", ["softmax", "engine-score"])
def test_an_import_says_what_its_confidences_are(project: Project, tmp_path: Path, kind: str) -> None:
    kinds = "SELECT name, confidence_kind FROM system ORDER BY name"
    import_items(project, write(tmp_path, "i.csv", "id,gold\na,hotel\n"))
    rows = write(tmp_path, "p.csv", "id,predicted,system,confidence\na,hotel,one,0.5\na,hotl,two,0.75\n")
    import_predictions(project, rows)
    assert query(project, kinds) == [("one", "unknown"), ("two", "unknown")]
    again = import_predictions(project, rows, ImportOptions(confidence_kind=kind))
    assert (again.written, again.unchanged) == (0, 2)
    assert query(project, kinds) == [("one", kind), ("two", kind)]
    import_predictions(project, rows)
    assert query(project, kinds) == [("one", kind), ("two", kind)]
    import_predictions(project, rows, ImportOptions(confidence_kind="unknown", dry_run=True))
    assert query(project, kinds) == [("one", kind), ("two", kind)]


def test_pairs_say_what_their_confidences_are(project: Project, tmp_path: Path) -> None:
    rows = write(tmp_path, "p.csv", "gold,predicted,confidence\nhotel,hotel,0.5\n")
    for _ in range(2):
        import_pairs(project, rows, ImportOptions(system="s", confidence_kind="softmax"))
        assert query(project, "SELECT name, confidence_kind FROM system") == [("s", "softmax")]
