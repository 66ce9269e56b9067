"""The git repository around us: its top, paths from there, and the ``ChangedLines`` since a commit."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

# A program that is to `run` should find nothing of ours loaded.
if TYPE_CHECKING:
    from explorer.messages import Finding

_HUNK = re.compile(r"@@ -\S+ \+(\d+)(?:,(\d+))? @@")


class NoDifference(Exception):
    """The changes are unknown; the message says why."""


def top() -> Path:
    """Return the folder of the repository around the current folder; that folder itself where there is none."""
    here = Path.cwd()
    return next((each for each in (here, *here.parents) if (each / ".git").exists()), here)


def relative(file: str, root: Path) -> str:
    """Return the path of `file` from `root`, with slashes; the whole path where it is elsewhere."""
    path = Path(file).absolute()
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else path.as_posix()


class ChangedLines:
    """The changed lines by the path of their file; None for a whole file."""

    def __init__(self, lines: Mapping[Path, frozenset[int] | None]) -> None:
        self._lines = lines

    def has(self, finding: Finding, file: str = "") -> bool:
        """Return whether a place of `finding` was changed; places without a file are in `file`."""
        return any(self._has(span.file or file, range(span.line, span.end_line + 1)) for span in finding.all_spans)

    def _has(self, file: str, lines: Iterable[int]) -> bool:
        changed = self._lines.get(Path(file).resolve(), frozenset())
        return changed is None or any(line in changed for line in lines)


def changed(reference: str) -> ChangedLines:
    """Return the lines changed since this branch left `reference`, of files new to git all. Raises NoDifference."""
    root = top()
    _git(root, "rev-parse", "--verify", "--quiet", f"{reference}^{{commit}}", wrong=f"git knows no {reference}.")
    try:
        base = _git(root, "merge-base", reference, "HEAD").strip()
    except NoDifference:
        # A clone that is not deep enough to have it.
        base = reference
    form = ("--unified=0", "--no-color", "--no-ext-diff", "--no-prefix", "--no-renames", "--diff-filter=d", "-z")
    names = _git(root, "diff", "--name-only", *form[2:], base, "--").split("\0")
    lines: dict[Path, frozenset[int] | None] = {}
    for name in filter(None, names):
        hunks = _git(root, "diff", *form[:-1], base, "--", f":(top,literal){name}")
        # Lines of a notebook's JSON are none of its code.
        lines[(root / name).resolve()] = None if name.endswith(".ipynb") else frozenset(_new_lines(hunks))
    for name in filter(None, _git(root, "ls-files", "--others", "--exclude-standard", "-z").split("\0")):
        lines[(root / name).resolve()] = None
    return ChangedLines(lines)


def _new_lines(hunks: str) -> Iterable[int]:
    for line in hunks.splitlines():
        if found := _HUNK.match(line):
            start, count = int(found[1]), int(found[2] or 1)
            yield from range(start, start + count)


def _git(root: Path, *words: str, wrong: str = "") -> str:
    command = ["git", "-C", str(root), "-c", "core.quotePath=false", *words]
    try:
        done = subprocess.run(command, capture_output=True, check=False)
    except OSError as error:
        raise NoDifference(f"git could not be asked what was changed: {error.strerror}.") from None
    if done.returncode:
        error_line = done.stderr.decode(errors="replace").strip().partition("\n")[0]
        raise NoDifference(wrong or f"git could not report the changes: {error_line or 'it said nothing'}.")
    return done.stdout.decode(errors="surrogateescape")
