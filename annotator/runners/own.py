"""One's own recogniser in Python: a function from image to text, or an object with `recognise`."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from annotator.errors import EngineError, EngineRefusedError, UsageError
from annotator.runners.base import About, ConfidenceKind, Recogniser, Recognition, Sees, mean_confidence

if TYPE_CHECKING:
    from PIL import Image

Answer = str | Recognition


class FunctionRecogniser:
    """A function as a recogniser: `function(image)` gives a text, or a `Recognition` with confidences, hidden states and
    attention. Its confidences are taken for softmax probabilities unless `confidence_kind` says otherwise.
    """

    def __init__(
        self,
        name: str,
        function: Callable[[Image.Image], Answer],
        *,
        confidence_kind: ConfidenceKind = ConfidenceKind.SOFTMAX,
        sees: Sees = Sees.TARGET,
    ) -> None:
        self.name = name
        self.confidence_kind = confidence_kind
        self.sees = sees
        self._function = function

    def check(self, languages: Iterable[str]) -> None:
        """Nothing to check."""

    def reads(self, language: str) -> bool:
        """Always tried."""
        return True

    def recognise(self, image: Image.Image, about: About) -> Recognition:
        """Call the function. Whatever it raises fails this item alone, with the exception's name and words."""
        try:
            return checked(self._function(image))
        except EngineError:
            raise
        except Exception as error:
            raise EngineError(f"{self.name}: {type(error).__name__}: {error}") from error

    def close(self) -> None:
        """Nothing stays open."""


def checked(answer: Answer) -> Recognition:
    """The answer as a `Recognition` whose numbers fit its text. Raises `EngineError` when they do not."""
    seen = Recognition(answer) if isinstance(answer, str) else answer
    if not isinstance(seen, Recognition):
        raise EngineError(f"found an answer of type {type(answer).__name__}; expected a text or a Recognition")
    points = seen.char_confidence
    if seen.confidence is not None and not 0 <= seen.confidence <= 1:
        raise EngineError(f"found a confidence of {seen.confidence}; expected a probability in [0, 1]")
    if points is None:
        return seen
    if len(points) != len(seen.text):
        raise EngineError(
            f"found {len(points)} character confidences for {len(seen.text)} code points; expected one number or None for each"
        )
    if any(point is not None and not 0 <= point <= 1 for point in points):
        raise EngineError("found a character confidence outside [0, 1]; expected probabilities")
    if seen.confidence is not None:
        return seen
    from dataclasses import replace

    return replace(seen, confidence=mean_confidence(points))


def load_own(address: str) -> Recogniser:
    """The recogniser at `module:name`, looked for in the current folder too.

    `name` may be a recogniser, a function that takes an image, or a function without arguments that makes either.
    Raises `UsageError` when the address is wrong, `EngineRefusedError` when the module cannot be imported.
    """
    module_name, colon, attribute = address.partition(":")
    if not colon or not module_name or not attribute:
        raise UsageError(f"python: found {address!r}; expected python:MODULE:NAME")
    here = str(Path.cwd())
    sys.path.insert(0, here)
    try:
        found = getattr(importlib.import_module(module_name), attribute)
    except AttributeError as error:
        raise UsageError(f"python: module {module_name} has no {attribute!r}") from error
    except Exception as error:
        raise EngineRefusedError(f"python: cannot import {module_name}: {type(error).__name__}: {error}") from error
    finally:
        sys.path.remove(here)
    return _as_recogniser(address, found() if _makes(found) else found)


def _makes(found: Any) -> bool:
    """Whether `found` must be called to get a recogniser: a class, or a function without a needed argument."""
    import inspect

    if inspect.isclass(found):
        return True
    if hasattr(found, "recognise") or not callable(found):
        return False
    needed = [
        p for p in inspect.signature(found).parameters.values() if p.default is p.empty and p.kind < p.VAR_POSITIONAL
    ]
    return not needed


def _as_recogniser(address: str, found: Any) -> Recogniser:
    if hasattr(found, "recognise"):
        missing = [
            name for name in ("name", "confidence_kind", "sees", "check", "reads", "close") if not hasattr(found, name)
        ]
        if missing:
            raise UsageError(f"python:{address} lacks {', '.join(missing)}; expected the Recogniser protocol")
        return cast(Recogniser, found)
    if callable(found):
        return FunctionRecogniser(address.partition(":")[2], found)
    raise UsageError(f"python:{address}: found a {type(found).__name__}; expected a function or a recogniser")
