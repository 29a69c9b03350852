"""Running a recogniser from the data page: what is missing in words, a run against an endpoint, resume, failures."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from annotator.ingest.items import import_items
from annotator.ingest.recognise import recognise_items
from annotator.runners.own import FunctionRecogniser
from annotator.store.project import open_project
from components.data_recognise import pace
from tests.pages.conftest import OpenPage, text_of
from tests.runners.fake_endpoint import FakeEndpoint, completion

PAGE = "pages/data.py"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Two items with pictures."""
    rows = ["id,gold,image"]
    for name in ("a", "b"):
        Image.new("RGB", (20, 8)).save(tmp_path / f"{name}.png")
        rows.append(f"{name},Open,{name}.png")
    path = tmp_path / "items.csv"
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    opened = open_project(tmp_path / "project", create=True)
    import_items(opened, path)
    return opened.folder


def test_without_items_it_says_what_to_do(open_page: OpenPage, empty_project: Path) -> None:
    app = open_page(empty_project, PAGE, view="recognise")
    assert not app.exception
    assert "python -m annotator import items FILE --images DIR" in text_of(app)


def test_a_missing_language_pack_names_the_package(open_page: OpenPage, project: Path) -> None:
    app = open_page(project, PAGE, view="recognise")
    app.text_input(key="recognise-packs").set_value("xyz").run()
    assert "recognise --system tesseract:xyz" in text_of(app)
    app.button(key="recognise-run").click().run()
    assert not app.exception
    assert "tesseract-ocr" in text_of(app)
    assert open_project(project).revision() == 1


def test_a_model_runs_and_goes_on(open_page: OpenPage, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    app = open_page(project, PAGE, view="recognise")
    app.selectbox(key="recognise-system").select("openai").run()
    assert "Name the model" in text_of(app)
    assert "recognise-run" not in [button.key for button in app.button]
    app.text_input(key="recognise-model").set_value("tiny").run()
    app.number_input(key="recognise-limit").set_value(1).run()
    with FakeEndpoint((200, completion("Open"))).serving() as fake:
        monkeypatch.setenv("OPENAI_BASE_URL", fake.url)
        app.button(key="recognise-run").click().run()
        assert not app.exception
        assert [said.value for said in app.success] == ["openai:tiny, condition P1: 1 answers written."]
        assert "The first answers" in text_of(app)
        app.number_input(key="recognise-limit").set_value(0).run()
        app.button(key="recognise-run").click().run()
    assert "Answered before" in text_of(app)
    with open_project(project).read() as connection:
        assert connection.execute("SELECT count(*) FROM prediction").fetchone()[0] == 2


def test_no_endpoint_is_said_in_words(open_page: OpenPage, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    app = open_page(project, PAGE, view="recognise")
    app.selectbox(key="recognise-system").select("openai").run()
    app.text_input(key="recognise-model").set_value("tiny").run()
    app.button(key="recognise-run").click().run()
    assert not app.exception
    assert "OPENAI_BASE_URL" in text_of(app)


def test_the_first_answers_are_watched_as_they_come(project: Path) -> None:
    seen: list[str] = []
    recognise_items(
        open_project(project), FunctionRecogniser("own", lambda image: "x"), watch=lambda one: seen.append(one.id)
    )
    assert seen == ["a", "b"]


def test_pace_says_what_is_left() -> None:
    assert pace(120, 400, 4.0) == "120 of 400, 30.0 a second, 9 s left"
