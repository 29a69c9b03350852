"""Rating in a real browser: by key, undo, reload, resume; blind; and no acknowledged answer lost."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Response, WebSocket, expect

from annotator.access import hash_password
from annotator.exports.aggregates import aggregates_table
from annotator.exports.writing import write_table
from annotator.store.project import Project
from annotator.studies.kinds import StudyKind
from annotator.studies.links import invite, take_seat
from annotator.studies.written import Written, write_written
from tests.browser.conftest import Serve
from tests.browser.rating import begin, count, gone, press_on, task, write_on
from tests.browser.server import killable, settled
from tests.studies.builders import answer, open_study, picture_project, seat

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("no_script_errors")]

SYSTEMS = ("zebra-reader-9", "quokka-vision-2")


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    return picture_project(tmp_path_factory.mktemp("rating") / "project", SYSTEMS, items=30)


@pytest.fixture(scope="module")
def server(project: Project, serve: Serve) -> str:
    return serve(project.folder)


def test_join_rate_by_key_undo_reload_resume_and_export(
    page: Page, browser: Browser, project: Project, server: str, tmp_path: Path
) -> None:
    study = open_study(project, name="journey", overlap=2)
    begin(page, f"{server}{invite(project, study).study_link}")
    assert "as=" in page.url
    assert "join=" not in page.url
    seen = [task(page)]
    for number in range(10):
        seen.append(press_on(page, str(number % 5)))
    assert len(set(seen)) == 11
    expect(page.locator(".v-saved")).to_contain_text("Saved")
    page.keyboard.press("u")
    page.locator(f".tb-task[data-item^='{seen[9]}.']").wait_for()
    assert count(project) == 9
    page.reload()
    settled(page)
    assert task(page) == seen[9]
    other = browser.new_context().new_page()
    other.goto(page.url)
    assert task(other) == seen[9]
    press_on(other, "4")
    assert count(project) == 10
    assert count(project, "rating_event") == 12
    other.context.close()
    page.goto(f"{server}/agreement?study={study}")
    with page.expect_download(timeout=60_000) as download:
        page.locator(".st-key-agreement-aggregates button").click()
    download.value.save_as(tmp_path / "page.csv")
    write_table(project, aggregates_table(project, study), tmp_path / "library.csv")
    assert (tmp_path / "page.csv").read_bytes() == (tmp_path / "library.csv").read_bytes()
    with (tmp_path / "page.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 45
    assert sum(int(row["n_raters"]) for row in rows) == 10


def test_a_held_key_rates_one_task(page: Page, project: Project, server: str) -> None:
    study = open_study(project, name="held", overlap=2)
    begin(page, f"{server}{invite(project, study).study_link}")
    page.wait_for_timeout(300)
    before = count(project)
    first = task(page)
    for _repeat in range(15):  # Playwright sends the second and later downs of one key as auto-repeat
        page.keyboard.down("3")
        page.wait_for_timeout(40)
    page.keyboard.up("3")
    gone(page, first)
    page.wait_for_timeout(500)
    assert count(project) == before + 1


def test_a_double_click_and_keys_typed_as_text_store_one_answer(page: Page, project: Project, server: str) -> None:
    study = open_study(project, name="double", overlap=2)
    begin(page, f"{server}{invite(project, study).study_link}")
    page.wait_for_timeout(300)
    before, first = count(project), task(page)
    page.locator("textarea").click()
    page.keyboard.type("3 4 u 0")
    assert task(page) == first
    page.locator(".st-key-give-2 button").dblclick()
    gone(page, first)
    page.wait_for_timeout(500)
    assert count(project) == before + 1
    assert count(project, "rating_event", "rationale = '3 4 u 0'") == 1


def test_the_second_click_of_a_double_click_is_not_for_the_next_task(page: Page, project: Project, server: str) -> None:
    study = open_study(project, name="slow-double", overlap=2)
    begin(page, f"{server}{invite(project, study).study_link}")
    before = count(project)
    box = page.locator(".st-key-give-2 button").bounding_box()
    assert box is not None
    first = task(page)
    page.mouse.move(box["x"] + 20, box["y"] + 20)
    page.mouse.down(click_count=1)
    page.mouse.up(click_count=1)
    gone(page, first)
    task(page)
    page.mouse.down(click_count=2)  # the next task has just come
    page.mouse.up(click_count=2)
    page.wait_for_timeout(800)
    assert count(project) == before + 1


def test_back_forward_and_reload_in_the_middle_change_nothing(page: Page, project: Project, server: str) -> None:
    study = open_study(project, name="wander", overlap=2)
    link = f"{server}{invite(project, study).study_link}"
    begin(page, link)
    raters = count(project, "rater")
    second = press_on(page, "1")
    answers = count(project)
    page.go_back()
    page.wait_for_timeout(500)
    page.go_forward()
    settled(page)
    assert task(page) == second
    page.keyboard.press("3")
    page.reload()  # the press was stored, or waits in the browser and is sent again
    gone(page, second)
    task(page)
    assert count(project) == answers + 1
    assert count(project, "rater") == raters


def test_two_tabs_of_one_rater_store_one_answer(page: Page, browser: Browser, project: Project, server: str) -> None:
    study = open_study(project, name="tabs", overlap=2)
    begin(page, f"{server}{invite(project, study).study_link}")
    other = page.context.new_page()
    other.goto(page.url)
    shared = task(page)
    assert task(other) == shared
    before = count(project)
    page.bring_to_front()
    press_on(page, "1")
    other.bring_to_front()
    other.wait_for_timeout(300)
    press_on(other, "3")
    assert count(project) == before + 1
    other.close()


@pytest.mark.parametrize("kind", [StudyKind.EDIT_SEVERITY, StudyKind.PREFERENCE, StudyKind.TRANSCRIPTION])
def test_the_browser_receives_nothing_that_unblinds(
    browser: Browser, project: Project, server: str, kind: StudyKind
) -> None:
    """Messages, addresses, headers and bodies, the page as it stands: no system, item, file, severity or other rater."""
    study = open_study(project, kind, name=f"blind-{kind}", overlap=3)
    other = write_written(Written("secret-text")) if kind is StudyKind.TRANSCRIPTION else "0"
    answer(project, seat(project, study), other if kind is not StudyKind.PREFERENCE else "a", rationale="secret-reason")
    context = browser.new_context()
    page = context.new_page()
    received: list[bytes] = []
    pictures: list[bytes] = []

    def listen(socket: WebSocket) -> None:
        socket.on("framereceived", lambda data: received.append(data if isinstance(data, bytes) else data.encode()))

    def note(response: Response) -> None:
        received.append(f"{response.url} {response.headers}".encode())
        if response.url.startswith(f"{server}/media/") and response.url.endswith(".jpg"):
            pictures.append(response.body())

    page.on("websocket", listen)
    page.on("response", note)
    begin(page, f"{server}{invite(project, study).study_link}")
    for turn in range(3):
        if kind is StudyKind.TRANSCRIPTION:
            write_on(page, f"text {turn}")
        else:
            press_on(page, "0" if kind is StudyKind.EDIT_SEVERITY else "a")
    page.keyboard.press("Escape")
    page.keyboard.press("ArrowLeft")
    page.wait_for_timeout(500)
    received.append(page.content().encode())
    everything = b"\n".join([*received, *pictures])
    assert len(everything) > 100_000
    assert all(picture.startswith(b"\xff\xd8") for picture in pictures)
    assert len(set(pictures)) >= 2
    for secret in (*SYSTEMS, "item-no-", "picture-of-", str(project.folder), "rater-01", "secret-", "Exif"):
        assert secret.encode() not in everything, secret
    context.close()


def test_a_rater_who_types_another_address_is_refused(page: Page, project: Project, serve: Serve) -> None:
    study = open_study(project, name="addresses")
    guarded = serve(project.folder, VERBATIM_PASSWORD_HASH=hash_password("a long password"))
    begin(page, f"{guarded}{invite(project, study).study_link}")
    token = page.url.partition("as=")[2]
    for path in ("/", "/studies", "/agreement", f"/studies?as={token}"):
        page.goto(f"{guarded}{path}")
        page.get_by_text("Sign in").first.wait_for()
        text = page.inner_text("[data-testid=stApp]")
        assert not any(system in text for system in SYSTEMS)


def test_a_killed_server_loses_no_acknowledged_answer(page: Page, project: Project) -> None:
    study = open_study(project, name="killed", overlap=2)
    with killable(project.folder) as server:
        begin(page, f"{server.url}{invite(project, study).study_link}")
        before = count(project)
        for _turn in range(4):
            press_on(page, "2")
        expect(page.locator(".v-saved")).to_be_visible()
        server.kill()
        assert count(project) == before + 4
        page.keyboard.press("3")  # nobody answers: the press is kept in the browser
        page.keyboard.press("u")  # nothing is undone in its place
        expect(page.locator(".tb-banner")).to_be_visible(timeout=20_000)
        server.start()
        expect(page.locator(".tb-banner")).to_be_hidden(timeout=60_000)
        assert count(project) == before + 5


@pytest.mark.stress
def test_five_browsers_rate_at_once(browser: Browser, project: Project, server: str) -> None:
    """Every answer that a browser saw stored is there once, on the task and with the value that its rater pressed."""
    study = open_study(project, name="five", overlap=3)
    pages = [browser.new_context().new_page() for _browser in range(5)]
    given: list[tuple[int, str, str]] = []
    for page in pages:
        begin(page, f"{server}{invite(project, study).study_link}")
    raters = [take_seat(project, page.url.partition("as=")[2]).rater.key for page in pages]
    for turn in range(20):
        shown = [task(page) for page in pages]
        given += [(rater, seen, str((turn + n) % 5)) for n, (rater, seen) in enumerate(zip(raters, shown, strict=True))]
        for n, page in enumerate(pages):  # all five press before any of them waits
            page.keyboard.press(str((turn + n) % 5))
        for page, seen in zip(pages, shown, strict=True):
            gone(page, seen)
    for page in pages:
        task(page)
    with project.read() as connection:
        of_study = "JOIN study USING (study_key) WHERE name = 'five'"
        rows = connection.execute(f"SELECT rater_key, task_key, repeat, value FROM rating_event {of_study}").fetchall()
        assert connection.execute(f"SELECT max(taken) FROM task {of_study}").fetchone()[0] <= 3
    assert sorted((row[0], f"{row[1]}.{row[2]}", row[3]) for row in rows) == sorted(given)
    for page in pages:
        page.context.close()
