"""Normalisation profiles, applied to both texts before they are compared.

The names and rules are those of the semcer package, so that numbers compare; `str` is the rule of scene-text papers.
The profile's name and `PROFILE_VERSION` travel with every number.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from enum import StrEnum

from annotator.errors import UsageError
from annotator.text.graphemes import nfc

PROFILE_VERSION = "1"
_WHITE_SPACE = re.compile(r"\s+")
_NOT_ASCII_WORD = re.compile(r"[^0-9A-Za-z]+")


class Profile(StrEnum):
    """What is done to a text, always after NFC and always followed by NFC."""

    RAW = "raw"
    WS = "ws"
    LIGHT = "light"
    OMNI2025 = "omni2025"
    FULL = "full"
    STR = "str"


def apply_profile(text: str, name: str) -> str:
    """Return `text` under the profile `name`, in NFC.

    `raw` NFC only; `ws` white space dropped; `light` case folded, runs of white space to one space, ends stripped;
    `omni2025` white space, punctuation and symbols dropped, case kept; `full` case folded, then as `omni2025`
    (normalised CER); `str` case folded, everything dropped that is no letter (L), digit (N) or mark (M).
    Raises UsageError for an unknown name.
    """
    rule = _RULES.get(name) or _RULES[require_profile(name)]
    return rule(nfc(text))


def require_profile(name: str) -> Profile:
    """The profile called `name`. Raises `UsageError` for an unknown name."""
    if name not in _RULES:
        known = ", ".join(Profile)
        raise UsageError(f"profile: found {name!r}; expected one of {known}. Choose one of these with --profile.")
    return Profile(name)


def apply_profile_to_all(texts: Sequence[str], name: str) -> list[str]:
    """`apply_profile` of every text, several times faster for many short ones: they are worked on as one text.

    A line break composes with nothing, so that lines do not touch each other. Raises UsageError for an unknown name.
    """
    joined = "\n".join(texts)
    rule = _RULES_OF_LINES.get(name)
    if rule is None or joined.count("\n") != len(texts) - 1:
        return [apply_profile(text, name) for text in texts]
    return rule(nfc(joined)).split("\n")


def _drop_white_space(text: str) -> str:
    return nfc("".join(text.split()))


def _light(text: str) -> str:
    return nfc(_WHITE_SPACE.sub(" ", text.casefold()).strip())


def _drop_symbols(text: str) -> str:
    if text.isascii():
        return _NOT_ASCII_WORD.sub(_controls_only, text)
    return nfc("".join(ch for ch in text if unicodedata.category(ch)[0] not in "PSZ" and not ch.isspace()))


def _controls_only(run: re.Match[str]) -> str:
    # Control characters are neither white space (save tab, line and separator controls), punctuation nor symbols.
    return "".join(ch for ch in run[0] if unicodedata.category(ch) == "Cc" and not ch.isspace())


def _full(text: str) -> str:
    return _drop_symbols(text.casefold())


def _str(text: str) -> str:
    text = text.casefold()
    if text.isascii():
        return text if text.isalnum() else _NOT_ASCII_WORD.sub("", text)
    if text.isalnum():  # true of letters and digits alone (categories L and N)
        return nfc(text)
    return nfc("".join(ch for ch in text if unicodedata.category(ch)[0] in "LNM"))


def _str_lines(text: str) -> str:
    return _keep_in_lines(text.casefold(), lambda ch: unicodedata.category(ch)[0] in "LNM")


def _symbols_in_lines(text: str) -> str:
    return _keep_in_lines(text, lambda ch: unicodedata.category(ch)[0] not in "PSZ" and not ch.isspace())


def _keep_in_lines(text: str, is_kept: Callable[[str], bool]) -> str:
    dropped: dict[int, None] = {ord(ch): None for ch in set(text) if ch != "\n" and not is_kept(ch)}
    return nfc(text.translate(dropped) if dropped else text)


_RULES_OF_LINES: dict[str, Callable[[str], str]] = {
    Profile.RAW: str,
    Profile.OMNI2025: _symbols_in_lines,
    Profile.FULL: lambda text: _symbols_in_lines(text.casefold()),
    Profile.STR: _str_lines,
}
_RULES: dict[str, Callable[[str], str]] = {
    Profile.RAW: str,
    Profile.WS: _drop_white_space,
    Profile.LIGHT: _light,
    Profile.OMNI2025: _drop_symbols,
    Profile.FULL: _full,
    Profile.STR: _str,
}
PROFILES: tuple[str, ...] = tuple(Profile)
