"""Every command takes the options of the command line contract."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from annotator.cli.main import COMMANDS, EXPORTS, IMPORTS, PROJECTS, REPORTS, STUDIES, SYSTEMS, LazyGroup, root
from tests.cli.contract import annotate

QUERY = {"--system", "--condition", "--benchmark", "--language", "--profile", "--own-gold", "--missing", "--seed",
         "--resamples", "--cluster", "--keep-wrong-gold"}  # fmt: skip
CELLS = {"--reference", "--axes", "--edges"}
WITH_CELLS = ("report strata", "report compare", "report ngrams", "report marginals", "report crosscorpus",
              "report mitigation", "report modes", "report router", "report probe", "report suspects", "report control",
              "report confidence", "report all", "export cell", "study create")  # fmt: skip
IMPORT_OPTIONS = {"--map", "--images", "--language", "--encoding", "--system", "--condition", "--wide", "--replace",
                  "--dry-run", "--quoted", "--strict", "--box", "--copy-images", "--no-gold"}  # fmt: skip


def commands() -> Iterator[tuple[str, click.Command]]:
    def walk(command: click.Command, path: str) -> Iterator[tuple[str, click.Command]]:
        if isinstance(command, LazyGroup):
            for name in command.table:
                inner = command.get_command(click.Context(command), name)
                assert inner is not None
                yield from walk(inner, f"{path} {name}".strip())
        else:
            yield path, command

    return walk(root, "")


def options(command: click.Command) -> set[str]:
    return {name for option in command.params if isinstance(option, click.Option) for name in option.opts}


ALL = dict(commands())


def test_the_commands_of_the_contract_are_there() -> None:
    assert {"demo", "import", "align", "classify", "outcome", "perturbation", "report", "agreement", "study", "export",
            "variant", "recognise", "score", "project", "system", "distill", "severity", "password", "check", "realign",
            "backup", "serve"} <= set(COMMANDS)  # fmt: skip
    assert {"items", "predictions", "pairs", "attributes", "reference", "severities", "ratings"} <= set(IMPORTS)
    assert {"scores", "strata", "compare", "ngrams", "outcomes", "consensus", "lexical", "taxonomy", "attributes",
            "severity", "confidence", "agreement", "marginals", "crosscorpus", "mitigation", "modes", "router", "probe",
            "suspects", "control", "families", "conditions", "traces", "preferences", "ranking",
            "confusions", "all"} <= set(REPORTS)  # fmt: skip
    assert {"items", "predictions", "edits", "cell", "ratings", "aggregates", "bundle", "dataset"} <= set(EXPORTS)
    assert {"create", "open", "close", "status", "invite", "judge", "adjudicate", "withdraw", "restore",
            "adopt"} <= set(STUDIES)  # fmt: skip
    assert {"copy", "merge", "undo"} <= set(PROJECTS)
    assert "delete" in SYSTEMS


@pytest.mark.parametrize("name", ALL)
def test_project_and_json_are_options_of_every_command(name: str) -> None:
    assert {"--project", "--json"} <= options(ALL[name])


@pytest.mark.parametrize("name", [name for name in ALL if name.startswith(("report ", "export "))])
def test_every_report_and_export_takes_the_query_options(name: str) -> None:
    assert options(ALL[name]) >= QUERY


@pytest.mark.parametrize("name", [name for name in ALL if name.startswith("export ")])
def test_every_export_is_written_where_and_how_one_says(name: str) -> None:
    assert {"--out", "--format", "--excel"} <= options(ALL[name])


@pytest.mark.parametrize("name", WITH_CELLS)
def test_everything_with_cells_takes_the_options_of_the_grid(name: str) -> None:
    assert options(ALL[name]) >= CELLS


@pytest.mark.parametrize("name", ["items", "predictions", "pairs", "attributes", "severities"])
def test_imports_take_the_import_options(name: str) -> None:
    assert options(ALL[f"import {name}"]) >= IMPORT_OPTIONS


def test_predictions_are_also_written_for_the_semcer_package() -> None:
    (format_option,) = (p for p in ALL["export predictions"].params if p.name == "format")
    assert isinstance(format_option.type, click.Choice)
    assert list(format_option.type.choices) == ["csv", "jsonl", "parquet", "semcer"]


@pytest.mark.parametrize(
    "line",
    ["report scores", "report strata", "report outcomes", "export items", "check", "realign", "study status"],
)
def test_a_folder_without_a_project_is_bad_input(line: str, tmp_path: Path) -> None:
    ran = annotate(*line.split(), "--json", "--project", str(tmp_path / "none"))
    assert (ran.code, ran.out) == (2, "")
    assert "no project at" in ran.err
    assert not (tmp_path / "none").exists()


def test_the_project_is_the_option_else_the_variable_else_the_folder_project(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("VERBATIM_PROJECT", raising=False)
    Path("items.csv").write_text("id,gold\n1,a\n", encoding="utf-8")
    assert annotate("import", "items", "items.csv", "--json").code == 0
    assert Path("project/verbatim.db").exists()
    monkeypatch.setenv("VERBATIM_PROJECT", str(tmp_path / "named"))
    assert annotate("import", "items", "items.csv", "--json").code == 0
    assert Path("named/verbatim.db").exists()
    assert annotate("import", "items", "items.csv", "--json", "--project", "given").code == 0
    assert Path("given/verbatim.db").exists()
