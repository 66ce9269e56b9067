"""resolve(): the Layout, large panes and strips, from room, page and the user's choice; PANES in order.

One pure function, whose result the window applies. All lengths are in pixels.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from typing import Literal

import msgspec

PaneName = Literal["keys", "noise", "program", "timing"]
PANES: tuple[PaneName, ...] = ("keys", "noise", "program", "timing")
"""The panes in the order of their number keys."""

WIDE = 1200
"""The width of the window, at text size 1, from which all four panes stand next to the code."""
WITH_LIST = 1550
"""The width of the window, at text size 1, from which the list of lessons is open, too."""
LIST = 188
"""The width of the list of lessons, at text size 1."""
CODE_COLUMNS = 70
CODE_FRAME = 84
"""Numbers, signs and scroll bar next to the code, at text size 1."""
CODE_SHARE = 0.337
"""The share of the width for the code next to four panes, where it has less than its columns."""
PANES_WIDTH = 1036
"""The width of two panes side by side, at text size 1, from which the code gets what there is more."""
MOST_CODE = 0.6
"""The share of the width for the code next to one pane, at any text size."""
CODE_BELOW = 0.4
"""The share of the height for the code below a single pane."""
LEAST_LINES = 12
"""The fewest lines of code below a story."""
CODE_FOOT = 40
"""The line of problems below the code and the scroll bar, at text size 1."""
STORY, MOST_STORY = 0.55, 400
"""The share of the height for a story above the code, and its largest height at text size 1; it is scrolled beyond."""
FINDINGS = 140
"""The height of the findings with their tabs, at text size 1, where they are open."""
HANDLE = 1
"""Pixels of the line between two parts: QSplitter shrinks all of them where their sizes leave no room for it."""


class AvailableSize(msgspec.Struct, frozen=True):
    """The size of the area below the tool bar."""

    width: int
    height: int
    column: float
    """The width of a letter of code."""
    line: float
    """The height of a line of code."""
    scale: float = 1.0
    """The text size."""
    rail: int = 0
    """The width of the rail beside the area, which counts as width of the window."""
    bar: int = 28
    """The height of the findings where they are folded to their tabs."""

    @property
    def is_wide(self) -> bool:
        """Whether there is room for four panes."""
        return self.width + self.rail >= WIDE * self.scale

    @property
    def has_list(self) -> bool:
        """Whether there is room for the list of lessons, too."""
        return self.width + self.rail >= WITH_LIST * self.scale


class Task(msgspec.Struct, frozen=True):
    """The current task: a page of a lesson, or work on your own code."""

    tells: bool = False
    """Whether a story is shown."""
    covers: AbstractSet[str] = frozenset()
    """The parts with the answer to a question that waits for it."""
    pane: PaneName | Literal["code", ""] = ""
    """The subject of the page."""
    lists: bool = False
    """Whether the lesson speaks of the lists of findings and output."""


class LayoutChoice(msgspec.Struct, frozen=True):
    """The user's choice; None for a part without a choice."""

    panes: tuple[PaneName, ...] | None = None
    list_open: bool | None = None
    findings: bool | None = None
    detached: tuple[PaneName, ...] = ()
    """Panes in separate windows: they take no room, and are not folded."""
    sizes: dict[str, dict[str, tuple[int, ...]]] = {}
    """Sizes of the splitters by name, for each form of layout."""


class Layout(msgspec.Struct, frozen=True):
    """Where everything is."""

    form: str
    """The name of the form; dragged sizes hold for one form only."""
    code_below: bool
    """Whether the code is below the panes and the story next to both; else the code is below the story."""
    list_open: bool
    panes: tuple[PaneName, ...]
    strips: tuple[PaneName, ...]
    enlarged: bool
    """Whether the user enlarged one pane to be alone."""
    findings: bool
    """Whether the lists of findings and output are open."""
    covered: AbstractSet[str]
    """The parts that are covered until a question is answered."""
    sizes: dict[str, tuple[int, ...]]
    """Sizes of the splitters by name: `whole` (list, then left to right), `lesson` (story, code), `results` (panes,
    code, findings).

    Where the user has dragged an edge, also those of the `panes`, width and height of each.
    """


def resolve(room: AvailableSize, occasion: Task, chosen: LayoutChoice) -> Layout:
    """Return the layout for the current occasion."""
    code_below = occasion.tells and not room.is_wide
    panes = tuple(pane for pane in _panes(room, occasion, chosen) if pane not in chosen.detached)
    list_open = room.has_list if chosen.list_open is None else chosen.list_open
    needed = room.has_list or (room.is_wide and occasion.lists) or not occasion.tells
    findings = needed if chosen.findings is None else chosen.findings
    form = f"{'wide' if room.is_wide else 'narrow'} {'tells' if occasion.tells else 'own'} {len(panes)}"
    sizes = _sizes(room, bool(panes), code_below=code_below, list_open=list_open, findings=findings)
    dragged = dict(chosen.sizes.get(form, {}))
    if not findings:
        dragged.pop("results", None)
    return Layout(
        form=form,
        code_below=code_below,
        list_open=list_open,
        panes=panes,
        strips=tuple(pane for pane in PANES if pane not in (*panes, *chosen.detached)),
        enlarged=len(panes) == 1 and chosen.panes == panes,
        findings=findings,
        covered=occasion.covers,
        sizes=sizes | dragged,
    )


def _panes(room: AvailableSize, occasion: Task, chosen: LayoutChoice) -> tuple[PaneName, ...]:
    if chosen.panes is not None:
        return chosen.panes
    if room.is_wide:
        return PANES
    return (occasion.pane or PANES[0],) if occasion.pane != "code" else ()


def _sizes(
    room: AvailableSize, has_panes: bool, *, code_below: bool, list_open: bool, findings: bool
) -> dict[str, tuple[int, ...]]:
    listed = int(LIST * room.scale) if list_open else 0
    width = room.width - listed
    most = max(CODE_SHARE * width, width - PANES_WIDTH * room.scale) if room.is_wide else MOST_CODE * width
    code = int(min(CODE_COLUMNS * room.column + CODE_FRAME * room.scale, most))
    found = int(FINDINGS * room.scale) if findings else room.bar
    height = room.height - found
    whole = listed, code, width - code
    if code_below:
        below = int(CODE_BELOW * height) if has_panes else height
        return {"whole": whole, "lesson": (room.height,), "results": (height - below, below, found)}
    least_code = LEAST_LINES * room.line + CODE_FOOT * room.scale
    story = int(min(STORY * room.height, MOST_STORY * room.scale, max(0, room.height - least_code)))
    return {"whole": whole, "lesson": (story, room.height - story - HANDLE), "results": (height, found)}
