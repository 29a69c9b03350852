"""Prompt files of the severity judge: a system text and a question with places for the texts and the marked edit."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from annotator.errors import InputError

FOLDER = Path(__file__).resolve().parents[2] / "data" / "prompts" / "severity"
PLACES = ("reference", "hypothesis", "op", "reference_view", "hypothesis_view")


@dataclass(frozen=True, slots=True)
class Question:
    """One edit to be rated: both texts in full, its operation (SUB, DEL, INS), and both texts around it in brackets."""

    reference: str
    hypothesis: str
    op: str
    reference_view: str
    hypothesis_view: str


@dataclass(frozen=True, slots=True)
class JudgePrompt:
    """A prompt of one language. `version` is its name with a hash of the file: it changes with every letter of it."""

    version: str
    system: str
    user: str

    def render(self, question: Question) -> str:
        """The user message for one edit. Braces inside the texts stay as they are."""
        parts = self.user.split("{")
        out = [parts[0]]
        for part in parts[1:]:
            name, closing, rest = part.partition("}")
            out.append(f"{getattr(question, name)}{rest}" if closing and name in PLACES else "{" + part)
        return "".join(out).strip()


def judge_prompt(language: str, project_folder: Path | None = None) -> JudgePrompt:
    """The prompt of a primary language, English where there is none; the project's own copy comes first.

    Raises `InputError` when the file is not a prompt.
    """
    folders = [FOLDER] if project_folder is None else [project_folder / "prompts" / "severity", FOLDER]
    paths = [folder / f"{name}.yaml" for name in (language, "en") if name.isalpha() for folder in folders]
    return _read(next(path for path in paths if path.is_file()))


def prompts_version(project_folder: Path) -> str:
    """Changes with any prompt file that `judge_prompt` may read for a project."""
    found = hashlib.sha256()
    for folder in (project_folder / "prompts" / "severity", FOLDER):
        for path in sorted(folder.glob("*.yaml")):
            found.update(f"{path.name}\0".encode() + path.read_bytes() + b"\0")
    return f"prompts-{found.hexdigest()[:10]}"


def _read(path: Path) -> JudgePrompt:
    import yaml

    raw = path.read_bytes()
    try:
        document: Any = yaml.safe_load(raw.decode("utf-8"))
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise InputError(f"judge prompt {path}: not readable YAML ({error})") from error
    texts = [document.get(name) for name in ("system", "user")] if isinstance(document, dict) else [None, None]
    if not all(isinstance(text, str) for text in texts):
        raise InputError(f"judge prompt {path}: expected the texts `system` and `user`")
    missing = [name for name in PLACES if "{" + name + "}" not in str(texts[1])]
    if missing:
        raise InputError(f"judge prompt {path}: `user` has no {{{missing[0]}}}; expected all of: {', '.join(PLACES)}")
    name = str(document.get("name") or path.stem)
    return JudgePrompt(f"{name}-{hashlib.sha256(raw).hexdigest()[:10]}", str(texts[0]).strip(), str(texts[1]))
