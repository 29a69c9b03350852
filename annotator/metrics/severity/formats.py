"""Is a token with digits well formed: a number, a price, a date, a time, an ordinal, a code?"""

from __future__ import annotations

import unicodedata

import regex

_NUMBER = regex.compile(r"[+\-−]?\d{1,3}(?:([,.'’ \u00a0\u202f])\d{3}(?:\1\d{3})*)?(?:[.,]\d+)?|[+\-−]?\d+(?:[.,]\d+)?")
_MONEY_OR_UNIT = regex.compile(r"\p{Sc}?(?P<number>[\d.,'’]+)(?:\p{Sc}|%|°|\p{L}{1,3}\.?)?(?:/\p{L}{1,4})?")
_DATE = regex.compile(r"(?P<a>\d{1,4})(?P<sep>[./\-–])(?P<b>\d{1,2})(?P=sep)(?P<c>\d{1,4})")
_TIME = regex.compile(r"(?P<hour>\d{1,2})(?:[:.](?P<minute>\d{2}))?\s?(?P<half>[ap]\.?m\.?)?", regex.IGNORECASE)
_ORDINAL = regex.compile(r"(?P<number>\d+)(?P<suffix>st|nd|rd|th)", regex.IGNORECASE)
_CODE = regex.compile(r"(?:\p{Lu}+|\d+)(?:[\-/._ ]?(?:\p{Lu}+|\d+))*|#?\d+|\d+(?:[\-–/]\d+)+|\(?\+?\d[\d\-() ]+\d")
_EDGE = regex.compile(r"^[\p{P}\p{Z}--[#+\-−(%]]+|[\p{P}\p{Z}--[%)]]+$", regex.VERSION1)


def is_well_formed(token: str) -> bool:
    """True when a token that holds a digit reads as a number, price, date, time, ordinal or code.

    Digits of every script count, edge punctuation does not. `23th` (wrong ordinal), `1o24` (a letter inside a number) and
    `31/14/2020` (no such month) are not well formed. A token without a digit is never well formed.
    """
    text = _ascii_digits(_EDGE.sub("", token))
    if not any(ch.isdigit() for ch in text):
        return False
    if ordinal := _ORDINAL.fullmatch(text):
        return _suffix(int(ordinal["number"])) == ordinal["suffix"].casefold()
    if date := _DATE.fullmatch(text):
        return _is_date(*(int(date[name]) for name in "abc"))
    if (time := _TIME.fullmatch(text)) and (time["minute"] or time["half"]):
        return _is_time(int(time["hour"]), int(time["minute"] or 0), bool(time["half"]))
    if _NUMBER.fullmatch(text) or _CODE.fullmatch(text):
        return True
    money = _MONEY_OR_UNIT.fullmatch(text)
    return money is not None and _NUMBER.fullmatch(money["number"]) is not None


def _ascii_digits(text: str) -> str:
    return "".join(str(unicodedata.decimal(ch)) if ch.isdecimal() else ch for ch in text)


def _suffix(number: int) -> str:
    if number % 100 in (11, 12, 13):
        return "th"
    return {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")


def _is_date(a: int, b: int, c: int) -> bool:
    first, middle, last = a, b, c
    day_month = (first, middle) if first <= 31 else (last, middle)
    return max(day_month) <= 31 and min(day_month) <= 12 and min(day_month) >= 1


def _is_time(hour: int, minute: int, half_day: bool) -> bool:
    return minute < 60 and (1 <= hour <= 12 if half_day else hour <= 24)
