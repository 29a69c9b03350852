"""Script tables: what ships is sound, a new script is a new file, a wrong table is named."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest

from annotator.errors import FileError
from annotator.metrics.taxonomy.scripts import AUTO, dominant_scripts, load_script, script_names, table_for
from annotator.text.scripts import SCRIPTS, script_of


@pytest.mark.parametrize("name", script_names()[1:])
def test_shipped_tables_are_sound(name: str) -> None:
    table = load_script(name)
    assert set(table.scripts) <= set(SCRIPTS)
    for sign in table.vowel_signs | table.nasal_signs | table.letter_marks:
        assert unicodedata.category(sign)[0] == "M", sign
    for letter in (*table.homophones, *table.vowel_letters):
        assert unicodedata.normalize("NFC", letter) == letter
        assert script_of(letter) in table.scripts
    for ch, value in table.digits.items():
        assert unicodedata.digit(ch) == int(value)


def test_brahmic_tables_name_every_vowel_sign_of_their_block() -> None:
    for name, first in (("bengali", 0x0980), ("devanagari", 0x0900)):
        block = (chr(code) for code in range(first, first + 0x80))
        signs = {ch for ch in block if "VOWEL SIGN" in unicodedata.name(ch, "")}
        assert signs <= load_script(name).vowel_signs


def test_a_new_script_is_a_new_file(tmp_path: Path) -> None:
    (tmp_path / "tamil.yaml").write_text('scripts: [Tamil]\nvowel_signs: "ாி"\n', encoding="utf-8")
    assert script_names(tmp_path) == (AUTO, "tamil")
    table = load_script("tamil", tmp_path)
    assert (table.spaced, table.vowel_signs, table.digits) == (True, {"ா", "ி"}, {})


WRONG = [
    ("- a list", "no list of Unicode script names"),
    ("scripts: [X]\nvowels: a", "column vowels: found an unknown key"),
    ('scripts: [X]\nvowel_signs: "ab"\nnasal_signs: "b"', "U+0062 in 2 kinds of sign"),
    ('scripts: [X]\ndigits: ["012"]', "expected ten digits"),
    ("scripts: [", "cannot be read"),
]


@pytest.mark.parametrize(("text", "message"), WRONG)
def test_a_wrong_table_is_refused_with_what_was_found(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "x.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(FileError) as caught:
        load_script("x", tmp_path)
    assert message in str(caught.value)


DOMINANT = [
    ("", ()),
    ("12 !?", ()),
    ("কখ ab", ("bengali", "latin")),
    ("ab কখগ", ("bengali",)),
    ("漢字かな", ("cjk",)),
    ("ключ", ("Cyrillic",)),
]


@pytest.mark.parametrize(("text", "expected"), DOMINANT)
def test_dominant_scripts(text: str, expected: tuple[str, ...]) -> None:
    assert dominant_scripts(text) == expected


def test_the_table_of_a_text() -> None:
    assert table_for("ab কখ", AUTO).name == "latin"
    assert table_for("ключ", AUTO).name == table_for("12", AUTO).name == "common"
    assert table_for("ab", "bengali").name == "bengali"
