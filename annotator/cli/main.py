"""The root command. Commands are loaded when they are called, so that `--help` and short commands start fast."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Sequence

import click

from annotator import __version__
from annotator.errors import VerbatimError

# command -> module:object. A group of commands (report, import, export, study, project, system) is a LazyGroup too.
COMMANDS: dict[str, str] = {
    "severity": "annotator.cli.severity:severity",
    "distill": "annotator.cli.severity:distill",
    "demo": "annotator.cli.demo:demo",
    "recognise": "annotator.cli.recognise:recognise",
    "train-recogniser": "annotator.cli.train_recogniser:command",
    "align": "annotator.cli.align:command",
    "score": "annotator.cli.score:command",
    "classify": "annotator.cli.classify:command",
    "condition": "annotator.cli.condition:command",
    "report": "annotator.cli.main:report",
    "import": "annotator.cli.main:import_group",
    "export": "annotator.cli.main:export",
    "study": "annotator.cli.main:study",
    "system": "annotator.cli.main:system",
    "project": "annotator.cli.main:project",
    "review": "annotator.cli.review:review",
    "check": "annotator.cli.upkeep:check",
    "realign": "annotator.cli.upkeep:realign",
    "backup": "annotator.cli.upkeep:backup",
    "agreement": "annotator.cli.agreement:agreement",
    "outcome": "annotator.cli.outcome:outcome",
    "perturbation": "annotator.cli.outcome:perturbation",
    "variant": "annotator.cli.variant:variant",
    "serve": "annotator.cli.serve:serve",
    "password": "annotator.cli.password:password",
}
REPORTS: dict[str, str] = {
    "all": "annotator.cli.reports.all:report_all",
    "confusions": "annotator.cli.reports.confusions:confusions",
    "agreement": "annotator.cli.reports.studies:agreement",
    "preferences": "annotator.cli.reports.studies:preferences",
    "ranking": "annotator.cli.reports.studies:ranking",
    "scores": "annotator.cli.reports.scores:scores",
    "strata": "annotator.cli.reports.strata:strata",
    "compare": "annotator.cli.reports.compare:compare",
    "ngrams": "annotator.cli.reports.compare:ngrams",
    "mitigation": "annotator.cli.reports.compare:mitigation",
    "router": "annotator.cli.reports.compare:router",
    "control": "annotator.cli.reports.compare:control",
    "marginals": "annotator.cli.reports.cells:marginals",
    "crosscorpus": "annotator.cli.reports.cells:crosscorpus",
    "confidence": "annotator.cli.reports.cells:confidence",
    "calibration": "annotator.cli.reports.calibration:calibration",
    "rescoring": "annotator.cli.reports.rescoring:rescoring",
    "modes": "annotator.cli.reports.cells:modes",
    "probe": "annotator.cli.reports.cells:probe",
    "suspects": "annotator.cli.reports.cells:suspects",
    "severity": "annotator.cli.severity:report_severity",
    "ratings": "annotator.cli.reports.severities:ratings",
    "equal-count": "annotator.cli.reports.severities:equal_count",
    "providers": "annotator.cli.reports.severities:two_providers",
    "load": "annotator.cli.reports.severities:load",
    "realword": "annotator.cli.reports.severities:realword",
    "disagreement": "annotator.cli.reports.severities:disagreement",
    "taxonomy": "annotator.cli.reports.taxonomy:command",
    "attributes": "annotator.cli.reports.attributes:command",
    "judge": "annotator.cli.reports.judge:command",
    "outcomes": "annotator.cli.reports.outcomes:outcomes",
    "consensus": "annotator.cli.reports.outcomes:consensus",
    "families": "annotator.cli.reports.outcomes:families",
    "conditions": "annotator.cli.reports.outcomes:conditions",
    "lexical": "annotator.cli.reports.rewriting:lexical",
    "traces": "annotator.cli.reports.rewriting:traces",
}
IMPORTS: dict[str, str] = {
    "ratings": "annotator.cli.import_ratings:ratings",
    "severities": "annotator.cli.severity:import_severities",
    "items": "annotator.cli.imports:items",
    "predictions": "annotator.cli.imports:predictions",
    "reference": "annotator.cli.import_reference:reference",
    "pairs": "annotator.cli.imports:pairs",
    "attributes": "annotator.cli.imports:attributes",
}
EXPORTS: dict[str, str] = {
    "dataset": "annotator.cli.export_dataset:dataset",
    "items": "annotator.cli.exports:items",
    "predictions": "annotator.cli.exports:predictions",
    "edits": "annotator.cli.exports:edits",
    "cell": "annotator.cli.exports:cell",
    "sample": "annotator.cli.export_sample:sample",
    "check-first": "annotator.cli.exports:check_first",
    "list": "annotator.cli.exports:list_",
    "bundle": "annotator.cli.exports:bundle",
    "aggregates": "annotator.cli.export_study:aggregates",
    "ratings": "annotator.cli.export_study:ratings",
}
STUDIES: dict[str, str] = {
    "create": "annotator.cli.study:create",
    "open": "annotator.cli.study:open_",
    "close": "annotator.cli.study:close",
    "status": "annotator.cli.study:status",
    "invite": "annotator.cli.study:invite",
    "withdraw": "annotator.cli.study:withdraw",
    "restore": "annotator.cli.study:restore",
    "judge": "annotator.cli.study_judge:judge",
    "adjudicate": "annotator.cli.study_settle:adjudicate",
    "adopt": "annotator.cli.study_settle:adopt",
}
PROJECTS: dict[str, str] = {
    "copy": "annotator.cli.projects:copy",
    "merge": "annotator.cli.projects:merge",
    "undo": "annotator.cli.projects:undo",
    "imports": "annotator.cli.projects:imports",
}
SYSTEMS: dict[str, str] = {
    "family": "annotator.cli.reports.rewriting:family",
    "confidence": "annotator.cli.reports.calibration:kind_of_confidence",
    "delete": "annotator.cli.projects:delete",
}


class LazyGroup(click.Group):
    """A group whose commands live in a table of import addresses."""

    def __init__(self, name: str, table: dict[str, str], help: str) -> None:
        super().__init__(name, help=help)
        self.table = table

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(self.table)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        address = self.table.get(cmd_name)
        if address is None:
            return None
        module, _, attribute = address.partition(":")
        command = getattr(importlib.import_module(module), attribute)
        assert isinstance(command, click.Command), address
        return command


report = LazyGroup("report", REPORTS, "Print a read-out of a project.")
import_group = LazyGroup("import", IMPORTS, "Bring items, predictions and more into a project.")
export = LazyGroup("export", EXPORTS, "Write files from a project.")
study = LazyGroup("study", STUDIES, "Create, open, watch and close rating studies.")
project = LazyGroup("project", PROJECTS, "Copy a project, merge another into it, take imports back.")
system = LazyGroup("system", SYSTEMS, "Name the family of a system, delete what it returned.")
root = LazyGroup("annotator", COMMANDS, "Verbatim: annotation and error analysis for text recognition.")
click.version_option(__version__, prog_name="verbatim")(root)


def main(args: Sequence[str] | None = None) -> None:
    """Run the command line. Exit status 0 done, 1 a check found problems, 2 bad input or usage."""
    try:
        root.main(args=args, prog_name="annotator", standalone_mode=True)
    except VerbatimError as error:
        _say(f"error: {error}")
        sys.exit(2)
    except BrokenPipeError:
        # The reader (head, less) has gone; pointing stdout at nothing keeps the interpreter quiet on the way out.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except OSError as error:
        # A full disk or a missing right, met outside the project: temporary files, a model's folder, the terminal.
        where = f"{error.filename}: " if error.filename else ""
        _say(f"error: {where}{error.strerror or error}. Nothing more was done; free disk space or check the rights.")
        sys.exit(2)


def _say(words: str) -> None:
    from annotator.text.visible import escape_controls

    click.echo("\n".join(escape_controls(line) for line in words.split("\n")), err=True)
