"""The Help menu: a tour of the window, a glossary, and what is this."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPoint, QRect, Qt, QUrl
from PySide6.QtGui import QHelpEvent, QTextCursor, QWhatsThisClickedEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QLineEdit,
    QTextBrowser,
    QWhatsThis,
    QWidget,
)
from pytestqt.qtbot import QtBot

from explorer.library import settings
from explorer.messages import Parameter
from explorer.window import connections
from tests.window.place import Place
from views.help.glossary_window import GlossaryWindow
from views.help.tour_card import Outline, TourCard
from views.parts.explained import PartTexts, linked
from views.text.line_text import LineText


def settle() -> None:
    for _ in range(5):
        QApplication.processEvents()


def card_of(place: Place) -> TourCard | None:
    settle()
    return next((each for each in place.window.findChildren(TourCard) if each.isVisible()), None)


def around(place: Place) -> QRect:
    (outline,) = (each for each in place.window.findChildren(Outline) if each.isVisible())
    return outline.geometry()


@pytest.mark.parametrize("size", [(1024, 768), (1920, 1080)])
def test_the_tour_has_five_stops_beside_what_they_tell_of(place: Place, qtbot: QtBot, size: tuple[int, int]) -> None:
    window = place.window
    window.resize(*size)
    settle()
    window.activateWindow()
    window.code.setFocus()
    held, before = window.focusWidget(), place.desk.arranging._layout
    place.desk.on_command("tour")
    told = []
    for key in (*[Qt.Key.Key_Right] * 2, Qt.Key.Key_Left, *[Qt.Key.Key_Return] * 3):
        card = card_of(place)
        assert card is not None
        assert window.focusWidget() is card
        assert window.rect().contains(card.geometry())
        assert not card.geometry().intersects(around(place))
        told.append(card.accessibleDescription()[0])
        qtbot.keyClick(card, key)
    assert told == ["1", "2", "3", "2", "3", "4"]
    assert place.desk.arranging._layout == before
    card = card_of(place)
    assert card is not None
    qtbot.keyClick(card, Qt.Key.Key_Tab)
    qtbot.keyClick(window.focusWidget(), Qt.Key.Key_Escape)
    assert card_of(place) is None
    assert window.focusWidget() is held
    source = window.code.source()
    qtbot.keyClick(held, Qt.Key.Key_Return)
    assert window.code.source() == "\n" + source


def test_the_tour_follows_the_window_and_its_language(place: Place) -> None:
    place.window.resize(1900, 1000)
    settle()
    place.desk.on_command("tour")
    place.desk.help.tour.step(3)
    card = card_of(place)
    assert card is not None
    area = place.window.area
    assert around(place) == QRect(area.mapTo(place.window, QPoint()), area.size())
    place.window.resize(1100, 700)
    settle()
    assert not area.isVisible()
    strips = place.window.strips
    assert around(place) == QRect(strips.mapTo(place.window, QPoint()), strips.size())
    assert place.window.rect().contains(card.geometry())
    place.desk.on_command("language_ko")
    korean = card_of(place)
    assert korean is not None
    assert korean.accessibleName().startswith("창 네 개")
    place.desk.help.tour.end()


def test_the_tour_is_shown_at_the_first_start_alone(place: Place) -> None:
    place.desk.show_tour_once()
    assert card_of(place) is not None
    place.desk.help.tour.end()
    assert settings.load().tour_seen
    place.desk.show_tour_once()
    assert card_of(place) is None


def test_every_part_of_the_window_says_what_it_is(place: Place) -> None:
    connections.add_plots(place.window, place.session, place.desk)
    place.client.answer("shared_key", parameters=(Parameter("batch", 32, 32),))
    place.desk.lesson.go_on()
    place.window.resize(1920, 1080)
    settle()
    kinds = (QAbstractButton, QComboBox, QLineEdit)
    parts = [
        part
        for part in place.window.findChildren(QWidget)
        if part.isVisible() and (isinstance(part, kinds) or part.focusPolicy() & Qt.FocusPolicy.TabFocus)
    ]
    assert len(parts) > 30
    assert [(type(part).__name__, part.accessibleName()) for part in parts if not explained(part)] == []
    actions = [place.window.action(command.id) for command in place.window.commands]
    assert [each.objectName() for each in actions if not each.whatsThis()] == []
    worn = {each.whatsThis() for each in (*place.window.findChildren(QWidget), *actions)}
    assert [part for part, text in PartTexts().all().items() if linked(text) not in worn] == []


def explained(part: QWidget) -> bool:
    """Return whether `part`, or what it lies in, says what it is."""
    while not part.whatsThis() and not part.isWindow():
        part = part.parentWidget()
    return bool(part.whatsThis())


def test_shift_f1_on_a_word_leads_to_the_glossary_and_that_to_the_lesson(
    place: Place, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[tuple[str, QWidget]] = []
    monkeypatch.setattr(QWhatsThis, "showText", lambda _, text, part: shown.append((text, part)))
    code = next(each for each in place.window.findChildren(LineText) if each.accessibleName() == "Code")
    place.window.activateWindow()
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
    (glossary,) = place.window.findChildren(GlossaryWindow)
    assert (glossary.term, glossary.isModal()) == ("in_axes", False)
    text = glossary.findChild(QTextBrowser)
    text.anchorClicked.emit(QUrl("term:split"))
    assert glossary.term == "split"
    text.anchorClicked.emit(QUrl("lesson:split_tree"))
    assert place.session.workspace.scenario is not None
    assert place.session.workspace.scenario.id == "split_tree"
    place.desk.on_command("language_ko")
    place.desk.on_command("glossary")
    korean = next(each for each in place.window.findChildren(GlossaryWindow) if each.isVisible())
    assert (korean.windowTitle(), korean.term) == ("용어집", "split")
    korean.close()
