"""A wrong name in a query option ends every report and export with status 2, and nothing is written."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.contract import annotate, read

# Commands that would not look at the option on their own.
LAZY = [
    ("export", "items", "--out", "x.csv"),
    ("export", "edits", "--out", "x.csv"),
    ("export", "bundle", "--out", "x.zip"),
    ("report", "traces"),
    ("report", "disagreement"),
    ("report", "compare", "A", "B"),
]
WRONG = {
    "--profile": ("zzz", "profile: found 'zzz'; expected one of raw, ws, light, omni2025, full, str"),
    "--system": ("zzz", "unknown system: found 'zzz'; expected one of: A, B"),
    "--condition": ("zzz", "unknown condition: found 'zzz'; expected one of: default"),
    "--benchmark": ("zzz", "unknown benchmark: found 'zzz'; expected one of: one"),
    "--language": ("fr", "--language fr: no item has this language; found en"),
    "--cluster": ("zzz", "no item has the attribute 'zzz'; expected one of: benchmark"),
}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("names")
    (folder / "pairs.csv").write_text(
        "id,gold,predicted,system,benchmark\n1,cat,cut,A,one\n1,cat,cat,B,one\n", encoding="utf-8"
    )
    read("import", "pairs", str(folder / "pairs.csv"), "--project", str(folder / "p"))
    return folder / "p"


@pytest.mark.parametrize("command", LAZY, ids=" ".join)
@pytest.mark.parametrize("option", WRONG)
def test_a_wrong_name_is_refused(
    command: tuple[str, ...], option: str, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    value, said = WRONG[option]
    ran = annotate(*command, option, value, "--project", str(project), "--json")
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("option", "value", "said"),
    [
        ("--reference", "zzz", "unknown reference corpus: found 'zzz'"),
        ("--reference", "wordfreq-xx", "wordfreq has no list of this language"),
        ("--edges", "none.csv", "edges file none.csv cannot be read"),
    ],
)
def test_a_wrong_corpus_is_refused_where_no_cell_is_asked_for(
    option: str, value: str, said: str, project: Path
) -> None:
    ran = annotate("report", "compare", "A", "B", option, value, "--project", str(project))
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err


def test_an_unknown_script_is_refused(project: Path) -> None:
    ran = annotate("report", "confusions", "--script", "klingon", "--project", str(project))
    assert (ran.code, ran.out) == (2, "")
    assert "script: found 'klingon'; expected a Unicode script, one of" in ran.err
