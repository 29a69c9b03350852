"""Check first by keyboard: the costliest edit, done, the next, back again; the address in a fresh browser."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Serve
from tests.browser.steps import WAIT_MS, expect_in_address, no_serious_faults, open_address, wait_idle
from tests.builders import build_project

pytestmark = pytest.mark.browser

PAIRS = {
    "time": ("The shop opens at 3pm on Monday", "The shop opens at 8pm on Monday"),
    "typo": ("planned strategically for the year", "planned strategicallv for the year"),
    "case": ("Hello, World", "hello world"),
}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("severity")
    items = []
    for name, (gold, _) in PAIRS.items():
        Image.new("RGB", (240, 60), "white").save(folder / f"{name}.png")
        items.append({"id": name, "gold": gold, "image": f"{name}.png", "language": "en"})
    made = build_project(folder / "project", items, {"alpha": {name: pair[1] for name, pair in PAIRS.items()}})
    with made.write() as connection:
        root = connection.execute("INSERT INTO image_root (path) VALUES (?)", (str(folder),)).lastrowid
        connection.execute("UPDATE item SET root_key = ?", (root,))
    return made.folder


def test_the_list_is_worked_through_by_key(page: Page, browser: Browser, serve: Serve, project: Path) -> None:
    address = serve(project)
    open_address(page, f"{address}/severity?tab=check")
    assert no_serious_faults(page) == []
    current = page.locator(".st-key-check-current")
    expect(current.locator(".v-severity")).to_have_text("1.00", timeout=WAIT_MS)
    expect(current.locator("img.v-thumb")).to_be_visible()
    expect(current.locator(".ge-sub").first).to_have_text("3")
    page.keyboard.press("d")
    expect_in_address(page, "edit=")
    expect(page.locator(".v-check").first).to_contain_text("marked done", timeout=WAIT_MS)
    expect(current.locator(".v-severity")).to_have_text("0.25", timeout=WAIT_MS)
    wait_idle(page)
    page.keyboard.press("ArrowLeft")
    expect(current.locator(".v-severity")).to_have_text("1.00", timeout=WAIT_MS)
    wait_idle(page)
    page.keyboard.press("u")
    expect(page.locator(".v-check").first).not_to_contain_text("marked done", timeout=WAIT_MS)

    other = browser.new_context()
    try:
        fresh = other.new_page()
        open_address(fresh, page.url.replace(address, serve(project, fresh=True)))
        expect(fresh.locator(".st-key-check-current .v-severity")).to_have_text("1.00", timeout=WAIT_MS)
    finally:
        other.close()
