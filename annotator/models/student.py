"""A small convolutional reader of marked edits, distilled from severities. torch is imported when it is used."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from annotator.errors import InputError
from annotator.models.marking import LENGTH, OPEN, PAD, SYMBOLS, MarkedEdit, encode
from annotator.wholefile import whole_file

if TYPE_CHECKING:
    import torch

Floats = npt.NDArray[np.float64]
Progress = Callable[[str], None]

WEIGHTS, CARD = "student.safetensors", "card.json"
STUDENT_VERSION = "1"


@dataclass(frozen=True, slots=True)
class StudentShape:
    """The size of the network: embedding and convolution channels, and the dilations of its layers."""

    width: int = 40
    dilations: tuple[int, ...] = (1, 3)


@dataclass(frozen=True, slots=True)
class Training:
    """How a student is trained. `patience` epochs without a better validation loss end it."""

    seed: int = 0
    epochs: int = 12
    patience: int = 2
    batch: int = 256
    rate: float = 2e-3
    threads: int = 2


@dataclass(frozen=True, slots=True)
class Trained:
    """The best epoch, its validation loss, and the losses by epoch."""

    epoch: int
    loss: float
    losses: tuple[float, ...]


class Student:
    """Predicts the distribution over the rubric's levels for marked edits. Make it with `train` or `load_student`."""

    def __init__(self, shape: StudentShape, network: Any) -> None:
        self.shape = shape
        self.network = network

    def predict(self, edits: Sequence[MarkedEdit], batch: int = 512) -> Floats:
        """Rows of five probabilities, one per edit, summing to 1."""
        import torch

        self.network.eval()
        device = next(self.network.parameters()).device
        table = encode(edits)
        order = np.argsort((table != PAD).sum(axis=1), kind="stable")
        found = np.zeros((len(edits), 5))
        with torch.inference_mode():
            for start in range(0, len(edits), batch):
                chosen = order[start : start + batch]
                symbols = torch.from_numpy(table[chosen]).to(device)
                found[chosen] = torch.softmax(self.network(symbols), dim=1).cpu().numpy()
        return found

    def save(self, folder: Path, card: dict[str, Any]) -> None:
        """Write the weights, then the card, each whole or not at all; the folder is made."""
        from safetensors.torch import save_file

        folder.mkdir(parents=True, exist_ok=True)
        weights = {name: value.detach().cpu().contiguous() for name, value in self.network.state_dict().items()}
        with whole_file(folder / WEIGHTS) as part:
            save_file(weights, part)
        document = {"student_version": STUDENT_VERSION, "shape": asdict(self.shape), **card}
        with whole_file(folder / CARD) as part:
            part.write_text(json.dumps(document, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")


def load_student(folder: Path) -> tuple[Student, dict[str, Any]]:
    """Read a student and its card. Raises `InputError` when the folder is not one that `annotator distill` wrote."""
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    try:
        card = json.loads((folder / CARD).read_text(encoding="utf-8"))
        shape = StudentShape(int(card["shape"]["width"]), tuple(int(d) for d in card["shape"]["dilations"]))
        network = _network(shape)
        network.load_state_dict(load_file(folder / WEIGHTS))
    except (OSError, ValueError, KeyError, TypeError, RuntimeError, SafetensorError) as error:
        raise InputError(
            f"{folder} is not a student: expected {WEIGHTS} and {CARD} as `annotator distill --out` writes them ({error})"
        ) from error
    return Student(shape, network.to(_device())), card


def train(
    edits: Sequence[MarkedEdit],
    targets: Floats,
    validation: tuple[Sequence[MarkedEdit], Floats],
    how: Training | None = None,
    shape: StudentShape | None = None,
    progress: Progress | None = None,
) -> tuple[Student, Trained]:
    """Train on soft labels (rows of five) with early stopping on `validation`; the same seed gives the same student.

    The loss is the cross-entropy against the distribution. Raises `InputError` without edits on either side.
    """
    import torch

    how, shape = how or Training(), shape or StudentShape()
    if not len(edits) or not len(validation[0]):
        raise InputError("a student needs edits to learn from and held-out texts to stop on; found none")
    torch.manual_seed(how.seed)
    torch.set_num_threads(how.threads)
    network = _network(shape).to(_device())
    student = Student(shape, network)
    data = _tensors(edits, targets)
    held = _tensors(*validation)
    best: tuple[float, int, dict[str, Any]] = (float("inf"), -1, {})
    losses: list[float] = []
    optimiser = torch.optim.AdamW(network.parameters(), lr=how.rate, weight_decay=0.01)
    for epoch in range(how.epochs):
        _epoch(network, optimiser, data, how, epoch)
        losses.append(_loss(network, held, how.batch))
        if progress:
            progress(f"epoch {epoch + 1}: validation loss {losses[-1]:.4f}")
        if losses[-1] < best[0]:
            best = losses[-1], epoch, {name: value.clone() for name, value in network.state_dict().items()}
        elif epoch - best[1] >= how.patience:
            break
    network.load_state_dict(best[2])
    return student, Trained(best[1], best[0], tuple(losses))


def _device() -> str:
    import torch

    return "cuda" if torch.cuda.is_available() else "cpu"


def _tensors(edits: Sequence[MarkedEdit], targets: Floats) -> tuple[torch.Tensor, torch.Tensor]:
    import torch

    return torch.from_numpy(encode(edits)).to(_device()), torch.from_numpy(targets).float().to(_device())


def _epoch(network: Any, optimiser: Any, data: tuple[torch.Tensor, torch.Tensor], how: Training, epoch: int) -> None:
    import torch

    network.train()
    lengths = (data[0] != PAD).sum(dim=1).cpu().numpy()
    for rows in _batches(lengths, how.batch, np.random.default_rng([how.seed, epoch])):
        chosen = torch.from_numpy(rows).to(data[0].device)
        optimiser.zero_grad()
        loss = torch.nn.functional.cross_entropy(network(data[0][chosen]), data[1][chosen])
        loss.backward()  # type: ignore[no-untyped-call]
        optimiser.step()


def _batches(lengths: npt.NDArray[np.int64], batch: int, rng: np.random.Generator) -> list[npt.NDArray[np.int64]]:
    """Every row once, in batches of rows of like length (little padding), in random order."""
    order = rng.permutation(len(lengths))
    pools = [order[start : start + 16 * batch] for start in range(0, len(order), 16 * batch)]
    ordered = np.concatenate([pool[np.argsort(lengths[pool], kind="stable")] for pool in pools])
    found = [ordered[start : start + batch] for start in range(0, len(ordered), batch)]
    return [found[k] for k in rng.permutation(len(found))]


def _loss(network: Any, data: tuple[torch.Tensor, torch.Tensor], batch: int) -> float:
    import torch

    network.eval()
    total = 0.0
    order = torch.argsort((data[0] != PAD).sum(dim=1), stable=True)
    with torch.inference_mode():
        for start in range(0, len(order), batch):
            rows = order[start : start + batch]
            logits = network(data[0][rows])
            total += float(torch.nn.functional.cross_entropy(logits, data[1][rows], reduction="sum"))
    return total / len(data[0])


def _network(shape: StudentShape) -> Any:
    import torch

    class Reader(torch.nn.Module):
        """Bytes -> dilated convolutions with residuals -> the two marked places and the whole -> five logits."""

        def __init__(self) -> None:
            super().__init__()
            self.symbols = torch.nn.Embedding(SYMBOLS, shape.width, padding_idx=PAD)
            self.places = torch.nn.Embedding(LENGTH, shape.width)
            self.layers = torch.nn.ModuleList(
                torch.nn.Conv1d(shape.width, shape.width, 3, padding=d, dilation=d) for d in shape.dilations
            )
            self.drop = torch.nn.Dropout(0.1)
            self.head = torch.nn.Sequential(
                torch.nn.Linear(4 * shape.width, shape.width), torch.nn.GELU(), torch.nn.Linear(shape.width, 5)
            )

        def forward(self, symbols: torch.Tensor) -> torch.Tensor:
            longest = int((symbols != PAD).sum(dim=1).max())
            symbols = symbols[:, :longest]
            seen = (symbols != PAD).unsqueeze(1)
            x = (self.symbols(symbols) + self.places.weight[:longest]).transpose(1, 2) * seen
            for layer in self.layers:
                x = (x + self.drop(torch.nn.functional.gelu(layer(x)))) * seen
            opened = (symbols == OPEN).cumsum(dim=1) * (symbols == OPEN)
            marks = [(x * (opened == which).unsqueeze(1)).sum(dim=2) for which in (1, 2)]
            mean = x.sum(dim=2) / seen.sum(dim=2)
            return self.head(torch.cat([*marks, mean, x.amax(dim=2)], dim=1))  # type: ignore[no-any-return]

    return Reader()
