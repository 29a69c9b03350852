"""Seeds and clusters of the item bootstrap, the same for every report."""

from __future__ import annotations

import zlib

import numpy as np
import numpy.typing as npt

from annotator.analyses.dataset import items_in_scope
from annotator.records import Query
from annotator.stats.resample import cluster_codes, use_clusters
from annotator.store.project import Project
from annotator.store.reading import ItemTable, read_attribute, require_attribute

Codes = npt.NDArray[np.int64]


def rng_for(seed: int, *names: str) -> np.random.Generator:
    """A generator for one figure: the same seed and names give the same draws, whatever else a report computes."""
    return np.random.default_rng([seed, *(zlib.crc32(name.encode()) for name in names)])


def clusters_of(project: Project, items: ItemTable, query: Query) -> Codes | None:
    """One code per item: by `--cluster COLUMN` when given, else by document; `None` when no two items share one."""
    if not query.cluster:
        return cluster_codes(items.document)
    with project.read() as connection:
        values = require_attribute(connection, query.cluster)
    return cluster_codes([values.get(int(key), "") for key in items.keys])


def resampling_note(project: Project, query: Query) -> str:
    """That items were resampled, where their documents (or the column of `--cluster`) are too few; else ""."""
    with project.read() as connection:
        values = read_attribute(connection, query.cluster or "document")
        if not values:
            return ""
        items, _ = items_in_scope(connection, query)
    return use_clusters(cluster_codes([values.get(int(key), "") for key in items.keys]))[1]
