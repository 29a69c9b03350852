"""Pages run by AppTest: always from `app.py`, so that every page knows the others."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from annotator.store.project import open_project
from tests.conftest import ROOT

OpenPage = Callable[..., AppTest]


@pytest.fixture(autouse=True)
def same_main() -> Iterator[None]:
    """A page that runs takes the place of `__main__`; processes that later tests start would import the page again."""
    main = sys.modules["__main__"]
    yield
    sys.modules["__main__"] = main


@pytest.fixture
def open_page(monkeypatch: pytest.MonkeyPatch) -> OpenPage:
    """`open_page(project, "pages/items.py", item="7")` runs a page of the app on a project folder."""
    monkeypatch.syspath_prepend(str(ROOT))
    monkeypatch.chdir(ROOT)
    monkeypatch.delenv("VERBATIM_PASSWORD_HASH", raising=False)
    st.cache_data.clear()
    st.cache_resource.clear()

    def run(project: Path, page: str = "app.py", **query: str) -> AppTest:
        monkeypatch.setenv("VERBATIM_PROJECT", str(project))
        app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
        if page != "app.py":
            app.switch_page(page)
        for name, value in query.items():
            app.query_params[name.replace("_", "-")] = value
        return app.run()

    return run


@pytest.fixture
def empty_project(tmp_path: Path) -> Path:
    """A project without items."""
    return open_project(tmp_path / "project", create=True).folder


def text_of(app: AppTest) -> str:
    """All that a page shows, as text: for "is it said" checks."""
    parts = [
        element.value
        for kind in ("title", "subheader", "text", "markdown", "code", "error")
        for element in getattr(app, kind)
    ]
    parts += [element.proto.body for element in app.get("html")]
    return "\n".join(str(part) for part in parts)
