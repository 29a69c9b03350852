"""A project whose grid can be told by hand: 25 words of a made-up language, one in each cell."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from annotator.ingest.reference import import_reference
from annotator.records import Query
from annotator.store.project import Project
from tests.builders import build_project

QUERY = Query(reference="signs", resamples=200)


def words_of_the_grid() -> dict[str, float]:
    """Counts of a reference corpus in which word quintile and n-gram quintile can be chosen apart.

    A label of three letters is its own trigram; a longer word lends the trigram a count that the label has not.
    """
    counts: dict[str, float] = {}
    for i in range(5):
        for j in range(5):
            label = label_of(i + 1, j + 1)
            counts[label] = 50.0 - 10 * i - j
            counts[f"x{label}"] = 10_000.0 * (5 - j) + i
    return counts


def label_of(word: int, ngram: int) -> str:
    """The label made for a cell: three letters, unlike any other."""
    return "".join(chr(ord("a") + part) for part in (word, 5 + ngram, 15))


def grid_items(copies: int = 1, benchmark: str = "") -> list[dict[str, Any]]:
    """Items whose labels lie one in each cell, `copies` times."""
    return [
        {"id": f"{benchmark}{i}-{j}-{copy}", "gold": label_of(i, j).upper(), "benchmark": benchmark}
        for i in range(1, 6)
        for j in range(1, 6)
        for copy in range(copies)
    ]


def grid_project(
    folder: Path, items: Sequence[Mapping[str, Any]], answers: Mapping[str, Mapping[str, str]], reference: str = ""
) -> Project:
    """A project with the corpus `signs` and these items and answers."""
    project = build_project(folder / "project", items, answers)
    text = reference or "\n".join(f"{word}\t{count}" for word, count in words_of_the_grid().items())
    path = folder / "signs.tsv"
    path.write_text(text, encoding="utf-8")
    import_reference(project, path, "signs")
    return project


def right_but(items: Sequence[Mapping[str, Any]], wrong: Mapping[str, str]) -> dict[str, str]:
    """Every gold given back, except the answers of `wrong`."""
    return {str(item["id"]): wrong.get(str(item["id"]), str(item["gold"])) for item in items}


def give_confidence(project: Project, system: str, values: Mapping[str, Any]) -> None:
    """Set confidences by item id: a number for the whole answer, a list per character."""
    with project.write() as connection:
        for item_id, value in values.items():
            (key,) = connection.execute(
                "SELECT prediction_key FROM prediction JOIN item USING (item_key) JOIN run USING (run_key) "
                "JOIN system USING (system_key) WHERE item.id = ? AND system.name = ?",
                (item_id, system),
            ).fetchone()
            if isinstance(value, Sequence):
                connection.execute(
                    "INSERT INTO prediction_detail (prediction_key, char_confidence) VALUES (?, ?)",
                    (key, json.dumps(value)),
                )
            else:
                connection.execute("UPDATE prediction SET confidence = ? WHERE prediction_key = ?", (value, key))
