"""The record of a check: one kind of finding and its documentation, without its finder and its fixes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

Level = Literal["bug", "warning", "note"]
LEVELS: tuple[Level, ...] = get_args(Level)
"""The gravest first."""
Part = Literal["keys", "tracing", "values"]
PARTS: tuple[Part, ...] = get_args(Part)
"""What a run is checked for: keys and noise, what Python does around JAX, what the arrays hold."""


@dataclass(frozen=True)
class Check:
    """One kind of finding. Its texts are in English; a catalogue has them in other languages.

    In `what`, `why_silent`, `fix` and `allow` code stands in backticks.
    """

    id: str
    """The kind, as commands, JSON and comments spell it: ``host-random``."""
    part: Part
    levels: Mapping[Level, str]
    """Each level that a finding can have, the usual one first, and when it has it; empty for the usual one."""
    name: str
    """The kind in words, within a sentence: ``key reuse``."""
    summary: str
    """One sentence: the rule in SARIF, the line in a list."""
    what: str
    """What the check finds, in a few sentences."""
    why_silent: str
    """Why JAX says nothing."""
    fix: str
    """What to do about it."""
    bad: str
    """A short program with the finding, which `check` runs."""
    good: str
    """The same without it."""
    allow: str = ""
    """How to say in the code that it is meant, besides what allows any kind in tests; empty where there is no way."""
    has_mark: bool = False
    """Whether ``# jax-explorer: on purpose`` behind a line makes it a note."""
    labels: tuple[str, ...] = ()
    """What the command line writes below the places of a finding, in the order of its spans."""
    one_place: str = ""
    """The same where all its spans are one."""
    lessons: Mapping[str, str] = field(default_factory=dict)
    """The id of the lesson by the reason for a finding; under ``""`` the one for all other reasons."""

    @property
    def level(self) -> Level:
        """The usual level."""
        return next(iter(self.levels))

    def lesson(self, reason: str = "") -> str:
        """Return the id of the lesson that shows it for `reason`; empty where there is none."""
        return self.lessons.get(reason, self.lessons.get("", ""))
