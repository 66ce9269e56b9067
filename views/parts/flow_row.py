"""FlowRow: controls in lines, as many in each as fit."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from views.parts.controls import SelfArranging

SPACING = 3


class FlowRow(SelfArranging):
    """Breaks lines where the next widget does not fit; widgets that can grow share the rest of a line."""

    def __init__(self, parent: QWidget | None = None, *, spacing: int = SPACING) -> None:
        super().__init__(parent)
        self.spacing = spacing
        self._widgets: list[QWidget] = []
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def add(self, widget: QWidget) -> None:
        widget.setParent(self)
        widget.show()
        self._widgets.append(widget)
        self.lay_out()

    def fill(self, widgets: Sequence[QWidget]) -> None:
        """Show exactly `widgets`, with one layout for all."""
        for widget in [each for each in self._widgets if each not in widgets]:
            self.remove(widget)
        self._widgets = list(widgets)
        for widget in widgets:
            widget.setParent(self)
            widget.show()
        self.lay_out()

    def remove(self, widget: QWidget) -> None:
        self._widgets.remove(widget)
        widget.hide()
        widget.deleteLater()
        self.updateGeometry()

    def heightForWidth(self, width: int) -> int:  # noqa: N802
        heights = [_height(line) for line in self._lines(width)]
        return sum(heights) + self.spacing * max(0, len(heights) - 1)

    def sizeHint(self) -> QSize:
        return QSize(_width(self._shown(), self.spacing), self.heightForWidth(self.width()))

    def minimumSizeHint(self) -> QSize:
        widest = max((widget.minimumSizeHint().width() for widget in self._shown()), default=0)
        return QSize(widest, self.heightForWidth(self.width()))

    def showEvent(self, event: QShowEvent) -> None:
        # Qt does not report widgets that were added or removed while this was hidden.
        super().showEvent(event)
        self.lay_out()

    def _shown(self) -> list[QWidget]:
        return [widget for widget in self._widgets if not widget.isHidden()]

    def _lines(self, width: int) -> list[list[QWidget]]:
        lines: list[list[QWidget]] = []
        taken = 0
        for widget in self._shown():
            wide = widget.sizeHint().width()
            taken += self.spacing + wide
            if not lines or taken > width:
                lines.append([])
                taken = wide
            lines[-1].append(widget)
        return lines

    def lay_out(self) -> None:
        y = 0
        for line in self._lines(self.width()):
            growing = [widget for widget in line if _grows(widget)]
            more = max(0, self.width() - _width(line, self.spacing)) // len(growing) if growing else 0
            x, height = 0, _height(line)
            for widget in line:
                width = min(self.width(), widget.sizeHint().width() + (more if widget in growing else 0))
                widget.setGeometry(x, y, width, height)
                x += width + self.spacing
            y += height + self.spacing
        self.updateGeometry()


def _width(line: Sequence[QWidget], spacing: int) -> int:
    return sum(widget.sizeHint().width() for widget in line) + spacing * max(0, len(line) - 1)


def _height(line: Sequence[QWidget]) -> int:
    return max(widget.sizeHint().height() for widget in line)


def _grows(widget: QWidget) -> bool:
    return widget.sizePolicy().horizontalPolicy() == QSizePolicy.Policy.Expanding
