"""A reader small enough to train within a test: twenty words, one convolution's worth of channels, Pillow's own font."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import numpy as np

from annotator.images.words import BUILT_IN
from annotator.models.reader.network import ReaderShape
from annotator.models.reader.reading import Reader
from annotator.models.reader.saving import save_reader
from annotator.models.reader.training import Lexicon, ReaderTraining, train_reader

WORDS = ("cat", "dog", "open", "tea", "road", "exit", "gate", "no", "coda", "pear", "toad", "agenda")
TINY = ReaderShape(channels=(6, 8, 12, 16), width=32, dilations=(1,), decoder_layers=2, heads=2, longest=8)
LEXICON = Lexicon(WORDS, 1.0 / np.arange(1, len(WORDS) + 1))


def tiny_training(seed: int = 0, crops: int = 96) -> ReaderTraining:
    """Lower case alone, one thread."""
    return ReaderTraining(seed=seed, crops=crops, batch=16, rate=4e-3, threads=1, cases=(1.0, 0.0, 0.0))


@lru_cache(maxsize=4)
def tiny_reader(seed: int = 0, crops: int = 96) -> Reader:
    """Trained once a process."""
    return train_reader(LEXICON, (BUILT_IN,), tiny_training(seed, crops), TINY)


def save_tiny(folder: Path, **card: object) -> Path:
    """The tiny reader in `folder`, as the command saves one."""
    save_reader(tiny_reader(), folder, card)
    return folder
