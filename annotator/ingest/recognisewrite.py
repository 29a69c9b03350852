"""Answers of a recogniser into the project, batch by batch, through the same write as imported predictions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from annotator.errors import FileError
from annotator.ingest.predictionplan import PredictionPlan, planned, stage_plan, write_staged
from annotator.ingest.recogniseplan import Job, RecogniseOptions
from annotator.ingest.report import IdReport
from annotator.records import PredictionRow
from annotator.runners.base import Recogniser, Recognition
from annotator.store.imports import finish_import, log_import
from annotator.store.project import Project, read_revision
from annotator.store.recognise import clear_failures, note_failures, note_role, read_answered
from annotator.store.systems import describe_system
from annotator.wholefile import whole_file


@dataclass(frozen=True, slots=True)
class Answered:
    """A job with its answer."""

    job: Job
    seen: Recognition


class RunWriter:
    """Gathers answers and failures; `flush` writes them in one transaction. `written` counts predictions stored."""

    def __init__(self, project: Project, recogniser: Recogniser, options: RecogniseOptions) -> None:
        if options.activations is not None:
            check_activations(options.activations)
        self.system = recogniser.name
        self.condition = options.target
        self.written = 0
        self._project = project
        self._kind = recogniser.confidence_kind.value
        self._options = options
        self._answers: list[Answered] = []
        self._failures: dict[int, str] = {}
        self._import_key: int | None = None

    @property
    def waiting(self) -> int:
        """Answers and failures not yet written."""
        return len(self._answers) + len(self._failures)

    def add(self, answered: Answered) -> None:
        """Take an answer."""
        self._answers.append(answered)

    def fail(self, job: Job, message: str) -> None:
        """Take a failure."""
        self._failures[job.key] = message

    def flush(self) -> None:
        """Write what is waiting. An answer that another process wrote meanwhile is left as it is, unless `replace`."""
        if not self.waiting:
            return
        answers, self._answers = sorted(self._answers, key=lambda each: each.job.key), []
        failures, self._failures = self._failures, {}
        with self._project.write(raises_revision=bool(answers)) as connection:
            if answers:
                revision = read_revision(connection)
                stored = read_answered(connection, self.system, self.condition)
                fresh = [a for a in answers if self._options.replace or a.job.key not in stored]
                replaced = tuple(stored[a.job.key] for a in fresh if a.job.key in stored)
                rows = tuple(planned(self._row(a), a.job.key, a.job.gold) for a in fresh)
                plan = PredictionPlan(rows, replaced, 0, IdReport(), (), ())
                if self._import_key is None:
                    options = {"system": self.system, "condition": self.condition}
                    self._import_key = log_import(
                        connection, "recognise", self.system, "", options, revision, self._project.clock()
                    )
                stage_plan(connection, plan, self._options.parses)
                write_staged(connection, plan, self._import_key, revision)
                describe_system(connection, self.system, confidence_kind=self._kind)
                note_role(connection, self.system, self.condition, self._options.role)
                clear_failures(connection, self.system, self.condition, (a.job.key for a in answers))
                self.written += len(fresh)
            note_failures(connection, self.system, self.condition, failures, self._project.clock())
        if self._options.activations is not None:
            append_activations(self._options.activations, answers)

    def finish(self) -> None:
        """Note in the log how many answers the run wrote."""
        if self._import_key is not None:
            with self._project.write(raises_revision=False) as connection:
                finish_import(connection, self._import_key, {"kind": "recognise", "written": self.written})

    def _row(self, answered: Answered) -> PredictionRow:
        seen, text = answered.seen, storable(answered.seen.text)
        points = (
            seen.char_confidence if seen.char_confidence is None or len(seen.char_confidence) == len(text) else None
        )
        attention = [(f"attention_{name}", f"{value:.6g}") for name, value in seen.attention.items()]
        return PredictionRow(
            answered.job.id,
            text,
            self.system,
            self.condition,
            raw=None if seen.raw is None else storable(seen.raw),
            confidence=seen.confidence,
            char_confidence=points,
            reasoning=None if seen.reasoning is None else storable(seen.reasoning),
            extra=(*seen.extra.items(), *attention),
        )


def storable(text: str) -> str:
    """`text` with lone surrogates, which no UTF-8 store can hold, as U+FFFD."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def check_activations(path: Path) -> None:
    """See before a run that hidden states can be added to `path`. Raises `FileError` when they cannot."""
    if not path.parent.is_dir() or path.is_dir():
        raise FileError(f"activations {path}: found no such folder, or a folder; expected the name of an .npz file")
    _kept_states(path, set())


def append_activations(path: Path, answers: Sequence[Answered]) -> None:
    """Add hidden states to a `.npz`: `ids`, and for each layer an array of items x features in the same order.

    An item that the file has already gets its new row and loses the old one. Answers without hidden states, or without one
    of the file's layers, are left out. Raises `FileError` when the file that is there is no such archive, or its layers
    have another size.
    """
    import numpy as np

    with_states = [answered for answered in answers if answered.seen.hidden]
    if not with_states:
        return
    old = _kept_states(path, {answered.job.id for answered in with_states})
    layers = sorted(name for name in old if name != "ids") or sorted(with_states[0].seen.hidden)
    rows = [answered for answered in with_states if set(layers) <= set(answered.seen.hidden)]
    if not rows:
        return
    fresh = {name: np.stack([np.ravel(answered.seen.hidden[name]) for answered in rows]) for name in layers}
    fresh["ids"] = np.array([answered.job.id for answered in rows])
    try:
        joined: dict[str, Any] = {
            name: np.concatenate([old[name], values]) if name in old else values for name, values in fresh.items()
        }
    except ValueError as error:
        raise FileError(
            f"activations {path}: its layers have other sizes than these ({error}); name another file"
        ) from error
    with whole_file(path) as part, part.open("wb") as file:
        np.savez(file, **joined)


def _kept_states(path: Path, anew: set[str]) -> dict[str, Any]:
    """The rows of the file at `path` whose items are not in `anew`; nothing when there is no file."""
    import zipfile

    import numpy as np

    if not path.is_file():
        return {}
    try:
        with np.load(path, allow_pickle=False) as archive:
            old = {name: archive[name] for name in archive.files}
        kept = np.array([str(value) not in anew for value in old["ids"].tolist()], dtype=bool)
        return {name: values[kept] for name, values in old.items()}
    except (OSError, ValueError, KeyError, IndexError, EOFError, zipfile.BadZipFile) as error:
        raise FileError(f"activations {path}: not an .npz with ids and layers; name another file") from error
