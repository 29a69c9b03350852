"""What a trained reader says of crops: text, softmax per letter, states per layer, and where its attention went."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from annotator.models.reader.alphabet import BLANK, Alphabet
from annotator.models.reader.crops import Floats, frames_of, stack_crops
from annotator.models.reader.network import ReaderShape

if TYPE_CHECKING:
    import torch


class Head(StrEnum):
    """Which head reads: `ctc` frame by frame, `ar` letter after letter."""

    CTC = "ctc"
    AR = "ar"


@dataclass(frozen=True, slots=True)
class Reading:
    """One reading: clusters in reading order and the softmax probability of each.

    `hidden`: for each layer the mean of its output, over the crop (encoder) or over the steps (decoder). `attention` (head
    `ar` alone): entropies in nats of the first decoder layer, means over heads and steps, the end included: `self` over
    the letters so far, `cross` over the frames, `ratio` = self / cross (StratiSTR, section 4.4; absent when cross is 0).
    """

    clusters: tuple[str, ...]
    shares: tuple[float, ...]
    hidden: Mapping[str, npt.NDArray[np.float32]] = field(default_factory=dict)
    attention: Mapping[str, float] = field(default_factory=dict)

    @property
    def text(self) -> str:
        return "".join(self.clusters)

    @property
    def char_confidence(self) -> tuple[float, ...]:
        """The share of its cluster for each code point of the text."""
        return tuple(
            round(share, 6) for cluster, share in zip(self.clusters, self.shares, strict=True) for _ in cluster
        )


class Reader:
    """A trained network with its alphabet. Make it with `train_reader` or `load_reader`. Reading is deterministic."""

    def __init__(self, alphabet: Alphabet, shape: ReaderShape, network: Any) -> None:
        self.alphabet = alphabet
        self.shape = shape
        self.network = network

    def read(self, crops: Sequence[Floats], head: Head, batch: int = 64) -> list[Reading]:
        """Readings in the order of `crops` (as `prepare_crop` makes them), greedy."""
        import torch

        self.network.eval()
        order = np.argsort([crop.shape[1] for crop in crops], kind="stable").tolist()
        found: list[Reading | None] = [None] * len(crops)
        with torch.inference_mode():
            for start in range(0, len(crops), batch):
                chosen = order[start : start + batch]
                for place, reading in zip(chosen, self._read([crops[k] for k in chosen], head), strict=True):
                    found[place] = reading
        return [reading for reading in found if reading is not None]

    def _read(self, crops: Sequence[Floats], head: Head) -> list[Reading]:
        import torch

        pixels, widths = stack_crops(crops)
        lengths = torch.from_numpy(frames_of(widths))
        frames, beyond, pooled = self.network.encode(torch.from_numpy(pixels), lengths)
        layers = {f"encoder_{k}": value.numpy() for k, value in enumerate(pooled, start=1)}
        if head is Head.CTC:
            return self._by_frame(frames, lengths, layers)
        return self._by_letter(frames, beyond, layers)

    def _by_frame(self, frames: torch.Tensor, lengths: torch.Tensor, layers: Mapping[str, Floats]) -> list[Reading]:
        """The best class of each frame, runs joined, blanks left out; a letter's share is the largest of its run."""
        shares, classes = self.network.ctc(frames).softmax(dim=2).max(dim=2)
        readings = []
        for row in range(len(frames)):
            own = classes[row, : lengths[row]].tolist(), shares[row, : lengths[row]].tolist()
            readings.append(self._reading(*join_runs(*own), {name: value[row] for name, value in layers.items()}, {}))
        return readings

    def _by_letter(self, frames: torch.Tensor, beyond: torch.Tensor, layers: Mapping[str, Floats]) -> list[Reading]:
        """The best letter, given those before it, until the end is the best; then once more with the attention kept."""
        import torch

        symbols = torch.full((len(frames), 1), self.alphabet.start)
        ended = torch.zeros(len(frames), dtype=torch.bool)
        steps: list[torch.Tensor] = []
        for _ in range(self.shape.longest + 1):
            logits, _, _ = self.network.decode(symbols, frames, beyond)
            share, best = logits[:, -1].softmax(dim=1).max(dim=1)
            steps.append(share)
            ended = ended | (best == BLANK)
            symbols = torch.cat([symbols, best[:, None]], dim=1)
            if bool(ended.all()):
                break
        _, states, attended = self.network.decode(symbols[:, :-1], frames, beyond, weigh=True)
        shares = torch.stack(steps, dim=1).tolist()
        own, seen = (entropies(weights) for weights in attended[0])
        readings = []
        for row, classes in enumerate(symbols[:, 1:].tolist()):
            letters = classes.index(BLANK) if BLANK in classes else len(classes)
            used = min(letters + 1, len(classes))
            hidden = {name: value[row] for name, value in layers.items()}
            hidden |= {f"decoder_{k}": x[row, :used].mean(dim=0).numpy() for k, x in enumerate(states, start=1)}
            spread = float(own[row, :used].mean()), float(seen[row, :used].mean())
            readings.append(self._reading(classes[:letters], shares[row][:letters], hidden, _named(*spread)))
        return readings

    def _reading(
        self, classes: list[int], shares: list[float], hidden: Mapping[str, Floats], attention: Mapping[str, float]
    ) -> Reading:
        turned = shares[::-1] if self.alphabet.turns(classes) else shares
        return Reading(
            tuple(self.alphabet.decode(classes)), tuple(min(share, 1.0) for share in turned), hidden, attention
        )


def join_runs(classes: Sequence[int], shares: Sequence[float]) -> tuple[list[int], list[float]]:
    """The letters of a row of frames and the largest share of each: equal neighbours are one, class 0 is none."""
    letters: list[int] = []
    best: list[float] = []
    before = BLANK
    for value, share in zip(classes, shares, strict=True):
        if value != BLANK and value == before:
            best[-1] = max(best[-1], share)
        elif value != BLANK:
            letters.append(value)
            best.append(share)
        before = value
    return letters, best


def entropies(weights: torch.Tensor) -> torch.Tensor:
    """Entropy in nats of attention weights (n, heads, steps, places), its mean over the heads: (n, steps)."""
    import torch

    found: torch.Tensor = torch.special.entr(weights).sum(dim=3).mean(dim=1)
    return found


def _named(own: float, seen: float) -> dict[str, float]:
    found = {"self": own, "cross": seen}
    return found | {"ratio": own / seen} if seen > 0 else found
