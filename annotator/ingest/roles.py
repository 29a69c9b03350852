"""What the user says of a condition: deployment-realistic, oracle, or nothing."""

from __future__ import annotations

from annotator.errors import UsageError
from annotator.store.errorblocks import set_condition_role
from annotator.store.names import read_names
from annotator.store.project import Project, read_revision

ROLES = ("realistic", "oracle", "none")


def mark_condition(project: Project, condition: str, role: str) -> int:
    """Mark every run under `condition` as `realistic`, `oracle` or (`none`) neither; returns how many runs have it.

    Oracle conditions are shown everywhere and chosen nowhere. Raises `UsageError` for unknown roles and conditions.
    """
    if role not in ROLES:
        raise UsageError(f"role: found {role!r}; expected one of {', '.join(ROLES)}")
    with project.read() as connection:
        known = read_names(connection, read_revision(connection)).conditions
    if condition not in known:
        raise UsageError(f"unknown condition: found {condition!r}; expected one of: {', '.join(known) or 'none yet'}")
    with project.write() as connection:
        return set_condition_role(connection, condition, "" if role == "none" else role)
