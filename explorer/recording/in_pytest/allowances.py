"""Allowances of a project: findings of a kind, anywhere, in some files or on one line."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from pathlib import Path
from typing import NamedTuple

from explorer.diagnostics.registry import checks
from explorer.messages import Finding

ANY = "any"
FORM = "KIND, KIND in FILE or KIND in FILE:LINE"
_FORM = re.compile(r"(?P<kind>[\w-]+)(?:\s+in\s+(?P<file>.+?)(?::(?P<line>\d+))?)?")


class BadAllowance(Exception):
    """An allowance is not valid; the message says why."""


class Allowance(NamedTuple):
    """Findings of some `kinds`, in files that match a pattern where one is given, on one line where one is given."""

    words: str
    kinds: tuple[str, ...]
    file: str = ""
    line: int = 0

    def holds(self, finding: Finding, root: Path) -> bool:
        """Return whether it allows `finding`; its files are below `root`.

        What counts is where keys were used: a test that only makes the key has nothing to do with a bug elsewhere.
        """
        if finding.kind not in self.kinds:
            return False
        return not self.file or any(
            fnmatchcase(relative(span.file, root), self.file)
            and (not self.line or span.line <= self.line <= span.end_line)
            for span in finding.spans
        )


def kinds_named(word: str) -> tuple[str, ...]:
    """Return the kinds that `word` stands for: a kind, a part of its name (``reuse``), or ``any``.

    Raises BadAllowance.
    """
    kinds = tuple(kind for kind in checks() if word in (ANY, kind)) or tuple(
        kind for kind in checks() if word in kind.split("-")
    )
    if not kinds:
        raise BadAllowance(f"{word!r} is not a kind of finding. There is {ANY}, {', '.join(sorted(checks()))}.")
    return kinds


def read(words: str) -> Allowance:
    """Return what `words` such as ``reuse in tests/test_model.py:12`` allow. Raises BadAllowance."""
    form = _FORM.fullmatch(words.strip())
    if form is None:
        raise BadAllowance(f"{words!r} is not of the form {FORM}.")
    return Allowance(words, kinds_named(form["kind"]), form["file"] or "", int(form["line"] or 0))


def relative(file: str, root: Path) -> str:
    """Return the path of `file` from `root`, with slashes; the whole path where it is elsewhere."""
    path = Path(file)
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else path.as_posix()
