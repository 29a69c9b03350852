"""What to render: the texts of `texts/*.yaml` as a list of signs, each with its look drawn from a seed of its own.

A sign's seed is made of its id alone, so a text added to the end of a group changes no other image.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

TEXTS = Path(__file__).resolve().parent / "texts"
LANGUAGES = ("en", "bn", "zh", "ja", "ar", "vi")
SHORT = {"demo-signs": "sign", "demo-labels": "label", "demo-lines": "line"}


@dataclass(frozen=True, slots=True)
class Sign:
    """One text to draw alone. `standard` is empty where the print is the standard form."""

    id: str
    gold: str
    standard: str
    benchmark: str
    language: str
    script: str
    kind: str
    context: str
    content: str


@dataclass(frozen=True, slots=True)
class Board:
    """One board of a scene; every board of a scene is the target of an item of its own."""

    id: str
    gold: str
    standard: str
    content: str


@dataclass(frozen=True, slots=True)
class Scene:
    """Several boards on one wall; `id` is the document of their items."""

    id: str
    language: str
    script: str
    context: str
    boards: tuple[Board, ...]


def seed_of(name: str) -> int:
    """A 64-bit seed that depends on the name alone."""
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "big")


def read_language(language: str) -> tuple[list[Sign], list[Scene]]:
    """All signs and scenes of one language, in the order of the file."""
    document = yaml.safe_load((TEXTS / f"{language}.yaml").read_text(encoding="utf-8"))
    script = document["script"]
    counter: dict[str, int] = {}
    signs = [sign for group in document["groups"] for sign in _signs(group, language, script, counter)]
    return signs, [_scene(row, language, script) for row in document["scenes"]]


def _signs(group: dict[str, Any], language: str, script: str, counter: dict[str, int]) -> Iterator[Sign]:
    pairs = [(str(text), "") for text in group.get("texts", [])]
    pairs += [(str(gold), str(standard)) for gold, standard in group.get("misspelt", {}).items()]
    for position, (gold, standard) in enumerate(pairs):
        short = SHORT[group["benchmark"]]
        counter[short] = counter.get(short, 0) + 1
        name = f"{language}-{short}-{counter[short]:03d}"
        if group["case"] == "vary":
            gold = _vary_case(gold, name)
        context = group["contexts"][position % len(group["contexts"])]
        yield Sign(name, gold, standard, group["benchmark"], language, script, group["kind"], context, group["content"])


def _vary_case(text: str, name: str) -> str:
    shape = seed_of(name + "/case") % 5
    return text.upper() if shape < 2 else text[0].upper() + text[1:] if shape < 4 else text


def _scene(row: dict[str, Any], language: str, script: str) -> Scene:
    boards = tuple(
        Board(f"{row['id']}-{number}", str(board["text"]), str(board.get("standard", "")), board["content"])
        for number, board in enumerate(row["boards"], start=1)
    )
    return Scene(row["id"], language, script, row["context"], boards)
