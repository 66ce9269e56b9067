"""Completion, call hint and hover: what is asked while a user types, and what the answers do."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCompleter, QListView, QToolTip
from pytestqt.qtbot import QtBot

from explorer.messages import NameAnswer, NameQuestion
from tests.views.made import put_up
from views.code.code_view import CodeView
from views.text.line_text import LineText

NAMES = ("normal", "normalise", "binomial", "NaN")


class Typing:
    """A user at the editor, and a worker that answers only on request."""

    def __init__(self, view: CodeView) -> None:
        self.view = view
        self.asked: list[NameQuestion] = []
        view.name_asked.connect(self.asked.append)
        (self.text,) = view.findChildren(LineText)

    @property
    def popup(self) -> QListView:
        (completer,) = self.view.findChildren(QCompleter)
        return completer.popup()

    @property
    def names(self) -> list[str]:
        """Those on screen."""
        model = self.popup.model()
        return [model.index(row, 0).data() for row in range(model.rowCount())] if self.popup.isVisible() else []

    def type(self, text: str) -> None:
        QTest.keyClicks(self.text, text)

    def press(self, key: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        QTest.keyClick(self.text, key, modifier)

    def answer(self, number: int = 0) -> None:
        self.view.show_names(NameAnswer(number or self.newest(completes=True).number, NAMES))

    def describe(self, title: str) -> None:
        self.view.show_names(NameAnswer(self.newest(completes=False).number, title=title, doc="Draws <x>."))

    def newest(self, *, completes: bool) -> NameQuestion:
        return [each for each in self.asked if each.completes == completes][-1]


@pytest.fixture
def typing(qtbot: QtBot) -> Iterator[Typing]:
    view = put_up(qtbot, CodeView(), 600, 500)
    made = Typing(view)
    made.text.setFocus()
    yield made
    QToolTip.hideText()
    qtbot.waitUntil(lambda: not QToolTip.isVisible())


def test_two_letters_open_the_list_and_tab_accepts(typing: Typing) -> None:
    typing.type("n")
    assert typing.asked == []
    typing.type("o")
    typing.answer()
    assert typing.names == ["normal", "normalise"]
    typing.press(Qt.Key.Key_Down)
    typing.press(Qt.Key.Key_Tab)
    assert typing.view.source() == "normalise"
    assert typing.names == []


def test_a_dot_opens_the_list_and_enter_accepts(typing: Typing) -> None:
    typing.type("jax.")
    asked = typing.newest(completes=True)
    assert (asked.line, asked.column, asked.source) == (1, 4, "jax.")
    typing.answer()
    assert typing.names == list(NAMES)
    typing.press(Qt.Key.Key_Return)
    assert typing.view.source() == "jax.normal"


def test_a_click_accepts(typing: Typing) -> None:
    typing.type("jax.")
    typing.answer()
    place = typing.popup.visualRect(typing.popup.model().index(2, 0)).center()
    QTest.mouseClick(typing.popup.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert typing.view.source() == "jax.binomial"


def test_capitals_need_not_be_typed(typing: Typing) -> None:
    typing.type("jax.nan")
    typing.answer()
    assert typing.names == ["NaN"]
    typing.press(Qt.Key.Key_Tab)
    assert typing.view.source() == "jax.NaN"


@pytest.mark.parametrize(("name", "offered"), [("normal", ["normal", "normalise"]), ("binomial", [])])
def test_enter_behind_a_name_that_is_written_begins_a_line(typing: Typing, name: str, offered: list[str]) -> None:
    typing.type(name)
    typing.answer()
    assert typing.names == offered
    typing.press(Qt.Key.Key_Return)
    assert (typing.view.source(), typing.names) == (f"{name}\n", [])


def test_one_undo_takes_an_accepted_name_back(typing: Typing) -> None:
    typing.type("jax.no")
    typing.answer()
    typing.press(Qt.Key.Key_Tab)
    typing.text.undo()
    assert typing.view.source() in ("jax.no", "")


def test_typing_on_narrows_the_list_without_a_new_question(typing: Typing) -> None:
    typing.type("no")
    typing.answer()
    count = len(typing.asked)
    typing.type("rmali")
    assert typing.names == ["normalise"]
    typing.press(Qt.Key.Key_Backspace)
    typing.press(Qt.Key.Key_Backspace)
    assert typing.names == ["normal", "normalise"]
    assert len(typing.asked) == count


@pytest.mark.parametrize("text", ["(", " ", "=", "1 + 2"])
def test_what_is_typed_over_the_list_is_written_as_ever(typing: Typing, text: str) -> None:
    typing.type("no")
    typing.answer()
    typing.type(text)
    assert typing.view.source() == f"no{text}"
    assert bool(typing.names) == text.isalnum()


def test_the_list_leaves_the_editors_own_keys_alone(typing: Typing) -> None:
    typing.type("no")
    typing.answer()
    typing.press(Qt.Key.Key_Home)
    typing.type("# ")
    assert typing.view.source() == "# no"


@pytest.mark.parametrize("key", [Qt.Key.Key_Escape, Qt.Key.Key_Home])
def test_escape_and_a_move_away_close_the_list_and_change_nothing(typing: Typing, key: Qt.Key) -> None:
    typing.type("x no")
    typing.answer()
    typing.press(key)
    assert (typing.names, typing.view.source()) == ([], "x no")


def test_control_space_asks_where_nothing_is_typed(typing: Typing) -> None:
    typing.press(Qt.Key.Key_Space, Qt.KeyboardModifier.ControlModifier)
    typing.answer()
    assert typing.names == list(NAMES)
    assert typing.view.source() == ""


def test_a_late_answer_is_dropped(typing: Typing) -> None:
    typing.type("no")
    old = typing.newest(completes=True).number
    typing.type(" ")
    typing.answer(old)
    assert typing.names == []


@pytest.mark.parametrize("code", ["# no", "'no", "def no", "import no", "x as no", "for no", "1e", "0x"])
def test_the_list_does_not_open_by_itself_where_it_would_annoy(typing: Typing, code: str) -> None:
    typing.type(code)
    typing.asked.clear()
    typing.type("rm")
    assert typing.asked == []


def test_the_point_of_a_number_offers_nothing_but_that_behind_a_name_with_a_digit_does(typing: Typing) -> None:
    typing.type("2 * 1.25 + 1_0.")
    assert typing.asked == []
    typing.type(" * x1.")
    assert typing.newest(completes=True).column == len("2 * 1.25 + 1_0. * x1.")


def test_a_bracket_brings_the_hint_until_the_call_is_closed(typing: Typing, qtbot: QtBot) -> None:
    typing.type("f(")
    asked = typing.newest(completes=False)
    assert (asked.source, asked.column) == ("f(", 1)
    typing.describe("f(a, b=1)")
    assert "f(a, b=1)" in QToolTip.text()
    assert "Draws &lt;x&gt;." in QToolTip.text()
    typing.type("(2, 3), x")
    assert QToolTip.isVisible()
    typing.type(")")
    qtbot.waitUntil(lambda: not QToolTip.isVisible())


def test_escape_closes_the_hint(typing: Typing, qtbot: QtBot) -> None:
    typing.type("f(")
    typing.describe("f(a, b=1)")
    typing.press(Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not QToolTip.isVisible())


@pytest.mark.parametrize("keep_undo", [True, False])
def test_a_call_that_is_gone_with_the_code_around_it_has_no_hint(typing: Typing, *, keep_undo: bool) -> None:
    typing.type("x = print(")
    typing.describe("print(*args)")
    # Qt would warn of a place behind the end.
    typing.view.set_source("x", keep_undo=keep_undo)
    typing.text.moveCursor(QTextCursor.MoveOperation.End)
    assert typing.view.source() == "x"


@pytest.mark.parametrize("code", ["def f(", "class F(", "# f(", "x = (", "'f("])
def test_a_bracket_that_calls_nothing_brings_no_hint(typing: Typing, code: str) -> None:
    typing.type(code)
    assert [each for each in typing.asked if not each.completes] == []


def test_columns_of_a_question_count_characters(typing: Typing) -> None:
    cursor = QTextCursor(typing.text.document())
    cursor.insertText("'😀'")
    typing.text.setTextCursor(cursor)
    typing.type(".")
    assert typing.newest(completes=True).column == 4


def test_a_click_with_control_goes_there_and_a_name_from_elsewhere_is_reported(qtbot: QtBot) -> None:
    view = put_up(qtbot, CodeView(), 500, 300)
    view.set_source("def f(x):\n    return x\n\nprint(f(1))\n")
    text, shown = view.findChild(LineText), []
    view.hover_text.connect(shown.append)

    def click(row: int, column: int, defined: tuple[int, int] | None) -> tuple[int, int]:
        cursor = QTextCursor(text.document().findBlockByNumber(row))
        cursor.setPosition(cursor.position() + column)
        place = text.cursorRect(cursor).center()
        with qtbot.waitSignal(view.name_asked) as asked:
            QTest.mouseClick(text.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier, place)
        (question,) = asked.args
        assert (question.line, question.column) == (row + 1, column)
        view.show_names(NameAnswer(question.number, defined=defined))
        return text.textCursor().blockNumber(), text.textCursor().positionInBlock()

    assert click(3, 6, (1, 4)) == (0, 4)
    assert shown == []
    assert click(3, 2, None) == (3, 2)
    assert len(shown) == 1
