"""What the numbers that many tables share mean: the "?" of a column or figure that brings no words of its own."""

from __future__ import annotations

_COUNT = "How many answers or items the figures of this row rest on."
_P = (
    "Two-sided, from the same resamples as the interval: 2 min(P(d* at most 0), P(d* at least 0)), at most 1, "
    "at least 1 / resamples."
)
_CELL = "Items of this cell behind the figures of the row."
_CHARGED = "One for each place where an answer departs from gold (substituted, deleted or inserted grapheme)."
MEANINGS: dict[str, str] = {
    "n": _COUNT,
    "p": _P,
    "corner_p": _P,
    "aggregate_p": _P,
    "centre_p": _P,
    "items": "Distinct items.",
    "systems": "Systems whose answers are pooled.",
    "answers": "Answers given, without repeats and attention tasks.",
    "ratings": "Answers that count: one of each rater and task.",
    "edits": _CHARGED,
    "n_corner": _CELL,
    "n_centre": _CELL,
    "n_corner_without": "The same without the items that were marked.",
    "n_centre_without": "The same without the items that were marked.",
    "n_word": _CELL,
    "n_ngram": _CELL,
    "n_train": "Items that the model was fitted on.",
    "n_test": "Items held out, which the figures of the row are over.",
    "mark_only_n": "Edits that change marks alone.",
    "content_n": "Substituted letters.",
    "edit_n": "Edits of every kind.",
    "features": "Numbers in the activation of the layer.",
    "letter_errors": "Wrong letters of the answers, each counted once.",
    "literal": "Answers equal to what is written, case and white space folded (SceneFaith).",
    "canonical": "Answers equal to the standard form, case and white space folded (SceneFaith).",
    "other": "Answers equal to neither (SceneFaith).",
    "other_rate": "Answers equal to neither what is written nor the standard form / all answers.",
    "cer": "Edits / gold graphemes, pooled over items.",
    "cer_a": "Edits / gold graphemes of A, pooled.",
    "cer_b": "Edits / gold graphemes of B, pooled.",
    "semcer_a": "Sum of the severities of A's edits / gold graphemes (semCER, eq. 2).",
    "semcer_b": "Sum of the severities of B's edits / gold graphemes (semCER, eq. 2).",
    "mean_a": "Mean severity of A: from 0 (costs nothing) to 1.",
    "mean_b": "Mean severity of B: from 0 (costs nothing) to 1.",
    "alpha": "Krippendorff's alpha: 1 is agreement, 0 what chance gives, below 0 worse than chance.",
    "a": "STR word accuracy of the first system on these items.",
    "b": "STR word accuracy of the second system on these items.",
    "a_wins": "Answers that preferred A's output.",
    "b_wins": "Answers that preferred B's output.",
    "ties": "Answers that found both equally good; half a win for each.",
    "both_bad": "Answers that found neither usable: left out of the ranking.",
    "gained": "Items that A alone read right.",
    "lost": "Items that B alone read right.",
    "reduction": "The first rate minus the second.",
    "second_corner": "STR word accuracy in the corner, q5/q5, of the second reference corpus.",
    "weight": "Coefficient of the logistic regression; above 0 the feature speaks for this system.",
    "quintile": "1: the most common fifth; 5: the rarest.",
    "agree": "Systems that give this one text.",
    "within_one": "Share of the answers that lie at most one level apart.",
    "judge": "Mean verdict of the judge.",
    "confidence": "What the system said of its own answers, 0 to 1.",
    "repeats": "Tasks that were shown a second time, to see whether the rater says the same.",
    "cannot": "Tasks that the rater could not judge: no answer, and in no figure.",
    "median_seconds": "Half of the answers took less.",
    "per_hour": "Answers over the hours between the first and the last.",
    "compared": "Tasks that others answered too.",
    "pictures": "Images made under this condition.",
}


def meaning_of(key: str, own: str) -> str:
    """The words behind the "?": a column's own, else what its key means everywhere; empty when there is neither."""
    return own or MEANINGS.get(key, "")
