"""Places of a program in words (`PlaceDescriber`): function, line and file; and how many of them a finding names."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from explorer.figures.equal_rows import Integers
from explorer.messages import Place, Site, Span
from explorer.text.text import Text, joined, say, verbatim

MAX_PLACES = 4
"""Largest number of places of one kind that one finding names."""


class PlaceDescriber:
    """Describer of the places of one run; `spans` are all of them."""

    def __init__(self, spans: Iterable[Span | None]) -> None:
        self._files = _short_names({span.file for span in spans if span is not None})

    def __call__(self, site: Site) -> Text:
        """Return a description of `site`: the function called there, and the line."""
        name = site.inside or site.name
        called = verbatim(f"`{name}`") if name else joined("", ("`", say("this"), "`"))
        if site.span is None:
            return called
        file = self._files.get(site.span.file, "")
        if not file:
            return say("{called} on line {line}", called=called, line=site.span.line)
        return say("{called} on line {line} of {file}", called=called, line=site.span.line, file=file)

    def line(self, span: Span, *, begins: bool = False) -> Text:
        """Return the line on which `span` begins; capitalised if it `begins` a sentence."""
        file = self._files.get(span.file, "")
        if not file:
            return say("Line {line}", line=span.line) if begins else say("line {line}", line=span.line)
        if begins:
            return say("Line {line} of {file}", line=span.line, file=file)
        return say("line {line} of {file}", line=span.line, file=file)

    def lines(self, spans: Iterable[Span]) -> Text:
        """Return the lines on which `spans` begin, as a list in words."""
        return listed(list(dict.fromkeys(map(self.line, spans))))


def listed(places: Sequence[Text]) -> Text:
    """Return the first of `places` and the number of the others, as a list in words."""
    named, others = list(places[:MAX_PLACES]), len(places) - MAX_PLACES
    if others > 0:
        more = say("1 other line") if others == 1 else say("{count} other lines", count=f"{others:,}")
        named.append(more)
    return say("{some} and {last}", some=joined(", ", named[:-1]), last=named[-1]) if len(named) > 1 else named[0]


def _short_names(files: Iterable[str]) -> dict[str, str]:
    """Return the shortest distinct end of each path of `files`; empty for a single file."""
    paths = {file: Path(file).parts for file in files}
    if len(paths) < 2:
        return {}
    for depth in range(1, max(map(len, paths.values())) + 1):
        names = {file: "/".join(parts[-depth:]) for file, parts in paths.items()}
        if len(set(names.values())) == len(names):
            return names
    return {file: file for file in paths}


# -- how many a finding names ----------------------------------------------------------------------------------------


MAX_KEYS = 1000
"""Largest number of keys that one finding names."""


def sample_keys(keys: Integers) -> tuple[int, ...]:
    """Return the first distinct `keys`."""
    return tuple(np.unique(keys)[:MAX_KEYS].tolist())


def sample_places(places: Sequence[Place]) -> tuple[Place, ...]:
    """Return the first of `places` of each role."""
    roles = dict.fromkeys(place.role for place in places)
    return tuple(place for role in roles for place in [each for each in places if each.role == role][:MAX_PLACES])
