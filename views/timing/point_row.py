"""Which point of the sweep the pages on one point are about."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QWidget

from explorer.figures.curves import Figures, Series
from explorer.messages import Value
from views.theme import Theme


class PointRow(QWidget):
    """A list of the curves and one of the values of the parameter.

    Signals:
        changed: the person chose another point.
    """

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._figures = Figures.of(())
        self._with_series = False
        self._chosen_value: Value | None = None
        self._chosen_series: Series | None = None
        self._series = QComboBox()
        self._series.setAccessibleName(self.tr("Curve"))
        self._series.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self._series.setMinimumContentsLength(8)
        self._values = QComboBox()
        self._values.setAccessibleName(self.tr("Point of the sweep"))
        self._values.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self._label = QLabel()
        self._label.setBuddy(self._values)
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 4, 8, 4)
        row.addWidget(self._series, 1)
        row.addWidget(self._label)
        row.addWidget(self._values)
        row.addStretch(0)
        self._series.activated.connect(self._on_series_chosen)
        self._values.activated.connect(self._on_value_chosen)

    @property
    def value(self) -> Value | None:
        """The value that was chosen where it is offered, else the last one; None where nothing is timed."""
        offered = self._offered_values()
        if self._chosen_value in offered:
            return self._chosen_value
        values = comparable_values(self._figures)
        return values[-1] if values else None

    @property
    def series(self) -> Series | None:
        """The curve that was chosen where it is offered, else the first one."""
        offered = self._offered_series()
        return self._chosen_series if self._chosen_series in offered else next(iter(offered), None)

    def show_figures(self, figures: Figures, *, with_series: bool) -> None:
        """Offer the points of `figures`: of every curve, or those at which calls can be compared."""
        self._figures, self._with_series = figures, with_series
        offered, values = self._offered_series(), self._offered_values()
        with QSignalBlocker(self._values), QSignalBlocker(self._series):
            self._values.clear()
            self._values.addItems([str(each) for each in values])
            self._values.setCurrentIndex(values.index(self.value) if self.value in values else -1)
            self._series.clear()
            self._series.addItems([each.label for each in offered])
            self._series.setCurrentIndex(offered.index(self.series) if self.series in offered else -1)
        self._label.setText(self.tr("at {parameter} =").format(parameter=figures.swept))
        self._label.setVisible(bool(figures.swept))
        self._values.setVisible(bool(figures.swept))
        self._series.setVisible(with_series)

    def choose(self, series: Series, value: Value) -> None:
        """Take `value` of `series` as chosen."""
        self._chosen_series, self._chosen_value = series, value

    def choose_as(self, other: PointRow) -> None:
        """Take as chosen what `other` has."""
        self._chosen_series, self._chosen_value = other._chosen_series, other._chosen_value

    def apply_theme(self, theme: Theme) -> None:
        """Take the text size of `theme`."""
        for part in (self._series, self._values, self._label):
            part.setFont(theme.font(0.95))

    def _offered_series(self) -> list[Series]:
        return [series for series in self._figures.series if self._figures.of_series(series)]

    def _offered_values(self) -> list[Value]:
        if not self._with_series:
            return comparable_values(self._figures)
        return [value for value in self._figures.values if self._figures.timed(value)]

    def _on_series_chosen(self, place: int) -> None:
        self._chosen_series = self._offered_series()[place]
        self.changed.emit()

    def _on_value_chosen(self, place: int) -> None:
        self._chosen_value = self._offered_values()[place]
        self.changed.emit()


def comparable_values(figures: Figures) -> list[Value]:
    """Return the values at which there is a first call from empty caches, or those that are timed where none is."""
    timed = {value: figures.timed(value) for value in figures.values}
    cold = [value for value, points in timed.items() if any(point.cold for _, point in points)]
    return cold or [value for value, points in timed.items() if points]
