"""From a part of a bar to its events, on by keyboard, the copied address in a fresh browser; attributes from cell to items."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Serve
from tests.browser.steps import WAIT_MS, click_cell, expect_in_address, no_serious_faults, open_address, wait_idle
from tests.builders import build_project

pytestmark = pytest.mark.browser

PAIRS = {
    "vowel": ("পাখি ডাকে", "পাখী ডাকে"),
    "visual": ("কলম আছে", "কলস আছে"),
    "nasal": ("চাঁদ ওঠে", "চাদ ওঠে"),
    "split": ("বইমেলা শুরু", "বই মেলা শুরু"),
}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("taxonomy")
    pictures = folder / "pictures"
    pictures.mkdir()
    items = []
    for place in ("wall", "bus"):
        for name, (gold, _) in PAIRS.items():
            Image.new("RGB", (120, 40), "white").save(pictures / f"{name}.png")
            kind = "sign" if name in ("vowel", "visual") else "poem"
            attributes = {"place": place, "kind": kind}
            items.append(
                {
                    "id": f"{name}-{place}",
                    "gold": gold,
                    "image": f"{name}.png",
                    "language": "bn",
                    "attributes": attributes,
                }
            )
    wrong = {item["id"]: PAIRS[str(item["id"]).split("-")[0]][1] for item in items}
    made = build_project(folder / "project", items, {"alpha": wrong, "beta": {"visual-bus": "কলস আছে"}})
    with made.write() as connection:
        root = connection.execute("INSERT INTO image_root (path) VALUES (?)", (str(pictures),)).lastrowid
        connection.execute("UPDATE item SET root_key = ?", (root,))
    return made.folder


def test_a_part_of_a_bar_opens_its_events(page: Page, browser: Browser, serve: Serve, project: Path) -> None:
    address = serve(project)
    open_address(page, f"{address}/taxonomy")
    assert no_serious_faults(page) == []
    part = page.locator(".stPlotlyChart .bars .point path").first
    part.wait_for(timeout=WAIT_MS)
    box = part.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect_in_address(page, "class=visual-misread")
    expect_in_address(page, "run=alpha%40default")
    expect(page.locator(".v-event")).to_have_count(2, timeout=WAIT_MS)
    expect(page.locator(".v-event").first).to_contain_text("look-alike glyphs")
    expect(page.locator(".v-event .ge-sub").first).to_be_visible()
    expect(page.locator("img.v-thumb").first).to_be_visible()
    wait_idle(page)

    grid = page.get_by_role("grid")
    grid.locator('button[aria-pressed="true"]').focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect_in_address(page, "class=vowel-sign")
    expect(page.locator(".v-event").first).to_contain_text("nothing but vowel signs differs", timeout=WAIT_MS)

    other = browser.new_context()
    try:
        fresh = other.new_page()
        open_address(fresh, page.url.replace(address, serve(project, fresh=True)))
        expect(fresh.locator(".v-event").first).to_contain_text("nothing but vowel signs differs", timeout=WAIT_MS)
        expect(fresh.locator(".v-event")).to_have_count(2)
    finally:
        other.close()


def test_a_joint_cell_opens_what_was_misread_there(page: Page, serve: Serve, project: Path) -> None:
    open_address(page, f"{serve(project)}/attributes?axis=place&axis2=kind")
    assert no_serious_faults(page) == []
    click_cell(page, 0, 0)
    expect_in_address(page, "value=")
    expect(page.get_by_role("heading", name="What was misread there")).to_be_visible(timeout=WAIT_MS)
    expect(page.locator(".gallery button")).to_have_count(2, timeout=WAIT_MS)
    wait_idle(page)
    page.locator(".gallery button").first.click()
    expect_in_address(page, "item=")
    expect(page.locator(".v-item h3")).to_be_visible(timeout=WAIT_MS)
