"""The names in a jaxpr's text: their binding, their type and their uses. No Qt."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass

_WORD = re.compile(r"(?<![\w.:=<@-])[a-z]+(?![\w=<\[.-])|(?<![\w.:=<@-])[a-z]+(?=\. let)")
_TYPE = re.compile(r"(\S+?)(?=\.? |\.?$)", re.MULTILINE)
_LITERALS = frozenset({"inf", "nan"})


NEAR = 100_000
"""Characters on either side of a position that are searched for uses: all of most programs, part of a huge one."""


@dataclass(frozen=True)
class Name:
    """One variable. JAX gives each its own name; an inner jaxpr reuses a name for the same value."""

    text: str
    type: str
    """As JAX writes it: ``f32[32,10]``."""
    row: int
    """The line of the text that gives it its value, from 0."""
    uses: tuple[tuple[int, int], ...]
    """Its other positions: (line, column), both from 0, in the order of the text."""
    column: int
    """Its column in `row`."""
    is_whole: bool = True
    """Whether the whole text was searched for uses, or only a part of a huge one."""


class JaxprNames:
    """Finds names in one text on request: nothing is prepared while a user types."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._starts: list[int] = []

    def at(self, row: int, column: int) -> Name | None:
        """Return the variable at this position, None where there is none."""
        if not self._starts:
            self._starts = [0, *(match.end() for match in re.finditer("\n", self._text))]
        if row >= len(self._starts):
            return None
        start = self._starts[row]
        end = self._text.find("\n", start)
        for word in _WORD.finditer(self._text[start : end if end >= 0 else None]):
            if word.start() <= column < word.end():
                return self._named(word[0], start + word.start())
        return None

    def _named(self, name: str, position: int) -> Name | None:
        """Return the variable called `name` at `position`, None where it has no binding."""
        bound = self._binding(name)
        if bound is None:
            return None
        definition, type_ = bound
        first, last = max(0, position - NEAR), min(len(self._text), position + NEAR)
        pattern = re.compile(rf"(?<![\w.:=<@-]){name}(?![\w=<\[.-])|(?<![\w.:=<@-]){name}(?=\. let)")
        found = [match.start() for match in pattern.finditer(self._text, first, last)]
        uses = tuple(self._place(place) for place in found if place != definition)
        row, column = self._place(definition)
        return Name(name, type_, row, uses, column, is_whole=last - first == len(self._text))

    def _binding(self, name: str) -> tuple[int, str] | None:
        """Return the position of the binding of `name`, and its type."""
        # A plain search comes first: a pattern takes a hundred times as long in a text of megabytes.
        place = self._text.find(f" {name}:")
        while place >= 0:
            line = self._text[self._text.rfind("\n", 0, place) + 1 : place + 1]
            # Operands have a type only where they are numbers: `inf:f32[]` behind a primitive is not a variable.
            if name not in _LITERALS or " = " not in line.rpartition("lambda")[2]:
                match = _TYPE.match(self._text, place + len(name) + 2)
                return (place + 1, match[1]) if match else None
            place = self._text.find(f" {name}:", place + 1)
        return None

    def _place(self, position: int) -> tuple[int, int]:
        row = bisect_right(self._starts, position) - 1
        return row, position - self._starts[row]
