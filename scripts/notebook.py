"""Run `docs/python.ipynb` on a demo project and keep its outputs in it: `python scripts/notebook.py PROJECT`.

The notebook stays as it is written; only what its cells print is made anew.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

NOTEBOOK = Path(__file__).resolve().parent.parent / "docs" / "python.ipynb"


def run_notebook(project: Path) -> Any:
    """The notebook with the outputs of its cells on `project`. Raises `CellExecutionError` for a cell that fails."""
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    first, *_ = (cell for cell in notebook.cells if cell.cell_type == "code")
    written = first.source
    first.source = written.replace('"../project"', repr(str(project)))
    NotebookClient(notebook, timeout=300, kernel_name="python3", store_widget_state=False).execute()
    first.source = written
    return notebook


def _without_times(notebook: Any) -> Any:
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
    return notebook


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python scripts/notebook.py PROJECT (a demo project, made by: python -m annotator demo)")
    nbformat.write(_without_times(run_notebook(Path(sys.argv[1]).resolve())), NOTEBOOK)
