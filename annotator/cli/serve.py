"""`annotator serve`: run the app."""

from __future__ import annotations

import errno
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import click

from annotator.access import PASSWORD_VARIABLE, is_loopback
from annotator.cli.frame import emit
from annotator.errors import EngineError, UsageError

APP = Path(__file__).resolve().parents[2] / "app.py"


@click.command()
@click.option("--port", type=click.IntRange(1, 65535), default=8501, show_default=True)
@click.option("--address", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--project", metavar="DIR", default=None, help="Project folder (default: ./project, else the demo).")
@click.option("--json", "as_json", is_flag=True, help="Print the address as one JSON document and nothing else.")
def serve(port: int, address: str, project: str | None, as_json: bool) -> None:
    """Run the app until it is stopped with Ctrl-C."""
    if not is_loopback(address) and not os.environ.get(PASSWORD_VARIABLE) and not _has_login():
        raise UsageError(
            f"--address: found {address}, which other machines can reach, and no password; expected {PASSWORD_VARIABLE}. "
            "Run `annotator password`, set the variable to what it prints, then serve again."
        )
    if not APP.exists():
        raise EngineError(
            f"cannot find the app: expected {APP.name} beside the package. Run from a checkout of Verbatim."
        )
    _refuse_taken(port, address)
    environment = dict(os.environ)
    if project:
        environment["VERBATIM_PROJECT"] = str(Path(project).absolute())
    if as_json:
        document = {"url": f"http://{address}:{port}", "project": environment.get("VERBATIM_PROJECT")}
        emit(document, True, list)
    sys.exit(_run(serve_command(port, address), environment, quiet=as_json))


def serve_command(port: int, address: str) -> list[str]:
    """The command that starts Streamlit on the app, with usage statistics and file watching off."""
    options = {
        "server.address": address,
        "server.port": str(port),
        "server.headless": "true",
        "server.fileWatcherType": "none",
        "browser.gatherUsageStats": "false",
    }
    return [
        sys.executable,
        "-m",
        "streamlit",
        "run",
        str(APP),
        *(f"--{name}={value}" for name, value in options.items()),
    ]


def _has_login() -> bool:
    """Streamlit's own login is configured in a secrets file."""
    secrets = [APP.parent / ".streamlit" / "secrets.toml", Path.home() / ".streamlit" / "secrets.toml"]
    return any(path.is_file() and "[auth" in path.read_text(encoding="utf-8") for path in secrets)


def _refuse_taken(port: int, address: str) -> None:
    """Raise `UsageError` when another program listens on the port. Other faults of the address are Streamlit's to tell."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((address, port))
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                raise UsageError(
                    f"--port: found {port}, which another program listens on; expected a free port. "
                    f"Stop that program, or serve elsewhere: --port {port % 65535 + 1}, make app PORT={port % 65535 + 1}."
                ) from error


def _run(command: list[str], environment: dict[str, str], quiet: bool = False) -> int:
    """Run the app until it ends. Ctrl-C and SIGTERM end it too: no app is left behind on the port."""
    process = subprocess.Popen(command, env=environment, cwd=None, stdout=sys.stderr if quiet else None)
    before = signal.signal(signal.SIGTERM, lambda *_: process.terminate())
    try:
        return process.wait()
    except KeyboardInterrupt:
        process.terminate()
        return process.wait()
    finally:
        signal.signal(signal.SIGTERM, before)
