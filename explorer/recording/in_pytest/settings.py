"""The settings in ``[tool.jax-explorer]`` of pyproject.toml."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from explorer.messages import LEVELS, Finding, Level
from explorer.recording.in_pytest import allowances
from explorer.recording.in_pytest.allowances import Allowance, relative

NAMES = ("levels", "paths", "allow", "values")


class BadSettings(Exception):
    """An invalid setting; the message says why."""


@dataclass(frozen=True)
class PytestSettings:
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
    except (BadSettings, allowances.BadAllowance) as error:
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
        tuple(map(allowances.read, _words(table, "allow", []))),
        values,
    )


def _words(table: dict[str, Any], name: str, default: list[str]) -> list[str]:
    words = table.get(name, default)
    if not isinstance(words, list) or not all(isinstance(each, str) for each in words):
        raise BadSettings(f"{name} is not a list of texts.")
    return words
