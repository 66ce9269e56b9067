"""The fields of the parameters of ``inputs``: one for each, in as many lines as they need."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QLocale, QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QDoubleSpinBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QScrollArea,
    QSpinBox,
    QWidget,
)

from explorer.messages import Parameter
from views.parts.flow_row import FlowRow

LARGEST_INT = 2**31 - 1
"""QSpinBox holds no more."""
DECIMALS = 10
MOST_LINES = 2
"""More parameters than these lines hold are scrolled to."""


class ParameterFields(QScrollArea):
    """One field for each parameter of ``inputs``.

    Signals:
        parameter_set: a Parameter with the value that was typed or stepped to.
    """

    parameter_set = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.viewport().setAutoFillBackground(False)
        self._row = FlowRow(spacing=10)
        self.setWidget(self._row)
        self._row.setAutoFillBackground(False)
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

    def line_width(self) -> int:
        """Return how wide all fields are in one line, in pixels; 0 without any."""
        return self._row.sizeHint().width() if self._fields else 0

    def height_for(self, width: int) -> int:
        """Return how high the fields are in `width` pixels, where they are scrolled beyond MOST_LINES."""
        one = self._row.heightForWidth(self.line_width())
        return min(self._row.heightForWidth(width), MOST_LINES * one + self._row.spacing)

    def _rebuild(self, parameters: tuple[Parameter, ...]) -> None:
        self._row.clear()
        self._fields = {}
        for parameter in parameters:
            field = ParameterField(parameter)
            field.parameter_set.connect(self.parameter_set)
            self._fields[parameter.name] = field
            self._row.add(field)


class ParameterField(QWidget):
    """The name of one parameter and its editor, of the widget class that suits its type.

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
        label = QLabel(parameter.name)
        label.setBuddy(self.editor)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.addWidget(label)
        layout.addWidget(self.editor)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit()

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
            spin.valueChanged.connect(self._tell)
            return spin
        if isinstance(value, float):
            number = NumberBox()
            number.valueChanged.connect(self._tell)
            return number
        line = QLineEdit(str(value))
        line.editingFinished.connect(self._tell)
        return line

    def _fit(self) -> None:
        """Make a number's field wide enough for a digit more than its default, not for all that it could hold."""
        editor = self.editor
        if isinstance(editor, QSpinBox | QDoubleSpinBox):
            letters = max(3, len(str(self._parameter.default)) + 1) + 3
            editor.setMinimumWidth(0)
            editor.setMaximumWidth(editor.fontMetrics().horizontalAdvance("0") * letters + 12)

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


class NumberBox(QDoubleSpinBox):
    """Shows as many decimals as the number has, as Python writes them."""

    def __init__(self) -> None:
        super().__init__()
        self.setLocale(QLocale.c())
        self.setDecimals(DECIMALS)
        self.setRange(-1e12, 1e12)
        self.setStepType(QDoubleSpinBox.StepType.AdaptiveDecimalStepType)

    def textFromValue(self, value: float) -> str:  # noqa: N802
        whole, _, decimals = f"{value:.{DECIMALS}f}".partition(".")
        return f"{whole}.{decimals.rstrip('0') or '0'}"
