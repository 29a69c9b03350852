"""Scores of a chunk of pairs as bytes: what a worker of the batch command does, wherever it runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from annotator.metrics.counts import Counts, PairScores, score_pairs
from annotator.text.align import Alignment, align_many

ROW_SCHEMA_VERSION = 1
COLUMNS = (
    "id",
    "system",
    "condition",
    "gold",
    "predicted",
    "status",
    "gold_length",
    "predicted_length",
    "matches",
    "substitutions",
    "deletions",
    "insertions",
    "cer",
    "word_edits",
    "gold_words",
    "wer",
    "one_minus_ned",
    "exact",
    "str_accuracy",
    "charitable",
    "why",
    "edits",
)
_WHY = {"missing": "there is no prediction (null)", "without_gold": "gold is empty or blank after the profile"}


class BatchFormat(StrEnum):
    """How the output is written."""

    JSONL = "jsonl"
    PARQUET = "parquet"


@dataclass(frozen=True, slots=True)
class BatchPair:
    """One answer to score; `predicted is None` is a missing one."""

    id: str
    system: str
    condition: str
    gold: str
    predicted: str | None


@dataclass(frozen=True, slots=True)
class ChunkTask:
    """What a worker gets: the pairs of chunk `number` and how to score and write them."""

    number: int
    pairs: tuple[BatchPair, ...]
    profile: str
    unit: str
    format: BatchFormat


@dataclass(frozen=True, slots=True)
class ScoredChunk:
    """What a worker gives back: the rows as bytes, and their counts."""

    number: int
    data: bytes
    rows: int
    missing: int
    counts: Counts


def score_chunk(task: ChunkTask) -> ScoredChunk:
    """Score one chunk. The same task gives the same bytes in any process."""
    answered = [pair for pair in task.pairs if pair.predicted is not None]
    texts = [(pair.gold, pair.predicted or "") for pair in answered]
    scores = score_pairs([gold for gold, _ in texts], [predicted for _, predicted in texts], task.profile, task.unit)
    scored = zip(_columns(scores), align_many(texts, task.unit, task.profile), strict=True)
    rows = [_missing(pair) if pair.predicted is None else _scored(pair, *next(scored)) for pair in task.pairs]
    data = _jsonl(rows) if task.format is BatchFormat.JSONL else _parquet(rows)
    return ScoredChunk(task.number, data, len(rows), len(rows) - len(answered), scores.counts())


def _columns(scores: PairScores) -> list[tuple[Any, ...]]:
    names = ("blank_gold", "word_edits", "gold_words", "one_minus_ned", "exact", "str_exact", "charitable")
    return list(zip(*(getattr(scores, name).tolist() for name in names), strict=True))


def _missing(pair: BatchPair) -> dict[str, Any]:
    return {**dict.fromkeys(COLUMNS), **asdict(pair), "status": "missing", "why": _WHY["missing"]}


def _scored(pair: BatchPair, columns: tuple[Any, ...], alignment: Alignment) -> dict[str, Any]:
    blank, word_edits, gold_words, ned, exact, str_exact, charitable = columns
    return {
        "id": pair.id,
        "system": pair.system,
        "condition": pair.condition,
        "gold": pair.gold,
        "predicted": pair.predicted,
        "status": "without_gold" if blank else "ok",
        "gold_length": alignment.gold_length,
        "predicted_length": alignment.predicted_length,
        "matches": alignment.matches,
        "substitutions": alignment.substitutions,
        "deletions": alignment.deletions,
        "insertions": alignment.insertions,
        "cer": None if blank else alignment.distance / alignment.gold_length,
        "word_edits": word_edits,
        "gold_words": gold_words,
        "wer": None if blank else word_edits / gold_words,
        "one_minus_ned": None if blank else ned,
        "exact": None if blank else exact,
        "str_accuracy": None if blank else str_exact,
        "charitable": None if blank else charitable,
        "why": _WHY["without_gold"] if blank else None,
        "edits": [
            {
                "op": edit.op.value,
                "gold_index": edit.gold_index,
                "predicted_index": edit.predicted_index,
                "gold": edit.gold,
                "predicted": edit.predicted,
            }
            for edit in alignment.edits
        ],
    }


def _jsonl(rows: Sequence[dict[str, Any]]) -> bytes:
    import msgspec

    return msgspec.json.Encoder().encode_lines(rows)


def _parquet(rows: Sequence[dict[str, Any]]) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    sink = pa.BufferOutputStream()
    pq.write_table(pa.Table.from_pylist(list(rows), schema=parquet_schema()), sink)
    return bytes(sink.getvalue())


def parquet_schema() -> Any:
    """The Arrow schema of the output."""
    import pyarrow as pa

    integers = {name: pa.int32() for name in ("gold_index", "predicted_index")}
    edit = pa.struct([(name, integers.get(name, pa.string())) for name in _EDIT])
    kinds = {"edits": pa.list_(edit)}
    kinds |= dict.fromkeys(("cer", "wer", "one_minus_ned"), pa.float64())
    kinds |= dict.fromkeys(("exact", "str_accuracy", "charitable"), pa.bool_())
    kinds |= dict.fromkeys(_INTEGERS, pa.int32())
    return pa.schema([(name, kinds.get(name, pa.string())) for name in COLUMNS])


_EDIT = ("op", "gold_index", "predicted_index", "gold", "predicted")
_INTEGERS = (*COLUMNS[6:12], "word_edits", "gold_words")
