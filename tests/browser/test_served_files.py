"""What the server hands to somebody who asks by hand: no file of the project or the machine, and no way to drive the app."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Iterator

import pytest

from annotator.store.project import Project
from tests.browser.server import Server, killable
from tests.studies.builders import text_project

pytestmark = pytest.mark.browser
PATHS = (
    "/..%2f..%2fetc/passwd",
    "/static/../../../app.py",
    "/app/static/../pyproject.toml",
    "/media/../project/verbatim.db",
    "/media/%2e%2e/verbatim.db",
    "/component/../../etc/passwd",
    "/component/x/%2e%2e%2f%2e%2e%2fapp.py",
    "/_stcore/bidi-components/verbatim_slider/%2e%2e%2fpyproject.toml",
    "/verbatim.db",
    "/project/verbatim.db",
    "/.streamlit/config.toml",
    "/pages/rate.py",
)
# Beginnings of what must not be found: of a database, a configuration, a list of users, a source file.
FOUND = (b"SQLite format", b"[server]", b"root:", b"[project]", b"import streamlit")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    project: Project = text_project(tmp_path_factory.mktemp("served") / "project")
    with killable(project.folder) as running:
        yield running


def ask(server: Server, path: str, method: str = "GET", body: bytes | None = None) -> tuple[int, bytes]:
    """Status and body of an answer."""
    headers = {"Content-Type": "application/json"} if body else {}
    request = urllib.request.Request(f"{server.url}{path}", data=body, method=method, headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read()


@pytest.mark.parametrize("path", PATHS)
def test_no_address_is_a_file(server: Server, path: str) -> None:
    status, body = ask(server, path)
    assert status in (200, 400, 403, 404)
    assert not any(beginning in body for beginning in FOUND)
    assert status != 200 or b"<!doctype html>" in body.lower(), "only the page itself is answered"


def test_nobody_uploads_without_a_page(server: Server) -> None:
    assert ask(server, "/_stcore/upload_file/any/name", "PUT", b"x")[0] == 403


def test_programs_cannot_drive_the_app(server: Server) -> None:
    status, body = ask(server, "/_stcore/agent/interact", "POST", b"{}")
    assert (status, json.loads(body)["error"]["code"]) == (403, "not_available")
