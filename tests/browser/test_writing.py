"""Written answers in a real browser: keys, marks at the caret, drafts that survive; the image gate and zoom."""

from __future__ import annotations

from dataclasses import replace

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from annotator.store.project import Project
from annotator.studies.kinds import StudyKind
from annotator.studies.links import invite
from annotator.studies.written import Written, read_written
from tests.browser.conftest import Serve
from tests.browser.rating import begin, count, gone, press_on, task, write_on
from tests.browser.server import killable
from tests.studies.builders import PLAIN, open_study, picture_project

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("no_script_errors")]

BOOK = """labels:
  - name: surface
    question: On what is the text?
    values: {Wall: "A wall.", Paper: "Paper."}
  - name: bent
    question: Is it bent?
    values: {"No": "It is straight.", "Yes": "It is bent."}
"""
DRAFTS = "() => Object.keys(localStorage).filter(key => key.includes('-draft-')).length"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    project = picture_project(tmp_path_factory.mktemp("writing") / "project", ("one", "two"), items=12)
    (project.folder / "codebooks").mkdir()
    (project.folder / "codebooks" / "small.yaml").write_text(BOOK, encoding="utf-8")
    with project.write() as connection:
        connection.execute("UPDATE item SET language = 'bn'")
    return project


@pytest.fixture(scope="module")
def server(project: Project, serve: Serve) -> str:
    return serve(project.folder)


def start(page: Page, server: str, project: Project, name: str, kind: StudyKind = StudyKind.TRANSCRIPTION) -> None:
    """Open a new study of a written kind and go to its first task."""
    open_study(project, kind, name=name, overlap=2, settings=replace(PLAIN, codebook="small"))
    begin(page, f"{server}{invite(project, name).study_link}")


def stored(project: Project) -> list[Written]:
    """The written answers, last first."""
    with project.read() as connection:
        rows = connection.execute("SELECT value FROM rating_event ORDER BY event_key DESC").fetchall()
    return [read_written(row[0]) for row in rows]


def test_what_was_typed_and_not_saved_comes_back_and_is_dropped_when_saved(
    page: Page, browser: Browser, project: Project, server: str
) -> None:
    start(page, server, project, "draft")
    first = task(page)
    before = count(project, "rating_event")
    page.locator("[name=verbatim]").press_sequentially("half a li")
    page.get_by_label("Wall").check()
    page.reload()
    assert task(page) == first
    expect(page.locator("[name=verbatim]")).to_have_value("half a li")
    expect(page.get_by_label("Wall")).to_be_checked()
    expect(page.locator(".tb-restored")).to_be_visible()
    assert count(project, "rating_event") == before
    other = browser.new_context().new_page()
    begin(other, f"{server}{invite(project, 'draft').study_link}")
    expect(other.locator("[name=verbatim]")).to_have_value("")
    assert other.evaluate(DRAFTS) == 0
    other.context.close()
    page.locator("[name=verbatim]").press_sequentially("ne")
    page.keyboard.press("Control+Enter")
    gone(page, first)
    task(page)
    assert stored(project)[0] == Written("half a line", labels={"surface": "Wall"})
    assert page.evaluate(DRAFTS) == 0
    expect(page.locator("[name=verbatim]")).to_have_value("")
    expect(page.locator(".tb-restored")).to_be_hidden()


def test_marks_go_in_at_the_caret_and_text_is_kept_code_point_by_code_point(
    page: Page, project: Project, server: str
) -> None:
    start(page, server, project, "marks")
    typed = "e\u0301 \u0995\u09cd\u200d\u09b7"  # decomposed, and with a joiner
    page.locator("[name=verbatim]").fill(typed + "xz")
    page.locator("[name=verbatim]").press("ArrowLeft")
    page.locator(".tb-marks button", has_text="\u0981").click()
    page.locator(".tb-marks button", has_text="[?]").click()
    first = task(page)
    page.keyboard.press("Control+Enter")
    gone(page, first)
    assert stored(project)[0].verbatim == f"{typed}x\u0981[?]z"


