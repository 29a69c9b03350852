"""The lock file holds every package that the requirements name, within their ranges; every range has two ends."""

from __future__ import annotations

import re

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.conftest import ROOT


def requirements(name: str) -> list[Requirement]:
    lines = [line.partition("#")[0].strip() for line in (ROOT / name).read_text(encoding="utf-8").splitlines()]
    return [Requirement(line) for line in lines if line and not line.startswith("-")]


RUN_TIME = requirements("requirements.txt")


@pytest.mark.parametrize("wanted", RUN_TIME, ids=str)
def test_the_lock_file_fits_the_range(wanted: Requirement) -> None:
    locked = {canonicalize_name(each.name): str(each.specifier) for each in requirements("requirements.lock")}
    version = locked[canonicalize_name(wanted.name)].removeprefix("==")
    assert wanted.specifier.contains(version)


def test_every_line_of_the_lock_file_is_one_version() -> None:
    assert [
        str(each) for each in requirements("requirements.lock") if not re.fullmatch(r"==[^,*]+", str(each.specifier))
    ] == []


@pytest.mark.parametrize("wanted", [*RUN_TIME, *requirements("requirements-login.txt")], ids=str)
def test_every_range_has_a_lowest_version(wanted: Requirement) -> None:
    assert {clause.operator for clause in wanted.specifier} & {">=", "=="}


def test_the_licences_name_every_locked_package() -> None:
    text = (ROOT / "docs" / "licences.md").read_text(encoding="utf-8")
    named = {canonicalize_name(line.split("|")[1].strip()) for line in text.splitlines() if line.startswith("| ")}
    assert {canonicalize_name(each.name) for each in requirements("requirements.lock")} - named == set()
