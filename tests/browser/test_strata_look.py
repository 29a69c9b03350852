"""The views of compare, confidence and strata: no serious fault by axe, nothing wider than a phone."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.analyses.strata.builders import give_confidence, grid_items, grid_project, right_but
from tests.browser.conftest import Serve
from tests.browser.steps import serious_faults, too_wide

pytestmark = pytest.mark.browser
PLACED = "reference=signs"
ADDRESSES = (
    f"/compare?{PLACED}&a=one&b=two&value=01&item=signs5-5-0",
    *(f"/compare?{PLACED}&view={view}" for view in ("grid", "ngrams", "variants", "router", "control")),
    f"/compare?{PLACED}&view=corpora&value=signs",
    *(f"/confidence?{PLACED}&view={view}" for view in ("cells", "calibration", "errors", "probe")),
    f"/confidence?{PLACED}&view=map&metric=confidence",
    *(f"/strata?{PLACED}&readout={name}" for name in ("benchmarks", "effects", "curves", "suspects")),
    *(f"/strata?{PLACED}&cell=5-5&readout={name}" for name in ("modes", "ngrams")),
)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    items = grid_items(copies=4, benchmark="signs")
    wrong = {str(item["id"]): "a rather long answer" for item in items[::7]}
    one, two = right_but(items, wrong), right_but(items, dict(list(wrong.items())[::2]))
    built = grid_project(tmp_path_factory.mktemp("look"), items, {"one": one, "two": two, "two@gray": one})
    for name in ("one", "two"):
        give_confidence(built, name, {item_id: 0.4 if item_id in wrong else 0.9 for item_id in one})
    return built.folder


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_no_serious_fault(page: Page, serve: Serve, project: Path, theme: str) -> None:
    assert serious_faults(page, serve(project), ADDRESSES, theme) == {}


def test_a_phone_is_wide_enough(page: Page, serve: Serve, project: Path) -> None:
    assert too_wide(page, serve(project), ADDRESSES) == []
