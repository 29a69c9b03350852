"""Tesseract and PP-OCR for real, on the shipped images and on the shared crops."""

from __future__ import annotations

import csv
import importlib.util
import json
import shutil
from pathlib import Path

import pytest
from PIL import Image

from annotator.errors import EngineError
from annotator.records import Box
from annotator.runners import tesseract
from annotator.runners.base import About
from annotator.runners.pixels import cut_target, load_pixels
from annotator.runners.ppocr import PPOCR
from annotator.runners.tesseract import Tesseract

DATA = Path(__file__).resolve().parents[2] / "data" / "demo"
pytestmark = pytest.mark.engines
needs_tesseract = pytest.mark.skipif(shutil.which("tesseract") is None, reason="tesseract-ocr is not installed")
needs_ppocr = pytest.mark.skipif(importlib.util.find_spec("rapidocr") is None, reason="rapidocr is not installed")


def demo_items(language: str, count: int) -> list[dict[str, str]]:
    with (DATA / "items.csv").open(encoding="utf-8", newline="") as stream:
        return [row for row in csv.DictReader(stream) if row["language"] == language][-count:]


def shipped(system: str) -> dict[str, str]:
    lines = (DATA / f"predictions_{system}.jsonl").read_text(encoding="utf-8").splitlines()
    return {row["id"]: row["predicted"] for row in map(json.loads, lines)}


def picture(row: dict[str, str]) -> Image.Image:
    image = load_pixels(DATA / row["image"])
    return cut_target(image, Box(*map(float, row["box"].split(",")))) if row["box"] else image


def about(row: dict[str, str]) -> About:
    return About(row["id"], row["language"], row["kind"] == "line")


@needs_tesseract
@pytest.mark.parametrize("language", ["en", "bn", "zh", "ja", "ar", "vi"])
def test_tesseract_reads_the_demo_as_shipped(language: str) -> None:
    reader = Tesseract()
    try:
        reader.check([language])
    except EngineError as error:
        pytest.skip(str(error))
    rows = demo_items(language, 12)
    expected = shipped("tesseract")
    same = 0
    for row in rows:
        seen = reader.recognise(picture(row), about(row))
        assert seen.char_confidence is not None
        assert len(seen.char_confidence) == len(seen.text)
        same += seen.text == expected[row["id"]]
    reader.close()
    assert same >= 9, f"{same} of {len(rows)} as shipped: another version of Tesseract or its packs?"


@needs_tesseract
@pytest.mark.parametrize("through", ["tesserocr", "program"])
def test_arabic_words_in_display_order_are_turned(monkeypatch: pytest.MonkeyPatch, through: str) -> None:
    reader = Tesseract()
    try:
        reader.check(["ar"])
    except EngineError as error:
        pytest.skip(str(error))
    if through == "program":
        monkeypatch.setattr(tesseract, "_reader", lambda: "program")
    elif importlib.util.find_spec("tesserocr") is None:
        pytest.skip("tesserocr is not installed")
    words = [row for row in demo_items("ar", 38) if row["kind"] == "word"]
    seen = {row["gold"]: reader.recognise(picture(row), about(row)) for row in words}
    reader.close()
    assert not [gold for gold, answer in seen.items() if answer.text == gold[::-1]]
    turned = {gold: answer for gold, answer in seen.items() if answer.extra}
    assert any(answer.text == gold for gold, answer in turned.items())
    assert all(answer.extra == {"turned": "display order"} for answer in turned.values())
    assert all(len(answer.char_confidence or ()) == len(answer.text) for answer in turned.values())


