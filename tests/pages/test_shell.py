"""What every page shares: the project that is not there, roles, the password."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotator.access import hash_password
from tests.pages.conftest import OpenPage, text_of

PASSWORD = "correct horse"
STORED = hash_password(PASSWORD, b"0" * 16)


def test_without_a_project_the_page_says_what_to_do(open_page: OpenPage, tmp_path: Path) -> None:
    app = open_page(tmp_path / "nothing")
    assert not app.exception
    assert "annotator demo" in text_of(app)
    assert "import items" in text_of(app)


def test_a_broken_project_is_said_in_words(open_page: OpenPage, tmp_path: Path) -> None:
    (tmp_path / "verbatim.db").write_bytes(b"this is not a database, it is a sentence" * 20)
    app = open_page(tmp_path)
    assert not app.exception
    assert "not a Verbatim project" in text_of(app)


def test_the_password_opens_the_owners_pages(
    open_page: OpenPage, empty_project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VERBATIM_PASSWORD_HASH", STORED)
    app = open_page(empty_project)
    assert app.title[0].value == "Sign in"
    app.text_input(key="password-given").input("wrong password")
    app.button[0].click().run()
    assert "not the password" in app.error[0].value
    app.text_input(key="password-given").input(PASSWORD)
    app.button[0].click().run()
    assert app.title[0].value == "Overview"


def test_wrong_passwords_run_into_the_brake(
    open_page: OpenPage, empty_project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VERBATIM_PASSWORD_HASH", STORED)
    app = open_page(empty_project)
    for _ in range(9):
        app.text_input(key="password-given").input("wrong password")
        app.button[0].click().run()
    assert "Too many wrong passwords" in app.error[0].value


def test_other_machines_without_a_password_reach_no_page(
    open_page: OpenPage, empty_project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("components.login.is_loopback", lambda _: False)
    app = open_page(empty_project)
    assert app.title[0].value == "Sign in"
    assert "annotator password" in text_of(app)


def test_a_raters_link_shows_no_navigation_and_opens_no_other_page(open_page: OpenPage, empty_project: Path) -> None:
    app = open_page(empty_project, **{"as": "token"})
    assert app.title[0].value == "Sign in"
    assert not app.sidebar.children
