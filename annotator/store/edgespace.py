"""Which answers carry white space at the ends, in the answer or in the gold that it is scored against."""

from __future__ import annotations

import sqlite3

# What `str.isspace` says yes to; all of it lies in the first plane.
_WHITE = "".join(chr(point) for point in range(0x10000) if chr(point).isspace())
_AT_AN_END = "({0} != '' AND (instr(:white, substr({0}, 1, 1)) OR instr(:white, substr({0}, -1, 1))))"


def items_with_edge_space(connection: sqlite3.Connection, run_key: int, own_gold: bool) -> list[int]:
    """Keys of the items whose answer in a run, or its gold, begins or ends with white space; in ascending order."""
    gold = "coalesce(p.own_gold, i.gold, '')" if own_gold else "coalesce(i.gold, '')"
    rows = connection.execute(
        "SELECT p.item_key FROM prediction p JOIN item i USING (item_key) WHERE p.run_key = :run AND "
        f"({_AT_AN_END.format('p.predicted')} OR {_AT_AN_END.format(gold)}) ORDER BY p.item_key",
        {"run": run_key, "white": _WHITE},
    )
    return [int(key) for (key,) in rows]