@needs_tesseract
def test_the_program_gives_what_the_library_gives(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = demo_items("en", 6)
    reader = Tesseract()
    direct = [reader.recognise(picture(row), about(row)) for row in rows]
    reader.close()
    monkeypatch.setattr(tesseract, "_reader", lambda: "program")
    through_program = [Tesseract().recognise(picture(row), about(row)) for row in rows]
    assert sum(a.text == b.text for a, b in zip(direct, through_program, strict=True)) >= 4
    assert all(b.char_confidence is not None and len(b.char_confidence) == len(b.text) for b in through_program)


@needs_tesseract
def test_stripped_dictionaries_are_kept_and_change_answers(tmp_path: Path) -> None:
    reader = Tesseract("eng", dictionaries=False, cache=tmp_path)
    reader.check([""])
    packs = list(tmp_path.glob("*/eng.traineddata"))
    assert len(packs) == 1
    stamp = packs[0].stat().st_mtime_ns
    assert not list(tmp_path.glob(".*"))
    again = Tesseract("eng", dictionaries=False, cache=tmp_path)
    again.check([""])
    assert packs[0].stat().st_mtime_ns == stamp
    assert packs[0].stat().st_size < (tesseract.find_tessdata() / "eng.traineddata").stat().st_size
    assert shipped("tesseract") != shipped("tesseract-nodict")
    reader.close()


@needs_tesseract
@pytest.mark.parametrize("size", [(1, 1), (1, 60), (300, 2), (8, 8)])
def test_tiny_pictures_do_not_break_tesseract(size: tuple[int, int]) -> None:
    reader = Tesseract("eng")
    seen = reader.recognise(Image.new("RGB", size, "white"), About())
    reader.close()
    assert seen.char_confidence is not None
    assert len(seen.char_confidence) == len(seen.text)


@needs_tesseract
def test_a_missing_pack_is_said_before_any_work() -> None:
    with pytest.raises(EngineError, match="apt-get install tesseract-ocr-xyz"):
        Tesseract("xyz").check(["en"])


@pytest.fixture(scope="module")
def ppocr() -> PPOCR:
    pytest.importorskip("rapidocr", reason="rapidocr is not installed")
    reader = PPOCR()
    reader.check([])
    return reader


@needs_ppocr
@pytest.mark.parametrize("language", ["en", "zh", "ja"])
def test_ppocr_reads_the_demo_as_shipped(language: str, ppocr: PPOCR) -> None:
    expected = shipped("ppocr")
    rows = demo_items(language, 12)
    for row in rows:
        seen = ppocr.recognise(picture(row), about(row))
        assert seen.char_confidence is not None
        assert len(seen.char_confidence) == len(seen.text)
        assert all(point is not None and 0 <= point <= 1 for point in seen.char_confidence)
    same = sum(ppocr.recognise(picture(row), about(row)).text == expected[row["id"]] for row in rows)
    assert same >= 11


@needs_ppocr
def test_ppocr_knows_what_it_cannot_write(ppocr: PPOCR) -> None:
    read = {language for language in ("en", "bn", "zh", "ja", "ar", "vi", "hi", "fr") if ppocr.reads(language)}
    assert read == {"en", "zh", "ja", "fr"}


@needs_ppocr
@pytest.mark.parametrize("size", [(1, 1), (1, 60), (100, 2)])
def test_tiny_pictures_do_not_break_ppocr(size: tuple[int, int], ppocr: PPOCR) -> None:
    seen = ppocr.recognise(Image.new("RGB", size, "white"), About())
    assert seen.char_confidence is not None
    assert len(seen.char_confidence) == len(seen.text)


@needs_ppocr
def test_too_long_a_strip_is_an_error_of_the_item(ppocr: PPOCR) -> None:
    with pytest.raises(EngineError, match="too long a strip"):
        ppocr.recognise(Image.new("RGB", (5000, 2), "white"), About())


@needs_ppocr
@pytest.mark.shared
def test_ppocr_agrees_with_the_shared_outputs(shared_data: Path, ppocr: PPOCR) -> None:
    lines = (shared_data / "str" / "predictions_ppocrv6_small.jsonl").read_text(encoding="utf-8").splitlines()
    expected = {row["id"]: row["text"] for row in map(json.loads, lines)}
    items = [
        line.split("\t")
        for line in (shared_data / "str" / "items.tsv").read_text(encoding="utf-8").split("\n")[1:]
        if line
    ]
    chosen = items[:: len(items) // 200]
    seen = {
        item: ppocr.recognise(load_pixels(shared_data / "str" / image), About()).text for item, _, image, _ in chosen
    }
    assert len(chosen) >= 200
    assert sum(text == expected[item] for item, text in seen.items()) >= 0.95 * len(chosen)