def test_an_empty_transcription_is_refused_in_words_and_an_unreadable_one_is_kept(
    page: Page, project: Project, server: str
) -> None:
    start(page, server, project, "empty")
    first, before = task(page), count(project)
    page.keyboard.press("Control+Enter")
    page.get_by_text("expected what is written on the image").wait_for()
    assert task(page) == first
    assert count(project) == before
    page.keyboard.press("Escape")
    for key in ("ArrowDown", "ArrowDown", "1", "Enter"):
        page.keyboard.press(key)
    gone(page, first)
    assert stored(project)[0] == Written(flags=("unreadable",))


def test_labels_are_chosen_and_saved_by_keys_alone(page: Page, project: Project, server: str) -> None:
    start(page, server, project, "labels", StudyKind.LABELS)
    first = task(page)
    for key in ("2", "1", "ArrowUp", "1", "2", "Enter"):  # Paper; No; back up, Wall; then Yes
        page.keyboard.press(key)
    gone(page, first)
    assert stored(project)[0] == Written(labels={"surface": "Wall", "bent": "Yes"})
    second = task(page)
    for key in ("1", "ArrowUp", "1", "2", "Enter"):  # chosen, and taken back by the same key
        page.keyboard.press(key)
    gone(page, second)
    assert stored(project)[0] == Written(labels={"surface": "Paper"})
    page.keyboard.press("h")
    page.locator(".v-keys").wait_for()
    expect(page.locator(".v-keys")).to_contain_text("choose in the marked question")
    page.keyboard.press("ArrowLeft")
    page.locator(f".tb-task[data-item^='{second}.']").wait_for()
    expect(page.locator(".tb-group input:checked")).to_have_count(1)


def test_a_written_answer_outlives_a_killed_server(page: Page, project: Project) -> None:
    open_study(project, StudyKind.TRANSCRIPTION, name="killed", overlap=2)
    with killable(project.folder) as server:
        begin(page, f"{server.url}{invite(project, 'killed').study_link}")
        write_on(page, "first")
        before = count(project)
        page.locator("[name=verbatim]").fill("second")
        server.kill()
        page.keyboard.press("Control+Enter")
        expect(page.locator(".tb-banner")).to_be_visible(timeout=20_000)
        server.start()
        expect(page.locator(".tb-banner")).to_be_hidden(timeout=60_000)
        task(page)
        assert count(project) == before + 1
        assert stored(project)[0].verbatim == "second"


def test_a_task_is_locked_until_its_image_is_there_and_the_image_can_be_enlarged(
    page: Page, project: Project, server: str
) -> None:
    open_study(project, name="gate", overlap=2, settings=replace(PLAIN, image_gate=True))
    page.set_default_timeout(60_000)
    held: list[Route] = []
    is_open = False

    def pass_or_hold(route: Route) -> None:
        route.continue_() if is_open else held.append(route)

    page.route("**/media/*.jpg", pass_or_hold)
    before = count(project)
    page.goto(f"{server}{invite(project, 'gate').study_link}")
    page.locator(".st-key-way-start button").click()
    page.locator(".st-key-way-check button").click()
    page.locator(".tb-task[data-item*='.']").wait_for()
    first = (page.locator(".tb-task").get_attribute("data-item") or "").rpartition(".")[0]
    page.locator(".st-key-answers[inert]").wait_for()
    page.keyboard.press("2")
    page.locator(".st-key-give-2 button").click(force=True)
    page.wait_for_timeout(700)
    assert count(project) == before
    assert held
    page.keyboard.press("z")  # an image that does not come can be said
    page.locator(".st-key-reason-1").wait_for()
    page.keyboard.press("1")
    gone(page, first)
    assert count(project, "rating", "cannot = 'image'") == 1
    page.locator(".st-key-answers[inert]").wait_for()
    second = (page.locator(".tb-task").get_attribute("data-item") or "").rpartition(".")[0]
    is_open = True
    for route in held:
        route.continue_()
    assert task(page) == second
    page.keyboard.press("i")
    expect(page.locator(".v-task-image.v-zoomed")).to_be_visible()
    page.locator(".v-task-image").click()
    expect(page.locator(".v-task-image.v-zoomed")).to_have_count(0)
    press_on(page, "2")
    assert count(project) == before + 2
