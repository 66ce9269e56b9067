"""The pieces of the output: live output, the output of each variant, and its error."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from explorer.focus.variant_names import shown_variant
from explorer.messages import Failure, Report, Snapshot, unmarked

MAX_LINE_CHARACTERS = 4_000
"""The most characters of a line: Qt lays out a line as a whole, and one megabyte would block the window for seconds."""


class OutputPiece(NamedTuple):
    """Part of the output in one style."""

    look: Literal["printed", "heading", "failure", "explanation"]
    text: str


def pieces(snapshot: Snapshot | None, stream: str) -> tuple[OutputPiece, ...]:
    """Return the output of a run: `stream` is the live output, `snapshot` has the output of each variant.

    Text that no variant printed (when the module was read, or by the process itself) stands before and after.
    """
    reports = snapshot.reports if snapshot else ()
    printed = "".join(report.printed for report in reports)
    before, after, by_variant = stream, "", True
    if printed and printed in stream:
        before, _, after = stream.partition(printed)
    elif printed and stream:
        # Something else came in between: the stream is shown as it came, so that nothing is lost or there twice.
        by_variant = False
    made = [OutputPiece("printed", before)]
    for report in reports:
        made += _section(report, report.printed if by_variant else "")
    made.append(OutputPiece("printed", after))
    if snapshot and snapshot.failure:
        made += _failure(snapshot.failure)
    made = [piece for piece in made if piece.text]
    # The last piece may be the beginning of a line that is still being printed.
    return tuple(OutputPiece(piece.look, _line(piece.text)) for piece in made[:-1]) + tuple(made[-1:])


def shortened(text: str, column: int, sign: str) -> tuple[str, int]:
    """Return `text` with its overlong lines cut, and the original length of its last line.

    `column` is the number of characters before `text` in its first line; `sign` marks a cut line.
    """
    shown = []
    for line in text.split("\n"):
        room = MAX_LINE_CHARACTERS - column
        shown.append(line if len(line) <= room else f"{line[:room]} {sign}" if room >= 0 else "")
        column, end = 0, column + len(line)
    return "\n".join(shown), end


def ending(whole: tuple[OutputPiece, ...], characters: int, lines: int) -> tuple[OutputPiece, ...]:
    """Return the end of `whole` that has at most this many characters and lines."""
    shown: list[OutputPiece] = []
    for piece in reversed(whole):
        text = piece.text[-characters:] if characters > 0 else ""
        text = "\n".join(text.split("\n")[-lines:]) if lines > 0 else ""
        characters, lines = characters - len(text), lines - text.count("\n")
        shown.append(OutputPiece(piece.look, text))
    return tuple(piece for piece in reversed(shown) if piece.text)


def _section(report: Report, printed: str) -> Iterator[OutputPiece]:
    if printed or report.failure:
        yield OutputPiece("heading", f"{shown_variant(report.name)}\n")
    yield OutputPiece("printed", printed)
    if report.failure:
        yield from _failure(report.failure)


def _failure(failure: Failure) -> Iterator[OutputPiece]:
    yield OutputPiece("failure", failure.traceback or str(failure.words))
    yield OutputPiece("explanation", unmarked(failure.explanation))


def _line(text: str) -> str:
    return text if text.endswith("\n") else f"{text}\n"
