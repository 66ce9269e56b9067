"""The record of an explained error: how it is recognised, what it means, and the lesson that shows it."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Explanation:
    """An explanation of one error, in English; a catalogue has it in other languages."""

    types: str
    """Names of exception classes, separated by spaces; a base class stands for all of its own."""
    message: str = ""
    """A regular expression to look for in the message."""
    text: str = field(default="", kw_only=True)
    """What happened, why JAX minds, and the usual fixes. It may hold named groups of `message`, and of an error while
    tracing {stand_in}, how a tracer comes to be there, and {otherwise}, what else can be done."""
    lesson: str = field(default="", kw_only=True)
    """The id of the lesson that shows it; empty where none does."""

    def match(self, types: Collection[str], message: str) -> re.Match[str] | None:
        """Return where `message` fits, of an error whose class and its bases have the names `types`."""
        return None if set(types).isdisjoint(self.types.split()) else re.search(self.message, message, re.DOTALL)
