"""Handout and its parts down to Listing and Figure: records, before they become a page or a notebook."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from explorer.messages import Value
from explorer.scenario.measure_words import UNKNOWN
from explorer.scenario.page import PageQuestion
from explorer.scenario.scenario import Scenario


class CodeToken(NamedTuple):
    """Characters of a line with their token kind: ``keyword``, ``string`` ...; empty for none."""

    kind: str
    text: str


class Listing(msgspec.Struct, frozen=True):
    """Lines of code, of a program, or of printed output."""

    title: str
    lines: tuple[tuple[CodeToken, ...], ...]
    first: int = 0
    """The number of its first line; 0 where lines have none."""
    marked: frozenset[int] = frozenset()
    """Indices of the marked lines, counted from 0."""
    left_out: int = 0
    """The number of lines that were left out."""

    @property
    def text(self) -> str:
        """The whole text without colours."""
        return "\n".join("".join(each.text for each in line) for line in self.lines)


class Figure(msgspec.Struct, frozen=True):
    """A picture of a pane, and its description in words."""

    svg: bytes
    title: str
    caption: str
    width: int
    """The size in pixels at which its letters are most legible."""
    has_cells: bool = False
    """Whether its cells' colours stand for numbers."""

    @property
    def words(self) -> str:
        """Title and caption: its description for those who cannot see it."""
        return " ".join(filter(None, (self.title, self.caption)))


class VariantCall(NamedTuple):
    """One call of a variant."""

    variant: str
    settings: tuple[tuple[str, Value], ...] = ()
    """The arguments of `inputs`."""
    fails: bool = False


class AnsweredPage(msgspec.Struct, frozen=True):
    """One page of the story, answered. Texts are Markdown, figures are filled in."""

    heading: str
    text: str
    ask: PageQuestion | None = None
    reveal: str = ""
    variant: str = ""
    """The one that is selected on it."""
    folder: str = ""
    """The folder of the pictures in its text; empty for none."""
    excerpt: Listing | None = None
    """The lines of code that it points at."""
    figures: tuple[Figure, ...] = ()
    listings: tuple[Listing, ...] = ()
    remark: str = ""
    """The reason for a missing picture."""
    calls: tuple[VariantCall, ...] = ()
    """The calls of its variants, with their settings."""
    has_two_halves: bool = False
    """Whether the reader is to think before reading on."""

    @property
    def lacks_figures(self) -> bool:
        """Whether a figure in its texts is not known, or which answer to its question is right."""
        asked = (self.ask.text, *self.ask.choices, self.ask.answer) if self.ask is not None else ()
        is_open = (
            self.ask is not None
            and bool(self.ask.choices)
            and not (any(self.ask.right or ()) or self.ask.undecided or self.ask.about)
        )
        return is_open or any(UNKNOWN in each for each in (self.text, self.reveal, *asked))


class HandoutExercise(msgspec.Struct, frozen=True):
    text: str
    variant: str = ""
    outcome: str = ""


class HandoutFinding(msgspec.Struct, frozen=True):
    """A finding, or an error of a variant."""

    variant: str
    level: str
    """``bug``, ``warning``, ``note`` or ``error``."""
    sentence: str
    line: int = 0


class HandoutLesson(msgspec.Struct, frozen=True):
    """One lesson with its results."""

    scenario: Scenario
    """The scenario with the code that was run."""
    title: str
    code: Listing
    sheets: tuple[AnsweredPage, ...] = ()
    tasks: tuple[HandoutExercise, ...] = ()
    found: tuple[HandoutFinding, ...] = ()
    parameters: tuple[tuple[str, str], ...] = ()
    """Name and value of each parameter at the first page, including the seed."""
    versions: tuple[str, ...] = ()
    device: str = ""
    variants: tuple[tuple[str, str], ...] = ()
    """Name and title of each variant."""
    edited: bool = False
    """Whether its code was edited."""
    problem: str = ""
    """The reason why it is incomplete, in a sentence."""


class Handout(msgspec.Struct, frozen=True):
    """Lessons in teaching order."""

    title: str
    language: str
    lessons: tuple[HandoutLesson, ...]
    date: str
