"""ControlRows lays the controls out, side by side or in lines; TitleBox: a choice whose titles may be cut."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QComboBox, QSizePolicy, QStyle, QStyleOptionComboBox, QStylePainter, QWidget

from views.parts.controls import SelfArranging
from views.parts.own_document import plain_tip
from views.tool_bar.parameter_fields import ParameterFields

WORD = 5
"""Letters of a title that are to be seen at least."""
SPARE = 4
"""Pixels beyond Qt's own width: it rounds widths, and cuts a title that is too wide by half a pixel."""


class TitleBox(QComboBox):
    """A choice as wide as its widest title, up to a limit; titles are cut where room is short.

    Signals:
        chosen: the data of the chosen entry.
    """

    chosen = Signal(str)

    def __init__(self, comfortable: int, most: int) -> None:
        super().__init__()
        self._comfortable, self._most = comfortable, most
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.setMinimumContentsLength(1)
        self._tip = ""
        self.activated.connect(lambda: self.chosen.emit(self.currentData()))

    def show_tip(self, tip: str) -> None:
        """Show the current title in the tool tip, with `tip` below, where it does not fit."""
        self._tip = tip
        self.show_whole()

    def show_whole(self) -> None:
        """Show in the tool tip the title that is cut."""
        is_cut = self.shown_title() != self.currentText()
        self.setToolTip(plain_tip(f"{self.currentText()}\n{self._tip}") if is_cut else self._tip)

    def shown_title(self) -> str:
        """Return the chosen title, cut to the available room."""
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        field = QStyle.SubControl.SC_ComboBoxEditField
        room = self.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, field, self).width()
        return self.fontMetrics().elidedText(self.currentText(), Qt.TextElideMode.ElideRight, room - 2)

    def paintEvent(self, _event: QPaintEvent) -> None:
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        option.currentText = self.shown_title()
        painter = QStylePainter(self)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.show_whole()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self.show_whole()

    def comfortable_width(self) -> int:
        """Return the width for a distinct part of each title."""
        return min(self.sizeHint().width(), self._width_of(self._comfortable))

    def tight_width(self) -> int:
        """Return the width that shows a word of a title."""
        return min(self.sizeHint().width(), self._width_of(WORD))

    def sizeHint(self) -> QSize:
        whole = super().sizeHint()
        return QSize(min(whole.width() + SPARE, self._width_of(self._most)), whole.height())

    def minimumSizeHint(self) -> QSize:
        return QSize(self._width_of(3), super().sizeHint().height())

    def _width_of(self, letters: int) -> int:
        return self.fontMetrics().horizontalAdvance("m") * letters * 3 // 4 + 40


GAP = 12
"""Between the parts."""
CLOSE = 6
"""Between two choices."""
BETWEEN = 4
"""Between two lines."""


class ControlRows(SelfArranging):
    """Choices at the left, buttons at the right, and the fields between them; the rest below."""

    def __init__(
        self, choices: Sequence[QWidget], fields: ParameterFields, buttons: QWidget, *, cuts: bool = True
    ) -> None:
        """With `cuts`, titles are cut instead of using more lines."""
        super().__init__()
        self._choices, self._fields, self._buttons = choices, fields, buttons
        self._comfortable, self._tight = (_comfortable, _tight) if cuts else (_whole, _whole)
        for part in (*choices, fields, buttons):
            part.setParent(self)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def lay_out(self) -> None:
        """Lay out every part for the current width, and set the height of this row."""
        width, buttons = self.width(), self._buttons.sizeHint()
        room = width - buttons.width() - GAP
        line = max(buttons.height(), *(choice.sizeHint().height() for choice in self._choices))
        self._buttons.setGeometry(width - buttons.width(), 0, buttons.width(), line)
        choices, y, least = self._offered(room), 0, self._comfortable
        upper = _how_many(choices, room, self._tight)
        if upper < len(choices):
            self._put_choices(choices[:upper], 0, room, line)
            # Titles are cut rather than that the fields take a third line.
            choices, y, room, least = choices[upper:], line + BETWEEN, width, self._tight
        fields = self._fields.line_width()
        in_one_row = bool(fields) and _sum(choices, least) + GAP + fields <= room
        end = self._put_choices(choices, y, room - in_one_row * (fields + GAP), line)
        self._fields.setVisible(bool(fields))
        if in_one_row:
            height = self._fields.heightForWidth(fields)
            self._fields.setGeometry(end + GAP, y + (line - height) // 2, fields, height)
        elif fields:
            y += line + BETWEEN
            line = self._fields.heightForWidth(width)
            self._fields.setGeometry(0, y, width, line)
        self.setFixedHeight(y + line)

    def _offered(self, room: int) -> Sequence[QWidget]:
        """Show and return all choices; without `room` for them only those with an effect."""
        all_fit = _sum(self._choices, _tight) <= room
        # A choice without a title has nothing to choose from.
        choices = [each for each in self._choices if any(box.count() for box in _boxes(each))]
        offered = [each for each in choices if all_fit or any(box.isEnabled() for box in _boxes(each))]
        for choice in self._choices:
            choice.setVisible(choice in offered)
        return offered

    def _put_choices(self, choices: Sequence[QWidget], y: int, room: int, line: int) -> int:
        """Put `choices` side by side, at their preferred width or within `room`; return the right end in pixels."""
        least, wanted = _sum(choices, _tight), _sum(choices, _whole)
        share = min(1.0, max(0, room - least) / max(1, wanted - least))
        x = 0
        for choice in choices:
            width = min(room, int(_tight(choice) + share * (_whole(choice) - _tight(choice))))
            choice.setGeometry(x, y, width, line)
            x += width + CLOSE
        return x - CLOSE

    def sizeHint(self) -> QSize:
        return QSize(self.minimumSizeHint().width(), self.height())

    def minimumSizeHint(self) -> QSize:
        # Choices may be cut before the buttons are; the bar itself never hides anything behind an arrow.
        return QSize(self._buttons.sizeHint().width(), self.height())


def _how_many(choices: Sequence[QWidget], room: int, width: Callable[[QWidget], int]) -> int:
    """Return the number of `choices`, each of the width that `width` returns, that fit in `room`, at least one."""
    return next((count for count in range(len(choices), 1, -1) if _sum(choices[:count], width) <= room), 1)


def _sum(choices: Sequence[QWidget], width: Callable[[QWidget], int]) -> int:
    return sum(map(width, choices)) + CLOSE * (len(choices) - 1)


def _whole(choice: QWidget) -> int:
    return choice.sizeHint().width()


def _comfortable(choice: QWidget) -> int:
    """Return the width of `choice` with its title cut to a distinct part."""
    return _whole(choice) - sum(box.sizeHint().width() - box.comfortable_width() for box in _boxes(choice))


def _tight(choice: QWidget) -> int:
    """Return the width of `choice` with its title cut to a word."""
    return _whole(choice) - sum(box.sizeHint().width() - box.tight_width() for box in _boxes(choice))


def _boxes(choice: QWidget) -> list[TitleBox]:
    return choice.findChildren(TitleBox)
