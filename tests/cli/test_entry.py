"""The command that messages name is the one that is installed."""

from __future__ import annotations

import importlib
import tomllib

from annotator.cli.main import main
from tests.conftest import ROOT


def test_the_installed_command_is_the_command_line() -> None:
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["scripts"]
    module, _, name = scripts["annotator"].partition(":")
    assert getattr(importlib.import_module(module), name) is main
