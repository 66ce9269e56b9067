"""The links on the page of a recording: for each thing on it, the focus set of the window."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import pairwise

from PySide6.QtCore import QCoreApplication

from explorer.figures import array_rows
from explorer.figures.forest.listing import KeyListing
from explorer.focus.resolve import resolve
from explorer.messages import TOP_LEVEL, Focus, Marks, Picture
from explorer.messages.recorded_run import RecordedRun
from explorer.messages.selection import FocusKind

LETTERS: dict[FocusKind, str] = {"finding": "f", "key": "k", "draw": "d", "row": "r", "line": "l"}
"""The first letter of a thing's name on the page; its number follows: ``k3``, ``l12``."""


def in_key_words(text: str) -> str:
    """Return a text of the Keys pane in the language of the process."""
    return QCoreApplication.translate("KeyWords", text)


class Links:
    """The things of `run` that are shown when its first `lines` lines are."""

    def __init__(self, run: RecordedRun, lines: int) -> None:
        report = run.report
        self._run, self._lines = run, lines
        self.pictures: tuple[Picture, ...] = tuple(filter(array_rows.tells, report.pictures or ()))
        named = {key for found in report.findings or () for key in found.keys}
        self.keys = (
            KeyListing(report.keys, named, in_key_words) if report.keys is not None and report.keys.nodes else None
        )

    def record(self) -> dict[str, tuple[str, str]]:
        """Return for each thing the sentence and the things that it lights: ``{"k1": ("Selected: …", "k1 l4-6")}``."""
        snapshot = self._run.snapshot
        marked = ((focus, resolve(focus, snapshot)) for focus in self._things())
        return {f"{LETTERS[focus.kind]}{focus.index}": (each.sentence, self._lit(each)) for focus, each in marked}

    def _things(self) -> Iterator[Focus]:
        for number in range(len(self._run.report.findings or ())):
            yield Focus("finding", number, TOP_LEVEL)
        for kind, number in self.keys.things() if self.keys else ():
            yield Focus(kind, number, TOP_LEVEL)
        rows = max((len(each.groups.numpy()) for each in self.pictures), default=0)
        for number in range(min(rows, array_rows.MOST_ROWS)):
            yield Focus("row", number, TOP_LEVEL)
        for number in range(1, self._lines + 1):
            yield Focus("line", number)

    def _lit(self, marks: Marks) -> str:
        keys = marks.keys.get(TOP_LEVEL, frozenset())
        parts: dict[FocusKind, Collection[int]] = {
            "finding": marks.findings.get(TOP_LEVEL, frozenset()),
            "key": self.keys.shown(keys) if self.keys else (),
            "row": marks.rows.get(TOP_LEVEL, frozenset()),
            "line": marks.lines,
        }
        return " ".join(each for kind, numbers in parts.items() for each in _ranges(LETTERS[kind], sorted(numbers)))


def _ranges(letter: str, numbers: list[int]) -> Iterator[str]:
    """Yield ``l3``, ``l5-8``: the ascending `numbers` with those in a row put together."""
    ends = [place for place, (one, two) in enumerate(pairwise(numbers), 1) if two != one + 1]
    for start, stop in pairwise([0, *ends, len(numbers)] if numbers else []):
        first, last = numbers[start], numbers[stop - 1]
        yield f"{letter}{first}" if first == last else f"{letter}{first}-{last}"
