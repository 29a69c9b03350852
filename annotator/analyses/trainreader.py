"""Train the reference recogniser on a reference corpus's words, and say on its card how it reads words it has not seen."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from annotator.analyses.references import open_reference
from annotator.errors import UsageError
from annotator.images.words import find_faces
from annotator.metrics.strata.reference import WORDFREQ
from annotator.stats.intervals import wilson_interval
from annotator.store.project import Project
from annotator.text.graphemes import split_graphemes
from annotator.text.scripts import is_letter, is_mark

if TYPE_CHECKING:
    from annotator.models.reader.reading import Reader
    from annotator.models.reader.training import Lexicon, Progress, ReaderTraining

HELD_OUT = 20
"""One word in so many is never trained on."""


@dataclass(frozen=True, slots=True)
class HeadScore:
    """One head on drawn words of one kind: `seen` (drawn as in training) or `held-out`; right regardless of case."""

    head: str
    words: str
    n: int
    correct: int
    accuracy: float
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class ReaderCard:
    """What a recogniser was made of and how it reads."""

    reference: str
    language: str
    vocabulary: int
    held_out: int
    crops: int
    seed: int
    faces: tuple[str, ...]
    parameters: int
    torch: str
    scores: tuple[HeadScore, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class WordChoice:
    """Which words are learned: the `size` most frequent of `reference`; `fonts` are files to draw them with.

    `tests` is how many words of each kind the heads are tried on in the end.
    """

    reference: str = "wordfreq-en"
    size: int = 20_000
    fonts: tuple[Path, ...] = ()
    tests: int = 400


def train_recogniser(
    project: Project,
    out: Path,
    choice: WordChoice | None = None,
    how: ReaderTraining | None = None,
    progress: Progress | None = None,
) -> ReaderCard:
    """Train both heads on drawn words, test them, and save the recogniser with its card in the folder `out`.

    Words come with the frequency that the corpus gives them, so their ranks fall as in running text (Zipf). One word in
    twenty, chosen by a hash of word and seed, is held out. Nothing is written before the end. Raises `UsageError` when the
    corpus has fewer than 100 usable words, `InputError` when torch, a font or a writable folder is missing.
    """
    from annotator.models.reader.saving import prepare_folder, require_torch, save_reader
    from annotator.models.reader.training import ReaderTraining, cased_clusters, train_reader

    choice, how = choice or WordChoice(), how or ReaderTraining()
    version = require_torch()
    prepare_folder(out)
    learned, held = split_words(project, choice, how.seed)
    faces = find_faces(cased_clusters((*learned.words, *held)), choice.fonts)
    reader = train_reader(learned, faces, how, progress=progress)
    language = choice.reference.removeprefix(WORDFREQ) if choice.reference.startswith(WORDFREQ) else ""
    card = ReaderCard(
        choice.reference,
        language,
        len(learned.words),
        len(held),
        how.crops,
        how.seed,
        tuple(Path(face).stem or "built-in" for face in faces),
        sum(weights.numel() for weights in reader.network.parameters()),
        version,
        _scores(reader, learned, held, faces, how, choice.tests),
    )
    save_reader(reader, out, asdict(card))
    return card


def split_words(project: Project, choice: WordChoice, seed: int) -> tuple[Lexicon, tuple[str, ...]]:
    """The words to learn with their counts, and those held out: letters alone, 2 to 24 clusters, the most frequent."""
    from annotator.models.reader.network import ReaderShape
    from annotator.models.reader.training import Lexicon

    table = open_reference(project, choice.reference).words
    longest = ReaderShape().longest
    usable: list[tuple[str, float]] = []
    for word, count in zip(table.names, table.counts.tolist(), strict=True):
        if len(usable) == choice.size:
            break
        if all(is_letter(point) or is_mark(point) for point in word) and 2 <= len(split_graphemes(word)) <= longest:
            usable.append((word, count))
    if len(usable) < 100:
        raise UsageError(
            f"{choice.reference}: found {len(usable)} words of letters alone; expected at least 100 to learn from"
        )
    held = tuple(word for word, _ in usable if is_held_out(word, seed))
    learned = [(word, count) for word, count in usable if not is_held_out(word, seed)]
    return Lexicon(tuple(word for word, _ in learned), np.array([count for _, count in learned])), held


def is_held_out(word: str, seed: int) -> bool:
    """Whether a word is kept from training: one in twenty, by a hash of word and seed."""
    return int.from_bytes(hashlib.sha256(f"{seed}\0{word}".encode()).digest()[:4], "big") % HELD_OUT == 0


def _scores(
    reader: Reader, learned: Lexicon, held: Sequence[str], faces: Sequence[str], how: ReaderTraining, tests: int
) -> tuple[HeadScore, ...]:
    from annotator.models.reader.reading import Head
    from annotator.models.reader.training import draw_crops

    rng = np.random.default_rng([how.seed, 2])
    kinds = {"seen": learned.draw(rng, tests), "held-out": rng.choice(held, tests).tolist() if held else []}
    found = []
    for kind, words in kinds.items():
        crops = draw_crops(words, faces, rng, how.cases)
        for head in Head if crops else ():
            readings = reader.read([crop.pixels for crop in crops], head)
            correct = sum(r.text.casefold() == c.text.casefold() for r, c in zip(readings, crops, strict=True))
            interval = wilson_interval(correct, len(crops))
            found.append(
                HeadScore(head.value, kind, len(crops), correct, correct / len(crops), interval.low, interval.high)
            )
    return tuple(found)
