"""The Help menu: a tour of the window, and a glossary."""

from __future__ import annotations

from PySide6.QtCore import Qt, QUrl
from PySide6.QtWidgets import QApplication, QPushButton, QTextBrowser
from pytestqt.qtbot import QtBot

from explorer.library import settings
from tests.window.ui import Ui
from views.help.glossary_window import GlossaryWindow
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
    window.resize(1024, 768)
    ui.desk.show_tour_once()
    assert window.tour.isVisible()
    for pane in window.area.panes:
        window.fold_wanted.emit(pane.name)
    settle()
    assert not window.area.isVisible()
    assert window.tour.height() >= window.tour.heightForWidth(window.tour.width()), "its second line is not cut"
    assert settings.load().tour_seen
    window.tour.hide()
    ui.desk.show_tour_once()
    assert not window.tour.isVisible()


def test_shift_f1_on_a_word_leads_to_the_glossary_and_that_to_the_lesson(ui: Ui, qtbot: QtBot) -> None:
    code = next(each for each in ui.window.findChildren(LineText) if each.accessibleName() == "Code")
    ui.window.activateWindow()
    code.setFocus()
    found = code.document().find("vmap(")
    found.setPosition(found.selectionStart())
    code.setTextCursor(found)
    qtbot.keyClick(code, Qt.Key.Key_F1, Qt.KeyboardModifier.ShiftModifier)
    (glossary,) = ui.window.findChildren(GlossaryWindow)
    assert (glossary.term, glossary.isModal()) == ("vmap", False)
    text = glossary.findChild(QTextBrowser)
    text.anchorClicked.emit(QUrl("term:split"))
    assert glossary.term == "split"
    text.anchorClicked.emit(QUrl("lesson:split_tree"))
    assert ui.session.workspace.scenario.id == "split_tree"
    glossary.close()
