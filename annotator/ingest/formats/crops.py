"""Line images cut out of a page's image by polygon or box."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from annotator.images.inspect import inspect_image
from annotator.images.paths import inside

Polygon = Sequence[tuple[float, float]]
_LEAST = 2  # pixels a side


def find_page_image(image: str, folder: Path) -> Path | None:
    """The page's image below `folder`: as its path says, else by its name alone."""
    for relative in dict.fromkeys((image, Path(image.replace("\\", "/")).name)):
        found = inside(folder, relative) if relative else None
        if found is not None and found.is_file() and not inspect_image(found).problem:
            return found
    return None


def cut_lines(image: str, polygons: Sequence[Polygon], folder: Path, target: Path) -> list[str] | None:
    """Cut lines out of a page and write them as PNG below `target`; return their names ('' for a line without a place).

    What lies outside a polygon becomes white. `None` when the page's image is not there.
    """
    page = find_page_image(image, folder)
    if page is None:
        return None
    from PIL import Image, ImageDraw, ImageOps

    from annotator.images.thumbnails import to_rgb

    with Image.open(page) as opened:
        whole = to_rgb(ImageOps.exif_transpose(opened))
    target.mkdir(parents=True, exist_ok=True)
    names = []
    for number, polygon in enumerate(polygons, start=1):
        box = _pixels(polygon, whole.size)
        if box is None:
            names.append("")
            continue
        crop = whole.crop(box)
        if len(polygon) > 2:
            mask = Image.new("L", crop.size, 0)
            ImageDraw.Draw(mask).polygon([(x - box[0], y - box[1]) for x, y in polygon], fill=255, outline=255)
            crop = Image.composite(crop, Image.new("RGB", crop.size, "white"), mask)
        names.append(f"line-{number:04d}.png")
        crop.save(target / names[-1])
    return names


def _pixels(polygon: Polygon, size: tuple[int, int]) -> tuple[int, int, int, int] | None:
    if len(polygon) < 2:
        return None
    xs, ys = [x for x, _ in polygon], [y for _, y in polygon]
    left, top = max(0, int(min(xs))), max(0, int(min(ys)))
    right, bottom = min(size[0], int(max(xs)) + 1), min(size[1], int(max(ys)) + 1)
    return (left, top, right, bottom) if right - left >= _LEAST and bottom - top >= _LEAST else None
