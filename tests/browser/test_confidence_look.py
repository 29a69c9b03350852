"""Every view of the confidence page: no serious fault by axe, nothing wider than a phone."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page

from annotator.analyses.confidence.answersure import say_confidence_kind
from tests.analyses.confidence.test_rescoring import give_beams
from tests.analyses.strata.builders import give_confidence
from tests.browser.conftest import Serve
from tests.browser.steps import serious_faults, too_wide
from tests.builders import build_project
from tests.pages.test_strata import WORDS

pytestmark = pytest.mark.browser
VIEWS = ("cells", "calibration", "errors", "rescoring", "map&metric=ratio", "probe")
ADDRESSES = tuple(f"/confidence?system=alpha&view={view}" for view in VIEWS)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """English words with confidences, a beam of two for each, and a number per item."""
    items = [
        {"id": f"i{k}", "gold": word, "language": "en", "attributes": {"ratio": str(k / 100)}}
        for k, word in enumerate(WORDS)
    ]
    answers = {f"i{k}": word if len(word) < 4 or k % 3 else word[:-1] for k, word in enumerate(WORDS)}
    built = build_project(tmp_path_factory.mktemp("sure") / "project", items, {"alpha": answers})
    give_confidence(built, "alpha", {f"i{k}": 0.5 + (k % 50) / 100 for k in range(len(WORDS))})
    give_beams(built, {f"i{k}": [(answers[f"i{k}"], -0.2), (word, -0.9)] for k, word in enumerate(WORDS)})
    say_confidence_kind(built, "alpha", "softmax")
    return built.folder


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_no_serious_fault(page: Page, serve: Serve, project: Path, theme: str) -> None:
    assert serious_faults(page, serve(project), ADDRESSES, theme) == {}


def test_a_phone_is_wide_enough(page: Page, serve: Serve, project: Path) -> None:
    assert too_wide(page, serve(project), ADDRESSES) == []
