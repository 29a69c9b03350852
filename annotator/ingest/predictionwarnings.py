"""What the user should know of predictions that were imported."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from enum import StrEnum

from annotator.errors import Problem
from annotator.ingest.tables import Table
from annotator.ingest.warned import WarningLog
from annotator.records import PredictionRow

RUN_AWAY_LENGTH = 1000
RUN_AWAY_FACTOR = 10


class GoldDifference(StrEnum):
    """How the gold of a system's own file differs from the item's: the mildest folding under which they are equal."""

    COMPATIBILITY = "equal after NFKC"
    WHITE_SPACE = "white space"
    CASE = "case"
    REAL = "really different"


def compare_golds(gold: str, own: str) -> GoldDifference | None:
    """The kind of difference of two golds; `None` when they are equal after NFC."""
    if gold == own or unicodedata.normalize("NFC", gold) == unicodedata.normalize("NFC", own):
        return None
    gold, own = unicodedata.normalize("NFKC", gold), unicodedata.normalize("NFKC", own)
    if gold == own:
        return GoldDifference.COMPATIBILITY
    if "".join(gold.split()) == "".join(own.split()):
        return GoldDifference.WHITE_SPACE
    same_case = "".join(gold.casefold().split()) == "".join(own.casefold().split())
    return GoldDifference.CASE if same_case else GoldDifference.REAL


def warn_extra(table: Table, extra: Sequence[tuple[PredictionRow, int]], log: WarningLog) -> None:
    """Rows with an id that the project does not know: skipped, counted."""
    for row, place in extra:
        found = f"{table.where(place)}, id {row.id}: not an item of the project"
        words = "{count} row{s} with an unknown id skipped (extra)"
        log.add("extra", words, Problem(table.file, row.line, "id", found, "an item's id"))


def warn_rows(
    table: Table,
    rows: Sequence[PredictionRow],
    places: Sequence[int],
    golds: Mapping[str, str | None],
    log: WarningLog,
) -> None:
    """Warnings of single predictions. `golds` is the item's gold by the row's id; unknown ids are left out."""
    for row, place in zip(rows, places, strict=True):
        text = row.predicted
        if row.id not in golds or text is None:
            continue
        gold = golds[row.id]
        if text and (text[0].isspace() or text[-1].isspace()):
            words = "{count} prediction{s} with white space at the ends: kept; it counts under raw and goes under other profiles"
            _tell(log, "predicted-edge-space", words, table, row, place, repr(text)[-40:], "no white space at the ends")
        if not text.isascii() and not unicodedata.is_normalized("NFC", text):
            words = "{count} prediction{s} not in NFC: kept as written, compared after NFC"
            _tell(log, "predicted-not-nfc", words, table, row, place, "a text that is not NFC", "NFC")
        if gold is not None and len(text) > RUN_AWAY_LENGTH and len(text) > RUN_AWAY_FACTOR * len(gold):
            words = (
                "{count} run-away prediction{s}: far longer than the gold; pooled rates are led by them, means are not"
            )
            found = f"{len(text):,} characters for a gold of {len(gold):,}"
            _tell(log, "run-away", words, table, row, place, found, "a text about as long as the gold")
        if row.own_gold is not None and row.own_gold != gold and gold is not None:
            _warn_gold(table, row, place, gold, log)


def _warn_gold(table: Table, row: PredictionRow, place: int, gold: str, log: WarningLog) -> None:
    kind = compare_golds(gold, row.own_gold or "")
    if kind is not None:
        words = f"{{count}} prediction{{s}} with another gold than the item's ({kind}): the item's stays, --own-gold uses theirs"
        name = f"own-gold-{kind.name.lower().replace('_', '-')}"
        _tell(log, name, words, table, row, place, f"gold {row.own_gold!r:.60}", f"{gold!r:.60}", "gold")


def _tell(
    log: WarningLog,
    kind: str,
    words: str,
    table: Table,
    row: PredictionRow,
    place: int,
    found: str,
    expected: str,
    column: str = "predicted",
) -> None:
    log.add(kind, words, Problem(table.file, row.line, column, f"{table.where(place)}, id {row.id}: {found}", expected))
