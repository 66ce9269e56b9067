"""A long text is filled in pieces."""

from __future__ import annotations

from PySide6.QtWidgets import QPlainTextEdit
from pytestqt.qtbot import QtBot

from tests.views.made import heard, hold
from views.code.code_view import CodeView
from views.text.long_text import PIECE_LINES

LONG = "".join(f"x{row} = {row}\n" for row in range(5 * PIECE_LINES)) + "end"


def test_it_is_whole_to_whoever_asks_and_in_pieces_on_screen(qtbot: QtBot) -> None:
    view = hold(qtbot, CodeView())
    text = view.findChild(QPlainTextEdit)
    typed = heard(view.source_edited)
    view.set_source(LONG)
    assert text.blockCount() <= PIECE_LINES + 1
    assert view.source() == LONG
    assert text.isReadOnly()
    qtbot.waitUntil(lambda: not text.isReadOnly())
    assert text.toPlainText() == view.source() == LONG
    assert typed == []
    text.insertPlainText("y")
    assert typed == ["y" + LONG]
    text.undo()
    assert typed[-1] == LONG
    assert not text.document().isUndoAvailable(), "to be filled is no step"


def test_another_text_in_between_is_all_that_stays(qtbot: QtBot) -> None:
    view = hold(qtbot, CodeView())
    view.set_source(LONG)
    view.set_source("short = 1\n")
    qtbot.wait(1)
    assert view.source() == "short = 1\n"
