"""Each field shows the number that the program runs with, whatever set it."""

from __future__ import annotations

import math

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QLineEdit, QSpinBox, QWidget
from pytestqt.qtbot import QtBot

from explorer.messages import Parameter, Value, is_same
from tests.views.made import heard, put_up
from views.parts.flow_row import FlowRow
from views.tool_bar.parameter_fields import NumberBox, ParameterFields, WholeBox

NUMBERS = [5, -5, 0, 2**31, 2**40, -(2**63), 2**64 - 1, 0.5, 3e10, 1e13, 1e16, 1e300, 1e-5, 1e-30, 5e-324, 0.1 + 0.2]
ODD = [math.nan, math.inf, -math.inf, 0.0, -0.0]


@pytest.fixture
def fields(qtbot: QtBot) -> ParameterFields:
    return put_up(qtbot, ParameterFields(), 200, 100)


def show(fields: ParameterFields, value: Value, default: Value | None = None) -> QCheckBox | QLineEdit | QSpinBox:
    fields.show_parameters((Parameter("a", value, value if default is None else default),))
    found = [each for each in fields.findChildren(QWidget) if each.accessibleName() == "a" and each.isVisible()]
    return found[-1]  # type: ignore[return-value]


def typed(fields: ParameterFields, qtbot: QtBot, start: Value, text: str) -> tuple[str, list[Value]]:
    """Return the text of the field once `text` was typed over `start`, and its emitted values."""
    field = show(fields, start)
    emitted: list[Value] = []
    fields.parameter_set.connect(lambda parameter: emitted.append(parameter.value))
    field.setFocus()
    assert not isinstance(field, QCheckBox)
    field.selectAll()
    qtbot.keyClicks(field, text) if text else qtbot.keyClick(field, Qt.Key.Key_Delete)
    qtbot.keyClick(field, Qt.Key.Key_Return)
    return field.text(), emitted[-1:]


@pytest.mark.parametrize("value", [*NUMBERS, *ODD], ids=repr)
def test_a_field_follows_any_value_of_its_type(fields: ParameterFields, value: Value) -> None:
    """Also a value that its first widget could not represent."""
    show(fields, type(value)(1))
    field = show(fields, value, type(value)(1))
    assert not isinstance(field, QCheckBox)
    assert is_same(type(value)(field.text()), value)


@pytest.mark.parametrize("value", [3e10, -123456.789, 1e13, 2**30, 1e-30])
@pytest.mark.parametrize("default", [None, 1])
def test_a_number_has_room(fields: ParameterFields, value: int | float, default: int | None) -> None:
    field = show(fields, value, default if default is None else type(value)(default))
    text = field.lineEdit()
    assert text.width() >= text.fontMetrics().horizontalAdvance(field.text())


@pytest.mark.parametrize("value", ["a b", "", "None"])
def test_a_text_is_shown_as_it_is(fields: ParameterFields, value: str) -> None:
    field = show(fields, value)
    assert field.text() == value


def test_a_default_of_another_type_makes_another_field(fields: ParameterFields) -> None:
    shown = [show(fields, each) for each in (True, 3, 0.5, "0.5", -5)]
    assert [type(each) for each in shown] == [QCheckBox, WholeBox, NumberBox, QLineEdit, WholeBox]
    assert shown[-1].text() == "-5"


TYPED = {
    "a negative number": (5, "-5", "-5", [-5]),
    "nothing": (5, "", "5", []),
    "a sign": (5, "-", "5", []),
    "an exponent": (0.5, "3e10", "30000000000.0", [3e10]),
    "a tiny number": (0.5, "1e-30", "1e-30", [1e-30]),
    "half an exponent": (0.5, "2e", "2.0", [2.0]),
    "a dot first": (0.5, "-.25", "-0.25", [-0.25]),
    "letters": (0.5, "x", "0.5", []),
    "a large number": (2**40, "-7", "-7", [-7]),
    "what no type holds": (2**40, str(2**70), str(2**40), []),
    "words for a number": (2**40, "many", str(2**40), []),
    "a number for NaN": (math.nan, "0.25", "0.25", [0.25]),
    "words for NaN": (math.nan, "x", "nan", []),
}


@pytest.mark.parametrize(("start", "text", "shown", "emitted"), TYPED.values(), ids=TYPED)
def test_what_is_typed_is_reported_and_shown_or_the_value_in_force_is_back(
    fields: ParameterFields, qtbot: QtBot, start: Value, text: str, shown: str, emitted: list[Value]
) -> None:
    assert typed(fields, qtbot, start, text) == (shown, emitted)


def test_minus_zero_is_reported(fields: ParameterFields, qtbot: QtBot) -> None:
    assert typed(fields, qtbot, 0.0, "-0.0")[0] == "-0.0"
    shown, emitted = typed(fields, qtbot, 0.5, "-0.0")
    assert (shown, [repr(each) for each in emitted]) == ("-0.0", ["-0.0"])


@pytest.mark.parametrize(
    ("start", "after"),
    [(1, "0"), (-1, "-3"), (0.5, "0.48"), (3e10, "28000000000.0"), (2e-30, "1.8e-30"), (0.0, "-0.11")],
)
def test_the_arrows_step_at_any_size(fields: ParameterFields, qtbot: QtBot, start: Value, after: str) -> None:
    field = show(fields, start)
    assert not isinstance(field, QCheckBox)
    for _ in range(2):
        qtbot.keyClick(field, Qt.Key.Key_Down)
    assert field.text() == after


def test_a_field_with_the_keyboard_shows_a_value_set_elsewhere(fields: ParameterFields, qtbot: QtBot) -> None:
    field = show(fields, 32)
    field.setFocus()
    assert show(fields, 64, 32) is field
    assert field.text() == "64"
    line = show(fields, "a")
    line.setFocus()
    qtbot.keyClicks(line, "bc")
    show(fields, "a")
    assert line.text() == "abc", "half typed"


def test_many_parameters_are_laid_out_once(fields: ParameterFields, monkeypatch: pytest.MonkeyPatch) -> None:
    laid_out: list[FlowRow] = []
    relay = FlowRow.lay_out
    monkeypatch.setattr(FlowRow, "lay_out", lambda row: (laid_out.append(row), relay(row)))
    emitted = heard(fields.parameter_set)
    fields.show_parameters(tuple(Parameter(f"p{place}", place, place) for place in range(400)))
    assert len(laid_out) < 10
    field = next(each for each in fields.findChildren(QSpinBox) if each.accessibleName() == "p123")
    field.setValue(7)
    assert emitted == [Parameter("p123", 7, 123)]
