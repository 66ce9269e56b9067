"""WholeBox, NumberBox: fields with arrows for numbers, shown just as Python has them; number_text()."""

from __future__ import annotations

import math
import re
from decimal import Decimal

from PySide6.QtCore import QEvent, QLocale
from PySide6.QtGui import QKeyEvent, QValidator
from PySide6.QtWidgets import QDoubleSpinBox, QSpinBox

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
