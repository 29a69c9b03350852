"""Make the pictures of the guide from the demo, in Chromium: `python scripts/pictures.py`."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parent.parent
OUT = ROOT / "docs" / "pictures"
PAGES = {
    "overview": "/",
    "strata": "/strata?system=tesseract&language=en&cell=5-5&show=all",
    "items": "/items?search=রা",
    "taxonomy": "/taxonomy",
}
WIDTH, HEIGHT, SHOWN = 1280, 860, 960


def main() -> None:
    """Serve the demo on a free port, take each picture, keep it small."""
    OUT.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-m", "annotator", "demo", "--project", f"{folder}/demo"], cwd=ROOT, check=True)
        port = _free_port()
        environment = {**os.environ, "VERBATIM_PROJECT": f"{folder}/demo"}
        command = [sys.executable, "-m", "streamlit", "run", "app.py", f"--server.port={port}"]
        server = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL)
        try:
            _wait(port)
            _take(port)
        finally:
            server.terminate()
            server.wait()


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def _wait(port: int) -> None:
    for _ in range(120):
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=1)
            return
        except OSError:
            time.sleep(0.5)
    raise SystemExit("the app did not start")


def _take(port: int) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        page = browser.new_context(viewport={"width": WIDTH, "height": HEIGHT}, color_scheme="light").new_page()
        for name, address in PAGES.items():
            page.goto(f"http://127.0.0.1:{port}{address}")
            page.wait_for_selector("h1", timeout=120_000)
            page.wait_for_selector("[data-testid=stApp][data-test-script-state=notRunning]", timeout=180_000)
            page.wait_for_timeout(2_500)
            _keep(page.screenshot(), OUT / f"{name}.png")
        browser.close()


def _keep(data: bytes, path: Path) -> None:
    import io

    with Image.open(io.BytesIO(data)) as picture:
        small = picture.convert("RGB").resize(
            (SHOWN, SHOWN * picture.height // picture.width), Image.Resampling.LANCZOS
        )
        small.quantize(128).save(path, optimize=True)


if __name__ == "__main__":
    main()
