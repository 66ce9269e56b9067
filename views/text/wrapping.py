"""Texts in several faces, one after the other, in as many lines as needed, without cuts. No Qt."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

BREAKS = " ,"
"""Characters after which a line may break."""
JOINTS = "_."
"""Those after which it breaks where a word does not fit into a line."""

Width = Callable[[str, str], float]
"""Returns the width of a text in a face, in pixels."""


@dataclass(frozen=True)
class Stretch:
    """A part of a text in one line."""

    number: int
    """The number of the text, counted from 0."""
    text: str
    start: int
    """Where in the text it begins."""
    line: int
    left: float
    """Pixels from where the first text begins."""


def in_lines(texts: Sequence[tuple[str, str]], room: float, space: float, width: Width) -> Iterator[Stretch]:
    """Yield `texts`, each with its face, `space` pixels apart in lines of `room` pixels; longer words are broken."""
    line, left = 0, 0.0
    for number, (text, face) in enumerate(texts):
        at = 0
        while at < len(text):
            rest = text[at:]
            fits = _fitting(rest, room - left, face, width)
            end = len(rest) if fits == len(rest) else _last(BREAKS, rest, fits)
            if not end and left:
                line, left = line + 1, 0.0
                continue
            part = rest[: end or _last(JOINTS, rest, fits) or max(1, fits)]
            yield Stretch(number, part, at, line, left)
            at += len(part)
            if at < len(text):
                line, left = line + 1, 0.0
            else:
                left += width(part, face) + space


def _last(marks: str, text: str, fits: int) -> int:
    """Return the number of letters up to the last of `marks` in the first `fits` letters of `text`; 0 for none."""
    return 1 + max(text.rfind(each, 0, fits) for each in marks)


def _fitting(text: str, room: float, face: str, width: Width) -> int:
    """Return the number of letters of `text` that fit, ignoring a trailing space."""
    if width(text.rstrip(), face) <= room:
        return len(text)
    fewest, most = 0, len(text)
    while most - fewest > 1:
        middle = (fewest + most) // 2
        if width(text[:middle].rstrip(), face) <= room:
            fewest = middle
        else:
            most = middle
    return fewest
