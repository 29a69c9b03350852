"""From what the user writes after `--system` to a recogniser."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from annotator.errors import UsageError
from annotator.runners.base import Recogniser

KINDS = (
    "tesseract[:LANG[+LANG]], tesseract-nodict[:LANG[+LANG]], ppocr, openai:MODEL, torch:DIR[:ctc|ar], "
    'command:"prog {image}", python:MODULE:NAME'
)


@dataclass(frozen=True, slots=True)
class RunnerSettings:
    """What else may be said of a recogniser. `cache` is a folder for what engines make once (stripped dictionaries)."""

    cache: Path
    psm: int | None = None
    prompt: str = "P1"
    max_tokens: int = 256
    tries: int = 5
    timeout: float = 90.0


def make_recogniser(system: str, settings: RunnerSettings) -> Recogniser:
    """The recogniser that `system` names. Imports no engine; `check` does.

    Raises `UsageError` with the kinds that there are when the name is none of them.
    """
    kind, colon, rest = system.partition(":")
    if kind in ("tesseract", "tesseract-nodict") and bool(colon) == bool(rest):
        from annotator.runners.tesseract import Tesseract

        return Tesseract(rest, psm=settings.psm, dictionaries=kind == "tesseract", cache=settings.cache)
    if system == "ppocr":
        from annotator.runners.ppocr import PPOCR

        return PPOCR()
    if kind == "openai" and rest:
        return _openai(rest, settings)
    if kind == "command" and rest:
        from annotator.runners.command import CommandRecogniser

        return CommandRecogniser(rest, timeout=settings.timeout)
    if kind == "python" and rest:
        from annotator.runners.own import load_own

        return load_own(rest)
    raise UsageError(f"--system: found {system!r}; expected one of: {KINDS}")


def _openai(model: str, settings: RunnerSettings) -> Recogniser:
    from annotator.runners.endpoint import Patience, from_environment
    from annotator.runners.openai import OpenAIVision
    from annotator.runners.prompts import load_prompt

    patience = Patience(tries=settings.tries, timeout=settings.timeout)
    return OpenAIVision(from_environment(model, patience), load_prompt(settings.prompt), cap=settings.max_tokens)
