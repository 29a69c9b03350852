"""Let a language model judge every edit: what is to be asked, asking in parallel, and charging with the answers."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import closing
from dataclasses import dataclass, field

from annotator.analyses.severity.wordlists import primary_language
from annotator.errors import EngineError, EngineRefusedError
from annotator.metrics.severity.levels import Distribution
from annotator.models.marking import mark_line
from annotator.records import Query
from annotator.runners.judge import TEMPERATURE, Asks, Verdict, judge_edit
from annotator.runners.judgeprompts import JudgePrompt, Question, judge_prompt, prompts_version
from annotator.store.judging import StoredAnswer, read_answers, write_answers
from annotator.store.project import Project
from annotator.store.reading import RunRow, read_runs
from annotator.store.severities import Charge, Line, iter_lines, put_provider, run_stamp, write_charges
from annotator.text.graphemes import split_graphemes

Progress = Callable[[int, int], None]
AROUND = 10
"""Clusters of context on each side of the edit (semCER, section A.1)."""

BATCH, SECONDS = 50, 2.0
"""Answers are stored after so many, or so long: what was paid for is not lost with the process."""

GIVE_UP = 20
KIND, LINE_KIND = "judge", "judge-line"
TOKENS_A_CHARACTER = 0.4


@dataclass(frozen=True, slots=True)
class Judge:
    """A model behind an endpoint, as a provider called `judge:MODEL`; one that rates `whole_line`s at once, each edit of a
    line charged the same, is `judge-line:MODEL`."""

    endpoint: Asks
    temperature: float = TEMPERATURE
    concurrency: int = 8
    whole_line: bool = False

    @property
    def kind(self) -> str:
        return LINE_KIND if self.whole_line else KIND

    @property
    def name(self) -> str:
        return f"{self.kind}:{self.endpoint.model}"


@dataclass(frozen=True, slots=True)
class JudgePlan:
    """What judging will cost. `questions` are the different (prompt, pair, edit); `asked_before` of them are answered.

    `requests` is the least number of calls; an undecided edit takes one more. Tokens are a guess from the characters sent.
    """

    edits: int
    questions: int
    asked_before: int
    requests: int
    tokens_in: int

    def words(self) -> str:
        """One line for the user."""
        return (
            f"{self.edits:,} edits, {self.questions:,} different questions, {self.asked_before:,} answered before: "
            f"at least {self.requests:,} requests, about {self.tokens_in:,} tokens in, one digit out each"
        )


@dataclass(frozen=True, slots=True)
class JudgeReport:
    """What judging did. `charged` edits have a severity, `imputed` of them are 1 because the judge stayed undecided.

    `failed` questions got no reply (their edits stay unscored, and are asked again next time); `stopped` says why not all
    were asked.
    """

    provider: str
    charged: int
    imputed: int
    asked: int
    failed: int
    left: int
    stopped: str
    failures: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Asked:
    key: bytes
    prompt: JudgePrompt
    question: Question


@dataclass(slots=True)
class _Tally:
    asked: int = 0
    failed: int = 0
    in_a_row: int = 0
    stopped: str = ""
    failures: list[str] = field(default_factory=list)


def plan_judging(project: Project, query: Query, judge: Judge) -> JudgePlan:
    """Count what `judge_runs` will ask, without asking."""
    edits, asked = 0, {}
    for _, _, one in _questions(project, _runs(project, query), judge):
        edits += 1
        asked[one.key] = one
    with project.read() as connection:
        known = read_answers(connection, list(asked))
    new = [one for key, one in asked.items() if key not in known]
    characters = sum(len(one.prompt.system) + len(one.prompt.render(one.question)) for one in new)
    return JudgePlan(edits, len(asked), len(known), len(new), round(TOKENS_A_CHARACTER * characters))


def judge_runs(project: Project, query: Query, judge: Judge, progress: Progress | None = None) -> JudgeReport:
    """Judge every edit of the runs of `query` and charge them; answers already in the project are not asked for again.

    Answers are stored as they come, so that an interrupted run goes on where it stopped. After 20 failures in a row, or
    one that says every request would fail, nothing more is asked, and what is known is charged. Raises `EngineError`
    when no question of any run got an answer.
    """
    runs = _runs(project, query)
    asked = {one.key: one for _, _, one in _questions(project, runs, judge)}
    with project.read() as connection:
        known = read_answers(connection, list(asked))
    new = [one for key, one in asked.items() if key not in known]
    tally = _Tally()
    _ask_all(project, judge, new, tally, progress)
    if tally.failed and not known and tally.asked == tally.failed:
        raise EngineError(tally.stopped or tally.failures[0])
    charged, imputed = _charge(project, runs, judge)
    left = len(new) - tally.asked
    return JudgeReport(
        judge.name, charged, imputed, tally.asked, tally.failed, left, tally.stopped, tuple(tally.failures[:5])
    )


def _runs(project: Project, query: Query) -> tuple[RunRow, ...]:
    with project.read() as connection:
        return read_runs(connection, query.systems, query.conditions)


def _questions(
    project: Project, runs: Sequence[RunRow], judge: Judge
) -> Iterator[tuple[RunRow, tuple[int, int], _Asked]]:
    """Every edit of runs with its place (prediction key, number) and what is asked about it."""
    prompts: dict[str, JudgePrompt] = {}
    with project.read() as connection:
        for run in runs:
            for line in iter_lines(connection, run.key):
                language = primary_language(line.language, line.gold)
                if language not in prompts:
                    prompts[language] = judge_prompt(language, project.folder, whole_line=judge.whole_line)
                prompt = prompts[language]
                for number, question in enumerate(_asked_of(line, judge.whole_line)):
                    key = _key(prompt, judge, question)
                    yield run, (line.prediction_key, number), _Asked(key, prompt, question)


def _asked_of(line: Line, whole_line: bool) -> list[Question]:
    if whole_line:
        return [Question(line.gold, line.predicted, "LINE", "", "")] * len(line.alignment.edits)
    return edit_questions(line)


def edit_questions(line: Line) -> list[Question]:
    """What a judge is asked about each edit of a line: both texts, and ten clusters on each side of the brackets."""
    marked = mark_line(line.gold, line.predicted, line.alignment.edits)
    return [
        Question(line.gold, line.predicted, edit.op.value.upper(), _view(both.gold), _view(both.predicted))
        for edit, both in zip(line.alignment.edits, marked, strict=True)
    ]


def _view(parts: tuple[str, str, str]) -> str:
    left, right = split_graphemes(parts[0]), split_graphemes(parts[2])
    before, after = "…" * (len(left) > AROUND), "…" * (len(right) > AROUND)
    return f"{before}{''.join(left[-AROUND:])}[{parts[1]}]{''.join(right[:AROUND])}{after}"


def _key(prompt: JudgePrompt, judge: Judge, question: Question) -> bytes:
    parts = (
        prompt.version, judge.endpoint.model, f"{judge.temperature:g}", question.reference, question.hypothesis, question.op,
        question.reference_view, question.hypothesis_view,
    )  # fmt: skip
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).digest()


def _ask_all(project: Project, judge: Judge, new: Sequence[_Asked], tally: _Tally, progress: Progress | None) -> None:
    waiting: list[StoredAnswer] = []
    written = project.clock()

    def flush() -> None:
        nonlocal written
        written = project.clock()
        if waiting:
            with project.write(raises_revision=False) as connection:
                write_answers(connection, waiting, project.clock())
            waiting.clear()

    try:
        with closing(_stream(judge, new, tally)) as stream:
            for one, verdict in stream:
                tally.asked += 1
                if isinstance(verdict, EngineError):
                    _note_failure(tally, verdict)
                else:
                    tally.in_a_row = 0
                    waiting.append(_stored(one, judge, verdict))
                if len(waiting) >= BATCH or project.clock() - written > SECONDS:
                    flush()
                if progress:
                    progress(tally.asked, len(new))
    finally:
        flush()


def _stored(one: _Asked, judge: Judge, verdict: Verdict) -> StoredAnswer:
    model = judge.endpoint.model
    said = verdict.said[:200]
    return StoredAnswer(
        one.key,
        one.prompt.version,
        model,
        judge.temperature,
        verdict.levels,
        verdict.from_logprobs,
        verdict.tries,
        said,
    )


def _note_failure(tally: _Tally, error: EngineError) -> None:
    tally.failed += 1
    tally.in_a_row += 1
    tally.failures.append(str(error))
    if isinstance(error, EngineRefusedError):
        tally.stopped = tally.stopped or str(error)
    elif tally.in_a_row >= GIVE_UP:
        tally.stopped = tally.stopped or f"stopped after {GIVE_UP} failures in a row; the last: {error}"


def _stream(judge: Judge, new: Sequence[_Asked], tally: _Tally) -> Generator[tuple[_Asked, Verdict | EngineError]]:
    """Verdicts as they come; never more than two questions a worker are handed out, and none once the tally says stop."""
    remaining = iter(new)
    running: dict[Future[Verdict | EngineError], _Asked] = {}
    workers = max(1, judge.concurrency)
    pool = ThreadPoolExecutor(max_workers=workers)
    try:
        while True:
            while not tally.stopped and len(running) < 2 * workers:
                one = next(remaining, None)
                if one is None:
                    break
                running[pool.submit(_ask, judge, one)] = one
            if not running:
                return
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                yield running.pop(future), future.result()
    finally:
        pool.shutdown(wait=not running, cancel_futures=True)


def _ask(judge: Judge, one: _Asked) -> Verdict | EngineError:
    try:
        return judge_edit(judge.endpoint, one.prompt, one.question, judge.temperature)
    except EngineError as error:
        return error


def _charge(project: Project, runs: Sequence[RunRow], judge: Judge) -> tuple[int, int]:
    """Charge every edit whose question is answered; returns edits charged, and how many of them are imputed."""
    charges: dict[int, list[Charge]] = {run.key: [] for run in runs}
    places: list[tuple[int, tuple[int, int], bytes]] = []
    versions: set[str] = set()
    for run, place, one in _questions(project, runs, judge):
        places.append((run.key, place, one.key))
        versions.add(one.prompt.version)
    with project.read() as connection:
        known = read_answers(connection, list({key for _, _, key in places}))
    for run_key, (prediction, number), key in places:
        if key in known:
            charges[run_key].append(charge_of(prediction, number, known[key]))
    version = (
        f"{prompts_version(project.folder, whole_line=judge.whole_line)}/{judge.endpoint.model}/t{judge.temperature:g}"
    )
    details = {"model": judge.endpoint.model, "temperature": judge.temperature, "prompts": sorted(versions)}
    with project.write(raises_revision=False) as connection:
        provider = put_provider(connection, judge.name, judge.kind, version, details, project.clock())
        for run in runs:
            write_charges(connection, provider, run.key, charges[run.key], run_stamp(run))
    made = [charge for found in charges.values() for charge in found]
    return len(made), sum(charge.imputed for charge in made)


def charge_of(prediction: int, number: int, levels: tuple[float, float, float, float, float] | None) -> Charge:
    """The severity of an answer; an undecided one is charged 1 and marked (semCER, section A.1)."""
    if levels is None:
        return Charge(prediction, number, 1.0, imputed=True)
    return Charge(prediction, number, min(Distribution.of(levels).severity, 1.0), probabilities=levels)
