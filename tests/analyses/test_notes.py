"""Notes and tags beside items."""

from __future__ import annotations

from pathlib import Path

from annotator.analyses.items import list_items, show_item
from annotator.analyses.notes import keep_note
from annotator.records import ItemFilter, Query
from tests.builders import build_project


def test_a_note_is_kept_found_by_tag_and_removed(tmp_path: Path) -> None:
    project = build_project(tmp_path, [{"id": "1", "gold": "a"}, {"id": "2", "gold": "b"}])
    revision = project.revision()
    key = show_item(project, Query(), "2").item.key
    kept = keep_note(project, key, " odd ", [" sign ", "", "sign", "নাম"])
    assert kept.tags == ("sign", "নাম")
    assert show_item(project, Query(), "2").note == kept
    assert [row.item.id for row in list_items(project, Query(), ItemFilter(tag="sign")).rows] == ["2"]
    keep_note(project, key, "", [])
    assert show_item(project, Query(), "2").note.tags == ()
    assert project.revision() == revision, "no report reads notes"
