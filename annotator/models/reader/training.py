"""Train both heads over one encoder on words drawn as they are needed; the same seed gives the same reader."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from annotator.images.words import choose_word_look, draw_word
from annotator.models.reader.alphabet import BLANK, Alphabet
from annotator.models.reader.crops import Floats, frames_at, frames_of, prepare_crop, stack_crops
from annotator.models.reader.network import ReaderShape, build_network
from annotator.models.reader.reading import Reader
from annotator.text.graphemes import split_graphemes

if TYPE_CHECKING:
    import torch

Progress = Callable[[int, int, float], None]
UNASKED = -100
"""A target that no loss is taken of."""
CASES = (str.lower, str.title, str.upper)


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Words to learn from and how often each comes, in any scale (shares are taken)."""

    words: tuple[str, ...]
    weights: npt.NDArray[np.float64]

    def draw(self, rng: np.random.Generator, size: int, alike: bool = False) -> list[str]:
        """`size` words, each drawn by its share, or all alike."""
        shares = None if alike else self.weights / self.weights.sum()
        places = rng.choice(len(self.words), size, p=shares)
        return [self.words[place] for place in places.tolist()]


@dataclass(frozen=True, slots=True)
class ReaderTraining:
    """How a reader is trained: `crops` pictures, each seen once. `cases`: shares of lower case, title and capitals.

    In the first `guided` of the crops every word comes alike, pictures are easy at first, and both heads are shown in
    which frame each letter stands: without that one takes long to say anything but "no letter", the other to look at the
    picture at all. In the rest words come by their weights, and each head has its own loss alone.
    """

    seed: int = 0
    crops: int = 40_000
    batch: int = 32
    rate: float = 2e-3
    threads: int = 2
    guided: float = 0.3
    cases: tuple[float, float, float] = (0.4, 0.3, 0.3)


@dataclass(frozen=True, slots=True)
class Crop:
    """One drawn word as the network sees it; `frames`: where its letters stand, from left to right."""

    text: str
    pixels: Floats
    frames: tuple[int, ...] = ()


def cased_clusters(words: Iterable[str]) -> set[str]:
    """The clusters of words in every case that they are drawn in."""
    return {cluster for word in words for case in CASES for cluster in split_graphemes(case(word))}


def draw_crops(
    words: Sequence[str],
    faces: Sequence[str],
    rng: np.random.Generator,
    cases: tuple[float, float, float] = (1.0, 0.0, 0.0),
    hardness: float = 1.0,
) -> list[Crop]:
    """A picture of each word, in a case, a face and a look (`choose_word_look`) drawn from `rng`."""
    found = []
    for word in words:
        text = CASES[int(rng.choice(3, p=cases))](word)
        drawn = draw_word(text, faces[int(rng.integers(len(faces)))], choose_word_look(rng, hardness), rng)
        pixels = prepare_crop(drawn.picture)
        found.append(Crop(text, pixels, tuple(frames_at(drawn.places, pixels.shape[1]))))
    return found


