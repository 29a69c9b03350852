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
def test_the_notebook_prints_what_it_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.delenv("VERBATIM_PROJECT", raising=False)
    (tmp_path / "docs").mkdir()
    subprocess.run([sys.executable, "-m", "annotator", "demo"], cwd=tmp_path, capture_output=True, check=True)
    spec = importlib.util.spec_from_file_location("notebook", ROOT / "scripts" / "notebook.py")
    assert spec is not None
    assert spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    shown = _printed(nbformat.read(script.NOTEBOOK, as_version=4))
    assert len(shown) > 8
    assert _printed(script.run_notebook(tmp_path / "docs")) == shown, "run: make demo; python scripts/notebook.py"
