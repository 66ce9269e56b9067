"""The layout: large panes and strips, from room, results, page and the user's choice.

One pure function, whose result the window applies. All lengths are in pixels.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Literal

PaneName = Literal["keys", "noise", "program", "timing"]
PANES: tuple[PaneName, ...] = ("keys", "noise", "program", "timing")
"""The panes in the order of their number keys."""
FIRST: tuple[PaneName, ...] = ("keys", "noise", "timing", "program")
"""The order in which panes come to the front without another choice."""

WIDE = 1700
"""The width in pixels, at text size 1, from which all parts fit next to the code."""
LIST = 188
"""The width of the list of lessons, at text size 1."""
CODE_COLUMNS = 70
CODE_FRAME = 84
"""Numbers, signs and scroll bar next to the code, at text size 1."""
MOST_CODE = 0.6
"""The share of the width for the code, at any text size."""
FEW_LINES = 6
"""The most lines of code below the pane that the page is about."""
MOST_BELOW = 1 / 3
"""The largest share of the height for this code, however large its letters are: the pane comes first."""
CODE_FOOT = 40
"""The line of problems below the code and the scroll bar, at text size 1."""
FINDING = 132
"""A finding of a few lines with its tab bar, at text size 1; a longer one gets more."""
MOST_FINDINGS = 0.45
MOST_STORY = 0.55
"""The largest share of the height for a story above the code."""
HANDLE = 1
"""Pixels of the line between two parts: QSplitter shrinks all of them where their sizes leave no room for it."""


@dataclass(frozen=True)
class Room:
    """The size of the area below the tool bar."""

    width: int
    height: int
    column: float
    """The width of a letter of code."""
    line: float
    """The height of a line of code."""
    scale: float = 1.0
    """The text size."""
    story: int = 0
    """The height of the story above the code."""
    finding: int = 0
    """The height of the first finding, with the tab bar above it."""

    @property
    def is_wide(self) -> bool:
        """Whether there is room for all parts."""
        return self.width >= WIDE * self.scale


@dataclass(frozen=True)
class Occasion:
    """The current task: a page of a lesson, or work on your own code."""

    tells: bool = False
    """Whether a story is shown."""
    asks: bool = False
    """Whether a question waits for its answer."""
    works: bool = False
    """Whether the page is one to try things out in the code."""
    pane: PaneName | Literal["code", ""] = ""
    """The subject of the page."""
    lists: bool = False
    """Whether its subject is in the lists of findings and output."""


@dataclass(frozen=True)
class Chosen:
    """The user's choice for one lesson or file; None for a part without a choice."""

    panes: tuple[PaneName, ...] | None = None
    list_open: bool | None = None
    findings: bool | None = None
    detached: tuple[PaneName, ...] = ()
    """Panes in separate windows: they take no room, and are not folded."""
    sizes: dict[str, dict[str, tuple[int, ...]]] = field(default_factory=dict)
    """Sizes of the splitters by name, for each form of layout."""


@dataclass(frozen=True)
class Layout:
    """Where everything is."""

    form: str
    """The name of the form; dragged sizes hold for one form only."""
    code_below: bool
    """Whether the code is below the panes and the story next to both; else the code is below the story."""
    list_open: bool
    panes: tuple[PaneName, ...]
    strips: tuple[PaneName | Literal["findings"], ...]
    enlarged: bool
    """Whether the user enlarged one pane to be alone."""
    findings: bool
    """Whether the lists of findings and output are open."""
    covered: bool
    """Whether the answer to a question is covered."""
    sizes: dict[str, tuple[int, ...]]
    """Sizes of the splitters by name: `whole` (list, then left to right), `lesson` (story, code), `results` (panes,
    code).

    Where the user has dragged an edge, also those of the `panes`, width and height of each.
    """


def resolve(room: Room, saying: AbstractSet[PaneName], occasion: Occasion, chosen: Chosen) -> Layout:
    """Return the layout for the current occasion; `saying` are the panes with something to show."""
    code_below = occasion.tells and not room.is_wide
    panes = tuple(pane for pane in _panes(room, saying, occasion, chosen) if pane not in chosen.detached)
    list_open = room.is_wide if chosen.list_open is None else chosen.list_open
    findings = _findings(room, occasion, chosen)
    form = _form(room, occasion, panes)
    sizes = _sizes(room, occasion, panes, code_below=code_below, list_open=list_open, findings=findings)
    return Layout(
        form=form,
        code_below=code_below,
        list_open=list_open,
        panes=panes,
        strips=(
            *(pane for pane in PANES if pane not in (*panes, *chosen.detached)),
            *(() if findings else ("findings",)),
        ),
        enlarged=len(panes) == 1 and chosen.panes == panes,
        findings=findings,
        covered=occasion.asks,
        sizes=sizes | chosen.sizes.get(form, {}),
    )


def _panes(room: Room, saying: AbstractSet[PaneName], occasion: Occasion, chosen: Chosen) -> tuple[PaneName, ...]:
    if occasion.asks and not room.is_wide:
        return ()
    if chosen.panes is not None:
        return chosen.panes
    if room.is_wide and occasion.tells:
        return PANES
    ready = tuple(pane for pane in PANES if pane in saying)
    if room.is_wide:
        return ready
    if occasion.pane:
        return (occasion.pane,) if occasion.pane != "code" else ()
    return tuple(pane for pane in FIRST if pane in ready)[:1]


def _findings(room: Room, occasion: Occasion, chosen: Chosen) -> bool:
    if occasion.asks:
        return False
    if chosen.findings is not None:
        return chosen.findings
    return room.is_wide or occasion.lists or not occasion.tells


def _form(room: Room, occasion: Occasion, panes: tuple[PaneName, ...]) -> str:
    size = "wide" if room.is_wide else "narrow"
    what = ("asks" if occasion.asks else "works" if occasion.works else "tells") if occasion.tells else "own"
    return f"{size} {what} {len(panes)}"


def _sizes(
    room: Room,
    occasion: Occasion,
    panes: tuple[PaneName, ...],
    *,
    code_below: bool,
    list_open: bool,
    findings: bool,
) -> dict[str, tuple[int, ...]]:
    listed = int(LIST * room.scale) if list_open else 0
    width = room.width - listed
    code = int(min(CODE_COLUMNS * room.column + CODE_FRAME * room.scale, MOST_CODE * width))
    found = int(min(max(FINDING * room.scale, room.finding), MOST_FINDINGS * room.height)) if findings else 0
    height = room.height - found
    if not code_below:
        story = min(room.story, int(MOST_STORY * room.height))
        # Without a pane there is nothing to be seen next to the code but what was found.
        return {
            "whole": (listed, code, width - code),
            "lesson": (story, room.height - story - HANDLE),
            "results": (height, found),
        }
    few = int(FEW_LINES * room.line + CODE_FOOT * room.scale)
    below = height if not panes else height // 2 if occasion.works else min(few, int(MOST_BELOW * height))
    return {
        "whole": (listed, code, width - code),
        "lesson": (room.story,),
        "results": (height - below, below, found),
    }
