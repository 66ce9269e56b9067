"""The explanation below the code: its text, and fixes that are one click and one undo step."""

from __future__ import annotations

import msgspec
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QMenu, QPlainTextEdit, QPushButton, QToolButton
from pytestqt.qtbot import QtBot

from explorer.messages import Edit, Failure, Finding, Fix, Focus, Level, Marks, Report, Snapshot, Span
from explorer.scenario.page import Page
from tests.views.made import heard, put_up
from views.code.code_view import CodeView
from views.code.problem_card import ProblemCard
from views.code.problem_line import ProblemLine
from views.text.line_text import LineText, Margin
from views.theme import DARK, apply_to_tree, chosen

CODE = "import jax\n\ndef f(x, 이름):\n    return x + 이름\n"
AXIS = Fix("Give it an axis", (Edit(Span(4, 15, 4, 17), "이름", "이름[:, None]"),))
TWO_PLACES = Fix(
    "Import and call",
    (
        Edit(Span(1, 0, 1, 0), "", "import jax.numpy as jnp\n"),
        Edit(Span(4, 11, 4, 17), "x + 이름", "jnp.add(\n    x, 이름)"),
    ),
)
FAILURE = Failure(
    "ValueError",
    "Incompatible shapes",
    Span(4, 11, 4, 17),
    "Because `x` is <long>.",
    drawing="x  [3]\ny  [2]",
    original="Incompatible shapes\nand much more",
    link="https://docs.jax.dev/",
    fixes=(AXIS, TWO_PLACES),
)


@pytest.fixture
def view(qtbot: QtBot) -> CodeView:
    made = put_up(qtbot, CodeView(), 500, 600)
    made.set_source(CODE)
    text_of(made).setFocus()
    made.show_snapshot(snapshot(FAILURE))
    return made


def snapshot(failure: Failure | None, *findings: Finding) -> Snapshot:
    return Snapshot(1, "cpu:0", True, reports=(Report("f", failure=failure, findings=findings),))


def fix_labels(view: CodeView) -> list[str]:
    return [each.text() for each in card_of(view).findChildren(QPushButton) if each.isVisible()]


def text_of(view: CodeView) -> LineText:
    (found,) = view.findChildren(LineText)
    return found


def card_of(view: CodeView) -> ProblemCard:
    (found,) = view.findChildren(ProblemCard)
    return found


def go_to(view: CodeView, line: int) -> None:
    text = text_of(view)
    text.setTextCursor(QTextCursor(text.document().findBlockByNumber(line - 1)))


def press(view: CodeView, label: str) -> None:
    (button,) = [each for each in card_of(view).findChildren(QPushButton) if each.text() == label]
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def test_the_card_shows_line_shapes_and_reason(view: CodeView) -> None:
    assert card_of(view).isVisible()
    assert card_of(view).text().split("\n") == [
        "Line 4: ValueError: Incompatible shapes",
        "x  [3]",
        "y  [2]",
        "Because x is <long>.",
    ]
    assert fix_labels(view) == ["Give it an axis", "Import and call"]
    assert view.findChildren(ProblemLine)[0].message() == "", "it is not repeated"


@pytest.mark.parametrize(
    ("fix", "after"),
    [
        (AXIS, "import jax\n\ndef f(x, 이름):\n    return x + 이름[:, None]\n"),
        (TWO_PLACES, "import jax.numpy as jnp\nimport jax\n\ndef f(x, 이름):\n    return jnp.add(\n    x, 이름)\n"),
    ],
)
def test_one_click_makes_a_fix_and_one_undo_takes_it_back(view: CodeView, fix: Fix, after: str) -> None:
    edited = heard(view.source_edited)
    press(view, fix.label)
    assert view.source() == after
    assert edited == [after]
    text_of(view).undo()
    assert view.source() == CODE
    assert edited == [after, CODE]


@pytest.mark.parametrize("with_import", [False, True])
def test_an_undo_of_a_fix_stays_at_the_fix(view: CodeView, with_import: bool) -> None:
    view.set_source(CODE + "# more\n" * 150 + "y = 1\n" + "# more\n" * 150)
    edit = Edit(Span(155, 4, 155, 5), "1", "2")
    fix = Fix("Two", (*TWO_PLACES.edits[:1], edit) if with_import else (edit,))
    text = text_of(view)
    text.show_row(150)
    view.apply_fix(fix)
    QApplication.processEvents()
    seen = view.text.first_row
    assert seen <= 154 <= seen + 60
    text.undo()
    QApplication.processEvents()
    assert text.textCursor().blockNumber() == 154
    assert abs(view.text.first_row - seen) <= 1


