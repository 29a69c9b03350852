"""What tests of the rating screen do again and again."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from annotator.store.project import Project

errors: list[str] = []
"""What scripts of the rating screen threw; tests leave it empty."""


def count(project: Project, table: str = "rating", where: str = "1") -> int:
    with project.read() as connection:
        return int(connection.execute(f"SELECT count(*) FROM {table} WHERE {where}").fetchone()[0])


def begin(page: Page, address: str) -> None:
    """Open a link and go through consent and guidelines to the first task."""
    page.set_default_timeout(60_000)
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(address)
    page.locator(".st-key-way-start button").click()
    page.locator(".st-key-way-check button").click()
    task(page)


def task(page: Page) -> str:
    """The task on the screen, once it is there and takes an answer."""
    board = page.locator(".tb-task[data-ready=true]")
    board.wait_for(state="attached", timeout=60_000)
    return (board.get_attribute("data-item") or "").rpartition(".")[0]


def gone(page: Page, seen: str) -> None:
    """Wait until a task has left the screen."""
    expect(page.locator(f".tb-task[data-item^='{seen}.']")).to_have_count(0, timeout=60_000)


def press_on(page: Page, key: str) -> str:
    """Press a key and wait for the next task; return it."""
    before = task(page)
    page.keyboard.press(key)
    gone(page, before)
    return task(page)


def write_on(page: Page, text: str) -> str:
    """Type a transcription, save it by key, and wait for the next task; return it."""
    before = task(page)
    page.locator("[name=verbatim]").fill(text)
    page.keyboard.press("Control+Enter")
    gone(page, before)
    return task(page)
