"""Reports that are remembered: read back, made anew when another build wrote them in another form."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from annotator.analyses.memo import remembered
from annotator.store.project import open_project


@dataclass(frozen=True, slots=True)
class Answer:
    """A report."""

    n: int


def test_a_report_is_made_once_and_again_after_a_write(tmp_path: Path) -> None:
    project = open_project(tmp_path, create=True)
    made: list[int] = []

    def build() -> Answer:
        made.append(1)
        return Answer(len(made))

    found = [remembered(project, "answer", ("asked",), Answer, build) for _ in range(2)]
    assert found == [Answer(1), Answer(1)]
    assert remembered(project, "answer", ("otherwise",), Answer, build) == Answer(2)
    with project.write():
        pass
    assert remembered(project, "answer", ("asked",), Answer, build) == Answer(3)


def test_a_stored_report_in_another_form_is_made_anew(tmp_path: Path) -> None:
    project = open_project(tmp_path, create=True)
    remembered(project, "answer", (), Answer, lambda: Answer(1))
    with project.write(raises_revision=False) as connection:
        connection.execute("UPDATE report_cache SET document = '{\"count\": 1}'")
    assert remembered(project, "answer", (), Answer, lambda: Answer(2)) == Answer(2)