def test_a_fix_whose_place_has_changed_is_not_offered(view: CodeView) -> None:
    cursor = QTextCursor(text_of(view).document())
    cursor.movePosition(QTextCursor.MoveOperation.End)
    cursor.insertText("# more\n")
    assert fix_labels(view) == ["Give it an axis", "Import and call"]
    cursor.setPosition(len(CODE) - 3)
    cursor.insertText("y")
    assert fix_labels(view) == []
    view.apply_fix(AXIS)
    assert "None" not in view.source()


def pressed(view: CodeView, key: Qt.Key, *pressed_modifiers: Qt.KeyboardModifier) -> None:
    """Press `key` as the window system does: a ShortcutOverride comes before the key press."""
    handle = view.window().windowHandle()
    modifiers = pressed_modifiers[0] if pressed_modifiers else Qt.KeyboardModifier.NoModifier
    QTest.keyClick(handle, key, modifiers)


@pytest.fixture
def menu(view: CodeView, qtbot: QtBot) -> QMenu:
    view.activateWindow()
    qtbot.waitUntil(text_of(view).hasFocus)
    view.open_fixes()
    return QApplication.activePopupWidget()


def test_keys_that_choose_are_the_menu_s(view: CodeView, menu: QMenu) -> None:
    for key in (Qt.Key.Key_Shift, Qt.Key.Key_Control):
        QTest.keyPress(view.windowHandle(), key)
        QTest.keyRelease(view.windowHandle(), key)
    pressed(view, Qt.Key.Key_Down)
    assert menu.activeAction().text() == "Import and call"
    pressed(view, Qt.Key.Key_Up)
    pressed(view, Qt.Key.Key_Return)
    assert view.source() == "import jax\n\ndef f(x, 이름):\n    return x + 이름[:, None]\n"


def test_escape_closes_the_menu_and_does_nothing_else(view: CodeView, menu: QMenu) -> None:
    pressed(view, Qt.Key.Key_Escape)
    assert QApplication.activePopupWidget() is None
    assert view.source() == CODE


def test_what_a_fix_changes_is_brought_on_screen(view: CodeView) -> None:
    view.set_source("# nothing\n" * 300 + "def f(x):\n    return x + y\n")
    span = Span(302, 15, 302, 16)
    fix = Fix("Use x", (Edit(span, "y", "x"),))
    view.show_snapshot(snapshot(None, Finding("key-reuse", "bug", "It is y.", (span,), fixes=(fix,))))
    bar = view.text.verticalScrollBar()
    bar.setValue(0)
    view.apply_fix(fix)
    assert bar.value() > 200


@pytest.mark.parametrize(
    ("asks", "pages", "words"),
    [(False, 0, "No fix found here"), (True, 0, "After the run"), (True, 1, "After your answer")],
)
def test_where_nothing_is_offered_the_menu_says_why(view: CodeView, asks: bool, pages: int, words: str) -> None:
    view.show_snapshot(snapshot(None))
    view.show_page(Page(count=pages))
    view.hold_back(asks)
    view.open_fixes()
    menu = QApplication.activePopupWidget()
    assert [action.text() for action in menu.actions()] == [words]
    menu.close()


def test_jaxs_own_words_open_on_demand(view: CodeView) -> None:
    (own,) = card_of(view).findChildren(QPlainTextEdit)
    assert not own.isVisible()
    (button,) = [each for each in card_of(view).findChildren(QToolButton) if each.text() == "JAX's own words"]
    button.click()
    assert own.isVisible()
    assert own.toPlainText() == "Incompatible shapes\nand much more"


def test_a_closed_card_opens_again_from_word_and_list_and_for_another_problem(view: CodeView) -> None:
    (close,) = [each for each in card_of(view).findChildren(QToolButton) if each.text() == "✕"]
    (word,) = [each for each in view.findChildren(QPushButton) if each.objectName() == "problem"]
    close.click()
    assert word.text() == "Line 4: 1 error – explain"
    word.click()
    assert card_of(view).isVisible()
    close.click()
    view.show_marks(Marks(Focus("line", 4), lines=frozenset((4,))))
    assert card_of(view).isVisible()
    close.click()
    view.show_snapshot(snapshot(FAILURE))
    assert not card_of(view).isVisible()
    view.show_snapshot(snapshot(Failure("TypeError", "another", Span(3, 0, 3, 3), "Why.")))
    assert card_of(view).isVisible()


