"""The overview: every number opens what is behind it, and edits are counted on request."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.builders import build_project
from tests.pages.conftest import OpenPage, text_of


@pytest.fixture
def project(tmp_path: Path) -> Path:
    items = [{"id": "a", "gold": "oo"}, {"id": "b", "gold": "<b>so</b>"}]
    return build_project(tmp_path / "p", items, {"one": {"a": "0o", "b": "s"}, "two": {"a": "oo"}}).folder


def test_numbers_are_links_to_the_items_behind_them(open_page: OpenPage, project: Path) -> None:
    app = open_page(project)
    assert not app.exception
    body = text_of(app)
    for address in (
        "items?system=one&amp;condition=default&amp;show=wrong",
        "items?system=one&amp;condition=default&amp;sort=edits",
    ):
        assert f'href="{address}"' in body


def test_an_edit_in_the_address_narrows_the_items(open_page: OpenPage, project: Path) -> None:
    app = open_page(project, "pages/items.py", edit='["sub", "o", "0"]')
    assert not app.exception
    assert "substituted" in text_of(app)
    app.button(key="all-edits").click().run()
    assert "edit" not in app.query_params
    for junk in ("[junk", "5", "null", "{}", '["sub", "o"]', '[["sub"], "o", "0"]', '["sub", 1, 2]', "[" * 10_000):
        assert not open_page(project, "pages/items.py", edit=junk).exception, junk[:20]


def test_semcer_is_there_at_the_first_draw_and_after(open_page: OpenPage, project: Path) -> None:
    for _ in range(2):
        app = open_page(project)
        assert not app.exception
        assert "semCER follows" not in text_of(app)
        assert text_of(app).count("<caption>Systems side by side") == 1


def test_what_to_look_at_next_names_the_systems_and_their_numbers(open_page: OpenPage, project: Path) -> None:
    body = text_of(open_page(project))
    assert "Items that two did not answer</a><small>1, in none of its rates" in body
    assert 'href="compare?a=two&amp;b=one"' in body
    assert "What one got wrong" not in body, "two made no edit, and so has the lowest CER"


def test_a_name_of_a_system_is_inert_in_the_next_steps(open_page: OpenPage, tmp_path: Path) -> None:
    items = [{"id": "a", "gold": "oo"}, {"id": "b", "gold": "so"}]
    folder = build_project(tmp_path / "p", items, {"<img src=x>": {"a": "0o"}}).folder
    body = text_of(open_page(folder))
    assert "What &lt;img src=x&gt; got wrong" in body
    assert "<img src=x> got wrong" not in body


def test_the_commands_cover_every_figure_of_the_table(open_page: OpenPage, tmp_path: Path) -> None:
    items = [{"id": "a", "gold": "coffe", "standard": "coffee"}]
    body = text_of(open_page(build_project(tmp_path / "p", items, {"one": {"a": "coffee"}}).folder))
    for what in ("scores --project", "scores --profile full", "strata", "outcomes"):
        assert f"annotator report {what}" in body
