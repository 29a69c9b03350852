"""The page in docs/ui.md runs as it stands."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from tests.builders import build_project
from tests.conftest import ROOT
from tests.pages.conftest import text_of


def test_the_page_of_the_manual_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    block = re.search(r"```python\n(.*?)```", (ROOT / "docs" / "ui.md").read_text(encoding="utf-8"), re.DOTALL)
    assert block is not None
    items = [{"id": "1", "gold": "cat", "benchmark": "one"}, {"id": "2", "gold": "dog", "benchmark": "two"}]
    project = build_project(tmp_path / "project", items, {"alpha": {"1": "cat", "2": "dig"}})
    monkeypatch.setenv("VERBATIM_PROJECT", str(project.folder))
    app = AppTest.from_string(block[1], default_timeout=60).run()
    assert not app.exception
    assert app.title[0].value == "By attribute"
    assert "33.33" in text_of(app)
