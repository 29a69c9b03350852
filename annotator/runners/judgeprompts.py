"""Prompt files of the severity judge: a system text and a question with places for the texts and the marked edit."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from annotator.errors import InputError

SHIPPED = Path(__file__).resolve().parents[2] / "data" / "prompts"
FOLDERS = {False: "severity", True: "whole-line"}
"""Where the prompts of single edits, and of whole lines, lie: in the project's `prompts/` and in `data/prompts/`."""

PLACES = ("reference", "hypothesis", "op", "reference_view", "hypothesis_view")
NEEDED = {False: PLACES, True: PLACES[:2]}


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


def judge_prompt(language: str, project_folder: Path | None = None, *, whole_line: bool = False) -> JudgePrompt:
    """The prompt of a primary language, English where there is none; the project's own copy comes first.

    Raises `InputError` when the file is not a prompt.
    """
    folders = _folders(project_folder, whole_line)
    paths = [folder / f"{name}.yaml" for name in (language, "en") if name.isalpha() for folder in folders]
    return _read(next(path for path in paths if path.is_file()), NEEDED[whole_line])


def prompts_version(project_folder: Path, *, whole_line: bool = False) -> str:
    """Changes with any prompt file that `judge_prompt` may read for a project."""
    found = hashlib.sha256()
    for folder in _folders(project_folder, whole_line):
        for path in sorted(folder.glob("*.yaml")):
            found.update(f"{path.name}\0".encode() + path.read_bytes() + b"\0")
    return f"prompts-{found.hexdigest()[:10]}"


def _folders(project_folder: Path | None, whole_line: bool) -> list[Path]:
    name = FOLDERS[whole_line]
    own = [] if project_folder is None else [project_folder / "prompts" / name]
    return [*own, SHIPPED / name]


def _read(path: Path, needed: Sequence[str]) -> JudgePrompt:
    import yaml

    raw = path.read_bytes()
    try:
        document: Any = yaml.safe_load(raw.decode("utf-8"))
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise InputError(f"judge prompt {path}: not readable YAML ({error})") from error
    texts = [document.get(name) for name in ("system", "user")] if isinstance(document, dict) else [None, None]
    if not all(isinstance(text, str) for text in texts):
        raise InputError(f"judge prompt {path}: expected the texts `system` and `user`")
    missing = [name for name in needed if "{" + name + "}" not in str(texts[1])]
    if missing:
        raise InputError(f"judge prompt {path}: `user` has no {{{missing[0]}}}; expected all of: {', '.join(needed)}")
    name = str(document.get("name") or path.stem)
    return JudgePrompt(f"{name}-{hashlib.sha256(raw).hexdigest()[:10]}", str(texts[0]).strip(), str(texts[1]))
