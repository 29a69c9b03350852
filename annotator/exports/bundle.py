"""One zip with everything a reader of the data needs: tables, what they leave out, a data dictionary, versions, counts."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from annotator import __version__
from annotator.errors import UsageError
from annotator.exports.aggregates import aggregates_table
from annotator.exports.dictionary import dictionary_table
from annotator.exports.tables import edits_table, items_table, predictions_table
from annotator.exports.writing import SCHEMA_VERSION, Format, Table, Written, describe, write_table
from annotator.records import Query
from annotator.store.project import Project
from annotator.studies.progress import list_studies
from annotator.text.align import alignment_version
from annotator.wholefile import whole_file


def write_bundle(
    project: Project, query: Query, out: Path, format: Format = Format.CSV, *, excel: bool = False
) -> Written:
    """Write items, predictions, edits and the aggregates of every study as one zip; single ratings are not in it.

    `meta.json` in it, and the same text as `.meta.json` beside it, say what each table holds and leaves out. Raises `UsageError` when the place cannot be written.
    """
    total = 0
    described: list[dict[str, Any]] = []
    meta = out.with_name(out.name + ".meta.json")
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        with (
            TemporaryDirectory() as folder,
            whole_file(meta) as meta_part,
            whole_file(out) as part,
            zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as bundle,
        ):
            for name, table in _tables(project, query):
                written = write_table(project, table, Path(folder) / f"{name}.{format.value}", format, excel=excel)
                bundle.write(written.path, written.path.name)
                described.append({"file": written.path.name, **describe(project, table, excel=excel)})
                total += written.rows if name != "dictionary" else 0
            about = json.dumps(_about(project, described, total), ensure_ascii=False, indent=2) + "\n"
            bundle.writestr("meta.json", about)
            meta_part.write_text(about, encoding="utf-8")
            meta.unlink(missing_ok=True)  # the old description never stands beside the new bundle
    except OSError as error:
        raise UsageError(
            f"cannot write {out}: {error.strerror}; expected a folder that can be written (--out)"
        ) from error
    return Written(out, total, meta)


def _about(project: Project, described: Sequence[Mapping[str, Any]], rows: int) -> dict[str, Any]:
    return {
        "export": "bundle",
        "product": f"verbatim {__version__}",
        "schema_version": SCHEMA_VERSION,
        "project_revision": project.revision(),
        "alignment_version": alignment_version(),
        "rows": rows,
        "left_out": {table["file"]: table["left_out"] for table in described if table["left_out"]},
        "tables": list(described),
    }


def _tables(project: Project, query: Query) -> Iterator[tuple[str, Table]]:
    tables = [
        ("items", items_table(project, query)),
        ("predictions", predictions_table(project, query)),
        ("edits", edits_table(project, query)),
    ]
    for study, _ in list_studies(project):
        name = "".join(ch if ch.isalnum() or ch in "-_" else "-" for ch in study.name)
        tables.append((f"aggregates-{name}", aggregates_table(project, study.name)))
    yield from tables
    yield "dictionary", dictionary_table(tables)
