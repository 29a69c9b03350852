"""Prompt files: what a vision-language model is asked, by language, with the labels that an oracle prompt is given."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from annotator.errors import InputError, UsageError
from annotator.runners.base import About
from annotator.text.languages import primary_subtag

FOLDER = Path(__file__).resolve().parents[2] / "data" / "prompts"
ROLES = ("realistic", "oracle")


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt. `texts` maps a language to its text, `en` always; `labels` are attributes named in braces."""

    name: str
    role: str
    texts: Mapping[str, str]
    labels: tuple[str, ...] = ()

    def render(self, about: About) -> str:
        """The text for one item: in its language or in English; a label that the item lacks reads `unknown`."""
        text = self.texts.get(about.language) or self.texts.get(primary_subtag(about.language)) or self.texts["en"]
        for label in self.labels:
            text = text.replace("{" + label + "}", about.attributes.get(label) or "unknown")
        return text.strip()


def shipped_prompts() -> tuple[str, ...]:
    """Names of the prompts that come with the product."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.yaml")))


def load_prompt(name: str) -> Prompt:
    """The shipped prompt called `name`, or the one in the YAML file at that path.

    Raises `UsageError` when there is neither, `InputError` when the file is not a prompt.
    """
    path = FOLDER / f"{name}.yaml" if name in shipped_prompts() else Path(name)
    if not path.is_file():
        raise UsageError(f"--prompt: found {name!r}; expected one of {', '.join(shipped_prompts())}, or a YAML file")
    import yaml

    try:
        document = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise InputError(f"prompt {path}: not readable YAML ({error})") from error
    return _prompt(path, document)


def _prompt(path: Path, document: Any) -> Prompt:
    texts = document.get("text") if isinstance(document, dict) else None
    if isinstance(texts, str):
        texts = {"en": texts}
    if not isinstance(texts, dict) or not isinstance(texts.get("en"), str):
        raise InputError(f"prompt {path}: found no `text` with `en` in it; expected text: {{en: ...}}")
    role = str(document.get("role", "realistic"))
    if role not in ROLES:
        raise InputError(f"prompt {path}: role: found {role!r}; expected {' or '.join(ROLES)}")
    labels = tuple(str(label) for label in document.get("labels") or ())
    return Prompt(str(document.get("name") or path.stem), role, {str(k): str(v) for k, v in texts.items()}, labels)
