"""Charging edits from the data page: a judge's estimate and run, a student taught and used, what is missing in words."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from annotator.analyses.severity.report import report_severity
from annotator.records import Query
from annotator.store.project import Project, open_project
from tests.builders import build_project
from tests.pages.conftest import OpenPage, text_of
from tests.runners.fake_endpoint import FakeEndpoint
from tests.runners.test_judge import with_logprobs

PAGE = "pages/data.py"


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """240 answers of one edit each."""
    rng = np.random.default_rng(2)
    golds = {f"i{k}": "".join(rng.choice(list("abcdefgh"), 6)) for k in range(240)}
    answers = {k: g[:2] + str(rng.choice(list("78xy"))) + g[3:] for k, g in golds.items()}
    items = [{"id": k, "gold": g, "language": "en"} for k, g in golds.items()]
    return build_project(tmp_path / "p", items, {"one": answers})


def coverage(project: Project, provider: str) -> float | None:
    return report_severity(open_project(project.folder), Query(resamples=20), provider).rows[0].coverage


def test_without_answers_it_says_what_to_do(open_page: OpenPage, empty_project: Path) -> None:
    app = open_page(empty_project, PAGE, view="charge")
    assert not app.exception
    assert "import predictions FILE" in text_of(app)


def test_a_judge_tells_what_it_takes_then_charges(
    open_page: OpenPage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = build_project(tmp_path / "p", [{"id": "a", "gold": "open at 3pm"}], {"one": {"a": "open at 8pm"}})
    app = open_page(project.folder, PAGE, view="charge")
    assert "Name the model" in text_of(app)
    app.text_input(key="charge-model").set_value("m").run()
    assert "severity --provider judge:m --temperature 1 --concurrency 8" in text_of(app)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    app.button(key="charge-estimate").click().run()
    assert "no endpoint is set" in text_of(app)
    with FakeEndpoint((200, with_logprobs("4", {"4": 0.75, "3": 0.25}))).serving() as fake:
        monkeypatch.setenv("OPENAI_BASE_URL", fake.url)
        app.button(key="charge-estimate").click().run()
        assert "1 edits, 1 different questions, 0 answered before" in text_of(app)
        assert not fake.requests
        app.button(key="charge-run").click().run()
        assert not app.exception
        assert [said.value for said in app.success] == ["judge:m: 1 edits charged."]
        assert len(fake.requests) == 1
    assert coverage(project, "judge:m") == 1.0


def test_a_student_is_taught_and_charges(open_page: OpenPage, project: Project, tmp_path: Path) -> None:
    app = open_page(project.folder, PAGE, view="charge")
    app.segmented_control(key="charge-way").set_value("distill").run()
    app.selectbox(key="charge-teacher").set_value("rubric")
    app.text_input(key="charge-folder").set_value(str(tmp_path / "student")).run()
    app.button(key="charge-run").click().run(timeout=300)
    assert not app.exception
    assert "Mean absolute difference" in text_of(app)
    app.segmented_control(key="charge-way").set_value("student").run()
    app.text_input(key="charge-folder").set_value(str(tmp_path / "student")).run()
    app.button(key="charge-run").click().run(timeout=300)
    assert [said.value for said in app.success] == ["student: 240 edits charged."]
    assert coverage(project, "student") == 1.0
    app.text_input(key="charge-folder").set_value(str(tmp_path)).run()
    app.button(key="charge-run").click().run()
    assert not app.exception
    assert "Verbatim could not do this." in [error.value for error in app.error]
