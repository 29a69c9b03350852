"""What the user may say about a file."""

from __future__ import annotations

from annotator.ingest.options import ImportOptions


def test_a_blank_system_is_none() -> None:
    options = ImportOptions(system="  ", condition=" gray ")
    assert (options.system, options.condition) == ("", "gray")
    assert options.changed(system=" a ").system == "a"
