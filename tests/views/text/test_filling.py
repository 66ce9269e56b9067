"""A long text is filled in pieces, completely, and is read-only until then."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QPlainTextEdit
from pytestqt.qtbot import QtBot

from explorer.messages import Snapshot
from views.code.code_view import CodeView
from views.text import known_text
from views.text.gradual_text import COLOURED_LINES, PIECE_LINES

LONG = "".join(f"x{row} = {row}\n" for row in range(5 * PIECE_LINES)) + "end"


def test_it_is_whole_to_whoever_asks_and_in_pieces_on_screen(qtbot: QtBot) -> None:
    view = CodeView()
    qtbot.addWidget(view)
    text = view.findChild(QPlainTextEdit)
    assert text is not None
    typed: list[str] = []
    view.source_edited.connect(typed.append)
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
    view = CodeView()
    qtbot.addWidget(view)
    view.set_source(LONG)
    view.set_source("short = 1\n")
    qtbot.wait(1)
    assert view.source() == "short = 1\n"


def test_a_key_in_long_code_does_not_take_all_of_it_out_of_the_document(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    view = CodeView()
    qtbot.addWidget(view)
    view.set_source(LONG)
    qtbot.waitUntil(lambda: not view.text.isReadOnly())
    monkeypatch.setattr(known_text, "plain_text", lambda _: pytest.fail("all of it was taken out"))
    typed: list[str] = []
    view.source_edited.connect(typed.append)
    for key in "xyz":
        qtbot.keyClicks(view.text, key)
        view.show_snapshot(Snapshot(1, "cpu:0", complete=True))
    assert typed[-1] == "xyz" + LONG
    view.set_source(LONG, keep_undo=True)
    assert view.source() == LONG


def test_what_is_coloured_comes_in_smaller_pieces(qtbot: QtBot) -> None:
    view = CodeView()
    qtbot.addWidget(view)
    view.set_source("x = 1\n" * 3 * COLOURED_LINES)
    assert view.text.blockCount() == COLOURED_LINES + 1
    qtbot.waitUntil(lambda: view.text.blockCount() == 3 * COLOURED_LINES + 1)
