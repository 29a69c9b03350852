"""A server that a test can kill and bring back on the same port; and waiting for the app."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from playwright.sync_api import Page

from tests.conftest import ROOT

START_SECONDS = 60


class Server:
    """One app on one port, with more environment variables. `kill` gives it no chance to tidy up."""

    def __init__(self, project: Path, **environment: str) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        self.project = project
        self.environment = environment
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self, base: str = "") -> None:
        quiet = ("--server.headless=true", "--browser.gatherUsageStats=false", "--server.fileWatcherType=none")
        self.process = subprocess.Popen(
            [sys.executable, "-m", "streamlit", "run", "app.py", f"--server.port={self.port}", *quiet],
            cwd=ROOT,
            env={**os.environ, "VERBATIM_PROJECT": str(self.project), **self.environment},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        end = time.monotonic() + START_SECONDS
        while time.monotonic() < end:
            with suppress(OSError), urllib.request.urlopen(f"{self.url}{base}/_stcore/health", timeout=2):
                return
            time.sleep(0.1)
        raise RuntimeError(f"the app did not answer on {self.url}")

    def kill(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None


@contextmanager
def killable(project: Path) -> Iterator[Server]:
    """A running server of the test's own."""
    server = Server(project)
    server.start()
    try:
        yield server
    finally:
        server.kill()


def settled(page: Page) -> None:
    """Wait until the app has finished its run."""
    page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for(timeout=30_000)
