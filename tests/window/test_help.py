"""The Help menu: a tour of the window, a glossary, and "What is this?"."""

from __future__ import annotations

import msgspec
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
from views.help.tour import TourCard
from views.parts.explained import PartTexts, linked
from views.text.line_text import LineText


def settle() -> None:
    for _ in range(5):
        QApplication.processEvents()


def card_of(ui: Ui) -> TourCard | None:
    settle()
    return next((each for each in ui.window.findChildren(TourCard) if each.isVisible()), None)


@pytest.mark.parametrize("size", [(1024, 768), (1920, 1080)])
def test_the_tour_is_one_card_that_a_key_or_a_click_closes(ui: Ui, qtbot: QtBot, size: tuple[int, int]) -> None:
    window = ui.window
    window.resize(*size)
    window.activateWindow()
    for close in (
        lambda card: qtbot.keyClick(card, Qt.Key.Key_Return),
        lambda card: qtbot.keyClick(card, Qt.Key.Key_Escape),
        lambda card: card.findChild(QPushButton).click(),
    ):
        ui.desk.on_command("tour")
        card = card_of(ui)
        assert card is not None
        assert window.rect().contains(card.geometry())
        assert window.focusWidget() is card
        assert len(card.accessibleName().split()) < 45
        close(card)
        assert card_of(ui) is None
        assert window.code.isAncestorOf(window.focusWidget())


def test_the_tour_waits_for_a_lesson_and_does_not_cover_an_own_file(ui: Ui) -> None:
    lesson = ui.session.workspace.scenario
    assert lesson is not None
    ui.session.workspace.open(msgspec.structs.replace(lesson, origin="file", id="own.py"))
    ui.desk.show_tour_once()
    assert card_of(ui) is None
    ui.session.workspace.open(lesson)
    assert card_of(ui) is not None


def test_the_tour_is_shown_at_the_first_start_alone(ui: Ui) -> None:
    ui.desk.show_tour_once()
    assert card_of(ui) is not None
    ui.desk.help.tour.end()
    assert settings.load().tour_seen
    ui.desk.show_tour_once()
    assert card_of(ui) is None


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
    assert ui.session.workspace.scenario is not None
    assert ui.session.workspace.scenario.id == "split_tree"
    glossary.close()
