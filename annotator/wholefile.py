"""Files that appear whole: whoever reads, and whoever comes after a crash, finds the old file or the new one."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def whole_file(out: Path) -> Iterator[Path]:
    """Yield a path beside `out` to write to; it takes the place of `out`, synced to disk, when the block ends well.

    A block that raises leaves `out` as it was. A process that is killed may leave `NAME.PID.part`, which nothing reads.
    Raises `OSError` as writing does.
    """
    part = out.with_name(f"{out.name}.{os.getpid()}.part")
    try:
        yield part
        with part.open("rb") as written:
            os.fsync(written.fileno())
        part.replace(out)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
