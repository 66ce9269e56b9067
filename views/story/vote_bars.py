"""Votes on a question: their number while it is open, and bars for each choice once revealed."""

from __future__ import annotations

import math

import msgspec
from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QFontMetricsF, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from views.story.choice_bar import FIRST_LETTER, in_lines
from views.theme import Themed, lettered

RIGHT = "✓"
SIZE = 1.06
"""The text size, relative to the story: the back row has to read isolated figures."""
CHANGE = " → "
"""Between the share of the first vote and that of the last."""
MOST_LINES = 8
"""The most lines of a choice."""
MOST_HIGH = 0.55
"""The share of the window's height above which not all choices have words."""


class VoteTally(msgspec.Struct, frozen=True):
    """The votes for each choice of a question, a tuple for each round of voting.

    Attributes:
        choices: their texts.
        rounds: the votes; there is at least one round.
        right: which choices are right; None while that is not known.
        revealed: whether the audience may see more than the number of votes.
        typed: the digits of the next votes, whose choice is still to come.
    """

    choices: tuple[str, ...]
    rounds: tuple[tuple[int, ...], ...]
    right: tuple[bool, ...] | None = None
    revealed: bool = False
    typed: str = ""

    @property
    def shown(self) -> tuple[int, ...]:
        """Return the rounds with bars: the first and the last with votes."""
        voted = [number for number, hands in enumerate(self.rounds) if any(hands)]
        return tuple(dict.fromkeys((voted[0], voted[-1]))) if voted else ()

    @property
    def most_voted_wrong(self) -> int | None:
        """Return the wrong choice with the most votes in the last shown round with any: it is still believed."""
        for votes in (self.rounds[number] for number in reversed(self.shown)):
            wrong = [choice for choice, is_right in enumerate(self.right or ()) if not is_right and votes[choice]]
            if wrong:
                return max(wrong, key=votes.__getitem__)
        return None

    def share(self, number: int, choice: int) -> float:
        """Return the share of the votes of round `number` for the choice: 0 to 1."""
        return self.rounds[number][choice] / max(1, sum(self.rounds[number]))

    def percent(self, number: int, choice: int) -> int:
        """Return that share in whole per cent: equal votes have equal ones, which may not add up to 100."""
        return math.floor(100 * self.share(number, choice) + 0.5)


def letter(choice: int) -> str:
    """Return the sign of choice number `choice`, counted from 0."""
    return chr(ord(FIRST_LETTER) + choice)


