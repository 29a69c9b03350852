"""Write docs/command-line.md from the commands' own help. `--check` says whether it is up to date."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import click

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "command-line.md"
HEAD = """# Command line

`python -m annotator COMMAND`. Made from the commands' own help by `scripts/command_reference.py`; do not edit by hand.

- `--project DIR` (else the variable `VERBATIM_PROJECT`, else `./project`) and `--json` belong to every command.
- `--json` prints one JSON document on standard output and nothing else. Rates are fractions; what is undefined is null, with a
  reason under `why`. Messages and progress go to standard error.
- Exit status: 0 done, 1 a check found problems, 2 bad input or usage: one message, and nothing written.

"""


def reference() -> str:
    """The whole page."""
    from annotator.cli.main import root

    return HEAD + "\n".join(_section(path, command) for path, command in _commands((), root)) + "\n"


def _commands(path: tuple[str, ...], group: click.Group) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None, name
        if isinstance(command, click.Group):
            yield from _commands((*path, name), command)
        else:
            yield (*path, name), command


def _section(path: tuple[str, ...], command: click.Command) -> str:
    context = click.Context(command, info_name="annotator " + " ".join(path), terminal_width=110, max_content_width=110)
    return f"## {' '.join(path)}\n\n```\n{command.get_help(context)}\n```\n"


def main() -> None:
    """Write the page, or compare it."""
    sys.path.insert(0, str(ROOT))
    text = reference()
    if "--check" in sys.argv:
        sys.exit(0 if PAGE.exists() and PAGE.read_text(encoding="utf-8") == text else 1)
    PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
