"""Every page of the researcher: no serious fault by axe, nothing wider than a phone, nothing fetched from elsewhere."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, Request

from tests.browser.conftest import Serve
from tests.browser.steps import open_address, serious_faults, too_wide
from tests.builders import build_project
from tests.pages.test_strata import WORDS

pytestmark = pytest.mark.browser
ADDRESSES = (
    "/",
    "/items?show=wrong",
    "/items?item=i0",
    "/items?item=ar&view=aligned",
    "/items?item=bn&view=points&marks=1",
    "/strata",
    "/strata?cell=5-5&show=all&item=i99",
    *(f"/{page}" for page in ("compare", "confidence", "outcomes", "taxonomy", "attributes", "severity", "data")),
    *(f"/{page}" for page in ("studies", "agreement", "rate", "conditions")),
)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    items = [{"id": f"i{k}", "gold": word, "language": "en", "benchmark": "words"} for k, word in enumerate(WORDS)]
    items.append({"id": "ar", "gold": "سلام عليكم", "language": "ar", "benchmark": "signs"})
    items.append({"id": "bn", "gold": "ক্ষমতা", "standard": "ক্ষমতায়", "language": "bn", "benchmark": "signs"})
    answers = {f"i{k}": word if len(word) < 4 else word[:-1] for k, word in enumerate(WORDS)}
    answers |= {"ar": "سلم عليكم!", "bn": "খমতা"}
    return build_project(
        tmp_path_factory.mktemp("look") / "project", items, {"alpha": answers, "beta@gray": answers}
    ).folder


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_no_serious_fault(page: Page, serve: Serve, project: Path, theme: str) -> None:
    assert serious_faults(page, serve(project), ADDRESSES, theme) == {}


def test_a_phone_is_wide_enough(page: Page, serve: Serve, project: Path) -> None:
    assert too_wide(page, serve(project), ADDRESSES) == []


def test_nothing_is_fetched_from_elsewhere(page: Page, serve: Serve, project: Path) -> None:
    own = serve(project)
    asked: list[str] = []

    def note(request: Request) -> None:
        asked.append(request.url)

    page.on("request", note)
    for address in ("/", "/items?item=i0", "/strata?cell=5-5"):
        open_address(page, own + address)
    ours = (own, own.replace("http", "ws"), "data:", "blob:")
    assert [url for url in asked if not url.startswith(ours)] == []


def test_the_keyboard_map_opens_with_h(page: Page, serve: Serve, project: Path) -> None:
    open_address(page, f"{serve(project)}/items")
    page.wait_for_timeout(500)
    page.keyboard.press("h")
    page.get_by_role("dialog").get_by_text("the next item").wait_for()
