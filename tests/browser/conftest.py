"""The app served on a free port, and Debian's Chromium to drive it."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.browser.rating import errors
from tests.conftest import ROOT

Serve = Callable[..., str]
START_SECONDS = 60


@pytest.fixture(scope="session")
def base_url() -> None:
    """None: every test asks `serve` for its address. (The plugin's own fixture warns under this pytest.)"""


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, object]) -> dict[str, object]:
    """Debian's Chromium instead of a downloaded one; without it the browser tests are skipped."""
    found = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    if found is None:
        pytest.skip("Chromium is not installed (apt-get install chromium)")
    flags = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
             "--disable-component-update", "--disable-sync"]  # fmt: skip
    return {**browser_type_launch_args, "executable_path": found, "headless": True, "args": flags}


@pytest.fixture(scope="session")
def serve(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serve]:
    """`serve(project)` starts the app on a project folder, once each, and returns its address.

    `environment` adds variables (a password hash); `fresh=True` starts another server on the same project.
    """
    logs = tmp_path_factory.mktemp("servers")
    running: dict[tuple[Path, tuple[tuple[str, str], ...]], str] = {}
    processes: list[subprocess.Popen[bytes]] = []

    def start(project: Path, *, fresh: bool = False, **environment: str) -> str:
        key = (project, tuple(sorted(environment.items())))
        if fresh or key not in running:
            log = logs / f"{len(processes)}.log"
            address, process = _start(project, environment, log)
            processes.append(process)
            if fresh:
                return address
            running[key] = address
        return running[key]

    yield start
    for process in processes:
        _stop(process)
    for process in processes:
        process.wait(timeout=20)


def _stop(process: subprocess.Popen[bytes]) -> None:
    """End the command and the server that it started: they are one group of processes."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGTERM)


def _start(project: Path, environment: dict[str, str], log: Path) -> tuple[str, subprocess.Popen[bytes]]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    variables = {k: v for k, v in os.environ.items() if k != "VERBATIM_PASSWORD_HASH"}
    command = [sys.executable, "-m", "annotator", "serve", "--port", str(port), "--project", str(project)]
    with log.open("wb") as out:
        process = subprocess.Popen(
            command, cwd=ROOT, env={**variables, **environment}, stdout=out, stderr=out, start_new_session=True
        )
    address = f"http://127.0.0.1:{port}"
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until:
        if process.poll() is not None:
            break
        try:
            with urllib.request.urlopen(f"{address}/_stcore/health", timeout=2):
                return address, process
        except OSError:
            time.sleep(0.1)
    _stop(process)
    raise RuntimeError(f"the app did not start: {log.read_text(errors='replace')[-2000:]}")


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, object]) -> dict[str, object]:
    """A desktop screen unless a test says otherwise."""
    return {**browser_context_args, "viewport": {"width": 1440, "height": 900}}


@pytest.fixture
def no_script_errors() -> Iterator[None]:
    """No script of the rater's screen throws, whatever a test does."""
    errors.clear()
    yield
    assert errors == []
