"""Texts of several scripts for the laws, from small alphabets so that ties are common."""

from __future__ import annotations

from hypothesis import strategies as st

ALPHABETS = {
    "two letters": "ab",
    "latin, NFC and NFD": "aeé\u0301\u0308 ",
    "bengali": "কখষতমরয\u09df\u09bc\u09cd\u09be\u09bf\u200d\u200c",
    "arabic": "ابتلم\u064b\u0651 ",
    "devanagari": "कषिरन\u094d\u093c",
    "hangul, jamo": "한\u1112\u1161\u11ab",
    "emoji": "👩👨\u200d\ufe0f❤🏽🇧🇩",
    "prepended marks": "\u0600\u0d4e 7ക\u0d4d\u0301",
    "line ends": "a\r\n\t ",
}

texts = st.one_of([st.text(alphabet, max_size=14) for alphabet in ALPHABETS.values()] + [st.text(max_size=10)])
pairs = st.one_of(
    [st.tuples(*[st.text(alphabet, max_size=14)] * 2) for alphabet in ALPHABETS.values()]
    + [st.tuples(st.text(max_size=8), st.text(max_size=8))]
)
