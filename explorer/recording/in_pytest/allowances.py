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
    """Return the kinds denoted by `word`: a kind, a part of its name (``reuse``), or ``any``.

    Raises BadAllowance for an unknown word.
    """
    kinds = tuple(kind for kind in checks() if word in (ANY, kind)) or tuple(
        kind for kind in checks() if word in kind.split("-")
    )
    if not kinds:
        raise BadAllowance(f"{word!r} is not a kind of finding. There is {ANY}, {', '.join(sorted(checks()))}.")
    return kinds


def read(words: str) -> Allowance:
    """Return the allowance in `words`, such as ``reuse in tests/test_model.py:12``. Raises BadAllowance."""
    form = _FORM.fullmatch(words.strip())
    if form is None:
        raise BadAllowance(f"{words!r} is not of the form {FORM}.")
    return Allowance(words, kinds_named(form["kind"]), form["file"] or "", int(form["line"] or 0))


def relative(file: str, root: Path) -> str:
    """Return the path of `file` relative to `root`, with slashes; the whole path outside of it."""
    path = Path(file)
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else path.as_posix()
