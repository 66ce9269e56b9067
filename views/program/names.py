"""The names in a jaxpr's text: where each gets its value, of which type, and where it is used. No Qt."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

_WORD = re.compile(r"(?<![\w.:=<@-])[a-z]+(?![\w=<\[.-])|(?<![\w.:=<@-])[a-z]+(?=\. let)")
_LITERALS = frozenset({"inf", "nan"})


@dataclass(frozen=True)
class Name:
    """One variable. JAX gives each a name of its own; an inner jaxpr reuses one where it is the same value."""

    text: str
    type: str
    """As JAX writes it: ``f32[32,10]``."""
    row: int
    """The line of the text that gives it its value, from 0."""
    places: tuple[tuple[int, int], ...]
    """Where it stands: (line, column), both from 0, in the order of the text."""
    definition: int
    """Index into `places` of where it gets its value."""


class Names:
    """Finds names in one text, each time anew: nothing is prepared while a person types."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._starts: list[int] = []

    def at(self, row: int, column: int) -> Name | None:
        """Return the variable at this place, None where there is none."""
        if not self._starts:
            self._starts = [0, *(match.end() for match in re.finditer("\n", self._text))]
        if row >= len(self._starts):
            return None
        start = self._starts[row]
        end = self._text.find("\n", start)
        for word in _WORD.finditer(self._text[start : end if end >= 0 else None]):
            if word.start() <= column < word.end():
                return self.named(word[0])
        return None

    def named(self, name: str) -> Name | None:
        """Return the variable called `name`, None where nothing gives it a value."""
        found = next((each for each in self._bindings(name)), None)
        if found is None:
            return None
        uses = re.finditer(rf"(?<![\w.:=<@-]){name}(?![\w=<\[.-])|(?<![\w.:=<@-]){name}(?=\. let)", self._text)
        places = [match.start() for match in uses]
        if found.start() not in places:
            return None
        at = tuple(self._place(place) for place in places)
        definition = places.index(found.start())
        return Name(name, found[1], at[definition][0], at, definition)

    def _bindings(self, name: str) -> Iterator[re.Match[str]]:
        for match in re.finditer(rf"(?<![\w.:=<@-]){name}:(\S+?)(?=\.? |\.?$|\n)", self._text):
            # Operands have a type only where they are numbers: `inf:f32[]` behind a primitive is not a variable.
            line = self._text[self._text.rfind("\n", 0, match.start()) + 1 : match.start()]
            if name not in _LITERALS or " = " not in line.rpartition("lambda")[2]:
                yield match

    def _place(self, position: int) -> tuple[int, int]:
        row = bisect_right(self._starts, position) - 1
        return row, position - self._starts[row]
