"""Which point of the sweep One call is about."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QWidget

from explorer.figures.curves import Figures
from explorer.messages import Value
from views.parts.naming import name
from views.theme import Theme


class PointRow(QWidget):
    """A list of the values of the parameter.

    Signals:
        changed: the user chose another value.
    """

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.chosen: Value | None = None
        """The user's choice, whether or not it is offered."""
        self._offered: Sequence[Value] = ()
        self._values, self._label = QComboBox(), QLabel(textFormat=Qt.TextFormat.PlainText)
        name(self._values, self.tr("Point of the sweep"))
        self._values.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self._label.setBuddy(self._values)
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 4, 8, 4)
        row.addWidget(self._label)
        row.addWidget(self._values)
        row.addStretch(1)
        self._values.activated.connect(self._on_chosen)

    @property
    def value(self) -> Value | None:
        """The chosen value where it is offered, else the last one; None where nothing is timed."""
        return self.chosen if self.chosen in self._offered else next(reversed(self._offered), None)

    def show_figures(self, figures: Figures) -> None:
        """Offer the values of `figures` at which calls can be compared."""
        self._offered = comparable_values(figures)
        texts = [str(each) for each in self._offered]
        with QSignalBlocker(self._values):
            self._values.clear()
            self._values.addItems(texts)
            self._values.setCurrentIndex(texts.index(str(self.value)) if texts else -1)
        self._label.setText(self.tr("at {parameter} =").format(parameter=figures.swept))

    def apply_theme(self, theme: Theme) -> None:
        """Apply the text size of `theme`."""
        for part in (self._values, self._label):
            part.setFont(theme.font(0.95))

    def _on_chosen(self, place: int) -> None:
        self.chosen = self._offered[place]
        self.changed.emit()


def comparable_values(figures: Figures) -> list[Value]:
    """Return the values with a first call from empty caches, or the timed values where none has one."""
    timed = {value: figures.timed(value) for value in figures.values}
    cold = [value for value, points in timed.items() if any(point.cold for _, point in points)]
    return cold or [value for value, points in timed.items() if points]
