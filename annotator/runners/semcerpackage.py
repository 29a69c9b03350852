"""The semcer package's local model (an optional extra): the distribution of every edit of a pair. Nothing is downloaded."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from annotator.errors import EngineError, InputError
from annotator.text.align import Edit

Levels = tuple[float, float, float, float, float]
INSTALL = "the provider semcer needs the package semcer with all that it needs, which is not installed here; run: pip install semcer"
NO_MODEL = (
    "the provider semcer needs its model, and none is on this machine; give the folder of one with --model DIR or in "
    "SEMCER_MODEL (nothing is downloaded)"
)
META, WEIGHTS = "semcer_meta.json", "model.safetensors"


class SemcerModel:
    """A loaded model. `version` names package, weights, input template and alignment: what its severities depend on."""

    def __init__(self, scorer: Any, version: str) -> None:
        self._scorer = scorer
        self.version = version

    def levels_of(
        self, pairs: Sequence[tuple[str, str]], edits: Sequence[Sequence[Edit]]
    ) -> Iterator[tuple[Levels | None, ...]]:
        """For each pair (gold, predicted) the distribution of each of its `edits`; `None` for one that the model could not
        score (past its window, or a pair too large for it) or that the package aligns otherwise."""
        records = [{"id": at, "reference": gold, "hypothesis": said} for at, (gold, said) in enumerate(pairs)]
        results = self._scorer.score_iter(records, details="distributions", on_error="record")
        for ours, result in zip(edits, results, strict=True):
            theirs = {(e.op.casefold(), e.ref_index, e.hyp_index): e.probs for e in result.edits or ()}
            yield tuple(_five(theirs.get((edit.op.value, edit.gold_index, edit.predicted_index))) for edit in ours)


def _five(probs: Sequence[float] | None) -> Levels | None:
    if probs is None or len(probs) != 5:
        return None
    a, b, c, d, e = (float(p) for p in probs)
    return a, b, c, d, e


def load_semcer(folder: Path | None = None) -> SemcerModel:
    """Load the model in `folder`, else the one that SEMCER_MODEL names, else the released one when it lies in the local
    cache. Raises `EngineError` when the package is not installed, `InputError` without a model or for a folder that is none.
    """
    try:
        import semcer
        import semcer.metric as metric
    except ImportError as error:
        raise EngineError(INSTALL) from error
    named = str(folder) if folder is not None else os.environ.get("SEMCER_MODEL", "")
    if named and not Path(named).expanduser().is_dir():
        raise InputError(f"{named} is not a folder; expected the folder of a semcer model ({META}, {WEIGHTS} ...)")
    try:
        scorer = metric.SemCER(named or None, local_files_only=True, unscored="partial", empty_reference="null")
    except ImportError as error:
        raise EngineError(f"{INSTALL} (it lacks {error.name or error})") from error
    except Exception as error:
        if not named:
            raise InputError(NO_MODEL) from error
        first = (str(error).splitlines() or [type(error).__name__])[0]
        raise InputError(
            f"{named} is not a semcer model: expected {META}, {WEIGHTS} and its files ({first})"
        ) from error
    return SemcerModel(scorer, _version(scorer.signature, named, semcer))


def _version(signature: dict[str, Any], named: str, package: Any) -> str:
    weights = signature.get("weights") or signature.get("revision") or _digest(Path(named).expanduser() / WEIGHTS)
    parts = (signature.get("semcer") or getattr(package, "__version__", ""), weights, signature.get("template"))
    return "/".join(str(part) for part in (*parts, signature.get("alignment")))


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()[:16]
