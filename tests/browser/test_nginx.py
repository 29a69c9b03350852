"""The nginx example of the deployment guide in front of the app, as it is but for its port, names and certificate."""

from __future__ import annotations

import re
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from playwright.sync_api import Page, WebSocket, expect

from annotator.access import hash_password
from annotator.studies.links import invite
from tests.browser.server import Server
from tests.browser.steps import WAIT_MS, wait_idle
from tests.conftest import ROOT
from tests.studies.builders import open_study, text_project

NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(NGINX is None, reason="nginx is not installed (apt-get install nginx-light)"),
]
PASSWORD = "correct horse"
LIMIT = 2_000_000


def example(app: int, port: int, base: str) -> str:
    """The example with a free port instead of TLS, a small upload limit, and the sub-path if there is one."""
    text = (ROOT / "docs" / "examples" / "nginx.conf").read_text(encoding="utf-8")
    text = re.sub(r"    ssl_certificate.*\n", "", text)
    text = text.replace("listen 443 ssl", f"listen 127.0.0.1:{port}").replace("127.0.0.1:8501", f"127.0.0.1:{app}")
    text = text.replace("client_max_body_size 200m", f"client_max_body_size {LIMIT}")
    return text.replace("location / {", f"location /{base}/ {{") if base else text


@contextmanager
def nginx(folder: Path, app: int, base: str) -> Iterator[str]:
    """nginx on a free port of this machine, until the block ends; yields its address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    temporary = "".join(
        f"  {kind}_temp_path {folder}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    whole = (
        f"daemon off;\nmaster_process off;\npid {folder}/pid;\nerror_log {folder}/error.log;\nevents {{}}\n"
        f"http {{\n  access_log off;\n{temporary}{example(app, port, base)}}}\n"
    )
    (folder / "nginx.conf").write_text(whole, encoding="utf-8")
    process = subprocess.Popen(
        [str(NGINX), "-p", str(folder), "-c", str(folder / "nginx.conf"), "-e", f"{folder}/e.log"]
    )
    end = time.monotonic() + 20
    while time.monotonic() < end:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            break
        time.sleep(0.05)
    try:
        yield f"http://127.0.0.1:{port}" + (f"/{base}" if base else "")
    finally:
        process.terminate()
        process.wait()


@pytest.mark.parametrize("base", ["", "verbatim"], ids=["root", "sub-path"])
def test_pages_sockets_uploads_and_raters_behind_nginx(page: Page, tmp_path: Path, base: str) -> None:
    project = text_project(tmp_path / "project")
    open_study(project)
    link = invite(project, "s").study_link
    app = Server(project.folder, VERBATIM_PASSWORD_HASH=hash_password(PASSWORD), STREAMLIT_SERVER_BASE_URL_PATH=base)
    (tmp_path / "nginx").mkdir()
    app.start(f"/{base}" if base else "")
    try:
        with nginx(tmp_path / "nginx", app.port, base) as own:
            sockets: list[WebSocket] = []
            page.on("websocket", lambda opened: sockets.append(opened))
            sign_in(page, own)
            assert [socket.url for socket in sockets] == [f"{own.replace('http', 'ws')}/_stcore/stream"]
            upload(page, own, tmp_path)
            rate(page, own, link)
            refuse_too_much(own)
    finally:
        app.kill()


def sign_in(page: Page, own: str) -> None:
    """Open a page of the researcher's, by its address and then by the sidebar."""
    page.goto(f"{own}/items?show=wrong")
    page.locator('input[type="password"]').fill(PASSWORD)
    page.locator('input[type="password"]').press("Enter")
    expect(page.get_by_role("heading", name="Items", exact=True)).to_be_visible(timeout=WAIT_MS)
    wait_idle(page)
    page.get_by_role("link", name="Outcomes").click()
    expect(page.get_by_role("heading", name="Outcomes", exact=True)).to_be_visible(timeout=WAIT_MS)
    assert page.url.startswith(f"{own}/outcomes")


def upload(page: Page, own: str, folder: Path) -> None:
    """Upload a file of 1 MB, below the limit of the proxy."""
    path = folder / "predictions.csv"
    path.write_text("id,predicted\n" + "".join(f"i{k},{'word ' * 20_000}\n" for k in range(10)), encoding="utf-8")
    page.goto(f"{own}/data")
    page.locator('input[type="file"]').first.set_input_files(path)
    expect(page.get_by_text("predictions.csv").first).to_be_visible(timeout=WAIT_MS)
    wait_idle(page)
    expect(page.get_by_text("predicted", exact=True).first).to_be_visible(timeout=WAIT_MS)


def rate(page: Page, own: str, link: str) -> None:
    """A rater without a cookie: the study's link, and one answer by key."""
    page.context.clear_cookies()
    page.goto(f"{own}{link}")
    page.locator(".st-key-way-start button").click()
    page.locator(".st-key-way-check button").click()
    board = page.locator(".tb-task[data-ready=true]")
    board.wait_for(state="attached", timeout=WAIT_MS)
    seen = board.get_attribute("data-item")
    page.keyboard.press("2")
    expect(page.locator(f".tb-task[data-item='{seen}']")).to_have_count(0, timeout=WAIT_MS)
    page.goto(f"{own}/items")
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible(timeout=WAIT_MS)


def refuse_too_much(own: str) -> None:
    """A body above the limit never reaches the app."""
    request = urllib.request.Request(f"{own}/_stcore/upload_file/a/b", data=bytes(LIMIT + 1), method="PUT")
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(request, timeout=30)
    assert refused.value.code == 413
    refused.value.close()
