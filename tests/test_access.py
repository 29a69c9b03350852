"""Passwords, sign-in tokens and the brake on guessing."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from annotator.access import LoginBrake, hash_password, is_direct, is_loopback, is_signed, sign, verify_password
from annotator.errors import UsageError


def test_only_the_password_fits_its_hash() -> None:
    stored = hash_password("correct horse")
    assert verify_password("correct horse", stored)
    assert not verify_password("correct horse ", stored)
    assert hash_password("correct horse") != stored, "two hashes of one password have different salts"


def test_a_given_salt_makes_the_hash_reproducible() -> None:
    assert hash_password("correct horse", b"0" * 16) == hash_password("correct horse", b"0" * 16)


def test_short_password_is_refused() -> None:
    with pytest.raises(UsageError, match="at least 8"):
        hash_password("short")


@pytest.mark.parametrize(
    "stored",
    [
        "",
        "plain",
        "scrypt$a$b$c$d$e",
        "scrypt$16384$8$1$!!$!!",
        "scrypt$99999999999$8$1$AAAA$AAAA",
        "md5$2$8$1$AAAA$AAAA",
    ],
)
def test_what_is_no_hash_is_said_to_be_none(stored: str) -> None:
    with pytest.raises(UsageError, match="VERBATIM_PASSWORD_HASH"):
        verify_password("correct horse", stored)


def test_a_token_ends_with_its_time_and_its_password() -> None:
    token = sign("hash-1", 1000)
    assert is_signed(token, "hash-1", 999.0)
    assert not is_signed(token, "hash-1", 1001.0)
    assert not is_signed(token, "hash-2", 999.0)
    assert not is_signed(token.replace("1000", "9999"), "hash-1", 999.0)


@pytest.mark.parametrize("token", ["", ".", "x.y", "12", "²." + "0" * 64, "9" * 20 + ".ab"])
def test_malformed_tokens_are_not_signed(token: str) -> None:
    assert not is_signed(token, "hash", 0.0)


def test_brake_waits_after_the_limit_and_lets_go() -> None:
    brake = LoginBrake(limit=2, window=60.0)
    assert brake.begin(0.0) == 0.0
    assert brake.begin(10.0) == 0.0
    assert brake.begin(20.0) == pytest.approx(40.0)
    assert brake.begin(61.0) == 0.0, "a refused try is not counted"


def test_a_right_password_is_not_counted() -> None:
    brake = LoginBrake(limit=1, window=60.0)
    for now in range(5):
        assert brake.begin(float(now)) == 0.0
        brake.forgive(float(now))


def test_many_tries_at_one_moment_get_no_further_than_the_limit() -> None:
    brake = LoginBrake(limit=8)
    with ThreadPoolExecutor(16) as pool:
        waits = list(pool.map(lambda _: brake.begin(5.0), range(200)))
    assert waits.count(0.0) == 8


@pytest.mark.parametrize(
    ("address", "alone"),
    [
        ("127.0.0.1", True),
        ("localhost", True),
        ("::1", True),
        ("0.0.0.0", False),
        ("192.168.1.4", False),
        ("", False),
        ("host", False),
    ],
)
def test_loopback(address: str, alone: bool) -> None:
    assert is_loopback(address) is alone


@pytest.mark.parametrize(
    ("headers", "direct"),
    [
        ({}, True),
        ({"Host": "localhost:8501"}, True),
        ({"Host": "127.0.0.1:8501"}, True),
        ({"Host": "[::1]:8501"}, True),
        ({"Host": "verbatim.example"}, False),
        ({"Host": "127.0.0.1.example:8501"}, False),
        ({"Host": "[::1"}, False),
        ({"Host": "localhost", "X-Forwarded-For": "203.0.113.9"}, False),
        ({"Host": "localhost", "Forwarded": "for=203.0.113.9"}, False),
    ],
)
def test_a_request_through_a_proxy_or_by_another_name_is_not_direct(headers: dict[str, str], direct: bool) -> None:
    assert is_direct(headers) is direct
