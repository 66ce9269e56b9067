"""The text of a cell in as many lines as it needs: on a stage nothing of it is left out. No Qt."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from views.program.lenses.rows import Piece, Tone

BREAKS = " ,"
"""A line may end behind these."""

Width = Callable[[str, str], float]
"""Of a text in a face."""


@dataclass(frozen=True)
class Stretch:
    """A part of a piece that stands in one line."""

    piece: Piece
    text: str
    start: int
    """Where in the piece it begins."""
    line: int
    left: float
    """Pixels from where the cell's text begins."""


def face(tone: Tone) -> str:
    """Return the type face of a piece: words, code, or the title."""
    if tone == "title":
        return "title"
    return "code" if tone.endswith("code") else "words"


def in_lines(pieces: Sequence[Piece], room: float, space: float, width: Width) -> Iterator[Stretch]:
    """Yield `pieces`, `space` apart, in lines of at most `room` pixels; a word that is longer is broken, too."""
    line, left = 0, 0.0
    for piece in pieces:
        at, kind = 0, face(piece.tone)
        while at < len(piece.text):
            rest = piece.text[at:]
            fits = _fitting(rest, room - left, kind, width)
            end = len(rest) if fits == len(rest) else 1 + max(rest.rfind(each, 0, fits) for each in BREAKS)
            if not end and left:
                line, left = line + 1, 0.0
                continue
            text = rest[: end or max(1, fits)]
            yield Stretch(piece, text, at, line, left)
            at += len(text)
            if at < len(piece.text):
                line, left = line + 1, 0.0
            else:
                left += width(text, kind) + space


def _fitting(text: str, room: float, kind: str, width: Width) -> int:
    """Return how many letters of `text` have room, with the space behind a word left out of account."""
    if width(text.rstrip(), kind) <= room:
        return len(text)
    fewest, most = 0, len(text)
    while most - fewest > 1:
        middle = (fewest + most) // 2
        if width(text[:middle].rstrip(), kind) <= room:
            fewest = middle
        else:
            most = middle
    return fewest
