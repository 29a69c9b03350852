"""Any program that takes an image file and prints a text."""

from __future__ import annotations

import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from annotator.errors import EngineError, EngineRefusedError, UsageError
from annotator.runners.base import About, ConfidenceKind, Recognition, Sees

if TYPE_CHECKING:
    from PIL import Image

MOST_BYTES = 1_000_000


class CommandRecogniser:
    """A program called once per image, without a shell.

    `template` is split as a shell would split it; `{image}` in an argument becomes the path of a PNG of the target,
    `{language}` the item's language. What the program prints (UTF-8), less its last line break, is the text. A program
    that ends with another status than 0, prints nothing decodable, or runs longer than `timeout` seconds fails the item.
    """

    confidence_kind = ConfidenceKind.UNKNOWN
    sees = Sees.TARGET

    def __init__(self, template: str, *, timeout: float = 60.0) -> None:
        try:
            self._arguments = shlex.split(template)
        except ValueError as error:
            raise UsageError(f"command: found {template!r}, which cannot be split ({error})") from error
        if not self._arguments or not any("{image}" in argument for argument in self._arguments[1:]):
            raise UsageError(f"command: found {template!r}; expected a program and {{image}} among its arguments")
        self.name = f"command:{Path(self._arguments[0]).name}"
        self._timeout = timeout

    def check(self, languages: Iterable[str]) -> None:
        """The program must be there."""
        if shutil.which(self._arguments[0]) is None:
            raise EngineRefusedError(f"program {self._arguments[0]!r} was not found: install it, or give its full path")

    def reads(self, language: str) -> bool:
        """Always tried."""
        return True

    def recognise(self, image: Image.Image, about: About) -> Recognition:
        """Write the image to a file that is removed afterwards, run the program, take what it prints."""
        with tempfile.TemporaryDirectory(prefix="verbatim-") as folder:
            path = Path(folder) / "image.png"
            image.save(path, "PNG")
            values = {"{image}": str(path), "{language}": about.language}
            arguments = [self._arguments[0], *(_filled(argument, values) for argument in self._arguments[1:])]
            printed = self._run(arguments)
        return Recognition(printed.removesuffix("\n").removesuffix("\r"), raw=None)

    def _run(self, arguments: list[str]) -> str:
        try:
            done = subprocess.run(
                arguments, stdin=subprocess.DEVNULL, capture_output=True, timeout=self._timeout, check=False
            )
        except subprocess.TimeoutExpired as error:
            raise EngineError(f"{self.name} took longer than {self._timeout:g} s") from error
        except OSError as error:
            raise EngineRefusedError(f"{self.name} cannot be started: {error.strerror}") from error
        if done.returncode:
            said = done.stderr.decode(errors="replace").strip()[-200:]
            raise EngineError(f"{self.name} ended with status {done.returncode}: {said or 'it said nothing'}")
        if len(done.stdout) > MOST_BYTES:
            raise EngineError(f"{self.name} printed {len(done.stdout):,} bytes; at most {MOST_BYTES:,} are taken")
        try:
            return done.stdout.decode("utf-8")
        except UnicodeDecodeError as error:
            raise EngineError(f"{self.name} printed bytes that are not UTF-8 (byte {error.start})") from error

    def close(self) -> None:
        """Nothing stays open."""


def _filled(argument: str, values: dict[str, str]) -> str:
    for name, value in values.items():
        argument = argument.replace(name, value)
    return argument
