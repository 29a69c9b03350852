"""Tesseract's LSTM engine, with or without its dictionaries, through tesserocr or, without that, the program."""

from __future__ import annotations

import io
import subprocess
import threading
import unicodedata
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from annotator.errors import EngineError
from annotator.runners.base import About, ConfidenceKind, Recognition, Sees, mean_confidence
from annotator.runners.languages import find_tessdata, require_packs, strip_dictionaries, tesseract_code
from annotator.runners.pixels import enlarge_to

if TYPE_CHECKING:
    from PIL import Image

WORD_MODE, LINE_MODE = 8, 7
HEIGHT = 48
_DISPLAY_MARKS = dict.fromkeys(map(ord, "\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"))
TURNED = "turned"


class Glyph(NamedTuple):
    """A glyph's text, its confidence in [0, 1], and its left edge in the picture in pixels."""

    text: str
    score: float
    left: int = 0


class Tesseract:
    """Tesseract 5, LSTM only.

    `languages` is Tesseract's `ben` or `eng+ben`; "" takes each item's own. `psm` is the page mode; `None` takes 8 for
    words and 7 for lines. Crops lower than 48 px are enlarged to it and get no border: with a border and mode 7 a fifth
    fewer word crops come out right. Glyph confidences are an engine score, not a probability (nothing falls under about 0.6).
    `dictionaries=False` runs the same network with its dictionaries stripped; the stripped packs are kept in `cache`.
    """

    confidence_kind = ConfidenceKind.ENGINE_SCORE
    sees = Sees.TARGET

    def __init__(
        self, languages: str = "", *, psm: int | None = None, dictionaries: bool = True, cache: Path | None = None
    ) -> None:
        self.name = ("tesseract" if dictionaries else "tesseract-nodict") + (f":{languages}" if languages else "")
        self._languages = languages
        self._psm = psm
        self._cache = None if dictionaries else cache or Path.home() / ".cache" / "verbatim" / "tessdata-nodict"
        self._folders: dict[str, Path] = {}
        self._lock = threading.Lock()
        self._own = threading.local()
        self._opened: list[Any] = []

    def check(self, languages: Iterable[str]) -> None:
        """Find the packs of `languages`; the first that is missing raises `EngineError` with its package."""
        _reader()
        for language in languages or [""]:
            self._folder(self._codes(language))

    def reads(self, language: str) -> bool:
        """True: a language without a pack is an error of `check`, not a gap."""
        return True

    def recognise(self, image: Image.Image, about: About) -> Recognition:
        """The text of one crop, display marks that Tesseract adds (LRM, RLM) left out.

        A right-to-left word that comes in the order of display is turned, and its answer says so in the column `turned`.
        """
        codes = self._codes(about.language)
        mode = self._psm if self._psm is not None else LINE_MODE if about.line else WORD_MODE
        ready = enlarge_to(image, HEIGHT)
        if min(ready.size) < 3:
            return Recognition("", None, ())
        if _reader() == "tesserocr":
            text, glyphs = read_api(self._api(codes), ready, mode)
        else:
            text, glyphs = read_program(self._folder(codes), codes, ready, mode)
        text = " ".join(text.translate(_DISPLAY_MARKS).split())
        extra = {}
        if in_display_order(text, glyphs):
            glyphs, extra = glyphs[::-1], {TURNED: "display order"}
            text = "".join(_bare(glyph) for glyph in glyphs)
        confidence = spread(text, glyphs)
        return Recognition(text, mean_confidence(confidence or ()), confidence, extra=extra)

    def close(self) -> None:
        """Free the engines of all threads."""
        for api in self._opened:
            api.End()
        self._opened.clear()
        self._own = threading.local()

    def _codes(self, language: str) -> str:
        return self._languages or tesseract_code(language)

    def _folder(self, codes: str) -> Path:
        with self._lock:
            if codes not in self._folders:
                folder = find_tessdata()
                require_packs(folder, codes)
                self._folders[codes] = folder if self._cache is None else self._stripped(folder, codes)
            return self._folders[codes]

    def _stripped(self, folder: Path, codes: str) -> Path:
        assert self._cache is not None
        made = [strip_dictionaries(folder, code, self._cache) for code in codes.split("+")]
        if len(made) == 1:
            return made[0]
        joint = self._cache / "+".join(part.name for part in made)
        joint.mkdir(exist_ok=True)
        for code, part in zip(codes.split("+"), made, strict=True):
            link = joint / f"{code}.traineddata"
            if not link.exists():
                link.symlink_to(part / link.name)
        return joint

    def _api(self, codes: str) -> Any:
        """This thread's engine for `codes`; an engine must not be shared by threads."""
        from tesserocr import OEM, PyTessBaseAPI

        engines: dict[str, Any] = self._own.__dict__.setdefault("engines", {})
        if codes not in engines:
            engines[codes] = PyTessBaseAPI(path=str(self._folder(codes)), lang=codes, oem=OEM.LSTM_ONLY)
            self._opened.append(engines[codes])
        return engines[codes]