class VoteBars(Themed, QWidget):
    """Shows the votes of a revealed question; hidden without any."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.tally: VoteTally | None = None
        self.is_short = False
        """Whether the choices have no words."""
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        lettered(self, SIZE)
        self.hide()

    def show_tally(self, tally: VoteTally | None) -> None:
        """Show `tally` once it is revealed; None for no votes."""
        self.tally = tally
        self.setVisible(tally is not None and tally.revealed and bool(tally.shown))
        self.setAccessibleName(self.words())
        self.updateGeometry()
        self.update()

    def words(self) -> str:
        """Return the votes for each choice, a line each; their number alone until they are revealed."""
        tally = self.tally
        if tally is None:
            return ""
        if not tally.revealed:
            return self._counted(tally)
        lines = []
        for choice, text in enumerate(tally.choices):
            figures = ", ".join(_figures(tally, number, choice) for number in tally.shown)
            lines.append(f"{_sign(tally, choice)} {_plain(text)}: {figures}")
        return "\n".join(lines)

    def sizeHint(self) -> QSize:
        return QSize(self.theme.px(200), self.heightForWidth(self.width()))

    def heightForWidth(self, width: int) -> int:  # noqa: N802
        if (tally := self.tally) is None:
            return 0
        heights = self._heights(tally, self._titles(tally, width - 2 * self.theme.px(12)))
        return sum(heights) + 2 * self.theme.px(6)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        # A layout keeps the height of the former width, and cuts what no longer fits.
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()

    def paintEvent(self, _event: QPaintEvent) -> None:
        tally, theme = self.tally, self.theme
        if tally is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        within = self.rect().adjusted(theme.px(12), theme.px(6), -theme.px(12), -theme.px(6))
        titles, top = self._titles(tally, within.width()), within.top()
        # Beside a sign or below words: all bars begin at one place, or their lengths could not be compared.
        signs = (_sign(tally, choice) for choice in range(len(titles)))
        start = 0 if all(titles) else max(QFontMetrics(self.font()).horizontalAdvance(f"{sign} ") for sign in signs)
        for choice, height in enumerate(self._heights(tally, titles)):
            room = QRect(within.left(), top, within.width(), height)
            self._paint_choice(painter, tally, choice, titles[choice], room, start)
            top += height

    # -- the parts of it ----------------------------------------------------------------------

    def _counted(self, tally: VoteTally) -> str:
        hands = sum(tally.rounds[-1])
        words = self.tr("1 vote counted") if hands == 1 else self.tr("{} votes counted").format(hands)
        if len(tally.rounds) > 1:
            words = self.tr("Vote {}: {}").format(len(tally.rounds), words)
        return f"{words}, + {tally.typed}…" if tally.typed else words

    def _titles(self, tally: VoteTally, width: int) -> list[list[str]]:
        """Return the words of each choice in lines of `width` pixels.

        Where they leave the story no room, only the right choice and the wrong one with the most votes have words.
        """
        if self.is_short and tally.shown:
            return [[]] * len(tally.choices)
        titles = [
            in_lines(self._title(tally, choice), QFontMetricsF(self._font_of(tally, choice)), width, MOST_LINES)
            for choice in range(len(tally.choices))
        ]
        if tally.right is None or sum(self._heights(tally, titles)) <= MOST_HIGH * self.window().height():
            return titles
        named = {tally.most_voted_wrong, *(choice for choice, is_right in enumerate(tally.right) if is_right)}
        return [title if choice in named else [] for choice, title in enumerate(titles)]

    def _heights(self, tally: VoteTally, titles: list[list[str]]) -> list[int]:
        """Return how high each choice is with its `titles` and bars."""
        line = QFontMetrics(self.font()).height()
        return [(len(title) + bool(tally.shown)) * line + self.theme.px(4) for title in titles]

    def _title(self, tally: VoteTally, choice: int) -> str:
        return f"{_sign(tally, choice)} {_plain(tally.choices[choice])}"

    def _font_of(self, tally: VoteTally, choice: int) -> QFont:
        return self.theme.font(SIZE, bold=_is_right(tally, choice))

    def _paint_choice(
        self, painter: QPainter, tally: VoteTally, choice: int, title: list[str], room: QRect, start: int
    ) -> None:
        theme = self.theme
        painter.setFont(self._font_of(tally, choice))
        painter.setPen(QColor(theme.good if _is_right(tally, choice) else theme.text))
        line = QRect(room.left(), room.top(), room.width(), QFontMetrics(self.font()).height())
        for words in title:
            # The sign of a choice is higher than its line.
            painter.drawText(line, Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextDontClip, words)
            line.translate(0, line.height())
        painter.setFont(self.font())
        if not title:
            flags = Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextDontClip
            painter.drawText(line, flags, _sign(tally, choice))
        if tally.shown:
            self._paint_bar(painter, tally, choice, line.adjusted(start, 0, 0, 0))

    def _paint_bar(self, painter: QPainter, tally: VoteTally, choice: int, room: QRect) -> None:
        """Paint a bar with its figures: the last vote filled, and over it that before it as an outline."""
        theme, metrics = self.theme, QFontMetrics(self.font())
        colour = QColor(theme.good if _is_right(tally, choice) else theme.edge)
        behind = [_behind(tally, each) for each in range(len(tally.choices))]
        widest = room.width() - max(map(metrics.horizontalAdvance, behind)) - theme.px(8)
        gap, right = room.height() // 6, room.left()
        for number in reversed(tally.shown):
            length = max(theme.px(2), round(widest * tally.share(number, choice)))
            is_last = number == tally.shown[-1]
            if not tally.rounds[number][choice]:
                continue
            painter.setPen(QPen(colour if is_last else QColor(theme.text), theme.px(1.5)))
            painter.setBrush(colour if is_last else Qt.BrushStyle.NoBrush)
            painter.drawRect(QRectF(room.left(), room.top() + gap, length, room.height() - 2 * gap))
            right = max(right, room.left() + length)
        painter.setPen(QColor(theme.text))
        room.setLeft(right + theme.px(6))
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, behind[choice])


def _sign(tally: VoteTally, choice: int) -> str:
    return f"{letter(choice)} {RIGHT}" if _is_right(tally, choice) else letter(choice)


def _behind(tally: VoteTally, choice: int) -> str:
    """Return the text after the bar of `choice`: the shares of two rounds, or the share and the votes of one."""
    if len(tally.shown) == 1:
        return _figures(tally, tally.shown[0], choice)
    return CHANGE.join(f"{tally.percent(number, choice)}%" for number in tally.shown)


def _figures(tally: VoteTally, number: int, choice: int) -> str:
    return f"{tally.rounds[number][choice]} · {tally.percent(number, choice)}%"


def _is_right(tally: VoteTally, choice: int) -> bool:
    return tally.right is not None and tally.right[choice]


def _plain(words: str) -> str:
    return words.replace("`", "")
