"""The data page: empty, an import by path with preview and mapping, refusals, exports, health, undo."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from annotator.store.project import open_project
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
