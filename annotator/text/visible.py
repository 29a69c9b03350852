"""Text from files made inert for terminals and logs."""

from __future__ import annotations

import unicodedata

_KEPT = {"\u200c", "\u200d"}


def escape_controls(text: str) -> str:
    """Return `text` with every control, bidi override, line break and unassigned character shown as `\\uXXXX`.

    ZWJ and ZWNJ stay: scripts need them and they cannot move the cursor. Idempotent on printable text.
    """
    if text.isprintable():
        return text
    return "".join(ch if _is_inert(ch) else _code(ch) for ch in text)


def _is_inert(ch: str) -> bool:
    return ch.isprintable() or ch in _KEPT or unicodedata.category(ch) == "Zs"


def _code(ch: str) -> str:
    named = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
    return named.get(ch) or (f"\\u{ord(ch):04x}" if ord(ch) <= 0xFFFF else f"\\U{ord(ch):08x}")
