"""The record of a check: one kind of finding and its documentation, without its finder and its fixes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

Level = Literal["bug", "warning", "note"]
LEVELS: tuple[Level, ...] = get_args(Level)
"""The most severe first."""
Part = Literal["keys", "tracing", "values"]
PARTS: tuple[Part, ...] = get_args(Part)
"""The subjects of a run's checks: keys and noise, Python code around JAX, values of arrays."""


@dataclass(frozen=True)
class Check:
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
    lessons: Mapping[str, str] = field(default_factory=dict)
    """The id of the lesson, by the finding's reason; ``""`` stands for all other reasons."""

    @property
    def level(self) -> Level:
        """The usual level."""
        return next(iter(self.levels))

    def lesson(self, reason: str = "") -> str:
        """Return the id of the lesson for `reason`; empty if there is none."""
        return self.lessons.get(reason, self.lessons.get("", ""))
