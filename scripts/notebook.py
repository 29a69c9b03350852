"""Run `docs/python.ipynb` on the demo project that `make demo` builds, and keep its outputs in it.

The notebook stays as it is written; only what its cells print is made anew.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

NOTEBOOK = Path(__file__).resolve().parent.parent / "docs" / "python.ipynb"


def run_notebook(folder: Path) -> Any:
    """The notebook with the outputs of its cells, run in `folder`, beside which the demo project lies (`../demo`).

    Raises `CellExecutionError` for a cell that fails.
    """
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    resources = {"metadata": {"path": str(folder)}}
    NotebookClient(
        notebook, timeout=300, kernel_name="python3", store_widget_state=False, resources=resources
    ).execute()
    return notebook


def _without_times(notebook: Any) -> Any:
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
    return notebook


if __name__ == "__main__":
    nbformat.write(_without_times(run_notebook(NOTEBOOK.parent)), NOTEBOOK)
