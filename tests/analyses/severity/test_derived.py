"""Mode, class charge and type table, from another provider's charges."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotator.analyses.severity.loading import require_provider
from annotator.errors import UsageError
from annotator.store.project import Project
from annotator.store.reading import read_runs
from annotator.store.severities import Charge, add_charges, iter_charged, put_provider, write_charges
from tests.builders import build_project


@pytest.fixture
def project(tmp_path: Path) -> Project:
    golds = ["cat", "bat", "hat", "mad"]
    items = [{"id": gold, "gold": gold, "language": "en"} for gold in golds]
    answers = {"cat": "cot", "bat": "bot", "hat": "hit", "mad": "mbd"}
    project = build_project(tmp_path, items, {"one": answers})
    with project.read() as connection:
        run = read_runs(connection)[0]
    charges = [
        Charge(1, 0, 0.6, probabilities=(0.0, 0.1, 0.4, 0.1, 0.4)),
        Charge(2, 0, 0.2, probabilities=(0.6, 0.0, 0.4, 0.0, 0.0)),
        Charge(3, 0, 1.0),
        Charge(4, 0, 0.4),
    ]
    with project.write(raises_revision=False) as connection:
        write_charges(connection, put_provider(connection, "file", "imported", "1", {}, 0.0), run.key, charges, "x")
    return project


def severities(project: Project, name: str) -> list[float]:
    with project.read() as connection:
        runs = read_runs(connection)
    row = require_provider(project, name, runs)
    with project.read() as connection:
        return [edit.severity for edit in iter_charged(connection, row.key)]


def test_mode_is_the_likeliest_level_the_lower_on_a_tie(project: Project) -> None:
    assert severities(project, "mode:file") == [0.5, 0.0, 1.0, 0.5]


def test_class_charge_of_the_likeliest_level(project: Project) -> None:
    assert severities(project, "class-charge:file") == [0.6, 0.2, 1.0, 0.6]


def test_type_table_leaves_the_item_out_and_falls_back_to_the_class(project: Project) -> None:
    a_to_o_of_the_other, others = [0.2, 0.6], [(0.6 + 0.2 + 0.4) / 3, (0.6 + 0.2 + 1.0) / 3]
    assert severities(project, "type-table:file") == pytest.approx(a_to_o_of_the_other + others)


def test_a_changed_source_is_read_again(project: Project) -> None:
    assert severities(project, "mode:file")[3] == 0.5
    with project.write(raises_revision=False) as connection:
        add_charges(connection, 1, [Charge(4, 0, 0.0)])
    assert severities(project, "mode:file")[3] == 0.0


def test_unknown_sources_are_refused(project: Project) -> None:
    with pytest.raises(UsageError, match="'luck'"):
        severities(project, "mode:luck")
    with pytest.raises(UsageError, match="'luck:file'"):
        severities(project, "luck:file")


def test_names_may_hold_spaces_and_a_kind_alone_is_of_the_only_provider(project: Project) -> None:
    assert severities(project, "class charge") == severities(project, "class-charge:file") == [0.6, 0.2, 1.0, 0.6]
    assert severities(project, "filter label") == [1.0, 1.0, 1.0, 1.0]
    with project.write(raises_revision=False) as connection:
        put_provider(connection, "other", "imported", "1", {}, 0.0)
    assert severities(project, "mode") == severities(project, "mode:rubric")
