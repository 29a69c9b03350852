"""Bring a test set in through the data page: upload, mapping, problems, import, undo."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from annotator.store.project import open_project
from tests.browser.conftest import Serve
from tests.browser.steps import WAIT_MS, no_serious_faults, open_address, wait_idle

pytestmark = pytest.mark.browser


def test_upload_map_import_and_undo(page: Page, serve: Serve, tmp_path: Path) -> None:
    project = open_project(tmp_path / "project", create=True)
    Image.new("RGB", (80, 30), "teal").save(tmp_path / "a.png")
    items = tmp_path / "items.csv"
    items.write_text("image_id,transcription,label,image\na,GRAND,sign,a.png\nb,,sign,../up.png\n", encoding="utf-8")
    address = serve(project.folder)
    open_address(page, f"{address}/data")
    page.get_by_label("Image folder").fill(str(tmp_path))
    page.locator("input[type=file]").set_input_files(items)
    expect(page.get_by_text("2 columns that could be gold").first).to_be_visible(timeout=WAIT_MS)
    assert no_serious_faults(page) == []
    page.get_by_role("combobox", name="Column 2 is taken for").click()
    page.get_by_role("option", name="gold", exact=True).click()
    expect(page.get_by_text("would write 2").first).to_be_visible(timeout=WAIT_MS)
    expect(page.get_by_text("--map gold=transcription").first).to_be_visible()
    assert open_project(project.folder).revision() == 0
    page.get_by_role("button", name="Import", exact=True).click()
    expect(page.get_by_text("read 2 rows, wrote 2").first).to_be_visible(timeout=WAIT_MS)
    wait_idle(page)
    assert open_project(project.folder).revision() == 1
    open_address(page, f"{address}/data?view=imports")
    assert no_serious_faults(page) == []
    page.get_by_text("I want its rows gone").click()
    page.get_by_role("button", name="Undo this import").click()
    expect(page.get_by_text("undone").first).to_be_visible(timeout=WAIT_MS)
