"""The editor: typed text is emitted once, results about the code are shown on its lines."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QToolButton
from pytestqt.qtbot import QtBot

from explorer.messages import (
    Failure,
    Finding,
    Focus,
    FunctionTraces,
    LineType,
    Marks,
    Program,
    Report,
    Snapshot,
    Span,
    TraceEvent,
    Variant,
    original_name,
)
from explorer.messages.lenses import LineCost
from explorer.session.controls import Controls
from tests.views.made import heard, hold, put_up, snapshot
from views.code.brackets import edit
from views.code.code_view import CodeView
from views.code.find_bar import FindBar
from views.code.problem_line import ProblemLine
from views.text import document_edits
from views.text.highlighters import KIND
from views.text.line_text import LineText, Margin
from views.theme import DARK, LIGHT, apply_to_tree

CODE = "import jax\n\ndef f(key):\n    a = jax.random.normal(key)\n    return a\n"
BUG = Finding("key-reuse", "bug", "The key is drawn from twice.", (Span(4, 8, 4, 30), Span(5, 11, 5, 12)))
NOTE = Finding("unused-key", "note", "One child is unused.", (Span(3, 6, 3, 9),))
FAILURE = Failure("TypeError", "no\nmore", Span(5, 4, 5, 12), "Because.")


@pytest.fixture
def view(qtbot: QtBot) -> CodeView:
    made = put_up(qtbot, CodeView(), 500, 400)
    made.set_source(CODE)
    text_of(made).setFocus()
    return made


def text_of(view: CodeView) -> LineText:
    return view.findChild(LineText)


def put_cursor(view: CodeView, start: int, end: int | None = None) -> None:
    cursor = QTextCursor(text_of(view).document())
    cursor.setPosition(start)
    cursor.setPosition(start if end is None else end, QTextCursor.MoveMode.KeepAnchor)
    with text_of(view).unwatched():
        text_of(view).setTextCursor(cursor)


def press(view: CodeView, key: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    QTest.keyClick(text_of(view), key, modifier)


def words_below(view: CodeView) -> str:
    line = view.findChild(ProblemLine)
    return line.message()


def test_another_variant_comes_on_screen_and_a_long_one_with_its_first_line(view: CodeView) -> None:
    code = "\n".join(["x = 1"] * 60 + ["def one():", "    pass", *["x = 1"] * 60, "def long():", *["    pass"] * 90])
    view.set_source(code)
    variants = (Variant("one", 61, "", 62), Variant("long", 123, "", 213))

    def shown(run: int, name: str) -> tuple[int, int]:
        view.show_snapshot(Snapshot(run, "cpu:0", True, variants=variants, reports=(Report(name, "ok"),)))
        rows = [row for row, place in text_of(view).visible_rows() if place.bottom() <= text_of(view).height()]
        return rows[0], rows[-1]

    first, last = shown(1, "one")
    assert first <= 60 <= 61 <= last
    assert shown(2, "long")[0] == 122
    text_of(view).verticalScrollBar().setValue(0)
    assert shown(3, "long")[0] == 0, "the user has scrolled away from the same variant"


def test_a_variant_stays_on_screen_when_the_room_for_it_shrinks_until_the_user_scrolls(view: CodeView) -> None:
    view.set_source("\n".join(["x = 1"] * 60 + ["def one():", "    pass"]) + "\n" * 60)
    report = Report("one", "ok")
    view.show_snapshot(Snapshot(1, "cpu:0", True, variants=(Variant("one", 61, "", 62),), reports=(report,)))
    text = text_of(view)
    text.clearFocus()  # Where someone writes, the cursor's line comes first.

    def shown() -> list[int]:
        QApplication.processEvents()
        return [row for row, place in text.visible_rows() if place.bottom() <= text.viewport().height()]

    view.resize(500, 200)
    assert {60, 61} <= set(shown())
    text.verticalScrollBar().setValue(0)
    view.resize(500, 250)
    assert 60 not in shown()


# -- text in and out ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["", "x", CODE, "tab\there\n", "한글 = '😀'\n", "a\u00a0b\n", "\n\n"])
def test_what_is_set_is_what_is_read(view: CodeView, text: str) -> None:
    view.set_source(text)
    assert view.source() == text


def test_setting_the_source_is_not_an_edit(view: CodeView, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(view.source_edited), qtbot.assertNotEmitted(view.focus_requested):
        view.set_source("x = 1\n")
        view.set_source("x = 2\n", keep_undo=True)
        apply_to_tree(view, DARK)
        QApplication.processEvents()


def test_a_key_press_sends_the_whole_text_once(view: CodeView) -> None:
    sent = heard(view.source_edited)
    put_cursor(view, 0)
    press(view, Qt.Key.Key_X)
    QApplication.processEvents()
    assert sent == ["x" + CODE]


def test_a_kept_replacement_leaves_the_cursor_before_it_alone_and_one_undo_takes_it_back(view: CodeView) -> None:
    put_cursor(view, 3)
    view.set_source(CODE.replace("normal", "uniform").replace("return a", "return -a"), keep_undo=True)
    assert text_of(view).textCursor().position() == 3
    text_of(view).undo()
    assert view.source() == CODE
    assert not text_of(view).document().isUndoAvailable()


def test_a_new_source_has_no_history(view: CodeView) -> None:
    press(view, Qt.Key.Key_X)
    view.set_source("other\n")
    assert not text_of(view).document().isUndoAvailable()


def test_a_replacement_behind_an_emoji_is_exact(view: CodeView) -> None:
    view.set_source("s = '😀😀'; x = 1\n")
    view.set_source("s = '😀😀'; x = 12\n", keep_undo=True)
    assert view.source() == "s = '😀😀'; x = 12\n"


# -- editing ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("indent", "moves"), [(4, False), (200, True)])
def test_a_line_too_long_is_shown_with_the_beginnings_of_the_others(view: CodeView, indent: int, moves: bool) -> None:
    view.text.wrap(False)
    view.set_source("import jax\n" + " " * indent + "1 + " * 200)
    text_of(view).show_row(1)
    assert (text_of(view).horizontalScrollBar().value() > 0) == moves


@pytest.mark.parametrize("typed", ["(", "x", ")"])
def test_a_key_at_the_end_of_a_long_line_does_not_scroll_sideways(view: CodeView, typed: str) -> None:
    view.text.wrap(False)
    view.set_source("x = " + "1 + " * 60 + "f()")
    put_cursor(view, len(view.source()) - (typed != "("))
    text_of(view).ensureCursorVisible()
    sideways = text_of(view).horizontalScrollBar()
    before = sideways.value()
    assert before > 500
    QTest.keyClicks(text_of(view), typed)
    assert abs(sideways.value() - before) < 100


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a\n", "# a\n"),
        ("# a\n", "a\n"),
        ("#a\n", "a\n"),
        ("    a\n  b\n\n", "  #   a\n  # b\n\n"),
        ("# a\nb\n", "# # a\n# b\n"),
    ],
)
def test_comments_are_toggled_for_all_selected_lines(view: CodeView, before: str, after: str) -> None:
    view.set_source(before)
    put_cursor(view, 0, len(before))
    edit(text_of(view), document_edits.toggle_comment)
    assert view.source() == after
    text_of(view).undo()
    assert view.source() == before


def test_matching_brackets_are_marked_but_not_those_in_strings(view: CodeView) -> None:
    view.set_source("f(')', [1])  # )\n")
    put_cursor(view, 2)
    view.show_snapshot(snapshot())
    marked = [each.cursor.selectionStart() for each in text_of(view).extraSelections()]
    assert marked == [1, 10]


# -- going to a line ----------------------------------------------------------------------------------------------


def test_going_to_another_line_asks_for_the_focus(view: CodeView, qtbot: QtBot) -> None:
    put_cursor(view, 0)
    with qtbot.assertNotEmitted(view.focus_requested):
        press(view, Qt.Key.Key_Right)
        press(view, Qt.Key.Key_End)
    with qtbot.waitSignal(view.focus_requested) as asked:
        press(view, Qt.Key.Key_Down)
    assert asked.args == [Focus("line", 2)]


def test_a_click_asks_once_and_a_second_click_on_the_line_asks_again(view: CodeView) -> None:
    asked = heard(view.focus_requested)
    text = text_of(view)
    place = text.cursorRect(QTextCursor(text.document().findBlockByNumber(3))).center() + QPoint(20, 0)
    for _ in range(2):
        QTest.mouseClick(text.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert asked == [Focus("line", 4), Focus("line", 4)]


# -- what others know ---------------------------------------------------------------------------------------------


def test_lines_with_equations_carry_a_bar(view: CodeView) -> None:
    view.show_snapshot(snapshot(Report("f", program=Program("jaxpr", "x", lines=(0, 4, 4)))))
    assert [text_of(view).marks.origin(row) for row in range(6)] == [0, 0, 0, 4, 0, 0]


TYPED = Program(
    "jaxpr",
    "x",
    line_types={
        4: ((LineType("f32[3]", (32,)), LineType("~f32[]", (32,)), LineType("bool[3]", (), (32,))),),
        5: ((LineType("key<fry>[]", (), (4, 8)),), (LineType("key<fry>[2,3]"), LineType("int"))),
    },
)


def test_types_of_the_batch_stand_at_line_ends_while_they_are_wanted(view: CodeView) -> None:
    text = text_of(view)
    other = Report("g", program=Program("jaxpr", "x", line_types={5: ((LineType("f32[]"),),)}))
    shown = snapshot(Report("f", program=TYPED), other, Report(original_name("f"), program=TYPED))
    view.show_types(shown)
    assert text.marks.types == {}
    view.show_controls(Controls(line_types=True))
    view.show_types(shown)
    expected = {3: "f32[3], ~f32[] · 32×, bool[3] · shared by 32", 4: "1 key · shared by 4×8 | 2×3 keys, int | f32[]"}
    assert text.marks.types == expected
    assert text.tip_of_row(3) == expected[3]
    # A question is open: they would answer it.
    view.hold_back(True)
    assert (text.marks.types, text.tip_of_row(3)) == ({}, "")
    view.hold_back(False)
    assert text.marks.types == expected
    text.selectAll()
    text.copy()
    assert QApplication.clipboard().text() == CODE
    view.show_controls(Controls())
    assert text.marks.types == {}


def test_types_move_with_their_lines_and_leave_the_one_that_is_edited(view: CodeView) -> None:
    view.show_controls(Controls(line_types=True))
    view.show_types(snapshot(Report("f", program=TYPED)))
    text = text_of(view)
    first, second = text.marks.types[3], text.marks.types[4]
    put_cursor(view, 0)
    press(view, Qt.Key.Key_Return)
    assert text.marks.types == {4: first, 5: second}
    put_cursor(view, len(CODE))
    QTest.keyClicks(text, " # b")
    assert text.marks.types == {4: first}
    view.set_source("x = 1", keep_undo=True)
    assert text.marks.types == {}


def test_the_cost_of_lines_is_a_bar_in_the_margin_that_follows_its_line(view: CodeView) -> None:
    text = text_of(view)
    margin = text.findChild(Margin)
    before = margin.width()
    cost = LineCost(0.5, 1.0, "10 MiB", "half of it")
    view.show_costs({4: cost})
    assert margin.width() > before
    assert text.tip_of_row(3) == "half of it"
    put_cursor(view, 0)
    press(view, Qt.Key.Key_Return)
    assert text.marks.costs == {4: cost}
    view.hold_back(True)
    assert (text.marks.costs, margin.width()) == ({}, before)


def test_findings_are_underlined_and_signed(view: CodeView) -> None:
    view.show_snapshot(snapshot(Report("f", findings=(NOTE, BUG))))
    text = text_of(view)
    assert [text.marks.signs.get(row) for row in range(5)] == [None, None, "note", "bug", "bug"]
    underlined = [each.cursor.selectedText() for each in text.extraSelections()]
    assert underlined == ["jax.random.normal(key)", "a", "key"]


def test_showing_a_snapshot_twice_is_the_same_as_once(view: CodeView) -> None:
    for _ in range(2):
        view.show_snapshot(snapshot(Report("f", findings=(BUG,)), Report("g", findings=(BUG,))))
    assert len(text_of(view).extraSelections()) == 2


def test_underlines_move_with_the_text(view: CodeView) -> None:
    view.show_snapshot(snapshot(Report("f", findings=(BUG,))))
    put_cursor(view, 0)
    press(view, Qt.Key.Key_Return)
    text = text_of(view)
    assert [text.marks.signs.get(row) for row in range(6)] == [None, None, None, None, "bug", "bug"]
    assert text.extraSelections()[0].cursor.selectedText() == "jax.random.normal(key)"


def test_the_line_below_counts_the_problems_at_the_cursor_or_of_the_first_line_that_has_any(view: CodeView) -> None:
    view.show_snapshot(snapshot(Report("f", findings=(NOTE, BUG))))
    put_cursor(view, 0)
    assert words_below(view) == "Line 4: 1 bug – see Findings"
    put_cursor(view, CODE.index("def"))
    assert words_below(view) == "Line 3: 1 note – see Findings"
    view.show_snapshot(snapshot())
    assert words_below(view) == ""


def test_a_failure_is_marked_on_its_line_and_explained_on_hover(view: CodeView) -> None:
    view.show_snapshot(snapshot(Report("f", failure=FAILURE)))
    tip_of_row = text_of(view).tip_of_row
    assert tip_of_row(4) == "TypeError: no\nBecause."
    assert tip_of_row(0) == ""
    assert text_of(view).marks.signs[4] == "bug"


def test_a_failure_beyond_the_end_is_marked_on_the_last_line(view: CodeView) -> None:
    view.set_source("x = (")
    view.show_snapshot(snapshot(failure=Failure("SyntaxError", "never closed", Span(9, 0, 9, 0))))
    assert text_of(view).marks.signs[0] == "bug"
    assert text_of(view).extraSelections()[0].cursor.selectedText() == "x = ("


def test_marked_lines_are_outlined_in_the_focus_colour(view: CodeView) -> None:
    text = text_of(view)
    row = QTextCursor(text.document().findBlockByNumber(1))
    edge = QPoint(text.viewport().width() - 1, text.cursorRect(row).center().y())
    before = text.viewport().grab().toImage().pixelColor(edge)
    view.show_marks(Marks(Focus("line", 2), frozenset({2})))
    after = text.viewport().grab().toImage().pixelColor(edge)
    assert before != after
    assert after.name() == LIGHT.focus


def test_the_line_of_the_cursor_has_no_outline_and_those_linked_with_it_have_one(view: CodeView) -> None:
    put_cursor(view, view.source().index("\n") + 1)
    view.show_marks(Marks(Focus("line", 2), frozenset({2, 4})))
    assert text_of(view).marks.marked == {3}
    view.show_marks(Marks(Focus("finding", 0), frozenset({2, 4})))
    assert text_of(view).marks.marked == {1, 3}


def test_the_first_line_in_sight_is_whole_where_lines_wrap(view: CodeView) -> None:
    view.set_source("\n".join(f"line_{n} = function(argument_{n}, another_{n}, and_a_third_{n})" for n in range(99)))
    text = text_of(view)
    for key, times in ((Qt.Key.Key_Down, 75), (Qt.Key.Key_Up, 60)):
        for _ in range(times):
            QTest.keyClick(text, key)
            QApplication.processEvents()
            first = text.firstVisibleBlock()
            assert text.blockBoundingGeometry(first).translated(text.contentOffset()).top() >= 0
            assert text.viewport().rect().contains(text.cursorRect())


def test_a_new_focus_brings_its_line_on_screen_once(view: CodeView) -> None:
    view.set_source("x = 1\n" * 500)
    bar = text_of(view).verticalScrollBar()
    marks = Marks(Focus("finding", 0), frozenset({3, 400}), line=400)
    view.show_marks(marks)
    assert bar.value() > 300
    bar.setValue(0)
    view.show_marks(marks)
    assert bar.value() == 0


# -- colours ------------------------------------------------------------------------------------------------------


def kinds(view: CodeView, row: int) -> dict[str, str]:
    """Return the coloured stretches of line `row` and their kinds."""
    block = text_of(view).document().findBlockByNumber(row)
    text = block.text().encode("utf-16-le")
    return {
        text[2 * each.start : 2 * (each.start + each.length)].decode("utf-16-le"): each.format.property(KIND)
        for each in block.layout().formats()
    }


@pytest.mark.parametrize(
    ("line", "stretch", "kind"),
    [
        ("def f(x): pass", "def", "keyword"),
        ("def f(x): pass", "f", "name"),
        ("x = None", "None", "keyword"),
        ("@jax.jit", "@jax.jit", "name"),
        ("x = rb'a\\'b'  # 'c'", "rb'a\\'b'", "string"),
        ("x = rb'a\\'b'  # 'c'", "# 'c'", "comment"),
        ("x = '#'", "'#'", "string"),
        ("y = 1e-3 + 0xff", "1e-3", "number"),
        ("y = 1e-3 + 0xff", "0xff", "number"),
        ("z = jnp.sin(x)", "sin", "name"),
        ("s = '😀'; t = 'b'", "'b'", "string"),
        ('d = """one line"""', '"""one line"""', "string"),
    ],
)
def test_python_is_coloured(view: CodeView, line: str, stretch: str, kind: str) -> None:
    view.set_source(line)
    assert kinds(view, 0)[stretch] == kind


def test_triple_quotes_reach_over_lines_and_close_again(view: CodeView) -> None:
    view.set_source('"""a\nb 1\n""" + 1\n')
    assert kinds(view, 1) == {"b 1": "string"}
    assert kinds(view, 2) == {'"""': "string", "1": "number"}
    put_cursor(view, 0, 3)
    press(view, Qt.Key.Key_Backspace)
    assert kinds(view, 1) == {"1": "number"}