def test_the_word_below_the_code_names_the_line_that_is_marked(view: CodeView) -> None:
    view.show_snapshot(snapshot(None, Finding("key-reuse", "bug", "Twice.", (Span(3, 6, 3, 7), Span(4, 11, 4, 12)))))
    word = view.findChildren(ProblemLine)[0]
    assert word.message() == "Line 3: 1 bug – see Findings"
    view.show_marks(Marks(None, frozenset({4})))
    assert word.message() == "Line 4: 1 bug – see Findings"
    apply_to_tree(view, chosen("light", 1.2, 1.0, 1.0))
    assert word.message() == "Line 4: key reuse", "a stage shows no findings"


def test_on_a_stage_an_error_without_explanation_has_a_card_whatever_the_cursor_is_on(view: CodeView) -> None:
    finding = Finding("key-reuse", "bug", "Twice.", (Span(3, 6, 3, 7),))
    go_to(view, 3)
    view.show_snapshot(snapshot(Failure("TypeError", "not callable", Span(4, 11, 4, 17)), finding))
    assert not card_of(view).isVisible()
    apply_to_tree(view, chosen("light", 1.2, 1.0, 1.0))
    view.show_snapshot(snapshot(Failure("TypeError", "not callable", Span(4, 11, 4, 17)), finding))
    assert card_of(view).text() == "Line 4: TypeError: not callable"


def test_a_finding_with_a_fix_has_a_card_and_one_without_has_none(view: CodeView) -> None:
    finding = Finding("key-reuse", "bug", "The key is used twice.", (Span(4, 11, 4, 12),))
    view.show_snapshot(snapshot(None, finding))
    assert not card_of(view).isVisible()
    fixed = Finding("key-reuse", "bug", "The key is used twice.", (Span(4, 11, 4, 12),), fixes=(AXIS,))
    view.show_snapshot(snapshot(None, fixed))
    assert not card_of(view).isVisible(), "the end of a run moves no code"
    go_to(view, 4)
    assert fix_labels(view) == ["Give it an axis"]


def test_the_card_of_a_finding_names_it_and_leaves_the_sentence_to_the_list_of_findings(view: CodeView) -> None:
    message = "The key that line 4 draws from is used twice: on line 4, and again on line 3."
    view.show_snapshot(snapshot(None, Finding("key-reuse", "bug", message, (Span(4, 11, 4, 12),), fixes=(AXIS,))))
    go_to(view, 4)
    assert card_of(view).text() == "Line 4: key reuse"


def test_what_fixes_a_note_is_not_asked_for(view: CodeView, qtbot: QtBot) -> None:
    view.show_snapshot(snapshot(None, Finding("unused-key", "note", "Unused.", (Span(4, 11, 4, 12),))))
    with qtbot.assertNotEmitted(view.fixes_wanted):
        view.open_fixes()
    menu = QApplication.activePopupWidget()
    menu.close()


@pytest.mark.parametrize("level", ["bug", "warning"])
def test_what_fixes_a_finding_is_asked_for_once_and_then_opens(view: CodeView, qtbot: QtBot, level: Level) -> None:
    finding = Finding("key-reuse", level, "The key is used twice.", (Span(4, 11, 4, 12),))
    view.show_snapshot(snapshot(None, finding))
    with qtbot.waitSignal(view.fixes_wanted):
        view.open_fixes()
    assert QApplication.activePopupWidget() is None
    view.show_fixes(snapshot(None, Finding("key-reuse", level, finding.message, finding.spans, fixes=(AXIS,))))
    menu = QApplication.activePopupWidget()
    assert [action.text() for action in menu.actions()] == ["Give it an axis"]
    menu.close()


