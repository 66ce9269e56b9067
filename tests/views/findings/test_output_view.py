"""The output is shown live and by variant, never lost, never there twice, never without bound."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QColor, QTextCursor
from PySide6.QtWidgets import QLabel, QPlainTextEdit
from pytestqt.qtbot import QtBot

from explorer.messages import Failure, Report, Snapshot, Span
from tests.views.made import put_up, snapshot
from views.findings.output_view import MAX_CHARACTERS, MAX_LINES, OutputPiece, OutputView, ending, pieces, shortened
from views.theme import DARK, apply_to_tree, chosen

FAILURE = Failure("TypeError", "no such thing", Span(9, 4, 9, 8), "Add it.", "Traceback\nTypeError: no such thing\n")


def printing(name: str, printed: str) -> Report:
    return Report(name, "ok", printed=printed)


# -- what stands there ------------------------------------------------------------------------

TWO = snapshot(printing("a", "one\n"), printing("b", "two\n"))


TEXTS = {
    "live before any snapshot": (None, "live", "live"),
    "a snapshot alone": (TWO, "", "a\none\nb\ntwo\n"),
    "the same, live before": (TWO, "one\ntwo\n", "a\none\nb\ntwo\n"),
    "printed by the module first": (TWO, "import\none\ntwo\n", "import\na\none\nb\ntwo\n"),
    "something after": (TWO, "one\ntwo\nlate\n", "a\none\nb\ntwo\nlate\n"),
    "something in between": (TWO, "one\nnoise\ntwo\n", "one\nnoise\ntwo\n"),
    "b is running": (snapshot(printing("a", "one\n"), Report("b")), "one\ntw", "a\none\ntw"),
    "nothing": (snapshot(printing("a", ""), printing("b", "")), "", ""),
    "no line end": (snapshot(printing("a", "no end"), printing("b", "x\n")), "", "a\nno end\nb\nx\n"),
    "a variant failed": (
        snapshot(Report("a", "error", failure=FAILURE, printed="one\n")),
        "one\n",
        "a\none\nTraceback\nTypeError: no such thing\nAdd it.",
    ),
    "the program failed": (
        snapshot(failure=Failure("SyntaxError", "invalid syntax")),
        "import\n",
        "import\nSyntaxError: invalid syntax",
    ),
}


@pytest.mark.parametrize(("shown", "stream", "text"), TEXTS.values(), ids=TEXTS)
def test_text(shown: Snapshot | None, stream: str, text: str) -> None:
    assert "".join(piece.text for piece in pieces(shown, stream)) == text


@pytest.mark.parametrize(
    ("text", "column", "wanted"),
    [
        ("short\nlines", 0, ("short\nlines", 5)),
        ("more", 3, ("more", 7)),
        ("x" * 4001, 0, ("x" * 4000 + " … (line cut)", 4001)),
        ("xyz\nnext", 3998, ("xy … (line cut)\nnext", 4)),
        ("xyz", 5000, ("", 5003)),
        ("", 7, ("", 7)),
    ],
)
def test_overlong_lines_are_cut(text: str, column: int, wanted: tuple[str, int]) -> None:
    assert shortened(text, column, "… (line cut)") == wanted


@pytest.mark.parametrize(
    ("characters", "lines", "wanted"),
    [
        (100, 100, ["a\nb\n", "c\nd\n"]),
        (6, 100, ["b\n", "c\nd\n"]),
        (3, 100, ["\nd\n"]),
        (100, 2, ["d\n"]),
        (100, 4, ["b\n", "c\nd\n"]),
    ],
)
def test_only_the_end_is_kept(characters: int, lines: int, wanted: list[str]) -> None:
    whole = (OutputPiece("printed", "a\nb\n"), OutputPiece("failure", "c\nd\n"))
    assert [piece.text for piece in ending(whole, characters, lines)] == wanted


# -- the view ---------------------------------------------------------------------------------


@pytest.fixture
def view(qtbot: QtBot) -> OutputView:
    return put_up(qtbot, OutputView(), 600, 200)


def edit(view: OutputView) -> QPlainTextEdit:
    return view.findChild(QPlainTextEdit)


def sentence(view: OutputView) -> str:
    return "".join(label.text() for label in view.findChildren(QLabel) if label.isVisible())


def test_on_a_stage_a_short_output_is_as_large_as_its_room_lets_it_be(view: OutputView) -> None:
    stage = chosen("light", 1.0, 1.0, 1.0)
    apply_to_tree(view, stage)
    text = view.findChild(QPlainTextEdit)
    view.append_printed("one line\n")
    assert text.font().pointSizeF() > stage.mono_font().pointSizeF()
    view.append_printed("more\n" * 100)
    apply_to_tree(view, stage)
    assert text.font().pointSizeF() == stage.mono_font().pointSizeF()


def test_an_empty_output_says_why(view: OutputView) -> None:
    assert sentence(view) == "The output of the program appears here."
    view.show_snapshot(snapshot(Report("a"), complete=False))
    assert sentence(view) == "Nothing printed so far."
    view.show_snapshot(snapshot(printing("a", "")))
    assert sentence(view) == "The program printed nothing."
    assert not edit(view).isVisible()


def test_text_appears_as_it_comes_is_sorted_by_variant_in_the_end_and_added_to(view: OutputView) -> None:
    for text in ("one", "\n", "tw"):
        view.append_printed(text)
    assert edit(view).toPlainText() == "one\ntw"
    view.append_printed("o\n")
    view.show_snapshot(TWO)
    assert edit(view).toPlainText() == "a\none\nb\ntwo\n"
    assert sentence(view) == ""
    view.append_printed("the worker says goodbye\n")
    assert edit(view).toPlainText() == "a\none\nb\ntwo\nthe worker says goodbye\n"


def test_the_same_snapshot_again_changes_nothing_not_even_the_selection(view: OutputView) -> None:
    view.append_printed("one\ntwo\n")
    view.show_snapshot(TWO)
    edit(view).selectAll()
    view.show_snapshot(TWO)
    assert edit(view).textCursor().hasSelection()


def test_a_new_run_replaces_the_old_output_as_soon_as_it_prints_or_has_printed_nothing(view: OutputView) -> None:
    view.append_printed("one\ntwo\n")
    view.show_snapshot(TWO)
    view.clear()
    assert edit(view).toPlainText() == "a\none\nb\ntwo\n"
    view.append_printed("new\n")
    assert edit(view).toPlainText() == "new\n"
    view.clear()
    view.show_snapshot(snapshot(printing("a", "")))
    assert sentence(view) == "The program printed nothing."


def test_a_traceback_has_the_colour_of_a_bug(view: OutputView) -> None:
    apply_to_tree(view, DARK)
    view.show_snapshot(snapshot(Report("a", "error", failure=FAILURE)))
    cursor = QTextCursor(edit(view).document().find("TypeError"))
    assert cursor.charFormat().foreground().color() == QColor(DARK.bug)


def test_many_lines_keep_their_end_and_say_so(view: OutputView) -> None:
    view.append_printed("".join(f"{number}\n" for number in range(MAX_LINES + 500)))
    assert edit(view).document().blockCount() <= MAX_LINES
    assert edit(view).toPlainText().endswith(f"\n{MAX_LINES + 499}\n")
    assert sentence(view) == "The output is longer. Only its end is shown."


def test_a_program_that_prints_for_ever_fills_no_memory(view: OutputView) -> None:
    line = "y" * 999 + "\n"
    for _ in range(13):
        view.append_printed(line * 100)
    assert len(edit(view).toPlainText()) <= MAX_CHARACTERS
    assert sentence(view) == "The output is longer. Only its end is shown."
    view.clear()
    view.append_printed("short\n")
    assert (edit(view).toPlainText(), sentence(view)) == ("short\n", "")


def test_a_new_run_shows_its_first_lines_and_follows_whoever_goes_to_the_end(view: OutputView) -> None:
    bar = edit(view).verticalScrollBar()
    for _ in range(2):
        view.clear()
        for _ in range(10):
            view.append_printed("line\n" * 10)
        assert bar.value() == 0 < bar.maximum()
        bar.setValue(bar.maximum())
        view.append_printed("line\n" * 100)
        assert bar.value() == bar.maximum()
    bar.setValue(3)
    view.append_printed("line\n" * 100)
    assert bar.value() == 3
