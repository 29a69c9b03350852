"""Ask the advisory database about the locked packages, where it can be reached; say so in words where it cannot.

python scripts/audit.py requirements.lock    # exit status 1: a known weakness; 0: none, or nobody could be asked
"""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

SECONDS = 120


def ask(file: str) -> tuple[list[dict[str, Any]], str]:
    """What pip-audit says of every package, or why it said nothing."""
    command = [sys.executable, "-m", "pip_audit", "--format", "json", "--no-deps", "--disable-pip", "-r", file]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return [], f"no answer in {SECONDS} seconds"
    try:
        return list(json.loads(done.stdout)["dependencies"]), ""
    except (json.JSONDecodeError, KeyError):
        return [], (done.stderr.strip().splitlines() or ["pip-audit said nothing"])[-1]


def main() -> int:
    """Print what is known, and return the exit status."""
    found, why = ask(sys.argv[1])
    asked = [each for each in found if "skip_reason" not in each]
    weak = [(each, fault) for each in asked for fault in each.get("vulns", [])]
    for each, fault in weak:
        print(
            f"{each['name']} {each['version']}: {fault['id']}, mended in {', '.join(fault['fix_versions']) or 'none'}"
        )
    if why or not asked:
        print(f"not audited: {why or 'the advisory database knows none of the packages from here'}")
    else:
        print(f"audited {len(asked)} of {len(found)} packages: {len(weak)} known weaknesses")
    return 1 if weak else 0


if __name__ == "__main__":
    sys.exit(main())
