"""Guidelines, worked examples and check questions: YAML files, one a language, that an owner can edit.

Shipped files lie in `data/rubric/`; a file of the same name in the project's folder `rubric/` comes first.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from annotator.errors import UsageError
from annotator.store.study_records import EditMark
from annotator.studies.kinds import StudyKind
from annotator.text.align import align_texts
from annotator.wholefile import whole_file

SHIPPED = Path(__file__).resolve().parents[2] / "data" / "rubric"
DEFAULT_LOCALE = "en"


@dataclass(frozen=True, slots=True)
class Value:
    """One answer of a rubric: its short name and what it means."""

    value: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Case:
    """A worked example or a check question. `accepted` holds the right answers, `because` says why.

    `predicted_b` is the second output of a preference, and the standard form in an example of a transcription.
    """

    gold: str
    predicted: str
    accepted: tuple[str, ...]
    because: str
    predicted_b: str | None = None
    edit: EditMark | None = None


@dataclass(frozen=True, slots=True)
class Rubric:
    """Everything that raters of one kind read in one language."""

    locale: str
    name: str
    kind: StudyKind
    question: str
    purpose: str
    consent: str
    guidelines: tuple[str, ...]
    values: tuple[Value, ...]
    examples: tuple[Case, ...]
    checks: tuple[tuple[Case, ...], ...]
    words: Mapping[str, str]


def locales(folder: Path | None = None) -> dict[str, str]:
    """Language codes that have a rubric, with the language's own name. `folder` is the project's."""
    found = {path.stem: path for root in _roots(folder) for path in sorted(root.glob("*.yaml"))}
    return {code: str(_document(path, path.stat().st_mtime_ns).get("name", code)) for code, path in found.items()}


def load_rubric(kind: StudyKind, locale: str = DEFAULT_LOCALE, folder: Path | None = None) -> Rubric:
    """The rubric of a kind in a language, English where the language has none. Raises `UsageError` for a file that does
    not fit, naming the file and the key.
    """
    path = rubric_file(locale, folder)
    document = _document(path, path.stat().st_mtime_ns)
    english = _document(SHIPPED / "en.yaml", (SHIPPED / "en.yaml").stat().st_mtime_ns)
    try:
        part = document["kinds"][kind.value]
        return Rubric(
            locale=path.stem,
            name=str(document.get("name", path.stem)),
            kind=kind,
            question=part["question"],
            purpose=part["purpose"],
            consent=document["consent"],
            guidelines=tuple(part["guidelines"]),
            values=tuple(Value(str(value), text[0], text[1]) for value, text in part["values"].items()),
            examples=tuple(_case(kind, row) for row in part["examples"]),
            checks=tuple(tuple(_case(kind, row) for row in rows) for rows in part["checks"]),
            words={**english["ui"], **document.get("ui", {})},
        )
    except (KeyError, TypeError, IndexError, AttributeError) as error:
        raise UsageError(
            f"{path.name}: found a rubric for {kind.value} that lacks {error}; compare with en.yaml"
        ) from error


def rubric_file(locale: str, folder: Path | None = None) -> Path:
    """The file that holds a language's rubric: the project's own, else the shipped one, else English."""
    names = [
        f"{code}.yaml" for code in (locale, locale.partition("-")[0], DEFAULT_LOCALE) if code.replace("-", "").isalnum()
    ]
    return next(root / name for name in names for root in reversed(_roots(folder)) if (root / name).is_file())


def save_rubric(folder: Path, locale: str, text: str) -> Path:
    """Keep an owner's own rubric in the project. Raises `UsageError` when a kind of it cannot be read."""
    if not locale.replace("-", "").isalnum():
        raise UsageError(f"found the language {locale!r}; expected a code such as en or pt-BR")
    try:
        document = _read_yaml(text, f"{locale}.yaml")
        for kind in StudyKind:
            part = document["kinds"][kind.value]
            for row in [*part["examples"], *(row for rows in part["checks"] for row in rows)]:
                _case(kind, row)
    except (KeyError, TypeError, IndexError, AttributeError) as error:
        raise UsageError(
            f"found a rubric that lacks {error}; compare with the shipped {DEFAULT_LOCALE}.yaml"
        ) from error
    out = folder / "rubric" / f"{locale}.yaml"
    out.parent.mkdir(exist_ok=True)
    with whole_file(out) as part_file:
        part_file.write_text(text, encoding="utf-8")
    return out


def check_set(rubric: Rubric, asked: int, tries: int, seed: int) -> tuple[Case, ...]:
    """The questions of a rater's next try: another set each time, in an order of their own."""
    if not rubric.checks:
        return ()
    first = random.Random(f"{seed}:set").randrange(len(rubric.checks))
    chosen = list(rubric.checks[(first + tries) % len(rubric.checks)])
    random.Random(f"{seed}:{tries}").shuffle(chosen)
    return tuple(chosen[:asked])


def right_answers(cases: Sequence[Case], given: Sequence[str | None]) -> int:
    """How many of the given answers are among the accepted ones."""
    return sum(value in case.accepted for case, value in zip(cases, given, strict=True))


def _case(kind: StudyKind, row: Sequence[Any]) -> Case:
    if kind in (StudyKind.PREFERENCE, StudyKind.TRANSCRIPTION):
        gold, predicted, second = row[0], row[1], row[2]
        accepted = row[3] if kind is StudyKind.PREFERENCE else ()
        return Case(gold, predicted, _values(accepted), row[-1], predicted_b=second)
    case = Case(row[0], row[1], _values(row[2]), row[3])
    if kind is not StudyKind.EDIT_SEVERITY:
        return case
    edits = align_texts(case.gold, case.predicted).edits
    if len(edits) != 1:
        raise UsageError(f"found {len(edits)} edits between {case.gold!r} and {case.predicted!r}; expected exactly one")
    edit = edits[0]
    mark = EditMark(str(edit.op), edit.gold_index, edit.predicted_index, edit.gold, edit.predicted)
    return Case(case.gold, case.predicted, case.accepted, case.because, edit=mark)


def _values(accepted: Any) -> tuple[str, ...]:
    return tuple(str(v) for v in accepted) if isinstance(accepted, list | tuple) else (str(accepted),)


def _roots(folder: Path | None) -> tuple[Path, ...]:
    return (SHIPPED,) if folder is None else (SHIPPED, folder / "rubric")


@lru_cache(maxsize=64)
def _document(path: Path, _changed: int) -> dict[str, Any]:
    return _parse(path)


def _parse(path: Path) -> dict[str, Any]:
    try:
        return _read_yaml(path.read_text(encoding="utf-8"), path.name)
    except UnicodeError as error:
        raise _not_yaml(path.name, error) from error


def _read_yaml(text: str, name: str) -> dict[str, Any]:
    import yaml

    try:
        document = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise _not_yaml(name, error) from error
    if not isinstance(document, dict):
        raise UsageError(f"{name}: found no mapping at the top; compare with the shipped {DEFAULT_LOCALE}.yaml")
    return document


def _not_yaml(name: str, error: Exception) -> UsageError:
    return UsageError(f"{name}: found text that is not YAML in UTF-8 ({error}); correct it and save again")
