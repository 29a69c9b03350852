"""From the rare corner of the grid to a failure, on by key, and the copied address in a fresh browser."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image, ImageDraw
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Serve
from tests.browser.steps import WAIT_MS, click_cell, expect_in_address, expect_item, open_address, wait_idle
from tests.builders import build_project
from tests.pages.test_strata import WORDS

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("strata")
    pictures = folder / "pictures"
    pictures.mkdir()
    items = [{"id": f"i/{k}", "gold": word, "image": f"{k}.png", "language": "en"} for k, word in enumerate(WORDS)]
    for k, word in enumerate(WORDS):
        picture = Image.new("RGB", (160, 48), "white")
        ImageDraw.Draw(picture).text((8, 14), word, fill="black")
        picture.save(pictures / f"{k}.png")
    answers = {f"i/{k}": word if len(word) < 4 else word[:-1] for k, word in enumerate(WORDS)}
    made = build_project(folder / "project", items, {"alpha": answers, "beta": answers})
    with made.write() as connection:
        root = connection.execute("INSERT INTO image_root (path) VALUES (?)", (str(pictures),)).lastrowid
        connection.execute("UPDATE item SET root_key = ?", (root,))
    return made.folder


def test_corner_to_failures_and_a_copied_address(page: Page, browser: Browser, serve: Serve, project: Path) -> None:
    address = serve(project)
    open_address(page, f"{address}/strata")
    click_cell(page, 4, 4)
    expect_in_address(page, "cell=5-5")
    expect(page.get_by_role("heading", name="Cell 5-5")).to_be_visible(timeout=WAIT_MS)
    wait_idle(page)
    page.locator(".gallery button").first.click()
    expect_in_address(page, "item=")
    expect(page.locator(".v-why")).to_contain_text("Why cell 5-5", timeout=WAIT_MS)
    first = page.locator(".v-item h3").inner_text()
    wait_idle(page)
    page.keyboard.press("ArrowRight")
    expect(page.locator(".v-item h3")).not_to_have_text(first, timeout=WAIT_MS)
    second = page.locator(".v-item h3").inner_text()
    expect(page.locator(".ge-del").first).to_be_visible()
    wait_idle(page)
    copied = page.url
    assert "cell=5-5" in copied
    page.go_back()
    expect_item(page, first)

    other = browser.new_context()
    try:
        fresh = other.new_page()
        open_address(fresh, copied.replace(address, serve(project, fresh=True)))
        expect_item(fresh, second)
        expect(fresh.get_by_role("heading", name="Cell 5-5")).to_be_visible(timeout=WAIT_MS)
        expect(fresh.locator(".gallery button").first).to_be_visible(timeout=WAIT_MS)
    finally:
        other.close()


def test_the_grid_by_keyboard(page: Page, serve: Serve, project: Path) -> None:
    open_address(page, f"{serve(project)}/strata?cell=3-3")
    page.get_by_text("The same as a table, by keyboard").click()
    table = page.get_by_role("grid")
    expect(table).to_be_visible(timeout=WAIT_MS)
    assert table.get_by_role("button").count() == 25
    table.locator('button[aria-pressed="true"]').focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect_in_address(page, "cell=4-4")
    expect(table.locator('button[aria-pressed="true"]')).to_be_focused(timeout=WAIT_MS)


def test_every_cell_can_be_clicked(page: Page, serve: Serve, project: Path) -> None:
    open_address(page, f"{serve(project)}/strata")
    for x, y in ((0, 0), (4, 0), (0, 4), (2, 1)):
        click_cell(page, x, y)
        expect_in_address(page, f"cell={x + 1}-{y + 1}")
        expect(page.get_by_role("heading", name=f"Cell {x + 1}-{y + 1}")).to_be_visible(timeout=WAIT_MS)
        wait_idle(page)


def test_on_a_phone_a_cell_goes_to_its_failures(page: Page, serve: Serve, project: Path) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    open_address(page, f"{serve(project)}/strata")
    page.wait_for_selector(".js-plotly-plot .bars", timeout=WAIT_MS)
    page.locator(".js-plotly-plot").first.scroll_into_view_if_needed()
    for x, y in ((4, 4), (2, 1)):
        page.locator(".js-plotly-plot").first.scroll_into_view_if_needed()
        wait_idle(page)
        click_cell(page, x, y)
        expect(page.get_by_role("heading", name=f"Cell {x + 1}-{y + 1}")).to_be_in_viewport(timeout=WAIT_MS)
        wait_idle(page)
