"""Completion, call hint and hover: what is asked while a person types, and what the answers do."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from explorer.messages import Name, NameAnswer, NameQuestion
from views.code.code_view import CodeView
from views.code.completion import Completion
from views.text.line_text import LineText

NAMES = (Name("normal", "function"), Name("normalise", "function"), Name("binomial", "function"))


class Typing:
    """A person at the editor, and a worker that answers only when it is told to."""

    def __init__(self, view: CodeView) -> None:
        self.view = view
        self.asked: list[NameQuestion] = []
        view.name_asked.connect(self.asked.append)
        (self.text,) = view.findChildren(LineText)

    @property
    def list(self) -> Completion:
        (found,) = self.view.findChildren(Completion)
        return found

    @property
    def hint(self) -> QLabel:
        (found,) = [each for each in self.view.findChildren(QLabel) if each.accessibleName() == "What this call takes"]
        return found

    def type(self, text: str) -> None:
        QTest.keyClicks(self.text, text)

    def press(self, key: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        QTest.keyClick(self.text, key, modifier)

    def answer(self, *names: Name, number: int = 0) -> None:
        question = self.newest("complete")
        word = question.source.split("\n")[question.line - 1][: question.column].rpartition(".")[2]
        self.view.show_names(NameAnswer(number or question.number, "complete", names, prefix=word))

    def newest(self, matter: str) -> NameQuestion:
        return [each for each in self.asked if each.matter == matter][-1]


@pytest.fixture
def typing(qtbot: QtBot) -> Typing:
    view = CodeView()
    qtbot.addWidget(view)
    view.resize(600, 500)
    view.show()
    made = Typing(view)
    made.text.setFocus()
    return made


def test_two_letters_open_the_list_and_tab_accepts(typing: Typing) -> None:
    typing.type("n")
    assert typing.asked == []
    typing.type("o")
    typing.answer(*NAMES)
    assert typing.list.isVisible()
    assert typing.list.names() == ["normal", "normalise"]
    typing.press(Qt.Key.Key_Down)
    typing.press(Qt.Key.Key_Tab)
    assert typing.view.source() == "normalise"
    assert not typing.list.isVisible()


def test_a_dot_opens_the_list_and_enter_accepts(typing: Typing) -> None:
    typing.type("jax.")
    assert (typing.newest("complete").column, typing.newest("complete").source) == (4, "jax.")
    typing.answer(*NAMES)
    typing.press(Qt.Key.Key_Return)
    assert typing.view.source() == "jax.normal"


def test_by_itself_the_list_offers_only_what_begins_as_typed(typing: Typing) -> None:
    typing.type("no")
    typing.answer(*NAMES)
    assert typing.list.names() == ["normal", "normalise"]
    typing.press(Qt.Key.Key_Escape)
    typing.press(Qt.Key.Key_Space, Qt.KeyboardModifier.ControlModifier)
    typing.answer(*NAMES)
    assert typing.list.names() == ["normal", "normalise", "binomial"]


def test_enter_behind_a_name_that_is_written_begins_a_line(typing: Typing) -> None:
    typing.type("normal")
    typing.answer(*NAMES)
    assert typing.list.names() == ["normal", "normalise"]
    typing.press(Qt.Key.Key_Return)
    assert typing.view.source() == "normal\n"
    assert not typing.list.isVisible()


def test_one_undo_takes_an_accepted_name_back(typing: Typing) -> None:
    typing.type("jax.no")
    typing.answer(*NAMES)
    typing.press(Qt.Key.Key_Tab)
    typing.text.undo()
    assert typing.view.source() in ("jax.no", "")


def test_typing_on_narrows_the_list_before_the_answer_comes(typing: Typing) -> None:
    typing.type("no")
    typing.answer(*NAMES)
    typing.type("rmali")
    assert typing.list.names() == ["normalise"]


def test_a_word_that_is_complete_needs_no_list_and_enter_begins_a_line(typing: Typing) -> None:
    typing.type("normal")
    typing.answer(NAMES[0])
    assert not typing.list.isVisible()
    typing.press(Qt.Key.Key_Return)
    assert typing.view.source() == "normal\n"


def test_escape_closes_the_list_and_changes_nothing(typing: Typing) -> None:
    typing.type("no")
    typing.answer(*NAMES)
    typing.press(Qt.Key.Key_Escape)
    assert not typing.list.isVisible()
    assert typing.view.source() == "no"


def test_control_space_asks_where_nothing_is_typed(typing: Typing) -> None:
    typing.press(Qt.Key.Key_Space, Qt.KeyboardModifier.ControlModifier)
    typing.answer(*NAMES)
    assert typing.list.isVisible()
    assert typing.view.source() == ""


def test_a_late_answer_is_dropped(typing: Typing) -> None:
    typing.type("no")
    old = typing.newest("complete").number
    typing.type(" ")
    typing.answer(*NAMES, number=old)
    assert not typing.list.isVisible()


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
    assert typing.newest("complete").column == len("2 * 1.25 + 1_0. * x1.")


def test_the_marked_name_is_described(typing: Typing) -> None:
    typing.type("no")
    typing.answer(*NAMES)
    question = typing.newest("describe")
    assert question.chosen == "normal"
    told = NameAnswer(question.number, "describe", title="normal", parameters=("key", "shape=()"), doc="Draws <x>.")
    typing.view.show_names(told)
    assert "shape=()" in typing.list.doc()
    assert "Draws &lt;x&gt;." in typing.list.doc()


def test_a_bracket_brings_the_hint_with_the_parameter_at_the_cursor(typing: Typing) -> None:
    typing.type("f(")
    question = typing.newest("call")
    assert (question.source, question.column) == ("f()", 2)
    told = NameAnswer(question.number, "call", title="f", parameters=("a", "b=1"), current=0)
    typing.view.show_names(told)
    assert "<b><u>a</u></b>" in typing.hint.text()
    typing.type("x,")
    typing.view.show_names(
        NameAnswer(typing.newest("call").number, "call", title="f", parameters=("a", "b"), current=1)
    )
    assert "<b><u>b</u></b>" in typing.hint.text()
    typing.type(")")
    assert typing.newest("call").column == 5, "behind the bracket, which stood there already"
    typing.view.show_names(NameAnswer(typing.newest("call").number, "call"))
    assert not typing.hint.isVisible()


def test_columns_of_a_question_count_characters(typing: Typing) -> None:
    cursor = QTextCursor(typing.text.document())
    cursor.insertText("'😀'")
    typing.text.setTextCursor(cursor)
    typing.type(".")
    assert typing.newest("complete").column == 4


def test_the_list_stays_inside_the_window(typing: Typing) -> None:
    for _ in range(30):
        typing.press(Qt.Key.Key_Return)
    typing.type("no")
    typing.answer(*NAMES)
    QApplication.processEvents()
    assert typing.view.rect().contains(typing.list.geometry())
