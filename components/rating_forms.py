"""What a written answer asks for: transcription and codebook labels, as the board's form. Typed text is kept code point by
code point."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import Any

from annotator.store.study_records import Shown
from annotator.studies.codebook import Label, load_codebook
from annotator.studies.kinds import StudyKind
from annotator.studies.written import UNSURE, Flag, Written, read_written
from components.rating_state import Bench

# Marks that are hard to type, by language; every language has the mark for an unsure character.
HARD_MARKS = {
    "bn": "ঁ ং ঃ ্ ় ৎ ড় ঢ় য় ক্ষ ৃ ৌ ।",
    "hi": "ँ ं ः ् ़ क़ ख़ ग़ ज़ ड़ ढ़ फ़ ।",
    "ar": "أ إ آ ء ؤ ئ ة ى ً ٌ ٍ َ ُ ِ ّ ْ ؟ ،",
    "vi": "ă â đ ê ô ơ ư ấ ầ ẩ ẫ ậ ế ề ể ễ ệ ố ồ ổ ỗ ộ ớ ờ ở ỡ ợ",
    "zh": "、 。 《 》 「 」 · —",
    "ja": "、 。 「 」 ・ ー 々",
    "fr": "à â ç é è ê ë î ï ô œ ù û ÿ « »",
    "de": "ä ö ü ß ſ „ “ —",
}


def form_of(bench: Bench, shown: Shown) -> Mapping[str, Any]:
    """The form of a task: its fields, marks and questions with what the rater had given before."""
    given = read_written(shown.value) if shown.value else Written()
    is_text = bench.kind is StudyKind.TRANSCRIPTION
    texts = [
        {"name": "verbatim", "label": bench.word("form_verbatim"), "rows": 3},
        {"name": "standard", "label": bench.word("form_standard"), "rows": 1},
    ]
    return {
        "texts": texts if is_text else [],
        "marks": _marks(shown.language) if is_text else [],
        "groups": [_group(label) for label in labels_of(bench)] + ([_flags(bench)] if is_text else []),
        "given": {
            "verbatim": given.verbatim,
            "standard": given.standard,
            "flags": list(given.flags),
            "labels": dict(given.labels),
        },
        "language": shown.language,
        "save": bench.word("submit"),
        "restored": bench.word("restored"),
    }


def labels_of(bench: Bench) -> tuple[Label, ...]:
    """The labels of the study's codebook."""
    if not bench.settings.codebook:
        return ()
    return load_codebook(bench.settings.codebook, bench.project.folder).labels


def _marks(language: str) -> list[dict[str, str]]:
    """Marks with what stands on their key: a combining one sits on a dotted circle there."""
    marks = [UNSURE, *HARD_MARKS.get(language.partition("-")[0], "").split()]
    return [{"text": m, "shown": f"\u25cc{m}" if unicodedata.category(m[0]).startswith("M") else m} for m in marks]


def _group(label: Label) -> dict[str, Any]:
    values = [{"value": v.value, "title": v.value, "text": v.definition} for v in label.values]
    return {"name": label.name, "question": label.question, "several": False, "values": values}


def _flags(bench: Bench) -> dict[str, Any]:
    values = [{"value": flag.value, "title": bench.word(f"flag_{flag.value}"), "text": ""} for flag in Flag]
    return {"name": "flags", "question": bench.word("form_flags"), "several": True, "values": values}
