"""`annotator report severity` and `annotator severity`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from annotator.cli.frame import common_options, emit, query_options, table
from annotator.cli.imports import import_options, show_report
from annotator.records import Query

ROWS = ("system", "condition", "n", "coverage", "imputed", "semcer", "cer", "normalized_cer", "edits", "mean_severity")
OPPOSED = ("a", "b", "n", "cer_a", "cer_b", "semcer_a", "semcer_b", "opposite", "outputs_opposite")
OUTPUTS = 5
EDITS = ("item_id", "system", "condition", "op", "gold_edit", "predicted_edit", "severity", "gold", "predicted")


@click.command("severity")
@click.option("--provider", default="rubric", show_default=True, help="Where the severities come from.")
@click.option("--limit", type=click.IntRange(0), default=20, show_default=True, help="How many edits, worst first.")
@click.option("--impute", type=click.Choice(["1"]), default=None, help="Charge edits without a severity 1.")
@query_options
@common_options
def report_severity(project: Path, as_json: bool, query: Query, provider: str, limit: int, impute: str | None) -> None:
    """semCER beside CER and normalized CER, and the edits to check first."""
    import msgspec

    from annotator.analyses.severity import checking, report
    from annotator.store.project import open_project

    opened = open_project(project)
    document = msgspec.to_builtins(report.report_severity(opened, query, provider, impute is not None))
    page = checking.check_first(opened, query, provider, limit=limit)
    document["edits"] = msgspec.to_builtins(page.edits)
    document["total_edits"], document["total_damage"] = page.total_edits, page.total_damage
    document["opposed"] = _opposed(opened, query, provider)
    lines = [table(document["rows"], ROWS), "", table(document["edits"], EDITS)]
    if document["opposed"]:
        lines += ["", "CER and semCER in opposite order:", table(document["opposed"], OPPOSED)]
    emit(document, as_json, lambda: lines)


def _opposed(project: Any, query: Query, provider: str) -> list[dict[str, Any]]:
    """Pairs of runs that CER and semCER order oppositely, or some of whose outputs they do, with the first such outputs."""
    import msgspec

    from annotator.analyses.severity.opposed import opposed_outputs, opposed_systems

    rows = []
    for pair in opposed_systems(project, query, provider):
        if pair.opposite or pair.outputs_opposite:
            outputs = opposed_outputs(project, query, provider, pair.a, pair.b, limit=OUTPUTS)
            rows.append({**msgspec.to_builtins(pair), "outputs": msgspec.to_builtins(outputs)})
    return rows


@click.command("severities")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--provider", required=True, help="The name under which the severities are kept.")
@import_options
@common_options
def import_severities(file: Path, options: Any, project: Path, as_json: bool, provider: str) -> None:
    """Import severities of edits from FILE: a table, or what the semcer package's score command writes."""
    from annotator.ingest.severities import import_severities as run
    from annotator.store.project import open_project

    show_report("severities", file, as_json, lambda: run(open_project(project), file, provider, options))


@click.command("severity")
@click.option("--provider", default="", help="Charge with this provider (rubric, mode:rubric, judge:MODEL ...).")
@click.option(
    "--with", "student", type=click.Path(path_type=Path), help="Charge with the student saved in this folder."
)
@click.option("--name", default="student", show_default=True, help="The provider name for --with (or give --provider).")
@click.option(
    "--model", type=click.Path(path_type=Path), help="With semcer: the folder of its model (else SEMCER_MODEL)."
)
@click.option("--estimate", is_flag=True, help="With judge:MODEL: say how many requests it takes, and ask nothing.")
@click.option("--concurrency", type=click.IntRange(1, 256), default=8, show_default=True, help="Requests at a time.")
@click.option("--temperature", type=click.FloatRange(0, 2), default=1.0, show_default=True, help="Of the judge.")
@click.option("--tries", type=click.IntRange(1, 20), default=5, show_default=True, help="Per request.")
@click.option("--timeout", type=click.FloatRange(0.1), default=90.0, show_default=True, help="Seconds per try.")
@query_options
@common_options
def severity(
    project: Path, as_json: bool, query: Query, provider: str, student: Path | None, name: str, model: Path | None,
    **judging: Any,
) -> None:  # fmt: skip
    """Charge the edits of a project, and say how many answers are fully charged.

    judge:MODEL asks a language model behind OPENAI_BASE_URL (key: OPENAI_API_KEY) about every edit, judge-line:MODEL
    about every line with edits, once; semcer asks the semcer package's local model (pip install semcer). Their answers are
    kept in the project, and a run that was stopped goes on where it was.
    """
    from annotator.errors import UsageError
    from annotator.store.project import open_project

    if not provider and student is None:
        raise UsageError("say what charges: --provider NAME, or --with DIR for a student")
    opened = open_project(project)
    document: dict[str, Any] = {}
    if provider.startswith(("judge:", "judge-line:")) and student is None:
        document = _judge(opened, query, provider, judging)
        if judging["estimate"]:
            emit(document, as_json, lambda: [document["words"]])
            return
    elif provider == "semcer" and student is None:
        document = _charge_with_semcer(opened, query, model)
    elif student is not None:
        from annotator.analyses.severity.distill import charge_with_student

        provider = provider or name
        document = {"charged": charge_with_student(opened, query, student, provider)}
    document = {"provider": provider, **document, "rows": _coverage(opened, query, provider)}
    emit(document, as_json, lambda: [table(document["rows"], ("system", "condition", "edits", "coverage", "imputed"))])


