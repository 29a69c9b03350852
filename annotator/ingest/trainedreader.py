"""A trained reference recogniser as one of the recognisers that can be run: `torch:DIR`, `torch:DIR:ctc`, `torch:DIR:ar`."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from annotator.errors import EngineRefusedError, InputError, UsageError
from annotator.runners.base import About, ConfidenceKind, Recogniser, Recognition, Sees, mean_confidence
from annotator.runners.factory import RunnerSettings, make_recogniser

if TYPE_CHECKING:
    from PIL import Image

    from annotator.models.reader.reading import Reader

TORCH = "torch:"


class TrainedReader:
    """What `annotator train-recogniser` saved in `folder`, read with the head `ctc` or `ar`.

    Its confidences are softmax probabilities; each answer carries the hidden states of every layer and, with `ar`, the
    attention entropies `self`, `cross` and `ratio`.
    """

    confidence_kind = ConfidenceKind.SOFTMAX
    sees = Sees.TARGET

    def __init__(self, folder: Path, head: str = "ctc") -> None:
        self.name = f"{folder.resolve().name}-{head}"
        self._folder = folder
        self._head = head
        self._lock = threading.Lock()
        self._loaded: tuple[Reader, dict[str, Any]] | None = None

    def check(self, languages: Iterable[str]) -> None:
        """Load the network. Raises `EngineRefusedError` when torch is missing or the folder holds no whole recogniser."""
        self._load()

    def reads(self, language: str) -> bool:
        """Whether the reader was trained on words of this language; where its card names none, every one is tried."""
        trained = str(self._load()[1].get("language", ""))
        return not trained or language.lower().split("-")[0] == trained

    def recognise(self, image: Image.Image, about: About) -> Recognition:
        """The greedy reading of one crop."""
        from annotator.models.reader.crops import prepare_crop
        from annotator.models.reader.reading import Head

        seen = self._load()[0].read([prepare_crop(image)], Head(self._head))[0]
        confidence = seen.char_confidence
        return Recognition(
            seen.text, mean_confidence(confidence), confidence, hidden=seen.hidden, attention=seen.attention
        )

    def close(self) -> None:
        """Let the network go."""
        self._loaded = None

    def _load(self) -> tuple[Reader, dict[str, Any]]:
        from annotator.models.reader.saving import load_reader

        with self._lock:
            if self._loaded is None:
                try:
                    self._loaded = load_reader(self._folder)
                except InputError as error:
                    raise EngineRefusedError(str(error)) from error
                import torch

                torch.set_num_threads(1)  # items run side by side
            return self._loaded


def choose_recogniser(system: str, settings: RunnerSettings) -> Recogniser:
    """The recogniser that `system` names: a trained one, or one of `make_recogniser`'s.

    Raises `UsageError` with the kinds that there are when the name is none of them.
    """
    if not system.startswith(TORCH):
        return make_recogniser(system, settings)
    place, _, head = system.removeprefix(TORCH).rpartition(":")
    if head not in ("ctc", "ar"):
        place, head = system.removeprefix(TORCH), "ctc"
    if not place:
        raise UsageError(f"--system: found {system!r}; expected torch:DIR, torch:DIR:ctc or torch:DIR:ar")
    return TrainedReader(Path(place), head)
