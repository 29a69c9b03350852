"""The taxonomy page: empty, with events, one act, hostile text."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotator.store.project import open_project
from tests.builders import build_project
from tests.pages.conftest import OpenPage, text_of

PAGE = "pages/taxonomy.py"
HOSTILE = '<img src=x onerror="alert(1)">:red[**x**] $y$'


@pytest.fixture
def project(tmp_path: Path) -> Path:
    items = [
        {"id": "a", "gold": "পাখি ডাকে চাঁদ", "standard": "পাখী ডাকে চাঁদ", "language": "bn"},
        {"id": "b", "gold": "কলম আছে", "language": "bn"},
        {"id": "c", "gold": "word " + HOSTILE, "language": "en"},
    ]
    answers = {
        "one@P1": {"a": "পাখী ডাকে চাঁদ", "b": "কলস আছে", "c": "ward " + HOSTILE},
        "one@P2": {"a": "পাখি ডাকে চাঁদ", "b": "কলম আছে", "c": "word"},
        ":red[two]": {"a": "পাখি ডাকে চাদ"},
    }
    return build_project(tmp_path / "project", items, answers).folder


def test_an_empty_project_says_what_to_do(open_page: OpenPage, empty_project: Path) -> None:
    app = open_page(empty_project, PAGE)
    assert not app.exception
    assert "import predictions" in text_of(app)


def test_events_of_every_class_with_their_rules(open_page: OpenPage, project: Path) -> None:
    app = open_page(project, PAGE)
    shown = text_of(app)
    assert not app.exception
    assert "of 5<" in shown
    assert "nothing but vowel signs differs" in shown
    assert "Verbatim, standard form, or neither" in [h.value for h in app.header]


def test_choosing_a_class_and_a_run_narrows_the_events(open_page: OpenPage, project: Path) -> None:
    app = open_page(project, PAGE)
    app.selectbox(key="choose-class").select("visual-misread").run()
    assert app.query_params["class"] == "visual-misread"
    assert "of 2<" in text_of(app)
    app.selectbox(key="choose-run").select("one@P2").run()
    assert "No such error" in [s.value for s in app.subheader]


def test_a_copied_address_opens_the_same_events(open_page: OpenPage, project: Path) -> None:
    app = open_page(project, PAGE, **{"class": "nasal", "run": ":red[two]@default"})
    assert "of 1<" in text_of(app)
    assert "nothing but nasal marks differs" in text_of(app)


def test_a_condition_is_marked_oracle(open_page: OpenPage, project: Path) -> None:
    app = open_page(project, PAGE)
    assert "P2" in _table(app, "Best condition per system")
    app.selectbox(key="mark-condition-name").select("P2")
    app.selectbox(key="mark-condition-role").select("oracle")
    next(b for b in app.button if b.label == "Mark").click().run()
    assert not app.exception
    assert ">P1<" in _table(app, "Best condition per system")
    assert "P2 (oracle)" in app.selectbox(key="choose-condition").options


def test_a_judge_beside_cer(open_page: OpenPage, project: Path) -> None:
    with open_project(project).write() as connection:
        connection.execute(
            "INSERT INTO prediction_detail (prediction_key, extra) SELECT prediction_key, ? FROM prediction",
            ('{"j": "4"}',),
        )
    app = open_page(project, PAGE)
    app.selectbox(key="choose-judge").select("j").run()
    assert not app.exception
    assert "4.000" in _table(app, "Judge j")
    assert "Where judge and CER part most" in text_of(app)


def test_a_system_without_the_condition_is_said_in_words(open_page: OpenPage, project: Path) -> None:
    app = open_page(project, PAGE, system=":red[two]", condition="P1")
    assert not app.exception
    assert "No such answers" in [s.value for s in app.subheader]


def test_hostile_text_is_inert(open_page: OpenPage, project: Path) -> None:
    app = open_page(project, PAGE, **{"class": "visual-misread", "run": "one@P1"})
    shown = text_of(app)
    assert not app.exception
    assert "<img src=x" not in shown
    assert ":red[" not in "".join(element.value for element in app.markdown)


def test_unknown_names_in_the_address_are_ignored(open_page: OpenPage, project: Path) -> None:
    app = open_page(project, PAGE, **{"class": "<script>", "run": "nobody", "script": "klingon"})
    assert not app.exception
    assert "of 5<" in text_of(app)


def _table(app: object, caption: str) -> str:
    bodies = [element.proto.body for element in app.get("html")]  # type: ignore[attr-defined]
    return next(body for body in bodies if f"<caption>{caption}" in body)
