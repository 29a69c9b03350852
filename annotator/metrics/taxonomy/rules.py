"""Stage 2, second half: the class of one misaligned word. Ordered rules; the first that fires names the class.

Source: BanglaWild, Appendix H and Table 8, with the order and units of `docs/taxonomy.md`: overlap and edits are counted
in code points of the NFC words (case folded, and without punctuation where the two words differ in it).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache

from rapidfuzz.distance import Levenshtein

from annotator.metrics.taxonomy.events import ErrorClass
from annotator.metrics.taxonomy.kinds import Difference, Kind, compare_words, looks_alike
from annotator.metrics.taxonomy.parts import is_punctuation, shared
from annotator.metrics.taxonomy.scripts import ScriptTable
from annotator.metrics.taxonomy.words import Word

OVERLAP_PERCENT = 40
EDITS_PERCENT = 60
CORRUPTION_EDITS = 3


@dataclass(frozen=True)
class WordPair:
    """A gold word and its partner, either of them `None`, with what the rules ask about them."""

    gold: Word | None
    predicted: Word | None
    table: ScriptTable

    @cached_property
    def compared(self) -> tuple[str, str]:
        """The two texts that are counted: the keys, or the cores where punctuation differs and both have a core."""
        if self.gold is None or self.predicted is None:
            return (self.gold.key if self.gold else "", self.predicted.key if self.predicted else "")
        a, b = self.gold, self.predicted
        if a.core and b.core and _punctuation(a.key) != _punctuation(b.key):
            return a.core, b.core
        return a.key, b.key

    @cached_property
    def edits(self) -> int:
        """Levenshtein distance in code points."""
        return int(Levenshtein.distance(*self.compared))

    @cached_property
    def overlap(self) -> tuple[int, int]:
        """Code points in common (multiset intersection), and those of the longer word."""
        a, b = self.compared
        return shared(a, b), max(len(a), len(b))

    @cached_property
    def difference(self) -> Difference:
        """The kinds of what differs; asked for only when fewer than three edits are left."""
        return compare_words(*self.compared, self.table)


WordRule = Callable[[WordPair], str | None]


def normal_form(pair: WordPair) -> str | None:
    """Written differently, equal after NFC."""
    a, b = pair.gold, pair.predicted
    return "equal after NFC" if a and b and a.text == b.text else None


def punctuation_alone(pair: WordPair) -> str | None:
    """Equal without punctuation and invisible characters; a word of punctuation alone may have no partner."""
    a, b = pair.gold, pair.predicted
    if a is None or b is None:
        lonely = a or b
        return "only punctuation, without a partner" if lonely and not lonely.core else None
    if a.core != b.core:
        return None
    if a.key == b.key:
        return "differs only in letter case"
    return "differs only in punctuation or quote glyphs"


def no_partner(pair: WordPair) -> str | None:
    """The word has no partner on the other side."""
    if pair.gold is None:
        return "a word that gold does not have"
    return "a word of gold that predicted does not have" if pair.predicted is None else None


def mostly_other(pair: WordPair) -> str | None:
    """Overlap under 40 %, or edits at least 60 % of gold's code points."""
    both, longer = pair.overlap
    if 100 * both < OVERLAP_PERCENT * longer:
        return f"{both} of {longer} code points in common, under {OVERLAP_PERCENT} %"
    length = len(pair.compared[0])
    if 100 * pair.edits >= EDITS_PERCENT * length:
        return f"{pair.edits} edits in a word of {length} code points, at least {EDITS_PERCENT} %"
    return None


def many_edits(pair: WordPair) -> str | None:
    """Three edits or more, in a word that is still recognisable."""
    if pair.edits < CORRUPTION_EDITS:
        return None
    both, longer = pair.overlap
    return f"{pair.edits} edits, {both} of {longer} code points in common"


def only(kind: Kind) -> WordRule:
    """A rule for a word in which nothing but `kind` differs."""

    def rule(pair: WordPair) -> str | None:
        return f"nothing but {kind} differs: {pair.difference}" if pair.difference.kinds == {kind} else None

    return rule


def several_orthographic(pair: WordPair) -> str | None:
    """Two or more orthographic kinds differ, and nothing else."""
    kinds = pair.difference.kinds
    if len(kinds) < 2 or not kinds <= {Kind.VOWEL, Kind.CONJUNCT, Kind.HOMOPHONE, Kind.NASAL}:
        return None
    return f"{' and '.join(sorted(kinds))} differ: {pair.difference}"


def anything_left(pair: WordPair) -> str | None:
    """Whatever no other rule took."""
    alike = any(looks_alike(edit, pair.table) for edit in pair.difference.edits)
    reason = "look-alike glyphs" if alike else "letters of no orthographic class"
    return (
        f"{pair.edits} edits, {reason}: {pair.difference}" if pair.edits > 1 else f"1 edit, {reason}: {pair.difference}"
    )


WORD_RULES: tuple[tuple[ErrorClass, WordRule], ...] = (
    (ErrorClass.UNICODE_NORMALIZATION, normal_form),
    (ErrorClass.UNICODE_NORMALIZATION, punctuation_alone),
    (ErrorClass.LEXICAL_SUBSTITUTION, no_partner),
    (ErrorClass.LEXICAL_SUBSTITUTION, mostly_other),
    (ErrorClass.WORD_CORRUPTION, many_edits),
    (ErrorClass.VOWEL_SIGN, only(Kind.VOWEL)),
    (ErrorClass.CONJUNCT, only(Kind.CONJUNCT)),
    (ErrorClass.CONSONANT_HOMOPHONE, only(Kind.HOMOPHONE)),
    (ErrorClass.NASAL, only(Kind.NASAL)),
    (ErrorClass.COMPOUND_ORTHOGRAPHIC, several_orthographic),
    (ErrorClass.NUMERIC, only(Kind.DIGIT)),
    (ErrorClass.VISUAL_MISREAD, anything_left),
)


@lru_cache(maxsize=1 << 14)
def classify_pair(gold: Word | None, predicted: Word | None, table: ScriptTable) -> tuple[ErrorClass, str]:
    """`classify_word` of a pair that may come again: systems misread common words in the same ways."""
    return classify_word(WordPair(gold, predicted, table))


def classify_word(pair: WordPair) -> tuple[ErrorClass, str]:
    """The class of a misaligned word and the rule that fired; the last rule takes whatever is left."""
    fired = ((name, rule(pair)) for name, rule in WORD_RULES)
    return next((name, words) for name, words in fired if words is not None)


def _punctuation(text: str) -> list[str]:
    return [ch for ch in text if is_punctuation(ch)]
