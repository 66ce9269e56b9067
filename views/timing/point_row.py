"""Which point of the sweep the pages on one point are about."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QWidget

from explorer.figures.curves import Figures, Series
from explorer.messages import Value
from views.parts.naming import name
from views.theme import Theme


class PointRow(QWidget):
    """A list of the curves and one of the values of the parameter.

    Signals:
        changed: the user chose another point.
    """

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.chosen: tuple[Series | None, Value | None] = (None, None)
        """The user's choice, whether or not it is offered."""
        self._offered: tuple[Sequence[Series], Sequence[Value]] = ((), ())
        self._last: Value | None = None
        self._series, self._values, self._label = QComboBox(), QComboBox(), QLabel(textFormat=Qt.TextFormat.PlainText)
        name(self._series, self.tr("Curve"))
        self._series.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self._series.setMinimumContentsLength(8)
        name(self._values, self.tr("Point of the sweep"))
        self._values.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self._label.setBuddy(self._values)
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 4, 8, 4)
        row.addWidget(self._series, 1)
        row.addWidget(self._label)
        row.addWidget(self._values)
        row.addStretch(0)
        self._series.activated.connect(self._on_chosen)
        self._values.activated.connect(self._on_chosen)

    @property
    def series(self) -> Series | None:
        """The curve that was chosen where it is offered, else the first one."""
        chosen, offered = self.chosen[0], self._offered[0]
        return chosen if chosen in offered else next(iter(offered), None)

    @property
    def value(self) -> Value | None:
        """The chosen value where it is offered, else the last one; None where nothing is timed."""
        return self.chosen[1] if self.chosen[1] in self._offered[1] else self._last

    def show_figures(self, figures: Figures, *, with_series: bool) -> None:
        """Offer the points of `figures`: of every curve, or those at which calls can be compared."""
        comparable = comparable_values(figures)
        timed = [value for value in figures.values if figures.timed(value)]
        self._offered = figures.series, timed if with_series else comparable
        self._last = comparable[-1] if comparable else None
        _fill(self._series, [each.label for each in figures.series], self.series and self.series.label)
        _fill(self._values, [str(each) for each in self._offered[1]], str(self.value))
        self._label.setText(self.tr("at {parameter} =").format(parameter=figures.swept))
        self._label.setVisible(bool(figures.swept))
        self._values.setVisible(bool(figures.swept))
        self._series.setVisible(with_series)

    def apply_theme(self, theme: Theme) -> None:
        """Apply the text size of `theme`."""
        for part in (self._series, self._values, self._label):
            part.setFont(theme.font(0.95))

    def _on_chosen(self) -> None:
        (series, values), at_series, at_value = self._offered, self._series.currentIndex(), self._values.currentIndex()
        self.chosen = series[at_series], values[at_value] if at_value >= 0 else None
        self.changed.emit()


def _fill(box: QComboBox, texts: list[str], chosen: str | None) -> None:
    with QSignalBlocker(box):
        box.clear()
        box.addItems(texts)
        box.setCurrentIndex(texts.index(chosen) if chosen in texts else -1)


def comparable_values(figures: Figures) -> list[Value]:
    """Return the values with a first call from empty caches, or the timed values where none has one."""
    timed = {value: figures.timed(value) for value in figures.values}
    cold = [value for value, points in timed.items() if any(point.cold for _, point in points)]
    return cold or [value for value, points in timed.items() if points]
