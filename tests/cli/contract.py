"""What the contract tests share: run a command in process, and a small project with a bit of everything."""

from __future__ import annotations

import contextlib
import io
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from annotator.cli.main import root
from annotator.errors import VerbatimError

SIGNS = "the and for you that with this have from they will would there their what about which when make like"


@dataclass(frozen=True)
class Ran:
    """One command: its exit status, what it printed, and what it said."""

    code: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        """The one JSON document on standard output."""
        return json.loads(self.out)


def annotate(*args: str) -> Ran:
    """Run a command as `python -m annotator` does, errors included."""
    out, err = io.StringIO(), io.StringIO()
    code = 0
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            root.main(args=list(args), prog_name="annotator", standalone_mode=False)
        except click.ClickException as error:
            error.show()
            code = error.exit_code
        except VerbatimError as error:
            click.echo(f"error: {error}", err=True)
            code = 2
        except SystemExit as error:
            code = int(error.code or 0)
    return Ran(code, out.getvalue(), err.getvalue())


def read(*args: str) -> Any:
    """The document of a command that must end well, with nothing beside it on standard output."""
    ran = annotate(*args, "--json")
    assert ran.code == 0, (args, ran.err)
    return ran.document


def nulls(document: Any, path: str = "") -> Sequence[str]:
    """Where a value is null and no `why` (or note) stands beside it."""
    if isinstance(document, dict):
        told = any(value for name, value in document.items() if name in ("why", "note") or name.endswith("_why"))
        found = [f"{path}/{name}" for name, value in document.items() if value is None and not told]
        return [*found, *(p for name, value in document.items() for p in nulls(value, f"{path}/{name}"))]
    if isinstance(document, list):
        return [p for value in document for p in nulls(value, f"{path}/*")]
    return []


def write_small_project(folder: Path, project: Path) -> None:
    """Twenty words in two benchmarks and domains, with standard forms, and two systems under two conditions."""
    words = SIGNS.split()
    items = ["id\tgold\tstandard\tbenchmark\tdomain\tlm_gap"]
    for at, word in enumerate(words):
        misspelt = word[:-1] + "z"
        items.append(f"i{at}\t{misspelt}\t{word}\tset{at % 2}\td{at % 3}\t{at % 7}.5")
    said = ["id,system,condition,predicted,confidence,reasoning"]
    for at, word in enumerate(words):
        gold = word[:-1] + "z"
        said.append(f"i{at},one,default,{word if at % 3 == 0 else gold},0.{90 - at},I read {gold}")
        said.append(f"i{at},two,default,{gold if at % 2 else word + 'x'},0.{50 + at},")
        if at % 4:
            said.append(f"i{at},one,gray,{word if at % 5 == 0 else gold},0.5,")
    (folder / "items.tsv").write_text("\n".join(items) + "\n", encoding="utf-8")
    (folder / "said.csv").write_text("\n".join(said) + "\n", encoding="utf-8")
    (folder / "list.tsv").write_text("".join(f"{w[:-1]}z\t{100 - n}\n" for n, w in enumerate(words)), encoding="utf-8")
    read("import", "items", str(folder / "items.tsv"), "--language", "en", "--project", str(project))
    read("import", "predictions", str(folder / "said.csv"), "--project", str(project))
    read("import", "reference", str(folder / "list.tsv"), "--name", "signs", "--project", str(project))
