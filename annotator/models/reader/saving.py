"""A reader on disk: one file of weights that carries its own card, and the card beside it for people."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from annotator.errors import InputError
from annotator.models.reader.alphabet import Alphabet
from annotator.models.reader.network import ReaderShape, build_network
from annotator.models.reader.reading import Reader
from annotator.wholefile import whole_file

WEIGHTS, CARD = "reader.safetensors", "card.json"
READER_VERSION = "1"
MISSING = "a trained recogniser needs PyTorch ({} is missing): pip install torch safetensors"


def save_reader(reader: Reader, folder: Path, card: Mapping[str, Any]) -> None:
    """Write the weights with shape, alphabet and card inside, and the card as `card.json`; the folder is made.

    The weights appear whole or not at all, and alone are enough to read with. Raises `InputError` where nothing can be
    written.
    """
    from safetensors.torch import save_file

    made = {"reader_version": READER_VERSION, "shape": asdict(reader.shape), "alphabet": list(reader.alphabet.clusters)}
    document = {**made, **card}
    weights = {name: value.detach().cpu().contiguous() for name, value in reader.network.state_dict().items()}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with whole_file(folder / WEIGHTS) as part:
            save_file(weights, part, metadata={"card": json.dumps(document, ensure_ascii=False)})
        with whole_file(folder / CARD) as part:
            part.write_text(json.dumps(document, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    except OSError as error:
        raise InputError(f"{folder}: the reader cannot be written there ({error.strerror or error})") from error


def load_reader(folder: Path) -> tuple[Reader, dict[str, Any]]:
    """Read a reader and its card.

    Raises `InputError` when torch is missing, or the folder does not hold what `annotator train-recogniser` writes.
    """
    require_torch()
    from safetensors import SafetensorError, safe_open

    path = folder / WEIGHTS
    if not path.is_file():
        raise InputError(
            f"{folder} holds no recogniser: expected {WEIGHTS} as `annotator train-recogniser --out` writes it"
        )
    try:
        with safe_open(path, framework="pt") as opened:
            card: dict[str, Any] = json.loads((opened.metadata() or {})["card"])
            weights = {name: opened.get_tensor(name) for name in opened.keys()}  # noqa: SIM118  (no mapping)
        if card["reader_version"] != READER_VERSION:
            raise InputError(
                f"{path}: found version {card['reader_version']}; expected {READER_VERSION}: train it again"
            )
        alphabet = Alphabet(tuple(str(cluster) for cluster in card["alphabet"]))
        shape = _shape(card["shape"])
        network = build_network(shape, alphabet.classes)
        network.load_state_dict(weights)
    except (OSError, ValueError, KeyError, TypeError, RuntimeError, AssertionError, SafetensorError) as error:
        raise InputError(f"{path} is broken or no recogniser of this product ({error}); train it again") from error
    network.eval()
    return Reader(alphabet, shape, network), card


def _shape(written: Mapping[str, Any]) -> ReaderShape:
    one, two, three, four = (int(value) for value in written["channels"])
    dilations = tuple(int(value) for value in written["dilations"])
    sizes = (int(written[name]) for name in ("decoder_layers", "heads", "longest"))
    return ReaderShape((one, two, three, four), int(written["width"]), dilations, *sizes)


def require_torch() -> str:
    """PyTorch's version. Raises `InputError` naming the packages when it, or safetensors, is missing."""
    try:
        import safetensors  # noqa: F401
        import torch
    except ImportError as error:
        raise InputError(MISSING.format(error.name)) from error
    return str(torch.__version__)


def prepare_folder(folder: Path) -> None:
    """Make the folder and see that it can be written, before minutes are spent. Raises `InputError` when it cannot."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with whole_file(folder / f"{WEIGHTS}.trial") as part:
            part.write_bytes(b"")
        (folder / f"{WEIGHTS}.trial").unlink()
    except OSError as error:
        raise InputError(f"{folder}: nothing can be written there ({error.strerror or error})") from error
