"""The pointer over the program and over the code: tips and the line below the text, by Qt's own events."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QEvent, QPoint
from PySide6.QtGui import QHelpEvent, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QToolTip
from pytestqt.qtbot import QtBot

from explorer.messages import NameAnswer, NameQuestion, Report, Snapshot
from tests.views.program.shown import PROGRAM
from views.code.code_view import CodeView
from views.parts.elided_label import ElidedLabel
from views.program.program_text import ProgramText
from views.program.program_view import ProgramView
from views.text.line_text import LineText


def over(text: LineText, row: int, column: int) -> QPoint:
    """Return the position of a letter in the viewport of `text`."""
    cursor = QTextCursor(text.document().findBlockByNumber(row))
    cursor.movePosition(QTextCursor.MoveOperation.Right, n=column)
    here, after = text.cursorRect(cursor), QTextCursor(cursor)
    after.movePosition(QTextCursor.MoveOperation.Right)
    return QPoint((here.left() + text.cursorRect(after).left()) // 2, here.center().y())


def rest(text: LineText, row: int, column: int) -> str:
    """Let the pointer rest over a letter and return the tip."""
    place = over(text, row, column)
    QToolTip.hideText()
    asked = QHelpEvent(QEvent.Type.ToolTip, place, text.viewport().mapToGlobal(place))
    QCoreApplication.sendEvent(text.viewport(), asked)
    return QToolTip.text()


def program(qtbot: QtBot) -> tuple[ProgramView, ProgramText]:
    view = ProgramView()
    qtbot.addWidget(view)
    view.resize(700, 300)
    view.show()
    view.show_snapshot(Snapshot(1, "cpu:0", True, reports=(Report("f", program=PROGRAM),)))
    (text,) = [each for each in view.findChildren(ProgramText) if each.isVisible()]
    qtbot.waitExposed(view)
    return view, text


def test_a_tip_over_an_operation_says_type_meaning_and_origin(qtbot: QtBot) -> None:
    _, text = program(qtbot)
    assert rest(text, 1, text.toPlainText().split("\n")[1].index("sin") + 1).splitlines() == [
        "sin → f32[5]",
        "The sine.",
        "from line 3 of the code",
    ]


def test_a_tip_over_a_variable_begins_with_its_dtype_and_shape(qtbot: QtBot) -> None:
    _, text = program(qtbot)
    first, *_ = rest(text, 1, 4).splitlines()
    assert first == "b: float32, shape (5,); made by sin on line 2 of this text; used once"


def test_the_pointer_underlays_a_variable_wherever_it_stands_and_shows_it_below(qtbot: QtBot) -> None:
    view, text = program(qtbot)
    QTest.mouseMove(text.viewport(), over(text, 1, 4))
    qtbot.waitUntil(lambda: len(text.extraSelections()) == 2)
    names = [each.accessibleName() for each in view.findChildren(ElidedLabel) if each.isVisible()]
    assert [each for each in names if each.startswith("b: float32, shape (5,)")]
    QCoreApplication.sendEvent(text, QEvent(QEvent.Type.Leave))
    assert text.extraSelections() == []


def test_a_tip_over_a_name_in_the_code_says_what_the_worker_knows_of_it(qtbot: QtBot) -> None:
    view = CodeView()
    qtbot.addWidget(view)
    view.resize(600, 200)
    view.show()
    view.set_source("y = jnp.sin(x)\n# sin\n")
    asked: list[NameQuestion] = []
    view.name_asked.connect(asked.append)
    text = view.findChild(LineText)
    assert text is not None
    rest(text, 0, 9)
    (question,) = asked
    assert (question.completes, question.line) == (False, 1)
    assert question.column in (9, 10), "either side of the letter"
    view.show_names(NameAnswer(question.number, title="jnp.sin(x)", doc="Compute the sine of x."))
    assert "jnp.sin(x)" in QToolTip.text()
    assert "Compute the sine of x." in QToolTip.text()
    rest(text, 1, 3)
    assert len(asked) == 1, "a comment names nothing"
    QToolTip.hideText()
