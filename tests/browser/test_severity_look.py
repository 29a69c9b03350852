"""Every view of the severity page, in four scripts: no serious fault by axe, nothing wider than a phone."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import Serve
from tests.browser.steps import serious_faults, too_wide
from tests.readers import STUDIES, read_project

pytestmark = pytest.mark.browser
ADDRESSES = (
    "/severity",
    *(f"/severity?tab={view}" for view in ("check", "equal", "load", "words", "unlike")),
    *(f"/severity?tab=readers&study={study}" for study in STUDIES),
    "/severity?tab=two&other=unit&study=pairs",
)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = read_project(tmp_path_factory.mktemp("severity-look") / "project", each=2)
    with made.write() as connection:
        for k, texts in enumerate((("قهوة المدينة", "قهوه المدينه"), ("নদীর কূলে", "নদীর কুলে"))):
            item = connection.execute(
                "INSERT INTO item (id, language, changed_revision) VALUES (?, ?, 1)",
                (f"no-gold-{k}", "ar" if k else "bn"),
            ).lastrowid
            connection.executemany(
                "INSERT INTO prediction (run_key, item_key, predicted, alignment_version) VALUES (?, ?, ?, '1')",
                [(run, item, text) for run, text in enumerate(texts, 1)],
            )
    return made.folder


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_no_serious_fault(page: Page, serve: Serve, project: Path, theme: str) -> None:
    assert serious_faults(page, serve(project), ADDRESSES, theme) == {}


def test_a_phone_is_wide_enough(page: Page, serve: Serve, project: Path) -> None:
    assert too_wide(page, serve(project), ADDRESSES) == []
