"""Painted texts compared with the limits of the back row."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QRect
from PySide6.QtGui import QColor, QImage, QTextCursor
from PySide6.QtWidgets import QAbstractButton, QPlainTextEdit, QTabBar, QTextEdit, QWidget

from tests.views.contrast import contrast
from tools.endurance.back_row.painted import Text, painted, scrolls
from tools.endurance.back_row.weak import projected
from views.parts.labels import ShortLabel
from views.story.vote_bars import VoteBars
from views.window.main_window import MainWindow

LEAST_CAPITAL = {"story": 1 / 42, "pane": 1 / 42, "laptop": 0.0}
"""Least height of a capital letter, relative to the picture; the laptop's screen has no limit."""
LEAST_CONTRAST = 4.5
ROUNDING = 0.995
"""Letters are made of whole pixels."""
ELIDED = re.compile("\\S\u2026(?!\\])|\u2026$")
"""Alone within a sentence it is an unknown figure, before a bracket it means further numbers."""
KEY_NAME = re.compile("[0-9a-f]*\u2026[0-9a-f]{4}")
"""A key is called by its ends."""
_IN_WORD = re.compile("[0-9A-Za-z]{2}")
INK = 40
"""How far, of 255 in each part, a pixel may be from the colour of a text to be its ink."""
Picture = npt.NDArray[np.uint32]
"""Rows of pixels."""
Place = Literal["story", "pane", "laptop"]


@dataclass(frozen=True)
class Judged:
    """One text with its verdict; `cut` is a word on how it is cut, or empty."""

    words: str
    painter: str
    place: Place
    capital: float
    """Of the height of the picture."""
    contrast: float
    cut: str

    @property
    def faults(self) -> list[str]:
        """Why it cannot be read; empty where it can."""
        found = {
            "too small": self.capital < ROUNDING * LEAST_CAPITAL[self.place],
            "too pale": self.contrast < LEAST_CONTRAST and self.place != "laptop",
            "cut off": bool(self.cut),
        }
        return [fault for fault, there in found.items() if there]


def _is_off(text: Text) -> bool:
    """An arrow that leads nowhere on this page says so by being pale."""
    return isinstance(text.widget, QAbstractButton) and not text.widget.isEnabled()


EXCEPTED: tuple[Callable[[Text], bool], ...] = (_is_off,)
"""Texts that need not be read, each with its reason."""


