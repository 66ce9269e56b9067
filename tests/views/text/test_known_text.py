"""The known text is that of the document, and little of a long one is converted after a small change."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtGui import QTextCursor, QTextDocument
from PySide6.QtWidgets import QPlainTextDocumentLayout, QPlainTextEdit
from pytestqt.qtbot import QtBot

from tests.views.made import heard, hold
from views.code.code_view import CodeView
from views.text.document_edits import plain_text
from views.text.long_text import PIECE_LINES, KnownText

WORDS = st.text(st.sampled_from("ab\n\u2028\r\xa0é한\U0001f600\ud83d\ude00"), max_size=6)
EDITS = st.lists(st.tuples(st.sampled_from(["put", "undo", "redo", "ask", "fill"]), st.data(), WORDS), max_size=12)


def filled(text: str) -> tuple[QTextDocument, KnownText]:
    document = QTextDocument()
    document.setDocumentLayout(QPlainTextDocumentLayout(document))
    known = KnownText(document)
    document.setPlainText(text)
    known.put(text)
    return document, known


@given(WORDS, EDITS)
def test_it_is_the_text_of_the_document(qapp: object, text: str, edits: list[tuple[str, st.DataObject, str]]) -> None:
    document, known = filled(text)
    for what, chosen, word in edits:
        if what == "put":
            cursor = QTextCursor(document)
            places = st.integers(0, document.characterCount() - 1)
            cursor.setPosition(chosen.draw(places))
            cursor.setPosition(chosen.draw(places), QTextCursor.MoveMode.KeepAnchor)
            cursor.insertText(word)
        elif what == "fill":
            document.setPlainText(word)
        elif what == "ask":
            known.text()
        else:
            getattr(document, what)()
    assert known.text() == plain_text(document)


def test_of_a_long_text_only_what_changed_is_taken(qtbot: QtBot) -> None:
    document, known = filled("x = 1  # some words\n" * 10_000)
    cursor = QTextCursor(document)
    for place in (0, 90_000, document.characterCount() - 1):
        cursor.setPosition(place)
        cursor.insertText("y\n")
    assert known.text() == plain_text(document)
    before = known.taken
    cursor.setPosition(100_000)
    cursor.insertText("z")
    document.undo()
    assert known.text() == plain_text(document)
    assert known.taken - before < 10


# -- a long text is filled in pieces ----------------------------------------------------------------------------------


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
