"""Links and the way in: join, consent, guidelines, check."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable
from dataclasses import dataclass

from annotator.errors import AccessDeniedError, UsageError
from annotator.store.project import Project
from annotator.store.studies import find_study, study_by_key
from annotator.store.study_raters import (
    add_check_try,
    insert_invite,
    insert_rater,
    rater_by_key,
    rater_by_token,
    rename_rater,
    revoke_invites,
    set_preferences,
    set_stage,
    token_hash,
    use_invite,
)
from annotator.store.study_records import Rater, Study
from annotator.studies.kinds import WRITTEN
from annotator.studies.settings import read_settings

TokenMaker = Callable[[], str]


def new_token() -> str:
    """192 random bits for a link."""
    return secrets.token_urlsafe(24)


@dataclass(frozen=True, slots=True)
class Invitation:
    """Links that were just made. They are stored hashed: this is the only time they can be read."""

    study: str
    study_link: str
    rater_links: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Seat:
    """A rater and their study, found by a personal link."""

    rater: Rater
    study: Study


def invite(
    project: Project,
    name: str,
    *,
    count: int = 0,
    one_time: bool = False,
    base: str = "",
    tokens: TokenMaker = new_token,
) -> Invitation:
    """Make a study link (`count` 0), or `count` personal links, each with its pseudonym."""
    with project.write(raises_revision=False) as connection:
        study = find_study(connection, name)
        if not count:
            token = tokens()
            insert_invite(connection, study.key, token, one_time=one_time, at=project.clock())
            return Invitation(study.name, f"{base}/rate?join={token}")
        links = []
        for _index in range(count):
            token = tokens()
            rater = insert_rater(connection, study.key, token, seed=_seed(study, token), at=project.clock())
            links.append((rater.label, f"{base}/rate?as={token}"))
        return Invitation(study.name, "", tuple(links))


def revoke_study_links(project: Project, name: str) -> int:
    """Make every study link invalid; raters keep their personal links. Returns how many."""
    with project.write(raises_revision=False) as connection:
        return revoke_invites(connection, find_study(connection, name).key, project.clock())


def join(project: Project, token: str, tokens: TokenMaker = new_token) -> str:
    """Spend a study link: make a rater and return their personal token. Raises `AccessDeniedError`."""
    with project.write(raises_revision=False) as connection:
        study = study_by_key(connection, use_invite(connection, token))
        if study.state == "closed":
            raise AccessDeniedError("this study is closed. Thank you for your interest.")
        personal = tokens()
        insert_rater(connection, study.key, personal, seed=_seed(study, personal), at=project.clock())
        return personal


def take_seat(project: Project, token: str) -> Seat:
    """The rater of a personal link. Raises `AccessDeniedError` when it is not valid."""
    with project.read() as connection:
        rater = rater_by_token(connection, token)
        return Seat(rater, study_by_key(connection, rater.study_key))


def is_seat(project: Project, token: str) -> bool:
    """Whether a personal link is somebody's."""
    try:
        return bool(token) and take_seat(project, token) is not None
    except AccessDeniedError:
        return False


def consent(project: Project, rater_key: int) -> None:
    """Starting is consent: on to the guidelines."""
    _move(project, rater_key, "guidelines")


def begin_check(project: Project, rater_key: int) -> None:
    """The guidelines were read: on to the check, or to the tasks where the study has none."""
    with project.read() as connection:
        study = study_by_key(connection, rater_by_key(connection, rater_key).study_key)
    has_check = read_settings(study.settings).check_questions and study.kind not in WRITTEN
    _move(project, rater_key, "check" if has_check else "rating")


def finish_check(project: Project, rater_key: int, right: int) -> str:
    """Record a try at the check. Returns the stage that follows: `rating`, `check` (one more try) or `refused`."""
    with project.write(raises_revision=False) as connection:
        rater = rater_by_key(connection, rater_key)
        if rater.stage != "check":
            return rater.stage
        settings = read_settings(study_by_key(connection, rater.study_key).settings)
        add_check_try(connection, rater_key)
        passed, last = right >= settings.check_pass, rater.check_tries + 1 >= settings.check_tries
        stage = "rating" if passed else "refused" if last else "check"
        set_stage(connection, rater_key, stage, project.clock())
        return stage


def rename(project: Project, rater_key: int, label: str) -> None:
    """Change a pseudonym. Raises `UsageError` when it is empty or taken."""
    with project.write(raises_revision=False) as connection:
        rename_rater(connection, rater_by_key(connection, rater_key), label)


def prefer(project: Project, rater_key: int, *, locale: str, hotkeys: bool) -> None:
    """Remember the language of the guidelines and whether single keys answer."""
    if len(locale) > 20:
        raise UsageError(f"found the language {locale[:20]!r}; expected a short code such as en")
    with project.write(raises_revision=False) as connection:
        set_preferences(connection, rater_key, locale=locale, hotkeys=hotkeys)


def completion_code(token: str) -> str:
    """What a rater who is done can hand to whoever pays them; it does not lead back to the link."""
    return hashlib.sha256(f"done:{token_hash(token)}".encode()).hexdigest()[:8].upper()


def _move(project: Project, rater_key: int, stage: str) -> None:
    order = ("new", "guidelines", "check", "rating")
    with project.write(raises_revision=False) as connection:
        now = rater_by_key(connection, rater_key).stage
        if now in order and order.index(stage) > order.index(now):
            set_stage(connection, rater_key, stage, project.clock())


def _seed(study: Study, token: str) -> int:
    return int(hashlib.sha256(f"{study.seed}:{token}".encode()).hexdigest()[:12], 16)
