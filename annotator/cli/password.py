"""`annotator password`: make the hash that guards the owner's and researchers' pages."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from annotator.access import PASSWORD_VARIABLE, hash_password
from annotator.cli.frame import common_options, emit


@click.command()
@common_options
def password(project: Path, as_json: bool) -> None:
    """Print a scrypt hash of a password for VERBATIM_PASSWORD_HASH.

    Asks twice on a terminal; otherwise reads one line from standard input. No project is opened.
    """
    if sys.stdin.isatty():
        given = click.prompt("Password", hide_input=True, confirmation_prompt=True, err=True)
    else:
        given = sys.stdin.readline().rstrip("\r\n")
    stored = hash_password(given)
    emit({"variable": PASSWORD_VARIABLE, "hash": stored}, as_json, lambda: [stored])
