"""Run Tesseract (with and without its dictionaries) and PP-OCR on the demo images and keep what they gave.

    PYTHONPATH=. python scripts/demo/recognise.py [--data data/demo]

Writes `predictions_SYSTEM.jsonl` beside `items.csv`: id, system, predicted, confidence, char_confidence; and
`predictions_conditions.jsonl` with what Tesseract and PP-OCR gave on the blurred targets of the scenes (conditions moderate
and strong, as `annotator variant` makes them). An item whose language a system cannot write gets no line, so that it counts as missing and never as a wrong answer.
"""

from __future__ import annotations

import argparse
import csv
import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from annotator.images.conditions import ConditionKind, make_condition
from annotator.records import Box
from annotator.runners.base import About, Recogniser
from annotator.runners.pixels import cut_target, load_pixels
from annotator.runners.ppocr import PPOCR
from annotator.runners.tesseract import Tesseract

DATA = Path(__file__).resolve().parents[2] / "data" / "demo"


def read_items(path: Path) -> list[dict[str, str]]:
    """The rows of the items file."""
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def answers(
    recogniser: Recogniser, rows: list[dict[str, str]], data: Path, condition: ConditionKind | None = None
) -> Iterator[dict[str, Any]]:
    """One prediction per item that the recogniser can read, targets cut out of scenes; under a condition, scenes alone."""
    recogniser.check(sorted({row["language"] for row in rows}))
    for row in rows:
        if not recogniser.reads(row["language"]):
            continue
        image = load_pixels(data / row["image"])
        if row["box"]:
            box = Box(*map(float, row["box"].split(",")))
            picture = image if condition is None else make_condition(condition, row["id"], image, box).picture
            image = cut_target(picture, box)
        elif condition is not None:
            continue
        about = About(row["id"], row["language"], row["kind"] == "line")
        seen = recogniser.recognise(image, about)
        yield {
            "id": row["id"],
            "system": recogniser.name,
            **({} if condition is None else {"condition": condition.value}),
            "predicted": seen.text,
            "confidence": seen.confidence,
            "char_confidence": seen.char_confidence,
        }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA)
    data: Path = parser.parse_args().data
    rows = read_items(data / "items.csv")
    gold = {row["id"]: row["gold"] for row in rows}
    with tempfile.TemporaryDirectory() as folder:
        systems = [Tesseract(), Tesseract(dictionaries=False, cache=Path(folder)), PPOCR()]
        blurred: list[dict[str, Any]] = []
        for recogniser in systems:
            found = list(answers(recogniser, rows, data))
            write(data / f"predictions_{recogniser.name}.jsonl", found)
            right = sum(row["predicted"] == gold[row["id"]] for row in found)
            print(f"{recogniser.name}: {len(found)} answers, {right} exact")
            if recogniser.name in ("tesseract", "ppocr"):
                for condition in (ConditionKind.MODERATE, ConditionKind.STRONG):
                    blurred += answers(recogniser, rows, data, condition)
            recogniser.close()
        write(data / "predictions_conditions.jsonl", blurred)


def write(path: Path, rows: list[dict[str, Any]]) -> None:
    """One JSON object a line."""
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")


if __name__ == "__main__":
    main()
