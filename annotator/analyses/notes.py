"""What a reader writes beside an item."""

from __future__ import annotations

from collections.abc import Sequence

from annotator.store.detail import Note, write_note
from annotator.store.project import Project


def keep_note(project: Project, item_key: int, text: str, tags: Sequence[str]) -> Note:
    """Keep a note and tags beside an item; both empty removes them. No report reads them, so the revision stays.

    White space around tags is dropped, as are empty and repeated ones.
    """
    note = Note(text.strip(), tuple(dict.fromkeys(tag.strip() for tag in tags if tag.strip())))
    with project.write(raises_revision=False) as connection:
        write_note(connection, item_key, note, project.clock())
    return note
