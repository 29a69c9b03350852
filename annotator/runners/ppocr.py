"""PP-OCR's recogniser (CTC) through rapidocr: no detection, the weights of its wheel, its own softmax per character."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from annotator.errors import EngineError
from annotator.runners.base import About, ConfidenceKind, Recognition, Sees, mean_confidence
from annotator.text.languages import primary_subtag

if TYPE_CHECKING:
    from PIL import Image

LONGEST = 100  # times its height: memory grows with the length of a strip
# Letters that a reader of the language cannot do without, as a probe of the model's alphabet.
_PROBES = {
    "ar": "بة", "as": "ক", "bg": "ж", "bn": "ক", "el": "λ", "fa": "پ", "gu": "ક", "he": "א", "hi": "क", "ja": "あカ", "kn": "ಕ",
    "ko": "한", "ml": "ക", "mr": "क", "ne": "क", "or": "କ", "pa": "ਕ", "ru": "ж", "si": "ක", "ta": "க", "te": "క", "th": "ก",
    "uk": "ж", "ur": "ب", "vi": "ếạử", "zh": "的",
}  # fmt: skip


class PPOCR:
    """The recogniser of PP-OCR as rapidocr ships it. `threads` is the number of threads inside one call."""

    confidence_kind = ConfidenceKind.SOFTMAX
    sees = Sees.TARGET
    name = "ppocr"

    def __init__(self, *, threads: int = 1) -> None:
        self._threads = threads
        self._lock = threading.Lock()
        self._network: Any = None

    def check(self, languages: Iterable[str]) -> None:
        """Load the network; `EngineError` with the packages when rapidocr, onnxruntime or the weights are missing."""
        self._load()

    def reads(self, language: str) -> bool:
        """Whether the model's alphabet has the letters of the language; a language not known here is tried."""
        alphabet = set(self._load().postprocess_op.character)
        return all(letter in alphabet for letter in _PROBES.get(primary_subtag(language), ""))

    def recognise(self, image: Image.Image, about: About) -> Recognition:
        """The greedy CTC reading; one softmax value per code point."""
        import numpy as np
        from rapidocr.ch_ppocr_rec.typings import TextRecInput

        if image.width > LONGEST * image.height:
            raise EngineError(f"an image of {image.width} x {image.height} is too long a strip for PP-OCR")
        network = self._load()
        pixels = np.ascontiguousarray(np.asarray(image.convert("RGB"))[:, :, ::-1])  # rapidocr takes blue first
        result = network(TextRecInput(img=pixels, return_word_box=True))
        text = str(result.txts[0])
        scores = [] if not text else [float(score) for score in result.word_results[0].confs]
        confidence = per_point(text, scores, network.postprocess_op.character)
        return Recognition(text, mean_confidence(scores), confidence)

    def close(self) -> None:
        """Let the network go."""
        self._network = None

    def _load(self) -> Any:
        with self._lock:
            if self._network is None:
                self._network = _open(self._threads)
            return self._network


def per_point(text: str, scores: list[float], alphabet: list[str]) -> tuple[float | None, ...] | None:
    """One score per code point, where an entry of the alphabet may be several; `None` when they do not match."""
    if len(text) == len(scores):
        return tuple(round(score, 4) for score in scores)
    longer = sorted({entry for entry in alphabet if len(entry) > 1 and entry != "blank"}, key=len, reverse=True)
    lengths: list[int] = []
    at = 0
    while at < len(text):
        step = next((len(entry) for entry in longer if text.startswith(entry, at)), 1)
        lengths.append(step)
        at += step
    if len(lengths) != len(scores):
        return None
    pairs = zip(lengths, scores, strict=True)
    return tuple(itertools.chain.from_iterable([round(score, 4)] * length for length, score in pairs))


def _open(threads: int) -> Any:
    try:
        import rapidocr
        from rapidocr.ch_ppocr_rec import TextRecognizer
        from rapidocr.utils.log import logger
        from rapidocr.utils.parse_parameters import ParseParams
    except ImportError as error:
        raise EngineError(
            f"PP-OCR is not installed ({error.name} is missing): pip install rapidocr onnxruntime"
        ) from error
    logger.setLevel("ERROR")
    return TextRecognizer(_settings(Path(rapidocr.__file__).parent, threads, ParseParams))


def _settings(folder: Path, threads: int, parse: Any) -> Any:
    """rapidocr's own recogniser settings with the weights file named, so that nothing is ever downloaded."""
    settings = parse.load(folder / "config.yaml")
    weights = sorted((folder / "models").glob("*rec*.onnx"))
    if not weights:
        raise EngineError(
            f"PP-OCR's weights are not in {folder / 'models'}: pip install 'rapidocr>=3.4' (they come with it)"
        )
    recogniser = settings.Rec
    recogniser.model_path = str(weights[-1])
    engine = settings.EngineConfig.onnxruntime
    engine.intra_op_num_threads = threads
    recogniser.engine_cfg = engine
    recogniser.font_path = None
    recogniser.model_root_dir = None
    return recogniser
