"""The shipped demo set keeps its promises: sizes, languages, misspelt items, boxes, confidences."""

from __future__ import annotations

import csv
import json
from collections import Counter
from pathlib import Path

import pytest
from PIL import Image

DATA = Path(__file__).resolve().parents[2] / "data" / "demo"
SYSTEMS = ("tesseract", "tesseract-nodict", "ppocr")


@pytest.fixture(scope="module")
def rows() -> list[dict[str, str]]:
    with (DATA / "items.csv").open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def read_predictions(system: str) -> list[dict[str, object]]:
    text = (DATA / f"predictions_{system}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def test_enough_items_of_each_language(rows: list[dict[str, str]]) -> None:
    languages = Counter(row["language"] for row in rows)
    assert set(languages) == {"en", "bn", "zh", "ja", "ar", "vi"}
    assert min(languages.values()) >= 30
    assert languages["bn"] >= 90


def test_misspelt_items_differ_from_their_standard_form(rows: list[dict[str, str]]) -> None:
    misspelt = [row for row in rows if row["standard"]]
    by_language = Counter(row["language"] for row in misspelt)
    assert by_language["en"] >= 40
    assert min(by_language.values()) >= 8
    assert all(row["standard"].casefold() != row["gold"].casefold() for row in misspelt)


def test_images_are_small_and_readable(rows: list[dict[str, str]]) -> None:
    assert sum(path.stat().st_size for path in DATA.rglob("*") if path.is_file()) < 4_000_000
    assert len({row["image"] for row in rows}) == len(rows)
    for row in rows:
        with Image.open(DATA / row["image"]) as image:
            image.verify()


def test_boxes_lie_in_their_scene_and_have_a_red_outline(rows: list[dict[str, str]]) -> None:
    boxed = [row for row in rows if row["box"]]
    assert len(boxed) >= 30
    assert all(row["document"] for row in boxed)
    for row in boxed:
        x, y, width, height = map(int, row["box"].split(","))
        with Image.open(DATA / row["image"]) as image:
            assert 3 <= x < x + width <= image.width - 3
            assert 3 <= y < y + height <= image.height - 3
            red, green, blue = image.convert("RGB").getpixel((x - 2, y + height // 2))
        assert red > 100
        assert red > 1.35 * green
        assert red > 1.35 * blue


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_code_point_has_a_confidence_slot(system: str, rows: list[dict[str, str]]) -> None:
    known = {row["id"] for row in rows}
    answers = read_predictions(system)
    assert {answer["id"] for answer in answers} <= known
    for answer in answers:
        assert answer["system"] == system
        assert len(answer["char_confidence"]) == len(answer["predicted"]), answer
        assert answer["confidence"] is None or 0 <= answer["confidence"] <= 1


def test_ppocr_misses_the_scripts_that_it_cannot_write(rows: list[dict[str, str]]) -> None:
    language = {row["id"]: row["language"] for row in rows}
    answered = Counter(language[answer["id"]] for answer in read_predictions("ppocr"))
    assert set(answered) == {"en", "zh", "ja"}
    assert len(read_predictions("tesseract")) == len(read_predictions("tesseract-nodict")) == len(rows)
