"""The list of ways to see a picture; those that do not suit it are greyed and say why."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QComboBox, QWidget

from views.noise.sight import MODES, Mode
from views.parts.naming import name
from views.parts.outside.plain_tip import plain_tip


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
