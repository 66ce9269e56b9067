"""The record of an explained error: its pattern, its explanation and its lesson."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Explanation:
    """An explanation of one error, in English; a catalogue holds the translations."""

    types: str
    """Names of exception classes, separated by spaces; a base class includes its subclasses."""
    message: str = ""
    """A regular expression to search for in the message."""
    text: str = field(default="", kw_only=True)
    """The event, its reason in JAX, and the usual fixes. It may contain named groups of `message` and, for an error

    during tracing, {stand_in}, the origin of the tracer, and {otherwise}, the alternatives.
    """
    lesson: str = field(default="", kw_only=True)
    """The id of the lesson on it; empty if there is none."""

    def match(self, types: Collection[str], message: str) -> re.Match[str] | None:
        """Return the match of `message` for an error of the class names `types`, or None.

        `types` includes the names of the base classes.
        """
        return None if set(types).isdisjoint(self.types.split()) else re.search(self.message, message, re.DOTALL)