def _charge_with_semcer(project: Any, query: Query, folder: Path | None) -> dict[str, Any]:
    import msgspec

    from annotator.analyses.severity.semcerlocal import charge_with_semcer
    from annotator.runners.semcerpackage import load_semcer

    found: dict[str, Any] = msgspec.to_builtins(charge_with_semcer(project, query, load_semcer(folder), _show_lines))
    return found


def _show_lines(done: int, total: int) -> None:
    click.echo(f"{done:,} of {total:,} lines", err=True)


def _coverage(project: Any, query: Query, provider: str) -> list[dict[str, Any]]:
    from annotator.analyses.severity.report import report_severity as report

    names = ("system", "condition", "edits", "coverage", "imputed")
    return [{name: getattr(row, name) for name in names} for row in report(project, query, provider).rows]


def _judge(project: Any, query: Query, provider: str, judging: dict[str, Any]) -> dict[str, Any]:
    """Say what it takes on standard error, then judge with progress; with `estimate`, only the former."""
    from contextlib import closing

    import msgspec

    from annotator.analyses.severity.judging import LINE_KIND, Judge, judge_runs, plan_judging
    from annotator.errors import UsageError
    from annotator.runners.endpoint import Patience, from_environment

    patience = Patience(tries=judging["tries"], timeout=judging["timeout"])
    kind, _, model = provider.partition(":")
    if not model.strip():
        raise UsageError(f"--provider: found {provider!r}; expected the name of a model after the colon ({kind}:MODEL)")
    with closing(from_environment(model, patience)) as endpoint:
        judge = Judge(endpoint, judging["temperature"], judging["concurrency"], whole_line=kind == LINE_KIND)
        plan = plan_judging(project, query, judge)
        if judging["estimate"]:
            return {"provider": judge.name, **msgspec.to_builtins(plan), "words": plan.words()}
        click.echo(plan.words(), err=True)
        report = judge_runs(project, query, judge, _show_progress)
    found: dict[str, Any] = msgspec.to_builtins(report)
    for line in filter(None, [report.stopped, *report.failures]):
        click.echo(f"warning: {line}", err=True)
    return found


def _show_progress(done: int, total: int) -> None:
    if done % 20 == 0 or done == total:
        click.echo(f"{done:,} of {total:,} questions", err=True)


@click.command("distill")
@click.option("--provider", required=True, help="The teacher: whose severities are learned.")
@click.option("--out", required=True, type=click.Path(path_type=Path), help="Folder for the student and its card.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True)
@common_options
def distill(project: Path, as_json: bool, provider: str, out: Path, seed: int) -> None:
    """Train a small model on a provider's severities; prints its card: data, and agreement on held-out texts."""
    import json

    from annotator.analyses.severity.distill import distill as run
    from annotator.store.project import open_project

    card = run(open_project(project), provider, out, seed, say=lambda text: click.echo(text, err=True))
    emit(card, as_json, lambda: [json.dumps(card, ensure_ascii=False, indent=2)])