def read_api(api: Any, image: Image.Image, mode: int) -> tuple[str, list[Glyph]]:
    """Text and glyphs by tesserocr."""
    from tesserocr import RIL, iterate_level

    api.SetPageSegMode(mode)
    api.SetImage(image)
    api.SetSourceResolution(70)
    if not api.Recognize():
        raise EngineError("Tesseract could not recognise the image")
    text = api.GetUTF8Text()
    if not text.strip():
        return "", []
    symbols = iterate_level(api.GetIterator(), RIL.SYMBOL)
    return text, [
        Glyph(s.GetUTF8Text(RIL.SYMBOL), s.Confidence(RIL.SYMBOL) / 100, s.BoundingBox(RIL.SYMBOL)[0]) for s in symbols
    ]


def read_program(folder: Path, codes: str, image: Image.Image, mode: int) -> tuple[str, list[Glyph]]:
    """The same through the program `tesseract` and its hOCR output with glyph boxes."""
    from defusedxml.ElementTree import fromstring

    buffer = io.BytesIO()
    image.save(buffer, "PNG")
    options = ["--psm", str(mode), "--oem", "1", "--dpi", "70", "-l", codes, "--tessdata-dir", str(folder)]
    command = ["tesseract", "stdin", "stdout", *options, "-c", "hocr_char_boxes=1", "-c", "tessedit_create_hocr=1"]
    done = subprocess.run(command, input=buffer.getvalue(), capture_output=True, timeout=120, check=False)
    if done.returncode:
        raise EngineError(f"tesseract failed: {done.stderr.decode(errors='replace').strip()[-200:]}")
    words: list[str] = []
    glyphs: list[Glyph] = []
    for word in fromstring(done.stdout.decode()).iter():
        if word.get("class") == "ocrx_word":
            own = [_hocr_glyph(part) for part in word.iter() if part.get("class") == "ocrx_cinfo"]
            words.append("".join(glyph.text for glyph in own))
            glyphs += own
    return " ".join(words), glyphs


def _hocr_glyph(part: Any) -> Glyph:
    fields = dict(field.strip().split(" ", 1) for field in part.get("title", "").split(";"))
    return Glyph(part.text or "", float(fields["x_conf"]) / 100, int(fields["x_bboxes"].split()[0]))


def _bare(glyph: Glyph) -> str:
    return glyph.text.translate(_DISPLAY_MARKS).strip()


def in_display_order(text: str, glyphs: Sequence[Glyph]) -> bool:
    """Whether the glyphs of one right-to-left word run from left to right in the picture: its last letter comes first.

    Told from the boxes alone: more steps between neighbours go right than left. Texts of several words, and words with a
    letter or digit that runs the other way, are never turned.
    """
    letters = [unicodedata.bidirectional(point) for point in text]
    inked = [glyph for glyph in glyphs if _bare(glyph)]
    if len(inked) < 2 or any(kind not in ("R", "AL", "NSM") for kind in letters):
        return False
    if "".join(map(_bare, inked)) != text:
        return False
    steps = [after.left - before.left for before, after in pairwise(inked)]
    return sum(step > 0 for step in steps) > sum(step < 0 for step in steps)


def spread(text: str, glyphs: Sequence[Glyph]) -> tuple[float | None, ...] | None:
    """One confidence per code point of `text`: its glyph's, `None` for white space.

    `None` as a whole when the glyphs do not spell the text.
    """
    points = [
        (point, round(max(0.0, min(1.0, score)), 4))
        for glyph, score, _ in glyphs
        for point in glyph.translate(_DISPLAY_MARKS)
        if not point.isspace()
    ]
    if "".join(point for point, _ in points) != "".join(text.split()):
        return None
    scores = iter(points)
    return tuple(None if point.isspace() else next(scores)[1] for point in text)


def _reader() -> str:
    """`tesserocr` when it can be imported, else `program`; `EngineError` when neither is there."""
    import importlib.util
    import shutil

    if importlib.util.find_spec("tesserocr"):
        return "tesserocr"
    if shutil.which("tesseract"):
        return "program"
    raise EngineError("Tesseract is not installed: pip install tesserocr, or apt-get install tesseract-ocr")
