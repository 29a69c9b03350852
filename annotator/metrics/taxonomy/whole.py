"""Stage 1: what is wrong with a whole output. Ordered rules; the first that fires gives the one event.

Source: BanglaWild, Appendix H, with the order and formulas of `docs/taxonomy.md`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from annotator.metrics.taxonomy.events import ErrorClass
from annotator.metrics.taxonomy.parts import Side, is_digit, is_punctuation, shared
from annotator.metrics.taxonomy.scripts import ScriptTable

WholeRule = Callable[[Side, Side, ScriptTable], str | None]
TRUNCATION_PERCENT = 40
HALLUCINATION_PERCENT = 25


def no_output(gold: Side, predicted: Side, table: ScriptTable) -> str | None:
    """Nothing but white space was predicted."""
    return "no output" if gold.text and not predicted.text else None


def other_script(gold: Side, predicted: Side, table: ScriptTable) -> str | None:
    """The dominant script of predicted's letters is another than gold's.

    Needs letters on both sides. Of scripts that tie, all are dominant; one in common is enough not to fire.
    """
    wanted, found = gold.scripts, predicted.scripts
    if not wanted or not found or set(wanted) & set(found):
        return None
    return f"the letters are mostly {'/'.join(found)}, gold's are {'/'.join(wanted)}"


def too_short(gold: Side, predicted: Side, table: ScriptTable) -> str | None:
    """Predicted has under 40 % of gold's grapheme clusters."""
    whole, rest = gold.length, predicted.length
    if 100 * rest >= TRUNCATION_PERCENT * whole:
        return None
    return f"{rest} graphemes against gold's {whole}, under {TRUNCATION_PERCENT} %"


def other_content(gold: Side, predicted: Side, table: ScriptTable) -> str | None:
    """The letters are of gold's script, but under 25 % of the letter clusters are shared, and it is no single word.

    Shared is the multiset intersection over the longer side.
    """
    if " " not in gold.text and " " not in predicted.text:
        return None
    left, right = gold.letters, predicted.letters
    if not left or not right:
        return None
    both, longer = shared(left, right), max(len(left), len(right))
    if 100 * both >= HALLUCINATION_PERCENT * longer:
        return None
    return f"{both} of {longer} letter clusters shared, under {HALLUCINATION_PERCENT} %"


def more_around_gold(gold: Side, predicted: Side, table: ScriptTable) -> str | None:
    """Gold's words stand whole in predicted, with more words around them.

    Punctuation alone is no word. In a script without spaces gold may stand anywhere.
    """
    if not gold.text:
        return "gold is empty, predicted is not"
    needle = _strip_punctuation(gold.key)
    start = predicted.key.find(needle) if needle else -1
    while start >= 0:
        before, after = predicted.key[:start], predicted.key[start + len(needle) :]
        if _stands_apart(before, after, table) and not _no_word(before + after):
            return "gold stands whole in predicted, with more around it"
        start = predicted.key.find(needle, start + 1)
    return None


def other_digits(gold: Side, predicted: Side, table: ScriptTable) -> str | None:
    """Equal once every run of digits is masked, and the digits differ."""
    pattern = _digit_runs(table)
    left, right = pattern.findall(gold.key), pattern.findall(predicted.key)
    if left == right or pattern.sub("\0", gold.key) != pattern.sub("\0", predicted.key):
        return None
    changed = [(a, b) for a, b in zip(left, right, strict=True) if a != b]
    same_value = all(_value(a, table) == _value(b, table) for a, b in changed)
    listed = ", ".join(f"{b} for {a}" for a, b in changed[:3])
    return f"only digits differ: {listed}" + (" (the same number in other digits)" if same_value else "")


WHOLE_RULES: tuple[tuple[ErrorClass, WholeRule], ...] = (
    (ErrorClass.TRUNCATION, no_output),
    (ErrorClass.SCRIPT_CONTAMINATION, other_script),
    (ErrorClass.TRUNCATION, too_short),
    (ErrorClass.SEMANTIC_HALLUCINATION, other_content),
    (ErrorClass.SPURIOUS_CONTENT, more_around_gold),
    (ErrorClass.NUMERIC, other_digits),
)


def _strip_punctuation(text: str) -> str:
    start, end = 0, len(text)
    while start < end and _is_edge(text[start]):
        start += 1
    while end > start and _is_edge(text[end - 1]):
        end -= 1
    return text[start:end]


def _is_edge(ch: str) -> bool:
    return ch == " " or is_punctuation(ch)


def _no_word(text: str) -> bool:
    return all(map(_is_edge, text))


def _stands_apart(before: str, after: str, table: ScriptTable) -> bool:
    """Between gold and the nearest space or end there is nothing but punctuation, on both sides."""
    return not table.spaced or (_no_word(before.rpartition(" ")[2]) and _no_word(after.partition(" ")[0]))


@lru_cache(maxsize=64)
def _digit_runs(table: ScriptTable) -> re.Pattern[str]:
    return re.compile(rf"[\d{re.escape(''.join(table.digits))}]+")


def _value(run: str, table: ScriptTable) -> list[str]:
    return [table.digits.get(ch) or str(int(ch)) for ch in run if is_digit(ch, table)]
