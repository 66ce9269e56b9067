"""PictureChooser, AxisControls, ModeChooser: controls for which array, which axes, which type of plot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace
from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QButtonGroup, QComboBox, QSizePolicy, QWidget

from explorer.messages import Picture, PictureRole
from explorer.text.text import Text
from views.noise.arrays.picture_choice import ROLES, PictureChoice, PictureOptions, PictureSlice, shown_name
from views.noise.bars.slider_lines import SliderLine, SliderLines
from views.noise.pages.page import MODES, Mode
from views.parts.controls import name
from views.parts.flow_row import FlowRow
from views.parts.own_document import plain_tip
from views.parts.tabs import TabButton

LEAST_LETTERS, MOST_LETTERS = 9, 16
"""The width of a list of arrays in wide letters: at least, and at most for a long name."""


class PictureChooser(FlowRow):
    """The switch of roles and the list of arrays; only existing ones are offered.

    Signals:
        choice_changed: the Wish after the user chose something.
    """

    choice_changed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._group = QButtonGroup(self)
        self.buttons: dict[PictureRole, TabButton] = {}
        for place, role in enumerate(ROLES):
            self._add_button(place, role)
        self.arrays = ArrayList(self.tr("Array"))
        self.add(self.arrays)
        self._group.idClicked.connect(self._choose_role)
        self.arrays.activated.connect(self._choose_array)

    def _add_button(self, place: int, role: PictureRole) -> None:
        titles: dict[PictureRole, str] = {
            "output": self.tr("Output"),
            "draw": self.tr("Draws"),
            "difference": self.tr("Output − input"),
            "value": self.tr("Value"),
        }
        tips: dict[PictureRole, str] = {
            "output": self.tr("The value that the program returns"),
            "draw": self.tr("The random numbers as drawn"),
            "difference": self.tr("The difference between output and input"),
            "value": self.tr("The value of the equation that is selected"),
        }
        button = TabButton(titles[role], tips[role])
        self._group.addButton(button, place)
        self.buttons[role] = button
        self.add(button)

    def show_offer(self, offer: PictureOptions) -> None:
        """Show the choices with the current one checked; hidden where there is no choice."""
        for role, button in self.buttons.items():
            button.setVisible(role in offer.roles and len(offer.roles) > 1)
            button.setChecked(role == offer.role)
        self.arrays.show_names(offer.names, "{}", offer.position)
        self.arrays.setVisible(len(offer.names) > 1)

    def _choose_role(self, place: int) -> None:
        self.choice_changed.emit(PictureChoice(role=ROLES[place]))

    def _choose_array(self, position: int) -> None:
        role = ROLES[self._group.checkedId()]
        self.choice_changed.emit(PictureChoice(role=role, name=self.arrays.itemData(position), position=position))


class ArrayList(QComboBox):
    """A list of arrays that takes the available room."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setToolTip(plain_tip(name))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)

    def show_names(self, names: Sequence[Text | str], words: str, position: int) -> None:
        """Offer the arrays `names`, each in these `words`, with that at `position` chosen."""
        shown = [words.format(shown_name(name)) for name in names]
        with QSignalBlocker(self):
            self.clear()
            for name, title in zip(names, shown, strict=True):
                self.addItem(title, name)
            self.setCurrentIndex(position)
        longest = max(map(len, shown), default=0)
        self.setMinimumContentsLength(min(MOST_LETTERS, max(LEAST_LETTERS, longest)))


class AxisControls(SliderLines):
    """Which axis makes the rows, and a slider for each axis that is neither rows nor columns.

    Signals:
        cut_changed: the Cut after the user chose an axis or moved a slider.
    """

    cut_changed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._cut = PictureSlice()
        self._axes: list[int] = []
        self.rows = QComboBox()
        """For another widget to lay out, next to controls that every picture has."""
        self.rows.setAccessibleName(self.tr("Axis that makes the rows"))
        self.rows.setToolTip(self.tr("Axis that makes the rows"))
        self.rows.activated.connect(self._choose_rows)
        self.moved.connect(self._choose_place)

    def show_picture(self, picture: Picture | None, cut: PictureSlice, *, whole_rows: bool) -> None:
        """Offer the axes of `picture`: rows where it has two, and a line for each further axis.

        The lines are hidden with `whole_rows`, which show all indices of the further axes.
        """
        self._cut = cut
        shape = picture.values.shape if picture is not None else ()
        self._axes = cut.further_axes(len(shape))
        self.rows.setVisible(len(shape) > 1)
        self.setVisible(len(shape) > 2 and not whole_rows)
        with QSignalBlocker(self.rows):
            self.rows.clear()
            self.rows.addItems([self.tr("axis {}").format(axis) for axis in range(len(shape))])
            self.rows.setCurrentIndex(cut.row_axis)
        self.show_lines([self._line(axis, shape[axis]) for axis in self._axes])

    def _line(self, axis: int, size: int) -> SliderLine:
        place = self._cut.place(axis, size)
        words = self.tr("axis {}: {} of {}").format(axis, f"{place:,}", f"{size:,}")
        return SliderLine(words, self.tr("Index along axis {}").format(axis), size, place)

    def _choose_rows(self, axis: int) -> None:
        self.cut_changed.emit(replace(self._cut, row_axis=axis))

    def _choose_place(self, moved: tuple[int, int]) -> None:
        line, place = moved
        self.cut_changed.emit(replace(self._cut, places={**self._cut.places, self._axes[line]: place}))


class ModeChooser(QComboBox):
    """Signals:
    mode_chosen: the Mode that the user chose.
    """

    mode_chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        name(self, self.tr("Type of plot"))
        titles: dict[Mode, str] = {
            "line": self.tr("Line"),
            "heatmap": self.tr("Heatmap"),
            "images": self.tr("Images"),
            "scatter": self.tr("Scatter"),
        }
        self.addItems([titles[mode] for mode in MODES])
        self.activated.connect(self._choose)

    def show_modes(self, mode: Mode, reasons: Mapping[Mode, str]) -> None:
        """Show that `mode` is on; each mode in `reasons` cannot be chosen, and its tool tip says why."""
        with QSignalBlocker(self):
            self.setCurrentIndex(MODES.index(mode))
        model = self.model()
        assert isinstance(model, QStandardItemModel)
        for place, each in enumerate(MODES):
            item = model.item(place)
            item.setEnabled(each not in reasons)
            item.setData(plain_tip(reasons.get(each, "")), Qt.ItemDataRole.ToolTipRole)

    def _choose(self, place: int) -> None:
        self.mode_chosen.emit(MODES[place])
