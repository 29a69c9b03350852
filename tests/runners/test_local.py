"""Recognisers that are programs or Python, pixels, and the names by which recognisers are asked for."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from annotator.errors import EngineError, EngineRefusedError, UsageError
from annotator.records import Box
from annotator.runners.base import About, Recognition
from annotator.runners.command import CommandRecogniser
from annotator.runners.factory import RunnerSettings, make_recogniser
from annotator.runners.languages import require_packs, tesseract_code
from annotator.runners.own import FunctionRecogniser, load_own
from annotator.runners.pixels import cut_target, enlarge_to, load_pixels
from annotator.runners.ppocr import per_point
from annotator.runners.tesseract import Glyph, in_display_order, spread

PICTURE = Image.new("RGB", (40, 20), "white")
PYTHON = f'"{sys.executable}" -c'


def run(code: str, timeout: float = 20.0) -> str:
    recogniser = CommandRecogniser(f"{PYTHON} '{code}' {{image}} {{language}}", timeout=timeout)
    recogniser.check(["en"])
    return recogniser.recognise(PICTURE, About(language="en; touch x")).text


def test_a_program_gets_the_picture_and_its_print_is_the_text() -> None:
    code = "import sys; from PIL import Image; print(Image.open(sys.argv[1]).size, sys.argv[2])"
    assert run(code) == "(40, 20) en; touch x"


def test_nothing_goes_through_a_shell(tmp_path: Path) -> None:
    mark = tmp_path / "made"
    recogniser = CommandRecogniser(f"echo {{image}} ; touch {mark} && $(touch {mark}) `touch {mark}`")
    text = recogniser.recognise(PICTURE, About()).text
    assert "; touch" in text
    assert not mark.exists()


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ('import sys; sys.exit("no model")', "status 1: no model"),
        ("import sys; sys.stdout.buffer.write(bytes([255]))", "not UTF-8"),
        ("print(chr(97) * 2000000)", "2,000,001 bytes"),
    ],
)
def test_a_failing_program_fails_the_item(code: str, words: str) -> None:
    with pytest.raises(EngineError, match=words):
        run(code)


def test_a_hanging_program_is_ended() -> None:
    with pytest.raises(EngineError, match=r"longer than 0\.5 s"):
        run("import time; time.sleep(30)", timeout=0.5)


@pytest.mark.parametrize("template", ["", "prog", "{image}", "prog 'open {image}"])
def test_templates_that_cannot_work(template: str) -> None:
    with pytest.raises(UsageError):
        CommandRecogniser(template)


def test_a_missing_program_is_one_sentence() -> None:
    with pytest.raises(EngineRefusedError, match="'not-a-program' was not found"):
        CommandRecogniser("not-a-program {image}").check([])


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (Recognition("ab", char_confidence=(0.5,)), "1 character confidences for 2 code points"),
        (Recognition("ab", char_confidence=(0.5, 1.5)), "outside"),
        (Recognition("ab", confidence=2.0), "expected a probability"),
        (7, "of type int"),
    ],
)
def test_answers_of_ones_own_are_checked(answer: object, words: str) -> None:
    with pytest.raises(EngineError, match=words):
        FunctionRecogniser("own", lambda image: answer).recognise(PICTURE, About())  # type: ignore[arg-type, return-value]


def test_own_recognisers_from_a_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = (
        "from annotator.runners.base import Recognition\n"
        "def plain(image): return str(image.size)\n"
        "def make(size=3): return lambda image: 'x' * size\n"
        "class Mine:\n"
        "    name, confidence_kind, sees = 'mine', 'softmax', 'target'\n"
        "    def check(self, languages): pass\n"
        "    def reads(self, language): return True\n"
        "    def recognise(self, image, about): return Recognition('mine', None, (0.5,) * 4)\n"
        "    def close(self): pass\n"
        "number = 3\n"
        "def broken(image): raise KeyError('weights')\n"
    )
    (tmp_path / "own_reader_module.py").write_text(source, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert load_own("own_reader_module:plain").recognise(PICTURE, About()).text == "(40, 20)"
    assert load_own("own_reader_module:make").recognise(PICTURE, About()).text == "xxx"
    assert load_own("own_reader_module:Mine").recognise(PICTURE, About()).text == "mine"
    with pytest.raises(EngineError, match="KeyError: 'weights'"):
        load_own("own_reader_module:broken").recognise(PICTURE, About())
    for address, error in (("own_reader_module:number", UsageError), ("own_reader_module:nothing", UsageError)):
        with pytest.raises(error):
            load_own(address)
    for address, error in (("no_such_module:x", EngineRefusedError), ("own_reader_module", UsageError)):
        with pytest.raises(error):
            load_own(address)
    assert str(tmp_path) not in sys.path
    sys.modules.pop("own_reader_module")


@pytest.mark.parametrize("system", ["", "tess", "tesseract:", "ppocr:en", "openai:", "command:", "python:"])
def test_unknown_systems_name_what_there_is(system: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="tesseract-nodict"):
        make_recogniser(system, RunnerSettings(tmp_path))


@pytest.mark.parametrize("system", ["tesseract", "tesseract:ben+eng", "tesseract-nodict", "ppocr"])
def test_the_name_is_what_was_asked_for(system: str, tmp_path: Path) -> None:
    assert make_recogniser(system, RunnerSettings(tmp_path)).name == system


@pytest.mark.parametrize(
    ("language", "code"),
    [
        ("", "eng"),
        ("en-GB", "eng"),
        ("bn", "ben"),
        ("zh", "chi_sim"),
        ("zh-Hant-TW", "chi_tra"),
        ("zh_TW", "chi_tra"),
        ("xx", "xx"),
    ],
)
def test_language_codes(language: str, code: str) -> None:
    assert tesseract_code(language) == code


def test_a_missing_pack_names_its_package(tmp_path: Path) -> None:
    (tmp_path / "eng.traineddata").touch()
    with pytest.raises(EngineError, match=r"apt-get install tesseract-ocr-ben tesseract-ocr-chi-sim$"):
        require_packs(tmp_path, "eng+ben+chi_sim")


@pytest.mark.parametrize(
    ("text", "glyphs", "expected"),
    [
        ("ab", [("a", 0.9), ("b", 0.8)], (0.9, 0.8)),
        ("a b", [("a", 0.9), ("b", 0.8)], (0.9, None, 0.8)),
        ("কি", [("কি", 0.7)], (0.7, 0.7)),
        ("ab", [("a", 0.9)], None),
        ("س", [("س\u200e", 1.2)], (1.0,)),
        ("", [], ()),
    ],
)
def test_glyph_scores_spread_over_code_points(text: str, glyphs: list[tuple[str, float]], expected: object) -> None:
    assert spread(text, [Glyph(*glyph) for glyph in glyphs]) == expected


@pytest.mark.parametrize(
    ("text", "edges", "turned"),
    [
        ("نوتيز", (1, 9, 17, 20, 31), True),  # gold is the word read the other way
        ("زيتون", (31, 20, 17, 9, 1), False),
        ("بادع", (1, 9, 5, 20), True),
        ("اب", (1, 1), False),
        ("با 12", (1, 2, 3, 4), False),
        ("بx", (1, 2), False),
        ("ab", (1, 9), False),
        ("ب", (1,), False),
        ("", (), False),
    ],
)
def test_a_right_to_left_word_whose_glyphs_run_left_to_right_is_in_display_order(
    text: str, edges: tuple[int, ...], turned: bool
) -> None:
    letters = [point for point in text if not point.isspace()]
    glyphs = [Glyph(letter, 0.9, left) for letter, left in zip(letters, edges, strict=False)]
    assert in_display_order(text, glyphs) == turned


@pytest.mark.parametrize(
    ("text", "scores", "expected"),
    [("ab", [0.5, 0.25], (0.5, 0.25)), ("a🇧🇩", [0.5, 0.25], (0.5, 0.25, 0.25)), ("abc", [0.5], None), ("", [], ())],
)
def test_alphabet_entries_of_several_code_points(text: str, scores: list[float], expected: object) -> None:
    assert per_point(text, scores, ["blank", "a", "b", "🇧🇩"]) == expected


def test_pictures_of_all_kinds_become_rgb(tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    Image.new("RGB", (30, 10), "red").save(tmp_path / "turned.jpg", exif=exif)
    Image.new("CMYK", (9, 5), (0, 0, 0, 0)).save(tmp_path / "cmyk.jpg")
    Image.fromarray(np.full((4, 6), 32896, np.uint16)).save(tmp_path / "deep.png")
    Image.new("RGBA", (5, 5), (0, 0, 0, 0)).save(tmp_path / "clear.png")
    Image.new("L", (1, 1), 7).save(tmp_path / "dot.png")
    assert load_pixels(tmp_path / "turned.jpg").size == (10, 30)
    assert load_pixels(tmp_path / "cmyk.jpg").getpixel((2, 2)) == (255, 255, 255)
    assert load_pixels(tmp_path / "deep.png").getpixel((2, 2)) == (128, 128, 128)
    assert load_pixels(tmp_path / "clear.png").getpixel((2, 2)) == (255, 255, 255)
    assert load_pixels(tmp_path / "dot.png").getpixel((0, 0)) == (7, 7, 7)


def test_pictures_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "text.png").write_text("not an image", encoding="utf-8")
    whole = tmp_path / "whole.png"
    Image.effect_noise((80, 80), 60).save(whole)
    (tmp_path / "cut.png").write_bytes(whole.read_bytes()[:2000])
    huge = bytearray(whole.read_bytes())
    huge[16:24] = (20_000).to_bytes(4, "big") + (20_000).to_bytes(4, "big")
    (tmp_path / "huge.png").write_bytes(bytes(huge))
    for name in ("text.png", "cut.png", "huge.png", "none.png"):
        with pytest.raises(EngineError, match=name):
            load_pixels(tmp_path / name)


def test_targets_are_clipped_and_low_crops_enlarged() -> None:
    assert cut_target(PICTURE, Box(30, 5, 20, 40)).size == (10, 15)
    assert cut_target(PICTURE, Box(100, 100, 5, 5)).size == PICTURE.size
    assert enlarge_to(PICTURE, 48).size == (96, 48)
    assert enlarge_to(PICTURE, 10).size == (40, 20)
