"""The controls above the heatmap: outputs, draws or differences, which array, and which axes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QComboBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QSizePolicy,
    QSlider,
    QToolButton,
    QWidget,
)

from explorer.messages import Picture, PictureRole
from views.noise.picture_choice import ROLES, Offer, Wish
from views.noise.picture_slice import Cut
from views.theme import Theme


class PictureChooser(QWidget):
    """The switch of roles and the list of arrays; only what exists is offered.

    Signals:
        wish_changed: the Wish after the person chose something.
    """

    wish_changed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._wish = Wish()
        titles = (self.tr("Output"), self.tr("Draws"), self.tr("Output − input"))
        self._group = QButtonGroup(self)
        self.buttons: dict[PictureRole, QToolButton] = {}
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(2)
        for place, (role, title) in enumerate(zip(ROLES, titles, strict=True)):
            button = QToolButton()
            button.setText(title)
            button.setCheckable(True)
            button.setAccessibleName(title)
            button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            self._group.addButton(button, place)
            self.buttons[role] = button
            row.addWidget(button)
        self.arrays = QComboBox()
        self.arrays.setAccessibleName(self.tr("Array"))
        self.arrays.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.arrays.setMinimumContentsLength(6)
        self.arrays.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        row.addSpacing(6)
        row.addWidget(self.arrays, 1)
        row.addStretch(0)
        self._group.idClicked.connect(self._choose_role)
        self.arrays.activated.connect(self._choose_array)

    def show_offer(self, offer: Offer, wish: Wish) -> None:
        """Offer what there is and check what is chosen; nothing is shown where there is no choice."""
        self._wish = wish
        for role, button in self.buttons.items():
            button.setVisible(role in offer.roles)
            button.setChecked(role == offer.role)
        with QSignalBlocker(self.arrays):
            self.arrays.clear()
            self.arrays.addItems(list(offer.names))
            self.arrays.setCurrentIndex(offer.position)
        self.arrays.setVisible(len(offer.names) > 1)
        self.setVisible(len(offer.roles) > 1 or len(offer.names) > 1)

    def _choose_role(self, place: int) -> None:
        self.wish_changed.emit(Wish(role=ROLES[place]))

    def _choose_array(self, position: int) -> None:
        role = next(role for role, button in self.buttons.items() if button.isChecked())
        self.wish_changed.emit(Wish(role=role, name=self.arrays.itemText(position), position=position))


class AxisControls(QWidget):
    """Which axis makes the rows, and a slider for each axis that is neither rows nor columns.

    Signals:
        cut_changed: the Cut after the person chose an axis or moved a slider.
    """

    cut_changed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._cut = Cut()
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(6)
        self._grid.setVerticalSpacing(2)
        self._grid.setColumnStretch(3, 1)
        self._rows_label = QLabel(self.tr("Rows"))
        self.rows = QComboBox()
        self.rows.setAccessibleName(self.tr("Axis that makes the rows"))
        self._rows_label.setBuddy(self.rows)
        self.rows.activated.connect(self._choose_rows)
        self._grid.addWidget(self._rows_label, 0, 0)
        self._grid.addWidget(self.rows, 0, 1)
        self.sliders: dict[int, QSlider] = {}
        self._labels: dict[int, QLabel] = {}

    def show_picture(self, picture: Picture | None, cut: Cut) -> None:
        """Offer the axes of `picture`; nothing is shown for fewer than three."""
        self._cut = cut
        shape = picture.values.shape if picture is not None else ()
        self.setVisible(len(shape) > 2)
        with QSignalBlocker(self.rows):
            self.rows.clear()
            self.rows.addItems([self.tr("axis {} ({})").format(axis, f"{size:,}") for axis, size in enumerate(shape)])
            self.rows.setCurrentIndex(cut.row_axis)
        self._show_sliders(shape, cut.slider_axes(len(shape)))

    def _show_sliders(self, shape: Sequence[int], axes: Sequence[int]) -> None:
        for line, axis in enumerate(axes):
            if axis not in self.sliders:
                self._add_slider(axis)
            slider, label = self.sliders[axis], self._labels[axis]
            for column, widget in ((2, label), (3, slider)):
                self._grid.removeWidget(widget)
                self._grid.addWidget(widget, line, column)
            place = self._cut.place(axis, shape[axis])
            with QSignalBlocker(slider):
                slider.setRange(0, max(0, shape[axis] - 1))
                slider.setValue(place)
            label.setText(self.tr("axis {}: {} of {}").format(axis, f"{place:,}", f"{shape[axis]:,}"))
        for axis, slider in self.sliders.items():
            slider.setVisible(axis in axes)
            self._labels[axis].setVisible(axis in axes)

    def _add_slider(self, axis: int) -> None:
        slider, label = QSlider(Qt.Orientation.Horizontal), QLabel()
        slider.setObjectName(str(axis))
        slider.setAccessibleName(self.tr("Place along axis {}").format(axis))
        slider.setMinimumWidth(40)
        slider.valueChanged.connect(self._move)
        self.sliders[axis], self._labels[axis] = slider, label

    def _choose_rows(self, axis: int) -> None:
        self.cut_changed.emit(replace(self._cut, row_axis=axis))

    def _move(self, place: int) -> None:
        places: Mapping[int, int] = {**self._cut.places, int(self.sender().objectName()): place}
        self.cut_changed.emit(replace(self._cut, places=places))

    def apply_theme(self, theme: Theme) -> None:
        self._grid.setHorizontalSpacing(theme.px(6))
        size, groove = theme.px(14), theme.px(3)
        self.setStyleSheet(f"""
            QSlider::groove:horizontal {{ height: {groove}px; background: {theme.hairline}; }}
            QSlider::handle:horizontal {{ width: {size}px; margin: -{(size - groove) // 2}px 0;
                                          border-radius: {size // 2}px; background: {theme.dim}; }}
            QSlider::handle:horizontal:focus {{ background: {theme.focus}; }}
        """)
