"""`annotator review`: a verdict on a suspect gold, from the command line."""

from __future__ import annotations

from pathlib import Path

import click

from annotator.cli.frame import common_options, emit

VERDICTS = ("gold-right", "gold-wrong", "both-acceptable", "unreadable")


@click.command("review")
@click.argument("item")
@click.argument("verdict", type=click.Choice(VERDICTS))
@click.option("--by", "reviewer", required=True, metavar="NAME", help="Who looked at the image: a pseudonym.")
@click.option(
    "--gold", default=None, metavar="TEXT", help="With gold-wrong: the corrected gold; answers are realigned."
)
@click.option("--propose", is_flag=True, help="Keep it as a proposal to the owner: nothing is marked.")
@common_options
def review(
    project: Path, as_json: bool, item: str, verdict: str, reviewer: str, gold: str | None, propose: bool
) -> None:
    """Say whether the gold of ITEM is right. `report suspects` lists the items to review, with the verdicts so far.

    gold-wrong and unreadable leave the item out of every rate; gold-right and both-acceptable take that back.
    """
    from annotator.ingest.suspects import review_suspect
    from annotator.store.project import open_project

    done = review_suspect(open_project(project), item, verdict, reviewer, binding=not propose, gold=gold)
    document = {
        "item": done.item_id,
        "verdict": done.review.verdict,
        "reviewer": done.review.reviewer,
        "binding": done.review.binding,
        "at": done.review.at,
        "mark": done.mark,
        "gold": done.gold,
        "realigned": done.realigned,
        "project_revision": done.project_revision,
    }
    marked = f", mark {done.mark}" if done.mark else ""
    corrected = f", gold corrected and {done.realigned} answers aligned anew" if gold is not None else ""
    kind = "verdict" if done.review.binding else "proposal"
    emit(document, as_json, lambda: [f"{item}: {kind} {verdict} by {done.review.reviewer}{marked}{corrected}"])
