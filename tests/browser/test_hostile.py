"""Every page of a hostile project in a browser: no script runs, nothing is fetched, nothing breaks, no path is told."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, Request

from tests.browser.conftest import Serve
from tests.browser.steps import WAIT_MS, open_address
from tests.hostile import SECRET, hostile_project, hostile_studies

pytestmark = pytest.mark.browser
ADDRESSES = (
    "/",
    "/items?show=wrong",
    "/items?view=table",
    "/items?item={0}&view=aligned",
    "/items?item={3}&view=points&marks=1",
    "/items?item={6}",
    "/items?item=w0",
    "/items?search=%3Cscript%3Ewindow.struck%3D1%3C/script%3E&language=%3Cb%3E",
    "/items?item=..%2F..%2Fetc%2Fpasswd&system=%3Cimg%20src%3Dx%20onerror%3Dwindow.struck%3D1%3E&sort=%27%3B--",
    "/strata?cell=5-5&show=all",
    "/strata?cell=99-%3Cb%3E&reference=..%2F..%2Fx&add=1-1,%00",
    "/outcomes",
    "/taxonomy",
    "/attributes",
    "/severity",
    "/compare",
    "/confidence",
    "/conditions",
    "/studies",
    "/agreement",
    "/data",
    "/data?view=export",
    "/data?view=health",
    "/data?view=imports",
    "/data?view=recognise",
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
def hostile(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    project = hostile_project(tmp_path_factory.mktemp("hostile"))
    return project.folder, hostile_studies(project)


def ids(project: Path) -> list[str]:
    connection = sqlite3.connect(project / "verbatim.db")
    found = [quote(row[0]) for row in connection.execute("SELECT id FROM item ORDER BY item_key")]
    connection.close()
    return found


def walk(page: Page, own: str, addresses: Iterable[str]) -> dict[str, list[str]]:
    """Open every address; what was struck there, and what was asked of elsewhere, by address."""
    asked: list[str] = []
    faults: dict[str, list[str]] = {}

    def note(request: Request) -> None:
        asked.append(request.url)

    page.on("request", note)
    for address in addresses:
        open_address(page, own + address)
        page.wait_for_timeout(700)
        ours = (own, own.replace("http", "ws"), "data:", "blob:")
        faults[address] = [*page.evaluate(STRUCK, SECRET), *(url for url in asked if not url.startswith(ours))]
        asked.clear()
    return {address: found for address, found in faults.items() if found}


def test_every_page_of_a_hostile_project_is_inert(
    page: Page, serve: Serve, hostile: tuple[Path, dict[str, str]]
) -> None:
    project, studies = hostile
    names = [f"/{at}?study={quote(name)}" for name in studies for at in ("studies", "agreement")]
    known = ids(project)
    assert walk(page, serve(project), [*(each.format(*known) for each in ADDRESSES), *names]) == {}


def test_a_phone_shows_a_hostile_project_within_its_width(
    page: Page, serve: Serve, hostile: tuple[Path, dict[str, str]]
) -> None:
    project, studies = hostile
    page.set_viewport_size({"width": 390, "height": 844})
    known = ids(project)
    links = [f"/rate?as={token}" for token in studies.values()]
    assert walk(page, serve(project), [ADDRESSES[3].format(*known), ADDRESSES[5].format(*known), *links]) == {}


def test_the_raters_page_is_inert_in_every_kind_of_study(
    page: Page, serve: Serve, hostile: tuple[Path, dict[str, str]]
) -> None:
    project, studies = hostile
    own = serve(project)
    for name, token in studies.items():
        for path in ("rate", "items", "data"):  # whatever address a rater types
            assert walk(page, own, [f"/{path}?as={token}"]) == {}, f"{name} {path}"
        page.goto(f"{own}/rate?as={token}")
        for _task in range(4):
            page.locator(".tb-task[data-ready=true]").wait_for(state="attached", timeout=WAIT_MS)
            assert page.evaluate(STRUCK, SECRET) == [], name
            before = page.locator(".tb-task").get_attribute("data-item")
            page.locator(".st-key-tool-cannot button").click()
            page.locator(".st-key-reasons button").first.click()
            page.wait_for_function(
                "seen => document.querySelector('.tb-task')?.dataset.item !== seen", arg=before, timeout=WAIT_MS
            )
            if page.locator(".tb-task[data-ready=true]").count() == 0:
                break
