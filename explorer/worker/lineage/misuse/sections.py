"""Keys that the parts of a script make anew from one seed, as the sections of a notebook do, mostly on purpose."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from explorer.figures.equal_rows import Integers
from explorer.worker.lineage.key_uses import KeyOperation
from explorer.worker.lineage.lineage import Lineage
from explorer.worker.lineage.misuse.reuse_causes import ReuseCause
from explorer.worker.lineage.misuse.routes import Path

SECTION_LINES = 10
"""Seeds at module level that are further apart belong to different parts of a program."""
MANY_SECTIONS = 4
"""Number of lines that start from one seed; with so many it is the program's custom..."""
CUSTOM_LINES = 5
"""... if every second of them is further than this from the one before."""


class ScriptSections:
    """Answers for the causes in a program whether the parts of the script start from one seed."""

    def __init__(self, known: Lineage, found: Iterable[ReuseCause]) -> None:
        self._known = known
        self._is_custom = any(_is_custom(self._makers(cause)) for cause in found)

    def __call__(self, cause: ReuseCause) -> bool:
        """Return whether each place makes its keys once, and the places are far apart or it is the program's custom."""
        makers = self._makers(cause)
        return bool(makers) and (self._is_custom or _are_apart(makers))

    def _makers(self, cause: ReuseCause) -> list[KeyOperation]:
        """Return the makers of the keys if all make them from seeds, and none makes a key again."""
        makers = [self._known.book.uses[number] for number in cause.makings]
        seeds = [uses.made for uses in makers if uses.event.operation == "seed" and uses.made is not None]
        once = len(seeds) == len(makers) and all(np.unique(made).size == made.size for made in seeds)
        return makers if cause.kind == "made" and once else []


def _is_custom(makers: Iterable[KeyOperation]) -> bool:
    paths = _paths(makers)
    return len({path[-1] for path in paths}) >= MANY_SECTIONS and bool(np.median(_gaps(paths)) > CUSTOM_LINES)


def _are_apart(makers: Iterable[KeyOperation]) -> bool:
    """Return whether each has a place of its own, far from the others, two or more of them at module level."""
    paths = _paths(makers)
    if len({path[-1] for path in paths}) < len(paths) or sum(len(path) == 1 for path in paths) < 2:
        return False
    return bool(_gaps(paths).min() > SECTION_LINES)


def _paths(makers: Iterable[KeyOperation]) -> set[Path]:
    return {uses.call_site.path for uses in makers if uses.call_site.path}


def _gaps(paths: Iterable[Path]) -> Integers:
    """Return the numbers of lines between those that the script itself was at when the keys were made."""
    return np.diff(sorted(path[0].line for path in paths))