def train_reader(
    lexicon: Lexicon,
    faces: Sequence[str],
    how: ReaderTraining | None = None,
    shape: ReaderShape | None = None,
    progress: Progress | None = None,
) -> Reader:
    """A reader that has seen `how.crops` pictures of words drawn from `lexicon`.

    The loss is the CTC loss of one head plus the cross-entropy of the other, over the same encoder. `progress` is told
    crops seen, crops in all and the mean loss since it was told last.
    """
    import torch

    how, shape = how or ReaderTraining(), shape or ReaderShape()
    alphabet = Alphabet.of(cased_clusters(lexicon.words))
    torch.manual_seed(how.seed)
    torch.set_num_threads(how.threads)
    network = build_network(shape, alphabet.classes)
    reader = Reader(alphabet, shape, network)
    steps = max(1, -(-how.crops // how.batch))
    optimiser = torch.optim.AdamW(network.parameters(), lr=how.rate, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, how.rate, total_steps=steps + 1, pct_start=0.1)
    network.train()
    seen, losses = 0, []
    for batch in _batches(lexicon, faces, how):
        optimiser.zero_grad()
        loss = reader_loss(network, alphabet, batch, guided=seen < how.guided * how.crops)
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(network.parameters(), 2.0)
        optimiser.step()
        schedule.step()
        seen += len(batch)
        losses.append(float(loss.detach()))
        if progress is not None and (len(losses) >= 100 or seen >= how.crops):
            progress(seen, how.crops, float(np.mean(losses)))
            losses = []
    network.eval()
    return reader


def _batches(lexicon: Lexicon, faces: Sequence[str], how: ReaderTraining) -> Iterator[list[Crop]]:
    """Batches of crops of like width, in random order, sixteen batches drawn at a time; the first are easy to read."""
    rng = np.random.default_rng([how.seed, 1])
    left = how.crops
    while left > 0:
        done = 1 - left / how.crops
        words = lexicon.draw(rng, min(left, 16 * how.batch), alike=done < how.guided)
        hardness = min(1.0, 0.2 + 2 * done)
        crops = draw_crops(words, faces, rng, how.cases, hardness)
        crops.sort(key=lambda crop: crop.pixels.shape[1])
        left -= len(crops)
        pool = [crops[start : start + how.batch] for start in range(0, len(crops), how.batch)]
        yield from (pool[place] for place in rng.permutation(len(pool)).tolist())


def reader_loss(network: Any, alphabet: Alphabet, batch: Sequence[Crop], guided: bool = False) -> torch.Tensor:
    """The sum of both heads' losses: CTC per letter, and cross-entropy per letter and end.

    `guided`: instead of CTC the letter of each frame, and the last decoder layer's attention is drawn to the letter's frame.
    """
    import torch
    from torch.nn import functional

    pixels, widths = stack_crops([crop.pixels for crop in batch])
    lengths = torch.from_numpy(frames_of(widths))
    frames, beyond, _ = network.encode(torch.from_numpy(pixels), lengths)
    labels = [torch.tensor(alphabet.encode(crop.text)) for crop in batch]
    sizes = torch.tensor([len(label) for label in labels])
    logits = network.ctc(frames)
    if guided:
        spelt = _guided_loss(logits, batch, labels, beyond)
    else:
        shares = logits.log_softmax(dim=2).transpose(0, 1)
        spelt = functional.ctc_loss(shares, torch.cat(labels), lengths, sizes, blank=BLANK, zero_infinity=True)
    padded = torch.nn.utils.rnn.pad_sequence(labels, batch_first=True, padding_value=BLANK)
    start = torch.full((len(batch), 1), alphabet.start)
    letters, _, attended = network.decode(torch.cat([start, padded], dim=1), frames, beyond, weigh=guided)
    wanted = torch.cat([padded, torch.zeros_like(start)], dim=1)
    outside = torch.arange(wanted.shape[1])[None, :] > sizes[:, None]
    wanted = wanted.masked_fill(outside, UNASKED)
    if guided:
        spelt = spelt + _attention_loss(attended[-1][1], batch)
    return spelt + functional.cross_entropy(letters.transpose(1, 2), wanted, ignore_index=UNASKED)


def _guided_loss(
    logits: torch.Tensor, batch: Sequence[Crop], labels: Sequence[torch.Tensor], beyond: torch.Tensor
) -> torch.Tensor:
    """Cross-entropy of frames: a letter's middle is that letter, every other frame "no letter", which weighs a fifth."""
    import torch
    from torch.nn import functional

    wanted = torch.full(beyond.shape, BLANK).masked_fill(beyond, UNASKED)
    for row, (crop, label) in enumerate(zip(batch, labels, strict=True)):
        wanted[row, torch.tensor(crop.frames)] = label
    weights = torch.ones(logits.shape[2])
    weights[BLANK] = 0.2
    return functional.cross_entropy(logits.transpose(1, 2), wanted, weights, ignore_index=UNASKED)


def _attention_loss(weights: torch.Tensor, batch: Sequence[Crop]) -> torch.Tensor:
    """Minus the logarithm of the attention (n, heads, steps, frames) that falls within a frame of the letter to be read."""
    import torch

    near = torch.zeros(len(batch), *weights.shape[2:])
    asked = torch.zeros(near.shape[:2], dtype=torch.bool)
    for row, crop in enumerate(batch):
        asked[row, : len(crop.frames)] = True
        for step, frame in enumerate(crop.frames):
            near[row, step, max(frame - 1, 0) : frame + 2] = 1.0
    found = (weights.mean(dim=1) * near).sum(dim=2)
    return -(found[asked] + 1e-4).log().mean()