def judged(window: QWidget, *within: QWidget) -> list[Judged]:
    """Return the texts of `window`, each compared with the limits; only those `within` parts, where any are given.

    A window that is no MainWindow is the lecturer's own.
    """
    texts, picture = painted(window)
    chosen = [text for text in texts if not within or any(_is_in(text.widget, part) for part in within)]
    image = picture.toImage().convertToFormat(QImage.Format.Format_RGB32)
    pixels = np.frombuffer(image.constBits(), np.uint32).reshape(image.height(), image.bytesPerLine() // 4)
    return [*_judged(window, chosen, pixels), *(() if within else _broken(window))]


def _broken(window: QWidget) -> Iterator[Judged]:
    """Yield the words in sight that go on in the next line; Korean may break between any two syllables."""
    for edit in window.findChildren(QTextEdit) + window.findChildren(QPlainTextEdit):
        seen = edit.viewport().visibleRegion()
        block = edit.document().begin()
        while block.isValid() and not seen.isEmpty():
            text, layout = block.text(), block.layout()
            for number in range(1, layout.lineCount()):
                place = layout.lineAt(number).textStart()
                cursor = QTextCursor(block)
                cursor.setPosition(block.position() + place)
                if _IN_WORD.fullmatch(text[place - 1 : place + 1]) and seen.contains(edit.cursorRect(cursor).center()):
                    words = f"{text[:place][-12:]} / {text[place:][:12]}"
                    yield Judged(words, _path(edit), _place(window, edit), 1.0, 21.0, "inside a word")
            block = block.next()


def _is_in(widget: QWidget, part: QWidget) -> bool:
    return widget is part or part.isAncestorOf(widget)


def _judged(window: QWidget, texts: list[Text], picture: Picture) -> Iterator[Judged]:
    height = window.screen().size().height()
    for text in texts:
        sideways, along = text.beyond
        if any(excepted(text) for excepted in EXCEPTED) or _is_scrolled_away(text):
            continue
        area = text.ink.intersected(text.seen).intersected(text.here).toAlignedRect().intersected(window.rect())
        ground, covered = _ground(picture, area, text.colour) if not area.isEmpty() else (QColor(), False)
        if covered:
            continue
        cut = ""
        if ELIDED.search(text.words) and not _is_meant(window, text):
            cut = "elided"
        elif text.is_cut:
            beyond = "beside" if sideways >= along else "below"
            cut = f"{max(sideways, along):.0f} px {beyond}"
        ink = projected(_over(text.colour, ground))
        ratio = contrast(ink, projected(ground)) if not area.isEmpty() else 21.0
        yield Judged(
            text.words.strip(), _path(text.widget), _place(window, text.widget), text.capital / height, ratio, cut
        )


def _place(window: QWidget, widget: QWidget) -> Place:
    if not isinstance(window, MainWindow):
        return "laptop"
    return "story" if window.story.isAncestorOf(widget) else "pane"


def _is_meant(window: QWidget, text: Text) -> bool:
    """Return whether an ellipsis is intended, and not a cut."""
    # Of a long message of JAX the beginning stands above the explanation; a button brings all of it.
    is_quoted = "ProblemCard" in _path(text.widget)
    # A figure that is not known yet; the story's own words wrap, but for its title and the choices above their bars.
    is_awaited = _place(window, text.widget) != "pane" and not isinstance(text.widget, ShortLabel | VoteBars)
    if isinstance(text.widget, VoteBars) and text.widget.tally is not None:
        is_awaited = any("…" in choice for choice in text.widget.tally.choices)
    if isinstance(text.widget, QTabBar):
        # "Findings: running…"
        is_awaited = text.words.strip() in map(text.widget.tabText, range(text.widget.count()))
    return is_quoted or is_awaited or bool(KEY_NAME.fullmatch(text.words.strip()))


def _is_scrolled_away(text: Text) -> bool:
    """Return whether only scrolling on brings all of `text`, as a clicker does: it is not cut off."""
    _, upwards = scrolls(text.widget)
    sideways, along = text.beyond
    return upwards and along > 0 and sideways < along and text.is_cut


def _ground(picture: Picture, area: QRect, colour: QColor) -> tuple[QColor, bool]:
    """Return the commonest colour around the letters in `area`, and whether no ink of them is there at all."""
    rows = picture[max(0, area.top() - 1) : area.bottom() + 2, max(0, area.left() - 1) : area.right() + 2]
    return _ground_of(rows.tobytes(), colour.rgba())


@lru_cache(maxsize=4096)
def _ground_of(pixels_there: bytes, rgba: int) -> tuple[QColor, bool]:
    """Return the same for given pixels, cached, because much of a page looks the same on the next one."""
    colour = QColor.fromRgba(rgba)
    pixels, counts = np.unique(np.frombuffer(pixels_there, np.uint32), return_counts=True)
    grounds = [QColor(int(each)) for each in pixels[np.argsort(-counts)][:3]]
    ground = next((each for each in grounds if not _is_ink(each, _over(colour, each))), grounds[0])
    ink = _over(colour, ground)
    parts = np.stack([(pixels >> shift) & 0xFF for shift in (16, 8, 0)], axis=-1).astype(int)
    return ground, not (np.abs(parts - (ink.red(), ink.green(), ink.blue())) <= INK).all(axis=-1).any()


def _is_ink(pixel: QColor, ink: QColor) -> bool:
    pairs = ((pixel.red(), ink.red()), (pixel.green(), ink.green()), (pixel.blue(), ink.blue()))
    return all(abs(one - other) <= INK for one, other in pairs)


def _over(colour: QColor, ground: QColor) -> QColor:
    """Return `colour`, which may be translucent, on `ground`."""
    share = colour.alphaF()
    pairs = ((colour.red(), ground.red()), (colour.green(), ground.green()), (colour.blue(), ground.blue()))
    return QColor(*(round(share * top + (1 - share) * under) for top, under in pairs))


def _path(widget: QWidget) -> str:
    """Return the classes of `widget` and of its ancestors, our own first."""
    names = []
    at: QWidget | None = widget
    while at is not None and not at.isWindow():
        names.append(type(at).__name__)
        at = at.parentWidget()
    telling = [name for name in names if not name.startswith("Q") and name != "MainWindow"]
    return " < ".join([names[0], *(name for name in telling if name != names[0])][:3])
