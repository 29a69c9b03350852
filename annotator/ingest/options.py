"""What the user may say about a file."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

# Here, where nothing heavy is imported: the command's help names them without loading a reader.
FORMATS = (
    "table",
    "icdar",
    "text",
    "page",
    "alto",
    "hocr",
    "label-studio",
    "semcer",
    "lmdb",
    "image-folder",
    "lines",
    "images",
)


@dataclass(frozen=True, slots=True)
class ImportOptions:
    """The options of every import, named as on the command line. `mapping` holds (field, column) choices.

    `images` is the image root (default: the file's folder). `join` names the rules by which ids that differ may meet;
    `format` the reader (default: found from the content); `level` line or word, of pages;
    `confidence_kind` what the confidences of the file's systems are ("" leaves what is noted).
    """

    mapping: tuple[tuple[str, str], ...] = ()
    images: Path | None = None
    language: str = ""
    encoding: str | None = None
    system: str = ""
    condition: str = ""
    wide: bool = False
    replace: bool = False
    dry_run: bool = False
    quoted: bool = False
    strict: bool = False
    box: str | None = None
    copy_images: bool = False
    no_gold: bool = False
    join: tuple[str, ...] = ()
    format: str = ""
    level: str = ""
    confidence_kind: str = ""

    def __post_init__(self) -> None:
        # Names are compared as text without white space at the ends; a blank one is none.
        object.__setattr__(self, "system", self.system.strip())
        object.__setattr__(self, "condition", self.condition.strip())

    def changed(self, **changes: Any) -> ImportOptions:
        """The same options but for `changes`."""
        return replace(self, **changes)

    def document(self) -> dict[str, Any]:
        """The options that were given, for the log."""
        given = {name: value for name, value in asdict(self).items() if value not in ((), "", None, False)}
        return {name: str(value) if isinstance(value, Path) else value for name, value in given.items()}
