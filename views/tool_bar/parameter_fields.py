"""ParameterFields: a field for each parameter of ``inputs``, by its type, in as many lines as they need."""

from __future__ import annotations

import math
import re
from decimal import Decimal

from PySide6.QtCore import QEvent, QLocale, QPoint, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QKeyEvent, QValidator
from PySide6.QtWidgets import QCheckBox, QDoubleSpinBox, QHBoxLayout, QLabel, QLineEdit, QSpinBox, QToolTip, QWidget

from explorer.messages import Parameter, Value, is_same
from views.parts.controls import fill
from views.parts.flow_row import FlowRow
from views.parts.own_document import plain_tip

LARGEST_INT = 2**31 - 1
"""The limit of QSpinBox."""
DECIMALS = 323
"""The most decimals of QDoubleSpinBox, which rounds to them."""
LEAST = 1e-300
"""Still smaller floats would lose digits in that."""
WRITTEN_OUT = (1e-10, 1e16)
"""Floats between these are written without an exponent."""
_HALF_TYPED = re.compile(r"[+-]?\d*\.?\d*(e[+-]?\d*)?", re.IGNORECASE)
ADAPTIVE_FROM = 1000
"""From here on a step is a tenth, not one."""


def may_step(value: object) -> bool:
    """Return whether a field with arrows can represent `value`."""
    if isinstance(value, float):
        return value == 0 or LEAST <= abs(value) < math.inf
    return isinstance(value, int) and abs(value) < LARGEST_INT


def number_text(value: float) -> str:
    """Return `value` so that Python reads the same float again, without an exponent unless huge or tiny."""
    text, (least, most) = repr(value), WRITTEN_OUT
    if "e" not in text or not least <= abs(value) < most:
        return text
    text = format(Decimal(text), "f")
    return text if "." in text else f"{text}.0"


def is_no_number(event: QEvent) -> bool:
    """Return whether `event` is a key that no number has: it is left to the shortcuts of the window."""
    if event.type() != QEvent.Type.ShortcutOverride or not isinstance(event, QKeyEvent):
        return False
    return event.text().isalpha() and event.text().lower() != "e"


class WholeBox(QSpinBox):
    """A whole number; the arrows stop at 0 where neither the default nor the value is below."""

    def event(self, event: QEvent) -> bool:
        return not is_no_number(event) and super().event(event)

    def __init__(self, default: int, value: int) -> None:
        super().__init__()
        self._least_step = -LARGEST_INT if default < 0 else 0
        self.setRange(-LARGEST_INT, LARGEST_INT)
        if default > ADAPTIVE_FROM:
            self.setStepType(QSpinBox.StepType.AdaptiveDecimalStepType)
            # From a million to ten there are five hundred steps: a held arrow accelerates.
            self.setAccelerated(True)
        self.setValue(value)

    def stepBy(self, steps: int) -> None:  # noqa: N802
        before = self.value()
        super().stepBy(steps)
        if self.value() < self._least_step <= before:
            self.setValue(self._least_step)

    def stepEnabled(self) -> QSpinBox.StepEnabledFlag:  # noqa: N802
        known = super().stepEnabled()
        return known & ~QSpinBox.StepEnabledFlag.StepDownEnabled if self.value() == self._least_step else known


