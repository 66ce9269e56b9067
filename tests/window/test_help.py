"""The Help menu: a tour of the window, a glossary, and "What is this?"."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt, QUrl
from PySide6.QtGui import QHelpEvent, QTextCursor, QWhatsThisClickedEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QLineEdit,
    QPushButton,
    QTextBrowser,
    QWhatsThis,
    QWidget,
)
from pytestqt.qtbot import QtBot

from explorer.library import settings
from explorer.messages import Parameter
from explorer.window import connections
from tests.window.ui import Ui
from views.help.glossary_window import GlossaryWindow
from views.parts.explained import PartTexts, linked
from views.text.line_text import LineText


def settle() -> None:
    for _ in range(5):
        QApplication.processEvents()


def test_the_tour_is_a_line_at_the_first_start_that_covers_nothing_and_takes_no_keys(ui: Ui) -> None:
    window = ui.window
    for width, height in ((1024, 768), (1920, 1080)):
        window.resize(width, height)
        window.code.setFocus()
        ui.desk.on_command("tour")
        settle()
        assert window.tour.isVisible()
        assert window.tour.geometry().bottom() < window.area.geometry().top()
        assert window.code.isAncestorOf(window.focusWidget())
        window.tour.findChild(QPushButton).click()
        assert not window.tour.isVisible()
    ui.desk.show_tour_once()
    assert window.tour.isVisible()
    assert settings.load().tour_seen
    window.tour.hide()
    ui.desk.show_tour_once()
    assert not window.tour.isVisible()


def test_every_part_of_the_window_says_what_it_is(ui: Ui) -> None:
    connections.add_plots(ui.window, ui.session, ui.desk)
    ui.client.answer("shared_key", parameters=(Parameter("batch", 32, 32),))
    ui.desk.lesson.go_on()
    ui.window.resize(1920, 1080)
    settle()
    kinds = (QAbstractButton, QComboBox, QLineEdit)
    parts = [
        part
        for part in ui.window.findChildren(QWidget)
        if part.isVisible() and (isinstance(part, kinds) or part.focusPolicy() & Qt.FocusPolicy.TabFocus)
    ]
    assert len(parts) > 30
    assert [(type(part).__name__, part.accessibleName()) for part in parts if not explained(part)] == []
    actions = [ui.window.action(command.id) for command in ui.window.commands]
    assert [each.objectName() for each in actions if not each.whatsThis()] == []
    worn = {each.whatsThis() for each in (*ui.window.findChildren(QWidget), *actions)}
    assert [part for part, text in PartTexts().all().items() if linked(text) not in worn] == []


def explained(part: QWidget) -> bool:
    """Return whether `part`, or an ancestor, has an explanation."""
    while not part.whatsThis() and not part.isWindow():
        part = part.parentWidget()
    return bool(part.whatsThis())


def test_shift_f1_on_a_word_leads_to_the_glossary_and_that_to_the_lesson(
    ui: Ui, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[tuple[str, QWidget]] = []
    monkeypatch.setattr(QWhatsThis, "showText", lambda _, text, part: shown.append((text, part)))
    code = next(each for each in ui.window.findChildren(LineText) if each.accessibleName() == "Code")
    ui.window.resize(1920, 1080)
    ui.window.activateWindow()
    code.setFocus()
    for word in ("vmap(", "return"):
        code.setTextCursor(QTextCursor(code.document().find(word).block()))
        found = code.document().find(word)
        found.setPosition(found.selectionStart())
        code.setTextCursor(found)
        qtbot.keyClick(code, Qt.Key.Key_F1, Qt.KeyboardModifier.ShiftModifier)
    at = code.cursorRect(code.document().find("random.split")).center() - QPoint(4, 0)
    clicked = QHelpEvent(QEvent.Type.WhatsThis, at, code.viewport().mapToGlobal(at))
    QApplication.sendEvent(code.viewport(), clicked)
    (word_text, part), (code_text, _), (clicked_text, _) = shown
    assert "<b>split</b>" in clicked_text
    assert "<b>vmap</b>" in word_text
    assert code_text == code.whatsThis()
    QApplication.sendEvent(part, QWhatsThisClickedEvent("term:in_axes"))
    (glossary,) = ui.window.findChildren(GlossaryWindow)
    assert (glossary.term, glossary.isModal()) == ("in_axes", False)
    text = glossary.findChild(QTextBrowser)
    text.anchorClicked.emit(QUrl("term:split"))
    assert glossary.term == "split"
    text.anchorClicked.emit(QUrl("lesson:split_tree"))
    assert ui.session.workspace.scenario.id == "split_tree"
    glossary.close()
