"""The settings in ``[tool.jax-explorer]`` of pyproject.toml, and its allowances of findings."""

from __future__ import annotations

import re
import tomllib
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from explorer.commands.repository import relative
from explorer.diagnostics.registry import checks
from explorer.messages import LEVELS, Finding, Level

ANY = "any"
FORM = "KIND, KIND in FILE or KIND in FILE:LINE"
_FORM = re.compile(r"(?P<kind>[\w-]+)(?:\s+in\s+(?P<file>.+?)(?::(?P<line>\d+))?)?")


class BadAllowance(Exception):
    """An invalid allowance; the message says why."""


class Allowance(NamedTuple):
    """Allows findings of some `kinds`, optionally only in files that match a pattern, or on one line."""

    words: str
    kinds: tuple[str, ...]
    file: str = ""
    line: int = 0

    def holds(self, finding: Finding, root: Path) -> bool:
        """Return whether it allows `finding`; its file patterns are relative to `root`.

        The uses of keys decide: a test that only makes a key is not responsible for a bug elsewhere.
        """
        if finding.kind not in self.kinds:
            return False
        return not self.file or any(
            fnmatchcase(relative(span.file, root), self.file)
            and (not self.line or span.line <= self.line <= span.end_line)
            for span in finding.spans
        )


def kinds_named(word: str) -> tuple[str, ...]:
    """Return the kinds that `word` means: a kind, a part of its name (``reuse``), or ``any``. Raises BadAllowance."""
    kinds = tuple(kind for kind in checks() if word in (ANY, kind)) or tuple(
        kind for kind in checks() if word in kind.split("-")
    )
    if not kinds:
        raise BadAllowance(f"{word!r} is not a kind of finding. There is {ANY}, {', '.join(sorted(checks()))}.")
    return kinds


def read_allowance(words: str) -> Allowance:
    """Return the allowance in `words`, such as ``reuse in tests/test_model.py:12``. Raises BadAllowance."""
    form = _FORM.fullmatch(words.strip())
    if form is None:
        raise BadAllowance(f"{words!r} is not of the form {FORM}.")
    return Allowance(words, kinds_named(form["kind"]), form["file"] or "", int(form["line"] or 0))


NAMES = ("levels", "paths", "allow", "values")


class BadSettings(Exception):
    """An invalid setting; the message says why."""


class PytestSettings(msgspec.Struct, frozen=True):
    """The settings for the tests below `root`."""

    root: Path
    levels: tuple[Level, ...] = ("bug",)
    """Levels of findings that fail a test."""
    paths: tuple[str, ...] = ()
    """Files and folders relative to `root`: findings elsewhere do not count. If empty, all count."""
    allow: tuple[Allowance, ...] = ()
    values: bool = False
    """Whether to check for out-of-bounds indices, NaN and narrowed types, too."""

    def counts(self, finding: Finding) -> bool:
        """Return whether `finding` is in the selected paths, by the uses of its keys."""
        spans = finding.spans
        return not self.paths or not spans or any(self._is_within(relative(span.file, self.root)) for span in spans)

    def allowance(self, finding: Finding) -> Allowance | None:
        """Return the first allowance for `finding`, or None."""
        return next((each for each in self.allow if each.holds(finding, self.root)), None)

    def _is_within(self, file: str) -> bool:
        return any(each == "." or file == each or file.startswith(f"{each}/") for each in self.paths)


def read(root: Path) -> PytestSettings:
    """Return the settings of the project at `root`. Raises BadSettings."""
    file = root / "pyproject.toml"
    if not file.is_file():
        return PytestSettings(root)
    try:
        with file.open("rb") as stream:
            table = tomllib.load(stream).get("tool", {}).get("jax-explorer", {})
        return _of_table(table, root)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadSettings(f"{file} cannot be read: {error}") from None
    except (BadSettings, BadAllowance) as error:
        raise BadSettings(f"[tool.jax-explorer] in {file}: {error}") from None


def _of_table(table: dict[str, Any], root: Path) -> PytestSettings:
    if unknown := sorted({*table} - {*NAMES}):
        raise BadSettings(f"{', '.join(unknown)} is not known. There is {', '.join(NAMES)}.")
    levels = _words(table, "levels", ["bug"])
    if wrong := [each for each in levels if each not in LEVELS]:
        raise BadSettings(f"levels has {wrong[0]!r}; a level is {', '.join(LEVELS)}.")
    values = table.get("values", False)
    if not isinstance(values, bool):
        raise BadSettings("values is neither true nor false.")
    return PytestSettings(
        root,
        tuple(level for level in LEVELS if level in levels),
        tuple(each.strip("/").removeprefix("./") for each in _words(table, "paths", [])),
        tuple(map(read_allowance, _words(table, "allow", []))),
        values,
    )


def _words(table: dict[str, Any], name: str, default: list[str]) -> list[str]:
    words = table.get(name, default)
    if not isinstance(words, list) or not all(isinstance(each, str) for each in words):
        raise BadSettings(f"{name} is not a list of texts.")
    return words
