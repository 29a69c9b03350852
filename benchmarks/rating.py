"""Key press to next task in Chromium, and the store's part of it, with 10,000 tasks.

    python benchmarks/rating.py [--tasks 10000] [--presses 60]

Needs what the browser tests need. Builds a project in a temporary folder, serves the app, joins a study and presses keys
one after the other; the time is taken inside the page, from the key event to the frame that shows the next task and takes its answer.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from annotator.store.project import Project, hold_open
from annotator.studies.links import invite
from annotator.studies.work import current_desk
from tests.browser.server import killable
from tests.studies.builders import answer, open_study, seat, text_project

WATCH = """
() => { window.times = []; let at = 0, before = '';
  const now = () => document.querySelector('.tb-task[data-ready=true]')?.dataset.item || '';
  document.addEventListener('keydown', () => { at = performance.now(); before = now(); }, true);
  const look = () => { const seen = now();
    if (at && seen && seen !== before) { const done = at; at = 0; requestAnimationFrame(() => window.times.push(performance.now() - done)); }
    requestAnimationFrame(look); };
  look(); }
"""


def store_times(project: Project, turns: int) -> list[float]:
    """Milliseconds of storing an answer and handing out the next task, without a browser."""
    idle = hold_open(project)  # as the app does
    rater, times = seat(project), []
    desk = current_desk(project, rater)
    for _turn in range(turns):
        start = time.perf_counter()
        answer(project, rater, "2", desk)
        desk = current_desk(project, rater)
        times.append(1000 * (time.perf_counter() - start))
    idle.close()
    return times


def browser_times(project: Project, presses: int) -> list[float]:
    """Milliseconds from key press to the frame with the next task."""
    from playwright.sync_api import sync_playwright

    with killable(project.folder) as server, sync_playwright() as playwright:
        executable = os.environ.get("CHROMIUM") or shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=executable, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.goto(f"{server.url}{invite(project, 's').study_link}")
        page.locator(".st-key-way-start button").click()
        page.locator(".st-key-way-check button").click()
        page.locator("html[data-hotkeys=on]").wait_for(state="attached")
        page.locator(".tb-task[data-ready=true]").wait_for()
        page.wait_for_timeout(1000)
        page.evaluate(WATCH)
        for turn in range(presses):
            page.keyboard.press(str(turn % 5))
            page.wait_for_function("n => window.times.length >= n", arg=turn + 1)
            page.wait_for_timeout(150)
        times = [float(t) for t in page.evaluate("window.times")]
        browser.close()
    return times[4:]


def say(name: str, times: list[float]) -> None:
    """Print median, 95th percentile and maximum."""
    p95 = statistics.quantiles(times, n=20)[-1]
    print(
        f"{name}: median {statistics.median(times):.0f} ms, p95 {p95:.0f} ms, max {max(times):.0f} ms, n {len(times)}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tasks", type=int, default=10_000)
    parser.add_argument("--presses", type=int, default=60)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        project = text_project(Path(folder) / "project", items=options.tasks)
        open_study(project)
        print(f"{options.tasks} tasks; load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
        before = time.process_time()
        say("store: answer and next task", store_times(project, 200))
        print(f"  of which processor time: {1000 * (time.process_time() - before) / 200:.1f} ms")
        say("browser: key press to next task", browser_times(project, options.presses))


if __name__ == "__main__":
    main()
