"""The data page: empty, an import by path with preview and mapping, refusals, exports, health, undo."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from annotator.store.project import open_project
from components.state import Session
from tests.pages.conftest import OpenPage, text_of

PAGE = "pages/data.py"


@pytest.fixture
def items(tmp_path: Path) -> Path:
    Image.new("RGB", (8, 8)).save(tmp_path / "x.png")
    path = tmp_path / "items.csv"
    path.write_text("image_id,transcription,label,picture\na,one,sign,x.png\nb,two,sign,../y.png\n", encoding="utf-8")
    return path


def test_an_empty_project_says_what_to_do(open_page: OpenPage, empty_project: Path) -> None:
    app = open_page(empty_project, PAGE)
    assert not app.exception
    assert "python -m annotator import items FILE" in text_of(app)


def test_import_by_path_with_a_mapping(open_page: OpenPage, empty_project: Path, items: Path) -> None:
    app = open_page(empty_project, PAGE)
    app.text_input(key="import-path").set_value(str(items)).run()
    assert not app.exception
    assert "2 columns that could be gold" in text_of(app)
    assert "import-now" not in [button.key for button in app.button]
    choices = {box.label: box for box in app.selectbox}
    choices["Column 2 is taken for"].set_value("gold")
    choices["Column 4 is taken for"].set_value("image").run()
    assert "--map gold=transcription --map image=picture" in text_of(app)
    assert "leaves the dataset folder" in text_of(app)
    app.button(key="import-now").click().run()
    assert not app.exception
    assert "read 2 rows, wrote 2" in text_of(app)
    assert open_project(empty_project).revision() == 1


def test_a_refused_file_names_line_and_column(open_page: OpenPage, empty_project: Path, tmp_path: Path) -> None:
    path = tmp_path / "bad.csv"
    path.write_text('id,gold\na,one, two\nb,"open\n', encoding="utf-8")
    app = open_page(empty_project, PAGE)
    app.text_input(key="import-path").set_value(str(path)).run()
    shown = text_of(app)
    assert "3 cells, 2 columns" in shown
    assert "a quote that is never closed" in shown
    assert open_project(empty_project).revision() == 0


def test_exports_health_and_undo(open_page: OpenPage, empty_project: Path, items: Path) -> None:
    from annotator.ingest.items import import_items
    from annotator.ingest.options import ImportOptions

    import_items(open_project(empty_project), items, ImportOptions(mapping=(("gold", "transcription"),)))
    app = open_page(empty_project, PAGE, view="export")
    app.button(key="export-make").click().run()
    assert not app.exception
    assert "items.csv: 2 rows" in text_of(app)
    app = open_page(empty_project, PAGE, view="health")
    app.button(key="health-check").click().run()
    assert [success.value for success in app.success] == ["No problems found."]
    app = open_page(empty_project, PAGE, view="imports")
    app.checkbox(key="undo-sure").check().run()
    app.button(key="undo-now").click().run()
    assert not app.exception
    assert "undone" in text_of(app)
    with open_project(empty_project).read() as connection:
        assert connection.execute("SELECT count(*) FROM item").fetchone()[0] == 0


def test_the_report_is_made_on_the_page(open_page: OpenPage, tmp_path: Path) -> None:
    from tests.builders import build_project

    project = build_project(tmp_path / "p", [{"id": "a", "gold": "cat"}], {"one": {"a": "cot"}})
    app = open_page(project.folder, PAGE, view="export")
    app.selectbox(key="export-what").set_value("report").run()
    assert "report all --out report.html" in text_of(app)
    app.button(key="export-make").click().run()
    assert not app.exception
    assert "Error classes" in text_of(app)
    held = app.session_state[Session.EXPORTED]
    assert held[2] == "report.html"
    assert held[1].startswith(b"<!doctype html>")


def test_a_reference_corpus_is_looked_at_kept_and_taken_out(
    open_page: OpenPage, empty_project: Path, tmp_path: Path
) -> None:
    from annotator.analyses.references import list_references

    words = tmp_path / "words.tsv"
    words.write_text("word\tcount\nthe\t30\nস্টেশন\t12\n=cmd\t2\n", encoding="utf-8")
    app = open_page(empty_project, PAGE)
    app.segmented_control(key="import-kind").set_value("reference").run()
    assert "import reference FILE --name NAME" in text_of(app)
    assert "wordfreq-bn" in text_of(app)
    app.text_input(key="import-path").set_value(str(words)).run()
    assert "Give the corpus a name" in text_of(app)
    app.text_input(key="reference-name").set_value("signs").run()
    assert not app.exception
    assert "read as counts, 3 different words" in text_of(app)
    assert "স্টেশন" in text_of(app)
    app.button(key="import-now").click().run()
    assert [row.name for row in list_references(open_project(empty_project))] == ["signs"]
    assert "Reference corpora of this project" in text_of(app)
    app.text_input(key="reference-name").set_value("wordfreq-mine").run()
    assert "expected a name that does not begin with wordfreq-" in text_of(app)
    app.checkbox(key="reference-sure").check().run()
    app.button(key="reference-drop").click().run()
    assert not app.exception
    assert not list_references(open_project(empty_project))


def test_severities_and_ratings_come_in_on_the_page(open_page: OpenPage, tmp_path: Path) -> None:
    from annotator.api import edits
    from annotator.store.studies import all_studies
    from tests.builders import build_project

    project = build_project(tmp_path / "p", [{"id": "a", "gold": "cat"}], {"one": {"a": "cot"}})
    given = tmp_path / "severities.csv"
    given.write_text("id,system,op,gold_index,severity\na,one,sub,1,0.7\na,one,sub,2,0.9\n", encoding="utf-8")
    app = open_page(project.folder, PAGE)
    app.segmented_control(key="import-kind").set_value("severities").run()
    app.text_input(key="import-path").set_value(str(given)).run()
    assert "Name the provider" in text_of(app)
    app.text_input(key="severities-provider").set_value("readers").run()
    assert not app.exception
    assert "read 2 rows" in text_of(app)
    app.button(key="import-now").click().run()
    assert edits(project, provider="readers")["severity"].tolist() == [0.7]

    answers = tmp_path / "answers.csv"
    answers.write_text("item,rater,value\na,rater-01,0\na,rater-02,4\n", encoding="utf-8")
    app.segmented_control(key="import-kind").set_value("ratings").run()
    app.text_input(key="import-path").set_value(str(answers)).run()
    assert "ratings 2, items 1, raters 2; taken for: text-severity" in text_of(app)
    app.button(key="import-now").click().run()
    assert "written: 2" in text_of(app)
    with project.read() as connection:
        assert [study.name for study in all_studies(connection)] == ["answers"]
    app.text_input(key="import-path").set_value(str(tmp_path / "none.csv")).run()
    assert "no such file" in text_of(app)
