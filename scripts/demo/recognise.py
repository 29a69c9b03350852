"""Run Tesseract (with and without its dictionaries) and PP-OCR on the demo images and keep what they gave.

    PYTHONPATH=. python scripts/demo/recognise.py [--data data/demo]

Writes `predictions_SYSTEM.jsonl` beside `items.csv`: id, system, condition, predicted, confidence, char_confidence. An
item whose language a system cannot write gets no line, so that it counts as missing and never as a wrong answer.
"""

from __future__ import annotations

import argparse
import csv
import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

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


def answers(recogniser: Recogniser, rows: list[dict[str, str]], data: Path) -> Iterator[dict[str, Any]]:
    """One prediction per item that the recogniser can read, targets cut out of scenes."""
    recogniser.check(sorted({row["language"] for row in rows}))
    for row in rows:
        if not recogniser.reads(row["language"]):
            continue
        image = load_pixels(data / row["image"])
        if row["box"]:
            image = cut_target(image, Box(*map(float, row["box"].split(","))))
        about = About(row["id"], row["language"], row["kind"] == "line")
        seen = recogniser.recognise(image, about)
        yield {
            "id": row["id"],
            "system": recogniser.name,
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
        for recogniser in systems:
            found = list(answers(recogniser, rows, data))
            text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in found)
            (data / f"predictions_{recogniser.name}.jsonl").write_text(text, encoding="utf-8")
            right = sum(row["predicted"] == gold[row["id"]] for row in found)
            print(f"{recogniser.name}: {len(found)} answers, {right} exact")
            recogniser.close()


if __name__ == "__main__":
    main()
