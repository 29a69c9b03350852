"""From a count of rewritten answers to the item behind it; conditions with the slider; both without serious faults."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image, ImageDraw
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Serve
from tests.browser.steps import (
    WAIT_MS,
    expect_in_address,
    expect_item,
    open_address,
    serious_faults,
    too_wide,
    wait_idle,
)
from tests.builders import build_project

pytestmark = pytest.mark.browser

TEXTS = [("dolphiin", "dolphin"), ("elephat", "elephant"), ("pige0n", "pigeon"), ("aza lea", "azalea")]
ADDRESSES = (
    "/outcomes?system=one&outcome=canonical",
    "/outcomes?by=perturbation",
    "/outcomes?tab=pair&outcome=literal&to=canonical",
    "/outcomes?tab=consensus",
    "/outcomes?tab=lexical&prior=d",
    "/outcomes?tab=families",
    "/conditions?tab=strong",
)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("outcomes")
    pictures = folder / "pictures"
    pictures.mkdir()
    box = {"box_x": 30, "box_y": 20, "box_width": 120, "box_height": 40}
    items = []
    for at, (gold, standard) in enumerate(TEXTS):
        picture = Image.new("RGB", (200, 90), (160, 170, 180))
        draw = ImageDraw.Draw(picture)
        draw.rectangle((30, 20, 149, 59), fill="white", outline=(220, 20, 30))
        draw.text((45, 32), gold, fill="black")
        picture.save(pictures / f"{at}.png")
        attributes = {"d": str(at / 2), "domain": "animal" if at < 3 else "plant"}
        items.append(
            {"id": f"i{at}", "gold": gold, "standard": standard, "image": f"{at}.png", "attributes": attributes, **box}
        )
    literal = {f"i{at}": gold for at, (gold, _) in enumerate(TEXTS)}
    rewritten = {f"i{at}": standard if at < 3 else "x" for at, (_, standard) in enumerate(TEXTS)}
    made = build_project(folder / "project", items, {"one": rewritten, "two": literal, "two@gray": rewritten})
    with made.write() as connection:
        root = connection.execute("INSERT INTO image_root (path) VALUES (?)", (str(pictures),)).lastrowid
        connection.execute("UPDATE item SET root_key = ?", (root,))
    return made.folder


def test_a_count_opens_its_items_and_the_address_can_be_copied(
    page: Page, browser: Browser, serve: Serve, project: Path
) -> None:
    address = serve(project)
    open_address(page, f"{address}/outcomes")
    page.get_by_role("button", name="one: Canonical 3, show the items").click()
    expect_in_address(page, "outcome=canonical")
    expect(page.get_by_role("heading", name="3 items")).to_be_visible(timeout=WAIT_MS)
    wait_idle(page)
    expect(page.locator(".gallery button")).to_have_count(3)
    page.locator(".gallery button").first.click()
    expect_item(page, "i0")
    wait_idle(page)
    page.keyboard.press("ArrowRight")
    expect_item(page, "i1")
    wait_idle(page)
    other = browser.new_context()
    try:
        fresh = other.new_page()
        open_address(fresh, page.url)
        expect_item(fresh, "i1")
        expect(fresh.get_by_role("heading", name="3 items")).to_be_visible(timeout=WAIT_MS)
    finally:
        other.close()


def test_a_cell_of_the_transitions_opens_its_items(page: Page, serve: Serve, project: Path) -> None:
    open_address(page, f"{serve(project)}/outcomes?tab=pair&a=two@default&b=one@default")
    page.get_by_role("button", name="A Literal: Canonical 3, show the items").click()
    expect_in_address(page, "to=canonical")
    expect(page.get_by_role("heading", name="3 items")).to_be_visible(timeout=WAIT_MS)
    expect(page.locator(".gallery .badge").filter(has_text="B canonical: dolphin")).to_be_visible(timeout=WAIT_MS)


def test_the_slider_moves_by_keyboard(page: Page, serve: Serve, project: Path) -> None:
    open_address(page, f"{serve(project)}/conditions?tab=strong")
    slider = page.get_by_role("slider")
    slider.focus()
    before = page.locator("img.after").evaluate("e => e.style.clipPath")
    page.keyboard.press("ArrowRight")
    assert page.locator("img.after").evaluate("e => e.style.clipPath") != before
    expect(page.get_by_text("Pixels that must stay")).to_be_visible()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_no_serious_fault(page: Page, serve: Serve, project: Path, theme: str) -> None:
    assert serious_faults(page, serve(project), ADDRESSES, theme) == {}


def test_a_phone_is_wide_enough(page: Page, serve: Serve, project: Path) -> None:
    assert too_wide(page, serve(project), ADDRESSES) == []
