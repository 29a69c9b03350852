"""Print the lowest versions that the requirement files allow, one `package==version` a line, as `uv` finds them.

python scripts/lowest.py requirements.txt requirements-login.txt > constraints.txt
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


def plain(name: str) -> str:
    """A package's name as it is compared: PyYAML is pyyaml, a.b_c is a-b-c."""
    return re.sub(r"[-_.]+", "-", name).lower()


def named(files: list[str]) -> frozenset[str]:
    """The packages that the files themselves name."""
    lines = [line.strip() for file in files for line in Path(file).read_text(encoding="utf-8").splitlines()]
    found = (NAME.match(line) for line in lines if line and not line.startswith(("#", "-")))
    return frozenset(plain(match.group()) for match in found if match)


def main() -> None:
    """Let `uv` resolve, and keep what the files name: the rest is left to the installer."""
    files = sys.argv[1:]
    compiled = subprocess.run(
        ["uv", "pip", "compile", "--quiet", "--no-annotate", "--no-header", "--resolution", "lowest-direct", *files],
        check=True, capture_output=True, text=True,
    ).stdout  # fmt: skip
    direct = named(files)
    print("\n".join(line for line in compiled.splitlines() if plain(line.partition("==")[0]) in direct))


if __name__ == "__main__":
    main()
