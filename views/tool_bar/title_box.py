"""A choice between titles, which are cut where room is short."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QComboBox, QStyle, QStyleOptionComboBox, QStylePainter

from views.parts.outside.plain_tip import plain_tip

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
        self.activated.connect(self._tell)

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

    def _tell(self) -> None:
        self.chosen.emit(self.currentData())

    def _width_of(self, letters: int) -> int:
        return self.fontMetrics().horizontalAdvance("m") * letters * 3 // 4 + 40
