"""The known text is that of the document, and a long one is filled in pieces."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtGui import QTextCursor, QTextDocument
from PySide6.QtWidgets import QPlainTextDocumentLayout, QPlainTextEdit
from pytestqt.qtbot import QtBot

from tests.views.made import heard, hold
from views.code.code_view import CodeView
from views.text.document_edits import plain_text, replace_changed_middle
from views.text.long_text import PIECE_LINES, KnownText

WORDS = st.text(st.sampled_from("ab\n\u2028\r\xa0é한\U0001f600\ud83d\ude00"), max_size=6)
EDITS = st.lists(st.tuples(st.sampled_from(["put", "undo", "redo", "ask", "fill"]), st.data(), WORDS), max_size=12)


def filled(text: str) -> tuple[QTextDocument, KnownText]:
    document = QTextDocument()
    document.setDocumentLayout(QPlainTextDocumentLayout(document))
    known = KnownText(document)
    document.setPlainText(text)
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


def test_changes_far_apart_are_one_step_and_little_work(qtbot: QtBot) -> None:
    text = "".join(f"x{row} = {row}\n" for row in range(10_000))
    document, _ = filled(text)
    changed: list[tuple[int, int, int]] = []
    document.contentsChange.connect(lambda *change: changed.append(change))
    replace_changed_middle(document, text, f"y\n{text}z")
    assert plain_text(document) == f"y\n{text}z"
    assert sum(added for _, _, added in changed) < 300
    document.undo()
    assert plain_text(document) == text
    assert not document.isUndoAvailable()


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
