"""The notebook runs on the demo, and prints what it is shown to print."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from typing import Any

import nbformat
import pytest

from tests.conftest import ROOT


def _printed(notebook: Any) -> list[str]:
    outputs = [out for cell in notebook.cells if cell.cell_type == "code" for out in cell.outputs]
    return [out["data"]["text/plain"] for out in outputs if "data" in out]


@pytest.mark.filterwarnings("ignore:Proactor event loop:RuntimeWarning")
def test_the_notebook_prints_what_it_shows(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "annotator", "demo", "--project", str(tmp_path / "demo")],
                   cwd=ROOT, capture_output=True, check=True)  # fmt: skip
    spec = importlib.util.spec_from_file_location("notebook", ROOT / "scripts" / "notebook.py")
    assert spec is not None
    assert spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    shown = _printed(nbformat.read(script.NOTEBOOK, as_version=4))
    assert len(shown) > 8
    assert _printed(script.run_notebook(tmp_path / "demo")) == shown, "run: python scripts/notebook.py PROJECT"
