"""The records ``Check``, a kind of finding, and ``Explanation``, an error, with their texts; levels and parts."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Literal, get_args

import msgspec


class Explanation(msgspec.Struct, frozen=True):
    """An explanation of one error, in English; a catalogue holds the translations."""

    types: str
    """Names of exception classes, separated by spaces; a base class includes its subclasses."""
    message: str = ""
    """A regular expression to search for in the message."""
    text: str = ""
    """The event, its reason in JAX, and the usual fixes, with named groups of `message`.

    For an error during tracing also with {stand_in}, the origin of the tracer, and {otherwise}, the alternatives.
    """
    lesson: str = ""
    """The id of the lesson on it; empty if there is none."""

    def match(self, types: Collection[str], message: str) -> re.Match[str] | None:
        """Return the match of `message` for an error of the classes `types`, bases included, or None."""
        return None if set(types).isdisjoint(self.types.split()) else re.search(self.message, message, re.DOTALL)


Level = Literal["bug", "warning", "note"]
LEVELS: tuple[Level, ...] = get_args(Level)
"""The most severe first."""
Part = Literal["keys", "tracing", "values"]
PARTS: tuple[Part, ...] = get_args(Part)
"""The subjects of a run's checks: keys and noise, Python code around JAX, values of arrays."""


class Check(msgspec.Struct, frozen=True):
    """One kind of finding. Its texts are in English; a catalogue holds the translations.

    In `what`, `why_silent`, `fix` and `allow` code stands in backticks.
    """

    id: str
    """The kind, as commands, JSON and comments spell it: ``host-random``."""
    part: Part
    levels: Mapping[Level, str]
    """Each possible level of a finding, the usual one first, with its condition; empty for the usual one."""
    name: str
    """The kind in words, within a sentence: ``key reuse``."""
    summary: str
    """One sentence: the rule in SARIF, the line in a list."""
    what: str
    """A few sentences on the code that the check reports."""
    why_silent: str
    """The reason that JAX reports nothing."""
    fix: str
    """The remedy."""
    bad: str
    """A short program with the finding, which `check` runs."""
    good: str
    """The same program without the finding."""
    allow: str = ""
    """A way to mark intended code, besides the settings for tests; empty if there is none."""
    has_mark: bool = False
    """Whether ``# jax-explorer: on purpose`` at the end of a line makes the finding a note."""
    may_come_with_a_fix: bool = False
    """Whether a fix of another kind may add such a finding: it delays the first calls, and changes no result."""
    fix_changes_types: bool = False
    """Whether a fix may give the results other dtypes."""
    labels: tuple[str, ...] = ()
    """The command line's text below each place of a finding, in the order of its spans."""
    one_place: str = ""
    """The text if all spans are one."""
    lessons: Mapping[str, str] = {}
    """The id of the lesson, by the finding's reason; ``""`` stands for all other reasons."""

    @property
    def level(self) -> Level:
        """The usual level."""
        return next(iter(self.levels))

    def lesson(self, reason: str = "") -> str:
        """Return the id of the lesson for `reason`; empty if there is none."""
        return self.lessons.get(reason, self.lessons.get("", ""))
