"""Language tags (BCP 47)."""

from __future__ import annotations


def primary_subtag(tag: str) -> str:
    """The primary language subtag in lower case: `en` of `en-GB` and of `en_GB`, "" of "". Source: RFC 5646, 2.2.1."""
    return tag.casefold().replace("_", "-").partition("-")[0]
