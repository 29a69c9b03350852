"""Fixtures shared by all tests."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import settings

# The same examples on every run and machine, and no deadline: a busy machine is not a broken law.
settings.register_profile("verbatim", derandomize=True, deadline=None, database=None, max_examples=60)
settings.load_profile("verbatim")

ROOT = Path(__file__).resolve().parent.parent
SHARED_DATA = ROOT.parent / "shared" / "data"


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The third-party test sets that lie beside the checkout; tests that need them are skipped without them."""
    if not SHARED_DATA.is_dir():
        pytest.skip("the shared test sets (../shared/data) are not beside this checkout")
    return SHARED_DATA
