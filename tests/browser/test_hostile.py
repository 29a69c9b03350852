"""Every page of a hostile project in a browser: no script runs, nothing is fetched, nothing breaks, no path is told."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, Request

from annotator.studies.kinds import StudyKind
from tests.browser.conftest import Serve
from tests.browser.steps import open_address
from tests.hostile import FORMULA, SECRET, hostile_project
from tests.studies.builders import open_study

pytestmark = pytest.mark.browser
FEW = ("/items?item={0}&view=aligned", "/items?item={6}", "/compare")
MORE = (
    "/",
    "/items?show=wrong",
    "/items?view=table",
    "/items?item=w0",
    "/items?item={3}&view=points&marks=1",
    "/items?search=%3Cscript%3Ewindow.struck%3D1%3C/script%3E&language=%3Cb%3E",
    "/strata?cell=5-5&show=all",
    "/outcomes",
    "/taxonomy",
    "/attributes",
    "/severity",
    "/confidence",
    "/conditions",
    "/studies",
    "/agreement",
    "/data",
    "/data?view=imports",
)
STRUCK = """secret => [
  window.struck && 'a script ran',
  document.querySelector('[data-testid=stException]') && 'a traceback: ' + document.querySelector('[data-testid=stException]').innerText.slice(0, 400),
  document.querySelector('a[href^="javascript:"]') && 'a script link',
  document.querySelector('[src*="198.51.100.7"]') && 'a picture of elsewhere',
  (main => (main.querySelectorAll('[data-testid=stCode]').forEach(e => e.remove()), main.innerText.includes(secret)) &&
    'the path of the project outside a command')(document.querySelector('[data-testid=stMain]').cloneNode(true)),
  document.querySelector('[onerror], [onload]') && 'a handler',
  document.querySelector('[data-testid=stMain] .katex') && 'a formula was set',
  (m => m.scrollWidth > m.clientWidth + 1 && 'wider than the screen: ' + m.scrollWidth)(document.querySelector('[data-testid=stMain]')),
].filter(Boolean)"""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    project = hostile_project(tmp_path_factory.mktemp("hostile"))
    open_study(project, StudyKind.TEXT_SEVERITY, name=f"<b>&{FORMULA[:9]}", overlap=2)
    return project.folder


def ids(project: Path) -> list[str]:
    connection = sqlite3.connect(project / "verbatim.db")
    found = [quote(row[0]) for row in connection.execute("SELECT id FROM item ORDER BY item_key")]
    connection.close()
    return found


@pytest.mark.parametrize("address", [*FEW, *(pytest.param(each, marks=pytest.mark.stress) for each in MORE)])
def test_a_hostile_project_is_inert(page: Page, serve: Serve, project: Path, address: str) -> None:
    asked: list[str] = []

    def note(request: Request) -> None:
        asked.append(request.url)

    page.on("request", note)
    own = serve(project)
    open_address(page, own + address.format(*ids(project)))
    page.wait_for_timeout(700)
    assert page.evaluate(STRUCK, SECRET) == []
    assert [url for url in asked if not url.startswith((own, own.replace("http", "ws"), "data:", "blob:"))] == []