# -- find and replace ---------------------------------------------------------------------------------------------


def bar(view: CodeView) -> FindBar:
    (found,) = view.findChildren(FindBar)
    return found


def field(view: CodeView, name: str) -> QLineEdit:
    (found,) = [each for each in bar(view).findChildren(QLineEdit) if each.accessibleName() == name]
    return found


def click(view: CodeView, words: str) -> None:
    (button,) = [each for each in bar(view).findChildren(QToolButton) if each.text() == words]
    button.click()


def shown(view: CodeView) -> str:
    (count,) = bar(view).findChildren(QLabel)
    return count.text()


def test_find_goes_from_place_to_place_and_around_and_can_distinguish_capitals(view: CodeView) -> None:
    view.set_source("key Key key\n")
    view.find_bar.open(replacing=False)
    QTest.keyClicks(field(view, "Find"), "key")
    starts = []
    for _ in range(4):
        QTest.keyClick(field(view, "Find"), Qt.Key.Key_Return)
        starts.append(text_of(view).textCursor().selectionStart())
    assert starts == [0, 4, 8, 0]
    QTest.keyClick(field(view, "Find"), Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert text_of(view).textCursor().selectionStart() == 8
    assert shown(view) == "3 of 3"
    view.set_source("key Key\n")
    view.find_bar.open(replacing=False)
    field(view, "Find").setText("Key")
    click(view, "Aa")
    assert shown(view) == "1 found"
    field(view, "Find").setText("no such")
    assert shown(view) == "not found"


def test_tab_goes_from_the_word_to_what_replaces_it(view: CodeView, qtbot: QtBot) -> None:
    view.activateWindow()
    view.find_bar.open(replacing=True)
    qtbot.waitUntil(field(view, "Find").hasFocus)
    QTest.keyClick(field(view, "Find"), Qt.Key.Key_Tab)
    assert field(view, "Replace with").hasFocus()
    view.find_bar.open(replacing=False)
    QTest.keyClick(field(view, "Find"), Qt.Key.Key_Tab)
    assert not field(view, "Find").hasFocus()


def test_replace_takes_one_place_at_a_time_and_replace_all_is_one_step_of_undo(view: CodeView) -> None:
    view.set_source("key, key = split(key)\n")
    view.find_bar.open(replacing=True)
    field(view, "Find").setText("key")
    field(view, "Replace with").setText("k")
    click(view, "Replace")
    assert view.source() == "key, key = split(key)\n", "it is found first"
    click(view, "Replace")
    assert view.source() == (once := "k, key = split(key)\n")
    click(view, "Replace all")
    assert view.source() == "k, k = split(k)\n"
    text_of(view).undo()
    assert view.source() == once


def test_escape_closes_the_bar_and_gives_the_keyboard_back(view: CodeView, qtbot: QtBot) -> None:
    view.find_bar.open(replacing=False)
    assert bar(view).isVisible()
    QTest.keyClick(field(view, "Find"), Qt.Key.Key_Escape)
    assert not bar(view).isVisible()
    qtbot.waitUntil(text_of(view).hasFocus)


# -- functions that are traced more than once -------------------------------------------------------------------------


POWER_SUM = "import jax\n\n@jax.jit\ndef power_sum(x, n):\n    return x**n\n"
DEFINED, CALLED = Span(4, 0, 4, 20), Span(9, 0, 9, 9)
FIRST = TraceEvent("first call", "the first call", CALLED)
VALUES = TraceEvent("new static value", "n is 2 instead of 1", CALLED, count=7)
EIGHT = FunctionTraces("power_sum", DEFINED, 8, 8, (FIRST, VALUES), trace_s=0.012, lower_s=0.02, compile_s=0.412)
ONCE = FunctionTraces("norm", DEFINED, 1, 1, (FIRST,))


def traced(*traces: FunctionTraces) -> Snapshot:
    return Snapshot(1, "cpu:0", True, reports=(Report("run", "ok", traces=traces),))


def test_the_line_of_a_function_traced_more_than_once_says_how_often_and_why(qtbot: QtBot) -> None:
    code = hold(qtbot, CodeView())
    code.set_source(POWER_SUM)
    code.show_snapshot(traced(EIGHT))
    text = code.findChild(LineText)
    assert dict(text.marks.counts) == {3: "↻ 8"}
    tip = text.tip_of_row(3)
    assert (
        "power_sum: traced 8 times in 12.0 ms, lowered in 20.0 ms, compiled 8 times in 412 ms: new static value" in tip
    )
    assert "new static value (7 times), line 9: n is 2 instead of 1" in tip
    code.show_snapshot(traced(ONCE))
    assert dict(text.marks.counts) == {}
