"""The deterministic classifier: gold and predicted in, error events out, nothing else looked at."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from annotator.metrics.taxonomy.events import ErrorClass, ErrorEvent
from annotator.metrics.taxonomy.parts import Side, fold_case, gold_side, side, without_punctuation
from annotator.metrics.taxonomy.rules import classify_pair
from annotator.metrics.taxonomy.scripts import AUTO, ScriptTable, dominant_scripts, load_script, table_of
from annotator.metrics.taxonomy.whole import WHOLE_RULES
from annotator.metrics.taxonomy.words import Span, Word, align_words
from annotator.text.graphemes import nfc


def classify_errors(gold: str, predicted: str, script: str = "bengali") -> list[ErrorEvent]:
    """The error events of one prediction, in gold's order; `[]` when the texts agree.

    White-space runs are folded first and a difference in them alone is no event. Stage 1 looks at the whole output: its
    first rule that fires gives the one event. Otherwise stage 2 gives one event per misaligned word. A pair that is equal
    after NFC and different before is one unicode-normalization event. `script` names a table of `data/scripts`, or
    `auto`: the table of each word's own dominant script, gold's for words without letters.

    Both empty: no event. Gold empty: spurious-content. Predicted empty: truncation. Texts without letters have no
    script, so they are neither contaminated nor hallucinated. Raises UsageError for a script without a table.

    Source: BanglaWild, Appendix H and Table 8; `docs/taxonomy.md` says where the rules here differ.
    """
    left, right = gold_side(gold), side(predicted)
    table = table_of(left.scripts) if script == AUTO else load_script(script)
    if left.text == right.text:
        return [] if left.written == right.written else [_normal_forms(left, right)]
    for error_class, rule in WHOLE_RULES:
        words = rule(left, right, table)
        if words is not None:
            return [ErrorEvent(error_class, 1, left.text, right.text, words, _all_words(left), _all_words(right))]
    return _classify_words(left, right, table, by_word=script == AUTO)


def _normal_forms(gold: Side, predicted: Side) -> ErrorEvent:
    """One event for the whole pair, from the first word that is written differently to the last."""
    pairs = list(zip(gold.written.split(" "), predicted.written.split(" "), strict=True))
    differ = [n for n, (a, b) in enumerate(pairs) if a != b]
    at = differ[0], differ[-1] + 1
    left, right = (" ".join(words) for words in zip(*pairs[slice(*at)], strict=True))
    return ErrorEvent(ErrorClass.UNICODE_NORMALIZATION, 2, left, right, "equal after NFC", at, at)


def _all_words(text: Side) -> tuple[int, int]:
    return 0, len(text.written.split())


def _classify_words(gold: Side, predicted: Side, table: ScriptTable, by_word: bool) -> list[ErrorEvent]:
    left, right = _words(gold, table), _words(predicted, table)
    spans = (span for span in align_words(left, right) if not _is_equal(left, right, span))
    return [_event(left, right, span, table, by_word) for span in spans]


def _is_equal(gold: Sequence[Word], predicted: Sequence[Word], span: Span) -> bool:
    paired = span.gold_end > span.gold_start and span.predicted_end > span.predicted_start and not span.respaced
    return paired and gold[span.gold_start].written == predicted[span.predicted_start].written


def _words(text: Side, table: ScriptTable) -> list[Word]:
    return [_word(written, table) for written in text.written.split(" ") if written]


@lru_cache(maxsize=1 << 14)
def _word(written: str, table: ScriptTable) -> Word:
    text = nfc(written)
    key = fold_case(text)
    return Word(written, text, key, without_punctuation(key, table))


@lru_cache(maxsize=1 << 14)
def _table_of_word(text: str, otherwise: ScriptTable) -> ScriptTable:
    scripts = dominant_scripts(text)
    return table_of(scripts) if scripts else otherwise


def _event(
    gold: Sequence[Word], predicted: Sequence[Word], span: Span, table: ScriptTable, by_word: bool
) -> ErrorEvent:
    at = (span.gold_start, span.gold_end), (span.predicted_start, span.predicted_end)
    left, right = gold[slice(*at[0])], predicted[slice(*at[1])]
    if span.respaced:
        rule = f"equal once spaces are removed: words in gold {len(left)}, in predicted {len(right)}"
        return ErrorEvent(ErrorClass.WORD_BOUNDARY, 2, _joined(left), _joined(right), rule, *at)
    if by_word and left:
        table = _table_of_word(left[0].text, table)
    error_class, rule = classify_pair(left[0] if left else None, right[0] if right else None, table)
    as_written = error_class is ErrorClass.UNICODE_NORMALIZATION
    return ErrorEvent(error_class, 2, _joined(left, as_written), _joined(right, as_written), rule, *at)


def _joined(words: Sequence[Word], as_written: bool = False) -> str:
    return " ".join(word.written if as_written else word.text for word in words)
