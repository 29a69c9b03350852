"""Pages as PAGE-XML, ALTO and hOCR give them: lines with their places, cut out of the page's image where it is there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from annotator.errors import UsageError
from annotator.ingest.formats.brought import Brought, Kind, make_table
from annotator.ingest.formats.crops import cut_lines
from annotator.ingest.tables import Cells
from annotator.records import Box

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class PageLine:
    """One line (or word) of a page. `text` is `None` when the file gives none; `confidence` is in [0, 1]."""

    id: str
    text: str | None
    polygon: tuple[Point, ...] = ()
    confidence: float | None = None

    @property
    def box(self) -> Box | None:
        """The smallest upright box around the polygon."""
        if not self.polygon:
            return None
        xs, ys = [x for x, _ in self.polygon], [y for _, y in self.polygon]
        return Box(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))


@dataclass(frozen=True, slots=True)
class PageFile:
    """One page: its name (of the image, else of the file), the image's file name, and its lines in reading order."""

    file: str
    name: str
    image: str
    lines: tuple[PageLine, ...]
    sha256: str = ""
    notes: tuple[str, ...] = ()


def items_of(pages: Sequence[PageFile], folder: Path, scratch: Path, name: str) -> Brought:
    """Items of pages: ids `page/line`, document = page. Lines are cut out of the image where it lies beside the file."""
    rows, notes = list[Cells](), list[str]()
    made = False
    for page in pages:
        notes.extend(page.notes)
        crops = cut_lines(page.image, [line.polygon for line in page.lines], folder, scratch / page.name)
        made = made or crops is not None
        if crops is None and page.image:
            notes.append(f"{page.file}: the page image {page.image} is not beside it; items come without images")
        for number, line in enumerate(page.lines):
            if line.text is not None:
                image = f"{page.name}/{crops[number]}" if crops and crops[number] else ""
                rows.append((f"{page.name}/{line.id}", line.text, image, page.name, _box_text(line.box)))
    sha256 = pages[0].sha256 if len(pages) == 1 else ""
    table = make_table(name, ("id", "gold", "image", "document", "page_box"), rows, sha256=sha256, notes=notes)
    return Brought(table, scratch if made else folder, made)


def predictions_of(pages: Sequence[PageFile], folder: Path, name: str) -> Brought:
    """Predictions of pages, by the same ids."""
    rows = [
        (f"{page.name}/{line.id}", line.text, line.confidence)
        for page in pages
        for line in page.lines
        if line.text is not None
    ]
    sha256 = pages[0].sha256 if len(pages) == 1 else ""
    return Brought(make_table(name, ("id", "predicted", "confidence"), rows, sha256=sha256), folder)


def pairs_of(gold: PageFile, predicted: PageFile, folder: Path, scratch: Path) -> Brought:
    """Gold lines with the recognised lines that lie on them, joined by place; a line with none is a missing prediction."""
    items = items_of([gold], folder, scratch, gold.file)
    said = join_by_place(gold.lines, predicted.lines)
    kept = [line for line in gold.lines if line.text is not None]
    rows = [(*row, said.get(line.id)) for row, line in zip(items.table.rows, kept, strict=True)]
    unplaced = sum(1 for line in predicted.lines if line.text) - sum(
        len(v) for v in _placed(gold.lines, predicted.lines).values()
    )
    notes = [*items.table.notes]
    if unplaced:
        notes.append(f"{predicted.file}: {unplaced} lines lie on no line of {gold.file}; they are left out")
    columns = (*items.table.columns, "predicted")
    return Brought(make_table(gold.file, columns, rows, sha256=gold.sha256, notes=notes), items.root, items.made)


def join_by_place(gold: Sequence[PageLine], predicted: Sequence[PageLine]) -> dict[str, str]:
    """For each gold line the text of the predicted lines on it, in reading order with spaces between."""
    return {
        key: " ".join(line.text or "" for line in lines) for key, lines in _placed(gold, predicted).items() if lines
    }


def _placed(gold: Sequence[PageLine], predicted: Sequence[PageLine]) -> dict[str, list[PageLine]]:
    placed: dict[str, list[PageLine]] = {line.id: [] for line in gold if line.text is not None}
    for line in predicted:
        best = max(
            (each for each in gold if each.id in placed), key=lambda each: _overlap(each.box, line.box), default=None
        )
        if best is not None and line.text and _overlap(best.box, line.box) >= 0.5:
            placed[best.id].append(line)
    return placed


def _overlap(first: Box | None, second: Box | None) -> float:
    """Shared area over the smaller of two areas; 0 without places."""
    if first is None or second is None:
        return 0.0
    width = min(first.x + first.width, second.x + second.width) - max(first.x, second.x)
    height = min(first.y + first.height, second.y + second.height) - max(first.y, second.y)
    smaller = min(first.width * first.height, second.width * second.height)
    return max(width, 0) * max(height, 0) / smaller if smaller > 0 else 0.0


def _box_text(box: Box | None) -> str:
    return "" if box is None else f"{box.x:g},{box.y:g},{box.width:g},{box.height:g}"


def bring(pages: Sequence[PageFile], kind: Kind, folder: Path, scratch: Path, name: str) -> Brought:
    """Items or predictions of pages. Raises `UsageError` for pairs, which need a second file."""
    if kind is Kind.ITEMS:
        return items_of(pages, folder, scratch, name)
    if kind is Kind.PREDICTIONS:
        return predictions_of(pages, folder, name)
    raise UsageError(f"{name}: pairs of pages need a second file with what was recognised: --predicted FILE")
