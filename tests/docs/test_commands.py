"""Every command of the guide runs as it stands."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.conftest import ROOT

BLOCK = re.compile(r"^```sh\n(.*?)^```", re.MULTILINE | re.DOTALL)


def run_blocks(page: str, folder: Path, instead: Mapping[str, str] | None = None) -> None:
    """Run the `sh` blocks of a page in one shell, stopping at the first command that fails. `instead` replaces parts."""
    script = "set -e\n" + "\n".join(BLOCK.findall((ROOT / page).read_text(encoding="utf-8")))
    for given, other in (instead or {}).items():
        assert given in script
        script = script.replace(given, other)
    environment = {k: v for k, v in os.environ.items() if k != "VERBATIM_PROJECT"}
    environment |= {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        ["bash", "-c", script], cwd=folder, env=environment, capture_output=True, text=True, timeout=600, check=False
    )
    assert done.returncode == 0, f"{done.stdout[-2000:]}\n{done.stderr[-2000:]}"


def test_the_tutorial_runs(tmp_path: Path) -> None:
    run_blocks("docs/tutorial.md", tmp_path)
    assert (tmp_path / "report.html").exists()
    assert (tmp_path / "first.csv").read_text(encoding="utf-8").startswith("study,kind,task,item_id")


def test_the_how_tos_run(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "annotator", "demo", "--project", str(tmp_path / "demo")],
                   cwd=ROOT, capture_output=True, check=True)  # fmt: skip
    run_blocks("docs/how-to.md", tmp_path)
    assert (tmp_path / "scored.jsonl").exists()


def test_the_chain_of_the_reference_recogniser_runs(tmp_path: Path) -> None:
    """With so few crops it reads nothing right; every command of the page must run all the same."""
    subprocess.run([sys.executable, "-m", "annotator", "demo", "--project", str(tmp_path / "demo")],
                   cwd=ROOT, capture_output=True, check=True)  # fmt: skip
    run_blocks(
        "docs/reference-recogniser.md",
        tmp_path,
        {
            "--crops 40000": "--crops 64 --vocabulary 400 --threads 1 --tests 10",
            "recognise --system": "recognise --language en --limit 60 --system",
        },
    )
    assert (tmp_path / "ar.npz").exists()


@pytest.mark.parametrize("guide", ["docs/reference-recogniser.md", "docs/recognisers.md", "README.md", "docs/tutorial.md", "docs/how-to.md", "docs/architecture.md", "CONTRIBUTING.md",
                                  "docs/metrics.md", "docs/faq.md"])  # fmt: skip
def test_links_lead_somewhere(guide: str) -> None:
    place = (ROOT / guide).parent
    targets = re.findall(r"\]\((?!https?:|#)([^)#]+)", (ROOT / guide).read_text(encoding="utf-8"))
    missing = [target for target in targets if not (place / target).exists()]
    assert not missing


def test_the_command_reference_is_up_to_date() -> None:
    done = subprocess.run([sys.executable, "scripts/command_reference.py", "--check"], cwd=ROOT, check=False)
    assert done.returncode == 0, "run: python scripts/command_reference.py"
