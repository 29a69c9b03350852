"""Characters made visible and inert: spaces, joiners, bidi controls; text direction; which Arabic letters join."""

from __future__ import annotations

import html
import unicodedata

_SPACES = {" ": "·", "\u00a0": "⍽", "\u3000": "□", "\t": "→", "\n": "⏎", "\r": "␍"}
_NAMED = {
    "\u200b": "ZWSP", "\u00ad": "SHY", "\ufeff": "BOM", "\u200e": "LRM", "\u200f": "RLM", "\u061c": "ALM",
    "\u202a": "LRE", "\u202b": "RLE", "\u202c": "PDF", "\u202d": "LRO", "\u202e": "RLO",
    "\u2066": "LRI", "\u2067": "RLI", "\u2068": "FSI", "\u2069": "PDI", "\u2028": "LS", "\u2029": "PS",
}  # fmt: skip
_JOINERS = {"\u200c": "ZWNJ", "\u200d": "ZWJ"}
# Arabic letters that join only to the letter before them, and those that join to nothing (Unicode, ArabicShaping.txt).
_RIGHT_JOINING = frozenset("آأؤإاةدذرزوٱٲٳٵٶٷڈډڊڋڌڍڎڏڐڑڒړڔڕږڗژڙۀۃۄۅۆۇۈۉۊۋۍۏےۓەۮۯ")
_NOT_JOINING = frozenset("ءٴ")


def shown(cluster: str, marks: bool) -> str:
    """One cluster as escaped HTML. `marks` shows ordinary spaces and joiners too; controls are always shown."""
    text = "".join(_shown(ch, marks) for ch in cluster)
    # A mark without a base gets a dotted circle to sit on.
    return "\u25cc" + text if unicodedata.category(cluster[0]).startswith("M") else text


def _shown(ch: str, marks: bool) -> str:
    if ch == " " and not marks:
        return ch
    if ch in _SPACES:
        return f'<i class="ge-ws">{_SPACES[ch]}</i><wbr>'
    if ch in _JOINERS:
        return f'<i class="ge-ctl">{_JOINERS[ch]}</i>' if marks else ch
    if ch in _NAMED:
        return f'<i class="ge-ctl">{_NAMED[ch]}</i>'
    if unicodedata.category(ch) in ("Cc", "Cf", "Co", "Cn", "Cs"):
        return f'<i class="ge-ctl">U+{ord(ch):04X}</i>'
    return html.escape(ch, quote=True)


def direction(text: str) -> str:
    """`rtl` when the first strong character runs from the right, else `ltr`."""
    for ch in text:
        kind = unicodedata.bidirectional(ch)
        if kind in ("R", "AL"):
            return "rtl"
        if kind == "L":
            return "ltr"
    return "ltr"


def joins(left: str, right: str) -> bool:
    """Does the letter that starts `left` connect to the one that starts `right`?"""
    a, b = left[0], right[0]
    both = all(unicodedata.bidirectional(ch) == "AL" and unicodedata.category(ch).startswith("L") for ch in (a, b))
    return both and a not in _RIGHT_JOINING and a not in _NOT_JOINING and b not in _NOT_JOINING
