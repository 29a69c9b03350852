"""`annotator study judge`."""

from __future__ import annotations

from pathlib import Path

import click

from annotator.cli.frame import common_options, emit


@click.command()
@click.argument("name")
@click.option("--judge", required=True, metavar="openai:MODEL", help="A vision-language model behind OPENAI_BASE_URL.")
@common_options
def judge(name: str, judge: str, project: Path, as_json: bool) -> None:
    """Let a model answer the pairs of preference study NAME, both orders; it is never mixed with people's answers."""
    import msgspec

    from annotator.errors import UsageError
    from annotator.runners.endpoint import from_environment
    from annotator.store.project import open_project
    from annotator.studies.judge import judge_agreement, judge_study

    engine, _, model = judge.partition(":")
    if engine != "openai" or not model:
        raise UsageError(f"found the judge {judge!r}; expected openai:MODEL")
    store = open_project(project)
    done = judge_study(store, name, judge, from_environment(model), _progress)
    document = msgspec.to_builtins(done) | {
        "study": name,
        "agreement": msgspec.to_builtins(judge_agreement(store, name)),
    }
    emit(document, as_json, lambda: [f"{key}: {value}" for key, value in document.items() if key != "agreement"])


def _progress(done: int, total: int) -> None:
    if done == total or done % 10 == 0:
        click.echo(f"{done} of {total} pairs", err=True)
