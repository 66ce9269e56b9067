"""TransformOptions: the options of one transform; transforms_around(): those of a variant in words."""

from __future__ import annotations

import msgspec
from PySide6.QtCore import QCoreApplication, QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QHBoxLayout, QLabel, QWidget

from explorer.messages import TOP_LEVEL, Applied, Argument
from explorer.messages.transform_text import chosen_argument, chosen_axes
from explorer.session.controls import Controls


def transforms_around(controls: Controls, name: str) -> list[str]:
    """Return the transforms around `name` as a call, such as ``jit(vmap(name))``, and the flags; empty for none."""
    transforms, called = controls.transforms, name
    applied = transforms.applied if controls.variant != TOP_LEVEL else ()
    for each in applied:
        called = f"{each.name}({called})"
    not_partitionable = QCoreApplication.translate("InForce", "not partitionable")
    flags = ["x64"] * transforms.x64 + [not_partitionable] * (not transforms.partitionable)
    return [*([called] if applied else []), *flags]


class TransformOptions(QWidget):
    """The options of one applied transform; none for jit and checkpoint.

    Signals:
        option_chosen: the changed Applied.
    """

    option_chosen = Signal(object)

    def __init__(self, applied: Applied, arguments: tuple[Argument, ...]) -> None:
        super().__init__()
        self._applied = applied
        self._arguments = arguments
        self.boxes: dict[str, QComboBox] = {}
        """For vmap by argument, and one for the output under the empty name; for grad and jvp one."""
        self.summed = QCheckBox(self.tr("of the sum"))
        self.summed.setToolTip(
            self.tr("Differentiate the sum of all outputs; grad alone needs a function that returns one number")
        )
        self.summed.clicked.connect(self._choose_summed)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.addWidget(QLabel(f"{applied.name}:", textFormat=Qt.TextFormat.PlainText))
        if applied.name == "vmap":
            self._lay_out_axes()
        elif applied.name in ("grad", "jvp"):
            self._lay_out_argument()
        self._row.addWidget(self.summed)
        self.summed.setVisible(applied.name == "grad")

    def show_applied(self, applied: Applied) -> None:
        """Show the current options, without emitting them."""
        self._applied = applied
        if applied.name == "vmap":
            for name, axis in chosen_axes(applied, self._arguments).items():
                _choose(self.boxes[name], axis)
            _choose(self.boxes[""], applied.out_axes)
        elif applied.name in ("grad", "jvp"):
            _choose(self.boxes[""], chosen_argument(applied, self._arguments))
        self.summed.setChecked(applied.summed)

    def _lay_out_axes(self) -> None:
        for each in self._arguments:
            box = self._box(each.name, self.tr("Axis of {} that vmap maps over: {}").format(each.name, each.type))
            for axis, length in enumerate(each.shape if each.is_array else ()):
                box.addItem(self.tr("axis {axis} ({length})").format(axis=axis, length=f"{length:,}"), axis)
            box.addItem(self.tr("shared"), None)
        box = self._box("", self.tr("Axis of the outputs that holds the examples"))
        for axis in range(4):
            box.addItem(self.tr("axis {}").format(axis), axis)

    def _lay_out_argument(self) -> None:
        box = self._box("", self.tr("Argument to differentiate with respect to"))
        for each in self._arguments:
            if each.is_float:
                box.addItem(each.name, each.name)

    def _box(self, argument: str, tip: str) -> QComboBox:
        is_output = self._applied.name == "vmap" and not argument
        label = QLabel(
            argument or (self.tr("→ out") if is_output else self.tr("by")), textFormat=Qt.TextFormat.PlainText
        )
        box = QComboBox()
        box.setToolTip(tip)
        box.setAccessibleName(tip)
        label.setBuddy(box)
        box.setObjectName(argument)
        box.activated.connect(self._choose_box)
        self.boxes[argument] = box
        self._row.addWidget(label)
        self._row.addWidget(box)
        return box

    def _choose_box(self, _row: int) -> None:
        argument = self.sender().objectName()
        chosen = self.boxes[argument].currentData()
        if self._applied.name != "vmap":
            self._tell(argument=chosen)
        elif argument:
            self._tell(in_axes={**chosen_axes(self._applied, self._arguments), argument: chosen})
        else:
            self._tell(out_axes=chosen)

    def _choose_summed(self, wanted: bool) -> None:
        self._tell(summed=wanted)

    def _tell(self, **changes: object) -> None:
        self.option_chosen.emit(msgspec.structs.replace(self._applied, **changes))


def _choose(box: QComboBox, wanted: object) -> None:
    row = next((row for row in range(box.count()) if box.itemData(row) == wanted), -1)
    with QSignalBlocker(box):
        box.setCurrentIndex(row)
