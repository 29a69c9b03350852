"""How much a packed file may unpack to, before it is taken for one that was made to fill the memory."""

from __future__ import annotations

# Text packs to a tenth or a fiftieth; a file that unpacks a thousandfold was made to fill the memory.
MOST_RATIO, LEAST_BOMB, MOST_BYTES = 100, 64_000_000, 2_000_000_000


def most_unpacked(size: int) -> int:
    """The bytes that a packed file of `size` bytes may unpack to: 100 times as many, between 64 MB and 2 GB."""
    return min(MOST_BYTES, max(LEAST_BOMB, MOST_RATIO * size))
