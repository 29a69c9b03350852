"""A transcription study as a dataset: settled texts with labels and splits, and a draft of its datasheet."""

from __future__ import annotations

import random
import zipfile
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from annotator.errors import UsageError
from annotator.exports.datasheet import Facts, datasheet
from annotator.exports.writing import Cell, Format, Table, Written, write_table
from annotator.records import Query
from annotator.store.detail import ItemFields, read_item_fields
from annotator.store.project import Project
from annotator.studies.adjudicate import Case, cases, final_text
from annotator.studies.agreement import study_agreement
from annotator.studies.written import Flag
from annotator.studies.written import Written as Answer
from annotator.wholefile import whole_file

_NAMES = {2: ("train", "test"), 3: ("train", "validation", "test")}
_COLUMNS = ("id", "gold", "standard", "image", "language", "document", "split", "flags")


@dataclass(frozen=True, slots=True)
class DatasetWritten:
    """Where the dataset and its datasheet are, and how many rows each split has."""

    table: Written
    datasheet: Path
    splits: Mapping[str, int]
    left_out: Mapping[str, int]


def export_dataset(
    project: Project,
    study: str,
    out: Path,
    ratios: Sequence[float] = (50, 10, 40),
    seed: int = 0,
    format: Format = Format.CSV,
    *,
    excel: bool = False,
    query: Query | None = None,
) -> DatasetWritten:
    """Write the settled items of a transcription study, with splits by `ratios`, and `datasheet.md` beside.

    Items of one document stay in one split. Items in dispute, unreadable ones and ones without an answer are left out and
    counted. Raises `UsageError` for ratios that are no shares and for another kind of study.
    """
    if not ratios or any(ratio < 0 for ratio in ratios) or sum(ratios) <= 0:
        raise UsageError(f"found the split {','.join(f'{r:g}' for r in ratios)}; expected shares such as 50,10,40")
    found = cases(project, study, query)
    finals = {case.task.item_id: final for case in found if (final := final_text(case)) is not None}
    kept = {item: final for item, final in finals.items() if Flag.UNREADABLE not in final.flags}
    items = _items(project, found, kept)
    splits = assign_splits([item.document or item.id for item in items], ratios, seed)
    labels = sorted({label for final in kept.values() for label in final.labels})
    rows = [_row(item, kept[item.id], split, labels) for item, split in zip(items, splits, strict=True)]
    left_out = {
        "in dispute": sum(final_text(case) is None for case in found),
        "unreadable": len(finals) - len(kept),
        "no longer in the project": len(kept) - len(items),
    }
    table = Table("dataset", (*_COLUMNS, *labels), rows, {reason: n for reason, n in left_out.items() if n})
    written = write_table(project, table, out, format, excel=excel)
    facts = Facts(
        study,
        table,
        Counter(splits),
        study_agreement(project, study, resamples=1_000, query=query),
        tuple(ratios),
        seed,
    )
    sheet = out.with_name("datasheet.md")
    with whole_file(sheet) as part:
        part.write_text(datasheet(facts), encoding="utf-8")
    return DatasetWritten(written, sheet, Counter(splits), table.left_out)


def zip_dataset(
    project: Project,
    study: str,
    out: Path,
    ratios: Sequence[float] = (50, 10, 40),
    seed: int = 0,
    format: Format = Format.CSV,
    *,
    excel: bool = False,
) -> DatasetWritten:
    """The files of `export_dataset` as one zip at `out`; the same errors. The paths in the result name files in the zip."""
    with TemporaryDirectory() as folder:
        done = export_dataset(
            project, study, Path(folder) / f"dataset.{format.value}", ratios, seed, format, excel=excel
        )
        with whole_file(out) as part, zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as bundle:
            for path in sorted(Path(folder).iterdir()):
                bundle.write(path, path.name)
    return done


def split_shares(text: str) -> list[float]:
    """Shares of train, validation and test from `50,10,40`. Raises `UsageError` for what is no list of numbers."""
    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        raise UsageError(f"found the split {text!r}; expected shares such as 50,10,40") from None


def assign_splits(groups: Sequence[str], ratios: Sequence[float], seed: int) -> list[str]:
    """A split name per row. Rows of one group stay together; sizes are as near to the ratios as groups allow.

    Groups are taken in random order, each to the split that is furthest below its share.
    """
    names = _NAMES.get(len(ratios), tuple(f"split-{i}" for i in range(1, len(ratios) + 1)))
    sizes = Counter(groups)
    order = sorted(sizes)
    random.Random(f"{seed}:split").shuffle(order)
    order.sort(key=lambda group: -sizes[group])  # large documents first, while there is room to balance them
    wanted = [len(groups) * ratio / sum(ratios) for ratio in ratios]
    given, place = [0] * len(ratios), {}
    for group in order:
        best = max(range(len(ratios)), key=lambda i: (wanted[i] - given[i], wanted[i]))
        given[best] += sizes[group]
        place[group] = names[best]
    return [place[group] for group in groups]


def _items(project: Project, found: Sequence[Case], kept: Mapping[str, Answer]) -> list[ItemFields]:
    keys = [case.task.item_key for case in found if case.task.item_key is not None and case.task.item_id in kept]
    with project.read() as connection:
        return list(read_item_fields(connection, keys))


def _row(item: ItemFields, final: Answer, split: str, labels: Sequence[str]) -> tuple[Cell, ...]:
    standard = final.standard if final.standard != final.verbatim else ""
    plain = (item.id, final.verbatim, standard, item.image, item.language, item.document, split, " ".join(final.flags))
    return (*plain, *(final.labels.get(label, "") for label in labels))
