"""Where chunks are scored: in this process, in processes of this machine, or on a Dask cluster. The bytes are the same."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from typing import Any

from annotator.errors import EngineError, UsageError
from annotator.exports.batch_rows import ChunkTask, ScoredChunk, score_chunk

# Tasks handed out ahead of the one that is waited for, per worker: enough to keep all busy, few enough for memory.
_AHEAD = 2


class BatchEngine(StrEnum):
    """Who runs the chunks."""

    LOCAL = "local"
    DASK = "dask"


def run_chunks(
    tasks: Iterable[ChunkTask], workers: int = 1, engine: BatchEngine = BatchEngine.LOCAL, scheduler: str = ""
) -> Iterator[ScoredChunk]:
    """Score tasks and yield the results in their order; at most a few tasks per worker are in flight.

    Raises EngineError when the engine is not installed or not reached, UsageError for a scheduler without `dask`.
    """
    if engine is BatchEngine.DASK:
        yield from _run_dask(tasks, workers, scheduler)
        return
    if scheduler:
        raise UsageError("--scheduler: found with the local engine; expected --engine dask beside it")
    if workers == 1:
        yield from map(score_chunk, tasks)
        return
    yield from _run_processes(tasks, workers)


def _run_processes(tasks: Iterable[ChunkTask], workers: int) -> Iterator[ScoredChunk]:
    import gc
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    # Fresh interpreters: forking a process that may hold threads is not safe.
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=gc.disable) as pool:
        yield from _in_order(tasks, lambda task: pool.submit(score_chunk, task), workers * _AHEAD)


def _run_dask(tasks: Iterable[ChunkTask], workers: int, scheduler: str) -> Iterator[ScoredChunk]:
    try:
        from distributed import Client
    except ImportError as error:
        raise EngineError(
            "--engine dask: the package distributed is not installed; install it (pip install distributed) "
            "or take --engine local"
        ) from error
    where: dict[str, Any] = {"n_workers": workers, "threads_per_worker": 1, "dashboard_address": None}
    if scheduler:
        where = {"address": scheduler}
    try:
        client = Client(**where)
    except (OSError, TimeoutError, ValueError) as error:
        raise EngineError(f"--scheduler {scheduler}: not reached ({error}); expected tcp://HOST:PORT") from error
    with client:
        cores = max(workers, sum(client.ncores().values()))
        yield from _in_order(tasks, lambda task: client.submit(score_chunk, task, pure=False), cores * _AHEAD)


def _in_order(tasks: Iterable[ChunkTask], submit: Callable[[ChunkTask], Any], ahead: int) -> Iterator[ScoredChunk]:
    waiting: deque[Any] = deque()
    for task in tasks:
        waiting.append(submit(task))
        if len(waiting) > ahead:
            yield waiting.popleft().result()
    while waiting:
        yield waiting.popleft().result()
