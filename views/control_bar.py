"""The tool bar: device, variant, comparison, the parameters of ``inputs``, and run or stop."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QSpinBox,
    QToolBar,
    QWidget,
)

from explorer.controls import Controls
from explorer.messages import Parameter
from views.theme import Theme

LARGEST_INT = 2**31 - 1
"""QSpinBox holds no more."""


class ControlBar(QToolBar):
    """Shows Controls and tells what the person chooses.

    Signals:
        device_chosen, variant_chosen, compare_chosen: the id or name; compare is empty for none.
        parameter_set: a Parameter with its new value.
    """

    device_chosen = Signal(str)
    variant_chosen = Signal(str)
    compare_chosen = Signal(str)
    parameter_set = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("control_bar")
        self.setWindowTitle(self.tr("Controls"))
        self.setMovable(False)
        self._titles: dict[str, str] = {}
        self._controls = Controls()
        self._device = self._combo(self.tr("Device"), self.tr("Where the program runs and is timed"), 5)
        self._variant = self._combo(self.tr("Variant"), self.tr("The function that the panes show"), 16)
        self._compare = self._combo(
            self.tr("Compare with"), self.tr("A second function to compare with, shown beside the first"), 16
        )
        self._device.activated.connect(self._on_device)
        self._variant.activated.connect(self._on_variant)
        self._compare.activated.connect(self._on_compare)
        self._fields = ParameterFields()
        self._fields.parameter_set.connect(self.parameter_set)
        self.addWidget(self._fields)
        spacer = QWidget()
        spacer.setSizePolicy(spacer.sizePolicy().Policy.Expanding, spacer.sizePolicy().Policy.Preferred)
        self.addWidget(spacer)

    def add_command(self, action: QAction) -> None:
        """Add `action` as a button at the right end."""
        self.addAction(action)

    def show_titles(self, titles: dict[str, str]) -> None:
        """Show variants under these titles; a variant without one shows its name."""
        self._titles = titles
        self.show_controls(self._controls)

    def show_controls(self, controls: Controls) -> None:
        """Show `controls`, without telling that anything was chosen."""
        self._controls = controls
        _fill(self._device, [(device.id, device.id, device.kind) for device in controls.devices], controls.device)
        if not controls.devices:
            _fill(self._device, [("", self.tr("starting"), "")], "")
        variants = [(each.name, self._titles.get(each.name, each.name), each.doc) for each in controls.variants]
        _fill(self._variant, variants, controls.variant)
        others = [each for each in variants if each[0] != controls.variant]
        _fill(self._compare, [("", self.tr("nothing"), ""), *others], controls.compare)
        self._variant.setEnabled(bool(variants))
        self._compare.setEnabled(bool(others))
        self._fields.show_parameters(controls.parameters)

    def apply_theme(self, theme: Theme) -> None:
        self.setIconSize(self.iconSize().__class__(theme.px(18), theme.px(18)))

    def _combo(self, label: str, tip: str, length: int) -> QComboBox:
        name = QLabel(label)
        combo = QComboBox()
        # A long title gives way before the buttons at the other end do; the open list shows it whole.
        combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        combo.setMinimumContentsLength(length)
        combo.setAccessibleName(label)
        combo.setToolTip(tip)
        name.setBuddy(combo)
        self.addWidget(name)
        self.addWidget(combo)
        return combo

    def _on_device(self) -> None:
        self.device_chosen.emit(self._device.currentData())

    def _on_variant(self) -> None:
        self.variant_chosen.emit(self._variant.currentData())

    def _on_compare(self) -> None:
        self.compare_chosen.emit(self._compare.currentData())


class ParameterFields(QWidget):
    """One field for each parameter of ``inputs``.

    Signals:
        parameter_set: a Parameter with the value that was typed or stepped to.
    """

    parameter_set = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._layout = QHBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._shown: tuple[tuple[str, type], ...] = ()
        self._fields: dict[str, ParameterField] = {}

    def show_parameters(self, parameters: tuple[Parameter, ...]) -> None:
        """Show `parameters`. Fields stay where they are, so that typing goes on, unless names or types change."""
        shape = tuple((parameter.name, type(parameter.default)) for parameter in parameters)
        if shape != self._shown:
            self._rebuild(parameters)
            self._shown = shape
        for parameter in parameters:
            self._fields[parameter.name].show_parameter(parameter)

    def _rebuild(self, parameters: tuple[Parameter, ...]) -> None:
        while (item := self._layout.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.deleteLater()
        self._fields = {}
        for parameter in parameters:
            field = ParameterField(parameter)
            field.parameter_set.connect(self.parameter_set)
            self._fields[parameter.name] = field
            label = QLabel(parameter.name)
            label.setBuddy(field.editor)
            self._layout.addWidget(label)
            self._layout.addWidget(field.editor)
            field.setParent(self)
            field.hide()


class ParameterField(QWidget):
    """The editor of one parameter, of the widget class that suits its type.

    Signals:
        parameter_set: the Parameter with its new value.
    """

    parameter_set = Signal(object)

    def __init__(self, parameter: Parameter) -> None:
        super().__init__()
        self._parameter = parameter
        self.editor = self._make_editor()
        self.editor.setAccessibleName(parameter.name)
        self.editor.setToolTip(self.tr("inputs({}=...), {} by default").format(parameter.name, parameter.default))

    def show_parameter(self, parameter: Parameter) -> None:
        """Show the value of `parameter`, unless the person is typing in this very field."""
        self._parameter = parameter
        editor = self.editor
        if editor.hasFocus():
            return
        with QSignalBlocker(editor):
            if isinstance(editor, QCheckBox):
                editor.setChecked(bool(parameter.value))
            elif isinstance(editor, QSpinBox):
                editor.setValue(int(parameter.value))
            elif isinstance(editor, QDoubleSpinBox):
                editor.setValue(float(parameter.value))
            elif isinstance(editor, QLineEdit):
                editor.setText(str(parameter.value))

    def _make_editor(self) -> QCheckBox | QSpinBox | QDoubleSpinBox | QLineEdit:
        value = self._parameter.default
        if isinstance(value, bool):
            box = QCheckBox()
            box.toggled.connect(self._tell)
            return box
        if isinstance(value, int) and abs(value) < LARGEST_INT:
            spin = QSpinBox()
            spin.setRange(-LARGEST_INT if value < 0 else 0, LARGEST_INT)
            spin.setStepType(QSpinBox.StepType.AdaptiveDecimalStepType if value > 1000 else spin.stepType())
            _size_for(spin, value)
            spin.valueChanged.connect(self._tell)
            return spin
        if isinstance(value, float):
            number = QDoubleSpinBox()
            number.setDecimals(4)
            number.setRange(-1e12, 1e12)
            number.setStepType(QDoubleSpinBox.StepType.AdaptiveDecimalStepType)
            number.valueChanged.connect(self._tell)
            return number
        line = QLineEdit(str(value))
        line.editingFinished.connect(self._tell)
        return line

    def _tell(self) -> None:
        value = self._value()
        if value != self._parameter.value:
            self._parameter = Parameter(self._parameter.name, value, self._parameter.default)
            self.parameter_set.emit(self._parameter)

    def _value(self) -> bool | int | float | str:
        editor = self.editor
        if isinstance(editor, QCheckBox):
            return editor.isChecked()
        if isinstance(editor, QSpinBox | QDoubleSpinBox):
            return editor.value()
        text = editor.text()
        if isinstance(self._parameter.default, int):
            return int(text) if text.strip().lstrip("-").isdigit() else self._parameter.value
        return text


def _size_for(spin: QSpinBox, value: int) -> None:
    """Make `spin` wide enough for ten times `value`, not for the two thousand millions that it could hold."""
    digits = max(3, len(str(value)) + 1)
    spin.setMinimumWidth(0)
    width = spin.fontMetrics().horizontalAdvance("0" * digits)
    spin.setMaximumWidth(width + 3 * spin.fontMetrics().horizontalAdvance("0") + 12)


def _fill(combo: QComboBox, entries: list[tuple[str, str, str]], chosen: str) -> None:
    """Show `entries` of (data, text, tooltip) with `chosen` selected; touch nothing that is right already."""
    present = [(combo.itemData(row), combo.itemText(row)) for row in range(combo.count())]
    with QSignalBlocker(combo):
        if present != [(data, text) for data, text, _ in entries]:
            combo.clear()
            for data, text, tip in entries:
                combo.addItem(text, data)
                combo.setItemData(combo.count() - 1, tip, 3)
        row = combo.findData(chosen)
        if row != combo.currentIndex():
            combo.setCurrentIndex(row)
