"""The pages of raters and study owners: no serious fault by axe, nothing wider than a phone."""

from __future__ import annotations

import random

import pytest
from playwright.sync_api import Page

from annotator.store.project import Project
from annotator.studies.kinds import StudyKind
from annotator.studies.links import invite
from annotator.studies.settings import StudySettings
from annotator.studies.work import current_desk
from annotator.studies.written import Written, write_written
from tests.browser.conftest import Serve
from tests.browser.steps import no_serious_faults, open_address, wait_idle
from tests.studies.builders import PLAIN, answer, open_study, picture_project, seat

pytestmark = pytest.mark.browser
LABELLED = StudySettings(check_questions=0, check_pass=0, codebook="banglawild")
KINDS = {"edits": (StudyKind.EDIT_SEVERITY, StudySettings()), "pairs": (StudyKind.PREFERENCE, PLAIN)}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """Three studies with some answers, a disputed transcription among them."""
    project = picture_project(tmp_path_factory.mktemp("look") / "project", ("one", "two"), items=12)
    rng = random.Random(1)
    for name, (kind, settings) in KINDS.items():
        open_study(project, kind, name=name, settings=settings)
        for _rater in range(2):
            rater = seat(project, name)
            for _turn in range(8):
                if current_desk(project, rater).task is not None:
                    answer(project, rater, rng.choice("0123") if name == "edits" else rng.choice("ab"))
    open_study(project, StudyKind.TRANSCRIPTION, name="texts", size=1, overlap=3, settings=LABELLED)
    for text in ("abc", "abd"):
        answer(project, seat(project, "texts"), write_written(Written(text)))
    return project


def way(page: Page, address: str) -> list[list[str]]:
    """Faults at every step of a rater's way."""
    faults = []
    open_address(page, address)
    for step in ("way-start", "way-check"):
        button = page.locator(f".st-key-{step} button")
        button.wait_for()
        wait_idle(page)
        faults.append(no_serious_faults(page))
        button.click()
    page.wait_for_timeout(1500)
    wait_idle(page)
    faults.append(no_serious_faults(page))
    return faults


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_no_serious_fault(page: Page, serve: Serve, project: Project, theme: str) -> None:
    page.emulate_media(color_scheme="dark" if theme == "dark" else "light", reduced_motion="reduce")
    base = serve(project.folder)
    found = {}
    for address in ("/studies?study=edits", "/studies?study=texts", "/agreement?study=pairs", "/agreement?study=edits"):
        open_address(page, base + address)
        page.wait_for_timeout(500)
        found[address] = no_serious_faults(page)
    for study in ("edits", "pairs", "texts"):
        for number, faults in enumerate(way(page, base + invite(project, study).study_link)):
            found[f"/rate {study} {number}"] = faults
    assert {address: faults for address, faults in found.items() if faults} == {}


def test_a_phone_is_wide_enough(page: Page, serve: Serve, project: Project) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    base = serve(project.folder)
    main = page.locator('[data-testid="stMain"]')
    for address in ("/studies?study=edits", "/agreement?study=pairs"):
        open_address(page, base + address)
        assert main.evaluate("e => e.scrollWidth <= e.clientWidth + 1"), address
    for study in ("pairs", "texts"):
        way(page, base + invite(project, study).study_link)
        assert main.evaluate("e => e.scrollWidth <= e.clientWidth + 1"), study
