"""Tesseract's names for languages, and the folders where its data lies."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from annotator.errors import EngineError

# BCP 47 (language, or language-Script) -> Tesseract's code.
CODES = {
    "ar": "ara", "as": "asm", "bg": "bul", "bn": "ben", "cs": "ces", "da": "dan", "de": "deu", "el": "ell", "en": "eng",
    "es": "spa", "fa": "fas", "fi": "fin", "fr": "fra", "gu": "guj", "he": "heb", "hi": "hin", "hu": "hun", "id": "ind",
    "it": "ita", "ja": "jpn", "kn": "kan", "ko": "kor", "ml": "mal", "mr": "mar", "ms": "msa", "ne": "nep", "nl": "nld",
    "no": "nor", "or": "ori", "pa": "pan", "pl": "pol", "pt": "por", "ro": "ron", "ru": "rus", "si": "sin", "sv": "swe",
    "ta": "tam", "te": "tel", "th": "tha", "tr": "tur", "uk": "ukr", "ur": "urd", "vi": "vie", "zh": "chi_sim",
    "zh-hant": "chi_tra", "zh-tw": "chi_tra", "zh-hk": "chi_tra",
}  # fmt: skip


def tesseract_code(language: str) -> str:
    """Tesseract's code of a BCP 47 tag: the longest known prefix; `eng` for "", the tag itself when unknown."""
    parts = language.lower().replace("_", "-").split("-")
    for length in range(len(parts), 0, -1):
        code = CODES.get("-".join(parts[:length]))
        if code:
            return code
    return language or "eng"


def find_tessdata() -> Path:
    """The folder of the installed language packs: `TESSDATA_PREFIX`, Debian's folders, or what the program says."""
    prefix = os.environ.get("TESSDATA_PREFIX", "")
    candidates = [Path(prefix), Path(prefix) / "tessdata"] if prefix else []
    candidates += sorted(Path("/usr/share/tesseract-ocr").glob("*/tessdata"), reverse=True)
    candidates += [Path("/usr/share/tessdata"), Path("/usr/local/share/tessdata"), Path("/opt/homebrew/share/tessdata")]
    for folder in candidates:
        if any(folder.glob("*.traineddata")):
            return folder
    raise EngineError(
        "Tesseract's language packs were not found: apt-get install tesseract-ocr, or set TESSDATA_PREFIX."
    )


def require_packs(folder: Path, codes: str) -> None:
    """Raise `EngineError` with the package to install when a pack of `eng+ben...` is not in `folder`."""
    missing = [code for code in codes.split("+") if not (folder / f"{code}.traineddata").is_file()]
    if missing:
        packages = " ".join("tesseract-ocr-" + code.lower().replace("_", "-") for code in missing)
        raise EngineError(
            f"Tesseract has no language pack {', '.join(missing)} in {folder}: apt-get install {packages}"
        )


def strip_dictionaries(folder: Path, code: str, cache: Path) -> Path:
    """A folder under `cache` that holds the pack `code` without its word, number and punctuation dictionaries.

    The network is the same, byte for byte: `combine_tessdata` unpacks the pack, the `*-dawg` parts are left out, and
    the rest is packed again. Setting `load_*_dawg` to 0 does not do this in the LSTM engine. Made once per pack.
    """
    source = folder / f"{code}.traineddata"
    stamp = source.stat()
    target = cache / f"{code}-{stamp.st_size}-{int(stamp.st_mtime)}"
    if (target / source.name).is_file():
        return target
    work = cache / f".{target.name}-{os.getpid()}"
    work.mkdir(parents=True, exist_ok=True)
    _combine("-u", str(source), str(work / f"{code}."))
    for part in work.glob(f"{code}.*dawg"):
        part.unlink()
    _combine(str(work / f"{code}."))
    target.mkdir(parents=True, exist_ok=True)
    (work / source.name).replace(target / source.name)
    for part in work.iterdir():
        part.unlink()
    work.rmdir()
    return target


def _combine(*arguments: str) -> None:
    try:
        done = subprocess.run(
            ["combine_tessdata", *arguments], capture_output=True, text=True, timeout=120, check=False
        )
    except FileNotFoundError as error:
        raise EngineError("combine_tessdata was not found: apt-get install tesseract-ocr") from error
    if done.returncode:
        raise EngineError(f"combine_tessdata {' '.join(arguments)} failed: {done.stderr.strip()[-200:]}")
