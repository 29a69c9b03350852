"""Serving: a port that is taken is refused in words, and nothing stays behind when the server is told to end."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from annotator.cli.main import root
from annotator.errors import UsageError

ROOT = Path(__file__).resolve().parents[2]
PATIENCE_SECONDS = 90


def test_a_port_that_is_taken_is_refused_with_what_to_do() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = CliRunner().invoke(root, ["serve", "--port", str(port)])
    assert isinstance(done.exception, UsageError)
    assert f"found {port}, which another program listens on" in str(done.exception)
    assert "make app PORT=" in str(done.exception)


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_the_app_ends_with_its_server(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = subprocess.Popen(
        [sys.executable, "-m", "annotator", "serve", "--port", str(port), "--project", str(tmp_path)],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        assert _within(lambda: _listens(port))
        server.send_signal(signal.SIGTERM)
        server.wait(PATIENCE_SECONDS)
        assert _within(lambda: not _listens(port))
    finally:
        server.kill()
        server.wait()


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def _within(condition: Callable[[], bool]) -> bool:
    end = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.2)
    return False
