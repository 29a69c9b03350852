"""The password in a browser: one sign-in, a reload, a sign-out; raters' links need none."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from annotator.access import hash_password
from annotator.store.project import open_project
from tests.browser.conftest import Serve
from tests.browser.steps import WAIT_MS, open_address, wait_idle

pytestmark = pytest.mark.browser
PASSWORD = "correct horse"


def test_sign_in_reload_and_sign_out(page: Page, serve: Serve, tmp_path_factory: pytest.TempPathFactory) -> None:
    project: Path = open_project(tmp_path_factory.mktemp("guarded"), create=True).folder
    address = serve(project, VERBATIM_PASSWORD_HASH=hash_password(PASSWORD))
    open_address(page, f"{address}/items")
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    assert page.locator('[data-testid="stPageLink-NavLink"]').count() == 0
    page.locator('input[type="password"]').fill(PASSWORD)
    page.locator('input[type="password"]').press("Enter")
    expect(page.get_by_role("heading", name="Items", exact=True)).to_be_visible(timeout=WAIT_MS)
    wait_idle(page)
    page.wait_for_function("document.cookie.includes('verbatim_signed_in')")
    open_address(page, f"{address}/items")
    expect(page.get_by_role("heading", name="Items", exact=True)).to_be_visible(timeout=WAIT_MS)
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible(timeout=WAIT_MS)
    page.wait_for_function("!document.cookie.includes('verbatim_signed_in')")
    open_address(page, f"{address}/items")
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible(timeout=WAIT_MS)
