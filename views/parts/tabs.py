"""Tabs and TabButton: names of which one is chosen, bold and underlined, wherever one of several is shown."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QButtonGroup

from views.parts.flow_row import FlowRow
from views.theme import LIGHT, Theme, Themed, apply_to_tree


class Tabs(Themed, FlowRow):
    """Names with one chosen.

    Signals:
        chosen: the number of the one that the user chose.
    """

    chosen = Signal(object)

    def __init__(self, names: Sequence[str] = (), tips: Sequence[str] = ()) -> None:
        """Name the tabs `names`; without `tips` each says that it is shown."""
        super().__init__(spacing=0)
        self._group = QButtonGroup(self)
        self._group.idClicked.connect(self.chosen.emit)
        self.show_names(names, tips)

    @property
    def buttons(self) -> tuple[TabButton, ...]:
        """The tabs, from left to right."""
        return tuple(each for each in self._group.buttons() if isinstance(each, TabButton))

    def show_names(self, names: Sequence[str], tips: Sequence[str] = ()) -> None:
        if [each.text() for each in self.buttons] == list(names):
            return
        for old in self.buttons:
            self._group.removeButton(old)
            self.remove(old)
        for number, text in enumerate(names):
            button = TabButton(text, tips[number] if tips else self.tr("Show {}").format(text))
            apply_to_tree(button, self.theme)
            self._group.addButton(button, number)
            self.add(button)

    def choose(self, number: int) -> None:
        """Show that this one is chosen."""
        self.buttons[number].setChecked(True)


class TabButton(Themed, QAbstractButton):
    """A tab: a word that is bold and underlined when it is down."""

    def __init__(self, text: str, tip: str) -> None:
        super().__init__()
        self.setText(text)
        self.apply_theme(LIGHT)
        self.setToolTip(tip)
        self.setAccessibleName(text)
        self.setAccessibleDescription(tip)
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)

    def apply_theme(self, theme: Theme) -> None:
        metrics = QFontMetrics(theme.font(bold=True))
        # Kept: a row of tabs asks each of its tabs hundreds of times while a window is laid out.
        self._hint = QSize(metrics.horizontalAdvance(self.text()) + theme.px(10), metrics.height() + theme.px(8))

    def sizeHint(self) -> QSize:
        return self._hint

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme, painter = self.theme, QPainter(self)
        painter.setFont(theme.font(bold=self.isChecked()))
        painter.setPen(QColor(theme.text if self.isChecked() or self.underMouse() else theme.dim))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self.text())
        if self.isChecked():
            line = QRect(theme.px(4), self.height() - theme.px(3), self.width() - theme.px(8), theme.px(3))
            painter.fillRect(line, QColor(theme.focus))
        if self.hasFocus():
            painter.setPen(QPen(QColor(theme.focus), 1, Qt.PenStyle.DotLine))
            painter.drawRect(self.rect().adjusted(1, 1, -2, -2))
        painter.end()
