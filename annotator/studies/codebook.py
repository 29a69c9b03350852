"""Codebooks: labels with their values and definitions. YAML files that an owner can edit or add to."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from annotator.errors import UsageError

SHIPPED = Path(__file__).resolve().parents[2] / "data" / "codebooks"


@dataclass(frozen=True, slots=True)
class LabelValue:
    """One value of a label and when to choose it."""

    value: str
    definition: str


@dataclass(frozen=True, slots=True)
class Label:
    """One label of a codebook: a question with its values."""

    name: str
    question: str
    values: tuple[LabelValue, ...]


@dataclass(frozen=True, slots=True)
class Codebook:
    """A named set of labels. `source` says where its definitions come from."""

    name: str
    source: str
    labels: tuple[Label, ...]


def codebook_names(folder: Path | None = None) -> tuple[str, ...]:
    """Names of the codebooks that ship, and of those in the project's folder `codebooks/`."""
    return tuple(sorted({path.stem for root in _roots(folder) for path in root.glob("*.yaml")}))


def load_codebook(name: str, folder: Path | None = None) -> Codebook:
    """The codebook of that name, the project's own first. Raises `UsageError` when there is none or it does not fit."""
    import yaml

    path = next(
        (root / f"{name}.yaml" for root in _roots(folder) if name in {p.stem for p in root.glob("*.yaml")}), None
    )
    if path is None:
        raise UsageError(f"no codebook {name!r}; expected one of: {', '.join(codebook_names(folder))}")
    try:
        document: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
        labels = tuple(
            Label(
                str(label["name"]),
                str(label["question"]),
                tuple(LabelValue(str(value), str(text)) for value, text in label["values"].items()),
            )
            for label in document["labels"]
        )
        return Codebook(path.stem, str(document.get("source", "")), labels)
    except (yaml.YAMLError, KeyError, TypeError, AttributeError, UnicodeError) as error:
        raise UsageError(
            f"{path.name}: found a codebook that lacks or breaks {error}; compare with banglawild.yaml"
        ) from error


def _roots(folder: Path | None) -> tuple[Path, ...]:
    return (SHIPPED,) if folder is None else (folder / "codebooks", SHIPPED)
