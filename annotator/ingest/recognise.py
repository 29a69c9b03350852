"""Run a recogniser over a project's items: parallel, resumable, every answer written like an imported prediction."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import closing
from dataclasses import dataclass, field

from annotator.errors import EngineError, EngineRefusedError
from annotator.ingest.recogniseplan import Job, RecogniseOptions, RunPlan, plan_run
from annotator.ingest.recognisewrite import Answered, RunWriter
from annotator.runners.base import Recogniser, Recognition
from annotator.runners.own import checked
from annotator.runners.pixels import cut_target, image_size, load_pixels
from annotator.store.project import Project

Progress = Callable[[int, int, float], None]
BATCH = 200
BATCH_SECONDS = 5.0
GIVE_UP = 25
FIRST = 5
SHOWN = 20


@dataclass(frozen=True, slots=True)
class Answer:
    """One of the first answers, as a preview."""

    id: str
    predicted: str
    confidence: float | None


@dataclass(frozen=True, slots=True)
class ItemFailure:
    """An item without an answer, and why."""

    id: str
    message: str


@dataclass(frozen=True, slots=True)
class RecogniseReport:
    """What a run did. `written` + `failed` + `left` = the items that were to do.

    `already` were answered before, `without_image` have no picture under this condition, `not_read` are in a language that
    the recogniser cannot write: those stay missing. `left` were not tried because the run stopped, for the reason in
    `stopped`. `seconds_per_item` is wall time per tried item, `None` when none was tried.
    """

    system: str
    condition: str
    written: int
    failed: int
    left: int
    already: int
    without_image: int
    not_read: int
    seconds: float
    stopped: str
    first: tuple[Answer, ...]
    failures: tuple[ItemFailure, ...]
    project_revision: int

    @property
    def seconds_per_item(self) -> float | None:
        tried = self.written + self.failed
        return self.seconds / tried if tried else None

    @property
    def items_per_second(self) -> float | None:
        tried = self.written + self.failed
        return tried / self.seconds if tried and self.seconds else None


@dataclass(slots=True)
class _Tally:
    """Counts of a run while it goes on."""

    failed: int = 0
    in_a_row: int = 0
    stopped: str = ""
    first: list[Answer] = field(default_factory=list)
    failures: list[ItemFailure] = field(default_factory=list)


def recognise_items(
    project: Project,
    recogniser: Recogniser,
    options: RecogniseOptions = RecogniseOptions(),  # noqa: B008  (frozen)
    progress: Progress | None = None,
    clock: Callable[[], float] = time.monotonic,
    watch: Callable[[Answer], None] | None = None,
) -> RecogniseReport:
    """Let `recogniser` read every item that it has not answered yet, and write the answers.

    Answers are written in batches as they come: an interrupted run goes on where it stopped, and items that failed are
    tried again. An item whose image is broken, or on which the recogniser fails, is counted and kept with the reason;
    after 25 failures in a row, or one that says every item would fail, the run stops. Raises `EngineError` before anything
    is written when an engine, language pack or program is missing, and when the first thing that happens is such a stop.
    `watch` is shown the first answers as they come.
    """
    plan = plan_run(project, recogniser, options)
    recogniser.check(plan.languages)
    writer = RunWriter(project, recogniser, options)
    tally, began = _Tally(), clock()
    flushed, shown = began, 0
    try:
        with closing(_stream(recogniser, plan.jobs, options.workers, tally)) as stream:
            for number, (job, seen) in enumerate(stream, start=1):
                _take(job, seen, writer, tally)
                if watch is not None and len(tally.first) > shown:
                    watch(tally.first[-1])
                    shown = len(tally.first)
                if progress is not None:
                    progress(number, len(plan.jobs), clock() - began)
                if writer.waiting >= BATCH or clock() - flushed >= BATCH_SECONDS:
                    writer.flush()
                    flushed = clock()
    finally:
        writer.flush()
    if tally.stopped and not writer.written:
        raise EngineError(tally.stopped)
    return _report(project, plan, writer, tally, clock() - began)


def _report(project: Project, plan: RunPlan, writer: RunWriter, tally: _Tally, seconds: float) -> RecogniseReport:
    writer.finish()
    return RecogniseReport(
        system=writer.system,
        condition=writer.condition,
        written=writer.written,
        failed=tally.failed,
        left=len(plan.jobs) - writer.written - tally.failed,
        already=plan.already,
        without_image=plan.without_image,
        not_read=plan.not_read,
        seconds=seconds,
        stopped=tally.stopped,
        first=tuple(tally.first),
        failures=tuple(tally.failures),
        project_revision=project.revision(),
    )


def _take(job: Job, seen: Recognition | EngineError, writer: RunWriter, tally: _Tally) -> None:
    if isinstance(seen, EngineError):
        tally.failed += 1
        tally.in_a_row += 1
        if len(tally.failures) < SHOWN:
            tally.failures.append(ItemFailure(job.id, str(seen)))
        writer.fail(job, str(seen))
        if isinstance(seen, EngineRefusedError):
            tally.stopped = tally.stopped or str(seen)
        elif tally.in_a_row >= GIVE_UP:
            tally.stopped = tally.stopped or f"stopped after {GIVE_UP} failures in a row; the last: {seen}"
        return
    tally.in_a_row = 0
    if len(tally.first) < FIRST:
        tally.first.append(Answer(job.id, seen.text, seen.confidence))
    writer.add(Answered(job, seen))


def _stream(
    recogniser: Recogniser, jobs: Sequence[Job], workers: int, tally: _Tally
) -> Generator[tuple[Job, Recognition | EngineError]]:
    """Answers as they come. Never more than four jobs a worker are handed out, and none once the tally says stop."""
    remaining = iter(jobs)
    running: dict[Future[Recognition | EngineError], Job] = {}
    pool = ThreadPoolExecutor(max_workers=max(1, workers))
    try:
        while True:
            while not tally.stopped and len(running) < 4 * max(1, workers):
                job = next(remaining, None)
                if job is None:
                    break
                running[pool.submit(_answer, recogniser, job)] = job
            if not running:
                return
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in sorted(done, key=lambda each: running[each].key):
                yield running.pop(future), future.result()
    finally:
        # What is under way when the user ends the run is not waited for: its answers would come too late to be written.
        pool.shutdown(wait=not running, cancel_futures=True)


def _answer(recogniser: Recogniser, job: Job) -> Recognition | EngineError:
    """One item: its picture, cut to the target where the recogniser wants that, then the reading."""
    try:
        picture = load_pixels(job.image)
        if job.box is not None and (job.source is None or image_size(job.source) == image_size(job.image)):
            picture = cut_target(picture, job.box)
        return checked(recogniser.recognise(picture, job.about(picture.size)))
    except EngineError as error:
        return error