class NumberBox(QDoubleSpinBox):
    """A finite float, typed and shown as Python writes it."""

    def __init__(self, value: float) -> None:
        super().__init__()
        self.setLocale(QLocale.c())
        self.setDecimals(DECIMALS)
        self.setRange(-math.inf, math.inf)
        self.setValue(value)

    def event(self, event: QEvent) -> bool:
        return not is_no_number(event) and super().event(event)

    def setValue(self, value: float) -> None:  # noqa: N802
        super().setValue(value)
        # To Qt, -0.0 is what was there.
        if self.text() != (text := number_text(value)):
            self.lineEdit().setText(text)

    def stepBy(self, steps: int) -> None:  # noqa: N802
        """Step by one in the second digit, as Qt does too, but without its rounding; from 0.0 by a tenth."""
        value = Decimal(repr(self.value()))
        step = Decimal(1).scaleb(value.adjusted() - 1) if value else Decimal("0.1")
        self.setValue(float(value + steps * step))

    def textFromValue(self, value: float) -> str:  # noqa: N802
        return number_text(value)

    def valueFromText(self, text: str) -> float:  # noqa: N802
        try:
            return float(text)
        except ValueError:
            return self.value()

    def validate(self, text: str, place: int) -> object:
        """Return whether `text` is a number, may become one, or cannot."""
        if not _HALF_TYPED.fullmatch(text):
            return QValidator.State.Invalid, text, place
        try:
            whole = math.isfinite(float(text))
        except ValueError:
            whole = False
        return (QValidator.State.Acceptable if whole else QValidator.State.Intermediate), text, place


INT64_AND_UINT64 = range(-(2**63), 2**64)
"""The whole numbers that JAX has a type for."""


class ParameterFields(FlowRow):
    """One field for each parameter of ``inputs``.

    Signals:
        parameter_set: a Parameter with its new value.
    """

    parameter_set = Signal(object)

    def __init__(self, *, live: bool = True) -> None:
        """With `live`, emit a value while it is typed; else only at Enter."""
        super().__init__(spacing=10)
        self._live = live
        self.setAccessibleName(self.tr("Parameters"))
        self._shape: tuple[tuple[str, type, type], ...] = ()
        self._fields: dict[str, ParameterField] = {}

    def show_parameters(self, parameters: tuple[Parameter, ...]) -> None:
        """Show `parameters`. Fields are kept, so that typing goes on, unless names or types change."""
        shape = tuple((each.name, type(each.default), _kind(each)) for each in parameters)
        if shape != self._shape:
            self._rebuild(parameters)
            self._shape = shape
        for parameter in parameters:
            self._fields[parameter.name].show_parameter(parameter)

    def focus_first(self) -> bool:
        """Focus the first field, with its value selected; return whether there is one."""
        editor = next((field.editor for field in self._fields.values()), None)
        if editor is None:
            return False
        editor.setFocus(Qt.FocusReason.ShortcutFocusReason)
        if not isinstance(editor, QCheckBox):
            editor.selectAll()
        return True

    def forget_typed(self) -> None:
        """Show the values in force again, where something else is half typed."""
        for field in self._fields.values():
            field.forget_typed()

    def fit(self) -> None:
        """Set the widths of the fields in the current font."""
        for field in self._fields.values():
            field.fit()

    def line_width(self) -> int:
        """Return how wide all fields are in one line, in pixels; 0 without any."""
        return self.sizeHint().width() if self._fields else 0

    def _rebuild(self, parameters: tuple[Parameter, ...]) -> None:
        self._fields = {each.name: ParameterField(each, live=self._live) for each in parameters}
        for field in self._fields.values():
            field.parameter_set.connect(self.parameter_set)
        self.fill(list(self._fields.values()))


