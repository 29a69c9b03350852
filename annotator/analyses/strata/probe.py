"""Probe: can a linear model tell from a layer's activations whether an item lies in the corner?"""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import numpy as np
import numpy.typing as npt

from annotator.analyses.sampling import rng_for
from annotator.analyses.strata.basis import Basis, load_stage
from annotator.analyses.strata.grids import Stage
from annotator.errors import FileError, Problem, UsageError
from annotator.metrics.strata.grid import CORNER
from annotator.records import Query
from annotator.stats.intervals import percentile_interval
from annotator.store.project import Project
from annotator.unpacking import MOST_RATIO, most_unpacked

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
TEST_SHARE = 0.2
# A draw of an AUC sorts the negatives, which is slow.
MOST_DRAWS = 2_000
IDS = "ids"


@dataclass(frozen=True, slots=True)
class Activations:
    """Layers by name (items x features) and the ids of their rows."""

    ids: tuple[str, ...]
    layers: Mapping[str, Floats]


@dataclass(frozen=True, slots=True)
class ProbeRow:
    """One layer: balanced accuracy and area under the ROC curve on the held-out fifth, with the AUC's item bootstrap (at
    most 2,000 draws).

    `None` where the split leaves a class out; `why` says so.
    """

    layer: str
    features: int
    n_train: int
    n_test: int
    positives: int
    balanced_accuracy: float | None
    auc: float | None
    auc_low: float | None
    auc_high: float | None
    why: str = ""


@dataclass(frozen=True, slots=True)
class ProbeReport:
    """Rows in the order of the file; `unknown` ids of the file are no items on the grid."""

    file: str
    n: int
    unknown: int
    rows: tuple[ProbeRow, ...]
    basis: Basis


def read_activations(source: Path | BinaryIO, name: str = "") -> Activations:
    """Read an `.npz`: one array per layer (items x features) and `ids`. Nothing in it is executed (no pickles).

    `source` is a path or an open file (an upload) called `name`. Raises `FileError` naming the array that does not fit.
    """
    path = source if isinstance(source, Path) else Path(name)
    try:
        _refuse_bomb(source, path)
        with np.load(source, allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive.files}
    except (OSError, ValueError, AttributeError, zipfile.BadZipFile, zlib.error, EOFError, MemoryError) as error:
        raise FileError(f"activations {path} cannot be read: {error}; expected an .npz of plain arrays") from error
    ids = arrays.pop(IDS, None)
    if ids is None or ids.ndim != 1 or not arrays:
        found = ", ".join(arrays) or "nothing"
        problem = Problem(str(path), None, IDS, found, "one array of ids and at least one layer")
        raise FileError(f"activations {path} are refused", [problem])
    problems = [_fault(path, name, array, len(ids)) for name, array in arrays.items()]
    faults = [problem for problem in problems if problem is not None]
    if faults:
        raise FileError(f"activations {path} are refused", faults)
    texts = tuple(str(value).strip() for value in ids.tolist())
    return Activations(texts, {name: array.astype(np.float64) for name, array in arrays.items()})


def _refuse_bomb(source: Path | BinaryIO, path: Path) -> None:
    """Raise `FileError` for an archive that unpacks to far more than its bytes, before anything of it is unpacked."""
    with zipfile.ZipFile(source) as archive:
        packed = sum(entry.compress_size for entry in archive.infolist())
        unpacked = sum(entry.file_size for entry in archive.infolist())
    if unpacked > most_unpacked(packed):
        found = f"{packed:,} bytes that unpack to {unpacked:,}"
        problem = Problem(str(path), None, None, found, f"at most {MOST_RATIO} times as many")
        raise FileError(f"activations {path} are refused", [problem])
    if not isinstance(source, Path):
        source.seek(0)


def _fault(
    path: Path, name: str, array: np.ndarray[tuple[int, ...], np.dtype[np.float64]], rows: int
) -> Problem | None:
    if array.ndim != 2 or len(array) != rows or not np.issubdtype(array.dtype, np.number):
        return Problem(str(path), None, name, f"an array of shape {array.shape}", f"numbers, {rows} rows x features")
    if not np.isfinite(array.astype(np.float64)).all():
        return Problem(str(path), None, name, "a number that is not finite", "finite numbers")
    return None