@pytest.mark.parametrize("by", ["right click", "the sign"])
def test_a_right_click_and_the_sign_offer_fix_explanation_definition_and_copy(
    view: CodeView, qtbot: QtBot, by: str
) -> None:
    text = text_of(view)
    finding = Finding("key-reuse", "bug", "The key is used twice.", (Span(4, 11, 4, 12),), fixes=(AXIS,))
    view.show_snapshot(snapshot(None, finding))
    if by == "the sign":
        row = next(place for number, place in text.visible_rows() if number == 3)
        qtbot.mouseClick(text.findChildren(Margin)[0], Qt.MouseButton.LeftButton, pos=QPoint(4, int(row.center().y())))
    else:
        inside = text.cursorRect(QTextCursor(text.document().findBlockByNumber(3))).center()
        place = text.viewport().mapToGlobal(inside)
        QApplication.sendEvent(text.viewport(), QContextMenuEvent(QContextMenuEvent.Reason.Mouse, inside, place))
    menu = QApplication.activePopupWidget()
    words = [action.text() for action in menu.actions() if not action.isSeparator()]
    assert words == ["Give it an axis", "Explain: key reuse", "Go to definition", "Cut", "Copy", "Paste"]
    with qtbot.waitSignals([view.findings_wanted, view.focus_requested]):
        menu.actions()[1].trigger()
    menu.actions()[0].trigger()
    menu.close()
    assert "이름[:, None]" in view.source()


def test_the_card_leaves_half_of_the_editor_to_the_code(view: CodeView) -> None:
    long = Failure("ValueError", "m", Span(4, 11, 4, 17), "word " * 2000)
    view.show_snapshot(snapshot(long))
    apply_to_tree(view, DARK)
    QApplication.processEvents()
    assert text_of(view).height() >= 0.4 * view.height()
    apply_to_tree(view, chosen("light", 1.2, 1.0, 1.0))
    QApplication.processEvents()
    assert 0.2 * view.height() <= text_of(view).height() <= 0.25 * view.height()
    assert view.read_on()
    assert [view.read_on() for _ in range(40)][-1] is False, "all of it has been in sight"


def test_an_error_leads_to_the_lesson_that_explains_it_unless_that_is_open(view: CodeView, qtbot: QtBot) -> None:
    view.show_snapshot(snapshot(msgspec.structs.replace(FAILURE, lesson="shapes")))
    (link,) = [each for each in card_of(view).findChildren(QLabel) if "Documentation" in each.text()]
    assert "Lesson" not in link.text()
    view.show_lessons({"shapes": "Shapes & sizes"})
    assert "Lesson: Shapes &amp; sizes" in link.text()
    with qtbot.waitSignal(view.lesson_wanted) as asked:
        link.linkActivated.emit("lesson:shapes")
    assert asked.args == ["shapes"]


def test_an_error_in_code_that_is_another_one_now_goes_even_while_no_run_ends(view: CodeView) -> None:
    cursor = QTextCursor(text_of(view).document().findBlockByNumber(3))
    cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
    cursor.insertText("    while True: pass")
    view._outdated.timeout.emit()
    assert card_of(view).isHidden()
    view.show_snapshot(snapshot(FAILURE))
    cursor.insertText("\n# below it")
    view._outdated.timeout.emit()
    assert not card_of(view).isHidden()


def test_fixes_that_come_after_the_explanation_make_the_card_higher(view: CodeView, qtbot: QtBot) -> None:
    card, shown = card_of(view), msgspec.structs.replace(FAILURE, explanation="Another reason.")
    qtbot.waitUntil(lambda: card.height() == card.widget().height())
    high = card.height()
    view.show_snapshot(snapshot(None))
    qtbot.waitUntil(lambda: not card.isVisible())
    view.show_snapshot(snapshot(msgspec.structs.replace(shown, fixes=())))
    qtbot.waitUntil(lambda: card.height() == card.widget().height() < high)
    low = card.height()
    view.show_snapshot(snapshot(shown))
    qtbot.waitUntil(lambda: card.height() > low)
    assert card.height() == card.widget().height()


def test_the_word_below_the_code_gives_way_in_whole_words(view: CodeView) -> None:
    (close,) = [each for each in card_of(view).findChildren(QToolButton) if each.text() == "✕"]
    (word,) = [each for each in view.findChildren(QPushButton) if each.objectName() == "problem"]
    close.click()
    typed = []
    for width in range(500, 100, -10):
        view.resize(width, 600)
        QApplication.processEvents()
        assert word.fontMetrics().horizontalAdvance(word.text()) <= word.width()
        assert word.accessibleName() == "Line 4: 1 error – explain"
        typed.append(word.text())
    assert list(dict.fromkeys(typed))[:2] == ["Line 4: 1 error – explain", "Line 4: 1 error"]
    assert word.toolTip().startswith("Line 4: 1 error – explain")
