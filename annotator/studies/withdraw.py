"""Taking a rater out of a study, and back in. Answers are never deleted."""

from __future__ import annotations

from annotator.store.project import Project
from annotator.store.studies import find_study, task_counts
from annotator.store.study_raters import find_rater, restore_rater, withdraw_rater


def withdraw(project: Project, study: str, rater: str) -> int:
    """Exclude a rater's answers from every result and free their slots. Returns how many answers that concerns."""
    with project.write() as connection:
        found = find_study(connection, study)
        return withdraw_rater(connection, find_rater(connection, found.key, rater), project.clock())


def restore(project: Project, study: str, rater: str) -> tuple[int, int]:
    """Count a rater's answers again. Returns (answers, tasks that now have more answers than the overlap)."""
    with project.write() as connection:
        found = find_study(connection, study)
        answers = restore_rater(connection, find_rater(connection, found.key, rater))
        return answers, task_counts(connection, found, project.clock())["above"]
