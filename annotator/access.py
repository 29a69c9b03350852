"""Who may open what: roles, the owner's password (scrypt), and a brake on guessing it."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import ipaddress
import secrets
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from threading import Lock
from urllib.parse import urlsplit

from annotator.errors import UsageError

PASSWORD_VARIABLE = "VERBATIM_PASSWORD_HASH"
LEAST_LENGTH = 8
_N, _R, _P, _BYTES = 1 << 14, 8, 1, 32
_MOST_N = 1 << 20
_PROXY_HEADERS = ("X-Forwarded-For", "X-Real-Ip", "Forwarded")


class Role(StrEnum):
    """Owner makes studies and imports; a researcher reads; a rater has `/rate` alone."""

    OWNER = "owner"
    RESEARCHER = "researcher"
    RATER = "rater"


OWNERS = frozenset({Role.OWNER})
RESEARCHERS = frozenset({Role.OWNER, Role.RESEARCHER})
EVERYONE = frozenset(Role)


def is_loopback(address: str) -> bool:
    """True for an address that only this machine can reach."""
    if address == "localhost":
        return True
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False


def is_direct(headers: Mapping[str, str]) -> bool:
    """True when a request came from a browser on this machine: no proxy passed it on, and it names this machine.

    The second refuses pages of elsewhere whose name was made to point here (DNS rebinding). `headers` is asked for names
    as they are written in the standard; a request without a Host counts as direct.
    """
    if any(headers.get(name) for name in _PROXY_HEADERS):
        return False
    host = headers.get("Host") or "localhost"
    try:
        return is_loopback(urlsplit(f"//{host}").hostname or "")
    except ValueError:
        return False


def hash_password(password: str, salt: bytes | None = None) -> str:
    """Return `scrypt$N$r$p$salt$key` for `VERBATIM_PASSWORD_HASH`. A fresh random salt unless one is given.

    Raises `UsageError` when the password has fewer than 8 characters.
    """
    if len(password) < LEAST_LENGTH:
        raise UsageError(
            f"password: found {len(password)} characters; expected at least {LEAST_LENGTH}. Choose a longer one."
        )
    salt = secrets.token_bytes(16) if salt is None else salt
    key = _scrypt(password, salt, _N, _R, _P)
    return "$".join(["scrypt", str(_N), str(_R), str(_P), _text(salt), _text(key)])


def verify_password(password: str, stored: str) -> bool:
    """True when `password` is the one that `stored` was made from. Raises `UsageError` when `stored` is not such a hash."""
    try:
        name, n, r, p, salt, key = stored.strip().split("$")
        cost = int(n), int(r), int(p)
        if name != "scrypt" or not (1 < cost[0] <= _MOST_N and 0 < cost[1] <= 32 and 0 < cost[2] <= 16):
            raise ValueError(name)
        expected = base64.b64decode(key, validate=True)
        found = _scrypt(password, base64.b64decode(salt, validate=True), *cost)
    except (ValueError, binascii.Error) as error:
        raise UsageError(
            f"{PASSWORD_VARIABLE}: found a value that is not a password hash; "
            "expected what `annotator password` prints. Run it and set the variable again (in single quotes)."
        ) from error
    return hmac.compare_digest(found, expected)


def _scrypt(password: str, salt: bytes, n: int, r: int, p: int) -> bytes:
    return hashlib.scrypt(password.encode(), salt=salt, n=n, r=r, p=p, dklen=_BYTES, maxmem=256 * n * r)


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode()


def sign(stored: str, until: int) -> str:
    """Return a token that says "signed in until `until`" (seconds since 1970); it dies with the password it was made for."""
    mark = hmac.new(stored.encode(), f"verbatim|{until}".encode(), hashlib.sha256).hexdigest()
    return f"{until}.{mark}"


def is_signed(token: str, stored: str, now: float) -> bool:
    """True when `token` was made by `sign` for this password hash and has not run out."""
    until, dot, _ = token.partition(".")
    if not dot or not until.isascii() or not until.isdigit() or len(until) > 12 or int(until) < now:
        return False
    return hmac.compare_digest(token.encode(), sign(stored, int(until)).encode())


@dataclass(slots=True)
class LoginBrake:
    """Counts wrong passwords: after `limit` of them within `window` seconds, further tries wait.

    One brake serves the whole app, so that many sessions or addresses do not give more tries. A try is counted before its
    password is looked at, so that a thousand sent at the same moment get no further than `limit`. Safe for threads.
    """

    limit: int = 8
    window: float = 60.0
    _wrong: deque[float] = field(default_factory=deque)
    _lock: Lock = field(default_factory=Lock)

    def begin(self, now: float) -> float:
        """Take a try: 0 when it may go on, and it counts as wrong until `forgive`; else the seconds until one may."""
        with self._lock:
            while self._wrong and self._wrong[0] <= now - self.window:
                self._wrong.popleft()
            if len(self._wrong) >= self.limit:
                return self._wrong[0] + self.window - now
            self._wrong.append(now)
            return 0.0

    def forgive(self, began: float) -> None:
        """The try that began then had the right password."""
        with self._lock:
            if began in self._wrong:
                self._wrong.remove(began)