class ParameterField(QWidget):
    """The name of one parameter and its editor, of the widget class that suits its type.

    Signals:
        parameter_set: the Parameter with its new value.
    """

    parameter_set = Signal(object)

    def __init__(self, parameter: Parameter, *, live: bool = True) -> None:
        super().__init__()
        self._parameter = parameter
        self.editor = self._make_editor()
        if isinstance(self.editor, WholeBox | NumberBox):
            self.editor.setKeyboardTracking(live)
        self.editor.setAccessibleName(parameter.name)
        label = QLabel(parameter.name, textFormat=Qt.TextFormat.PlainText)
        label.setBuddy(self.editor)
        fill(QHBoxLayout(self), label, self.editor, spacing=4)
        self.fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.fit()

    def show_parameter(self, parameter: Parameter) -> None:
        """Show the value of `parameter`, unless that of a half typed text is the same."""
        self._parameter = parameter
        default = value_text(parameter.default)
        self.editor.setToolTip(plain_tip(self.tr("inputs({}=...), {} by default").format(parameter.name, default)))
        typing = isinstance(self.editor, QLineEdit) and self.editor.hasFocus() and self.editor.isModified()
        value = self._value()
        if not typing and (value is None or not is_same(value, parameter.value)):
            self._show_value()

    def forget_typed(self) -> None:
        """Show the value in force again."""
        if not isinstance(self.editor, QCheckBox):
            self._show_value()

    def _show_value(self) -> None:
        editor, value = self.editor, self._parameter.value
        with QSignalBlocker(editor):
            if isinstance(editor, QCheckBox):
                editor.setChecked(bool(value))
            elif isinstance(editor, WholeBox):
                editor.setValue(int(value))
            elif isinstance(editor, NumberBox):
                editor.setValue(float(value))
            else:
                editor.setText(value_text(value))
        self.fit()

    def _make_editor(self) -> QCheckBox | WholeBox | NumberBox | QLineEdit:
        kind = _kind(self._parameter)
        if kind is QCheckBox:
            box = QCheckBox()
            box.setChecked(bool(self._parameter.value))
            box.toggled.connect(self._tell)
            return box
        if kind is WholeBox:
            whole = WholeBox(int(self._parameter.default), int(self._parameter.value))
            whole.valueChanged.connect(self._tell)
            return whole
        if kind is NumberBox:
            number = NumberBox(float(self._parameter.value))
            number.valueChanged.connect(self._tell)
            # To the box, -0.0 is no change.
            number.editingFinished.connect(self._tell)
            return number
        line = QLineEdit(value_text(self._parameter.value))
        line.editingFinished.connect(self._tell)
        return line

    def fit(self) -> None:
        """Set the width of a number's field to one digit more than its value."""
        editor = self.editor
        if isinstance(editor, WholeBox | NumberBox):
            letters = (
                max(3, *(len(value_text(each)) + 1 for each in (self._parameter.default, self._parameter.value))) + 3
            )
            editor.setFixedWidth(editor.fontMetrics().horizontalAdvance("0") * letters + 12)

    def _tell(self) -> None:
        value = self._value()
        if value is None:
            self._refuse()
        elif not is_same(value, self._parameter.value):
            self._parameter = Parameter(self._parameter.name, value, self._parameter.default)
            self.parameter_set.emit(self._parameter)

    def _value(self) -> Value | None:
        """Return the value of the field; None where it is not a valid one."""
        editor = self.editor
        if isinstance(editor, QCheckBox):
            return editor.isChecked()
        if isinstance(editor, WholeBox | NumberBox):
            return editor.value()
        kind = type(self._parameter.default)
        try:
            value = kind(editor.text())
        except ValueError:
            return None
        return value if not isinstance(value, int) or value in INT64_AND_UINT64 else None

    def _refuse(self) -> None:
        """Show the current value again, and the reason why the typed text was refused."""
        self._show_value()
        if type(self._parameter.default) is float:
            words = self.tr("{} must be a number, such as 0.5 or 1e-3.").format(self._parameter.name)
        else:
            words = self.tr("{} must be a whole number from -2**63 to 2**64 - 1.").format(self._parameter.name)
        QToolTip.showText(self.editor.mapToGlobal(QPoint(0, self.editor.height())), words, self.editor)


def value_text(value: Value) -> str:
    """Return `value` as a field shows it."""
    return number_text(value) if isinstance(value, float) else str(value)


def _kind(parameter: Parameter) -> type[QWidget]:
    """Return the widget that can show both the value of `parameter` and its default."""
    if isinstance(parameter.default, bool):
        return QCheckBox
    if isinstance(parameter.default, str) or not all(map(may_step, (parameter.default, parameter.value))):
        return QLineEdit
    return WholeBox if isinstance(parameter.default, int) else NumberBox