def report_probe(project: Project, query: Query, source: Path | BinaryIO, name: str = "") -> ProbeReport:
    """A logistic regression per layer (L2, class weights balanced) for "is this item in q5/q5?".

    Features are standardised on the training part. 80/20 split stratified by benchmark and label, with the query's seed.
    Source: StratiSTR appendix G, Table 11.
    """
    activations = read_activations(source, name)
    path = source if isinstance(source, Path) else Path(name)
    staged = load_stage(project, query)
    stage = staged.stage
    at, rows = _matched(stage, activations)
    if not len(at):
        raise UsageError(
            f"{path}: none of its {len(activations.ids)} ids is an item on the grid; expected ids of items"
        )
    corner = (CORNER.word - 1) * 5 + CORNER.ngram - 1
    labels = stage.places[at] == corner
    train, test = _split(labels, stage.benchmarks[at], query.seed)
    found = tuple(_probe(name, layer[rows], labels, train, test, query) for name, layer in activations.layers.items())
    return ProbeReport(path.name, len(at), len(activations.ids) - len(at), found, staged.basis)


def _matched(stage: Stage, activations: Activations) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Places of the items on the grid that the file names, and the rows of the file."""
    place = {item_id: at for at, item_id in enumerate(stage.data.items.ids)}
    pairs = [(place[item_id], row) for row, item_id in enumerate(activations.ids) if item_id in place]
    kept = [(at, row) for at, row in pairs if stage.places[at] >= 0 and stage.inside[at]]
    table = np.array(kept, dtype=np.int64).reshape(-1, 2)
    return table[:, 0], table[:, 1]


def _split(labels: Bools, benchmarks: npt.NDArray[np.int64], seed: int) -> tuple[Bools, Bools]:
    """A fifth of each (benchmark, label) group for the test, drawn with the seed; groups of one item train."""
    test = np.zeros(len(labels), dtype=bool)
    groups = benchmarks * 2 + labels
    rng = rng_for(seed, "probe")
    for group in np.unique(groups):
        members = np.flatnonzero(groups == group)
        size = round(TEST_SHARE * len(members))
        test[rng.permutation(members)[:size]] = True
    return ~test, test


def _probe(name: str, layer: Floats, labels: Bools, train: Bools, test: Bools, query: Query) -> ProbeRow:
    counts = (layer.shape[1], int(train.sum()), int(test.sum()), int(labels.sum()))
    if len(set(labels[train].tolist())) < 2 or len(set(labels[test].tolist())) < 2:
        why = "the corner and the rest must both be in the training and in the test part"
        return ProbeRow(name, *counts, None, None, None, None, why)
    from sklearn.linear_model import LogisticRegression
    from sklearn.metrics import balanced_accuracy_score, roc_auc_score
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    model = make_pipeline(StandardScaler(), LogisticRegression(class_weight="balanced", max_iter=2_000))
    model.fit(layer[train], labels[train])
    scores = np.asarray(model.decision_function(layer[test]))
    interval = percentile_interval(_auc_draws(scores, labels[test], query, name))
    return ProbeRow(
        name,
        *counts,
        float(balanced_accuracy_score(labels[test], scores > 0)),
        float(roc_auc_score(labels[test], scores)),
        interval.low,
        interval.high,
    )


def _auc_draws(scores: Floats, labels: Bools, query: Query, name: str) -> Floats:
    """AUC of resampled positives and negatives: the mean over drawn pairs of won (1), tied (1/2) and lost (0)."""
    rng = rng_for(query.seed, "probe", name)
    positive, negative = scores[labels], scores[~labels]
    draws = np.empty(min(query.resamples, MOST_DRAWS))
    for at in range(len(draws)):
        drawn = np.sort(rng.choice(negative, len(negative)))
        chosen = rng.choice(positive, len(positive))
        won = np.searchsorted(drawn, chosen, "left") + np.searchsorted(drawn, chosen, "right")
        draws[at] = won.mean() / (2 * len(drawn))
    return draws
