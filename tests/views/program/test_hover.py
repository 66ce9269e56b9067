"""The texts of the program pane about an operation, a name, a type and a cost; and its colours."""

from __future__ import annotations

import msgspec
import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, Qt
from PySide6.QtGui import QHelpEvent, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QToolTip
from pytestqt.qtbot import QtBot

from explorer.messages import Cost, Equation, Form, NameAnswer, Program, Report, Snapshot
from tests.views.made import heard, put_up
from tests.views.program.shown import PROGRAM, halves, snapshot, text_of
from views.code.code_view import CodeView
from views.parts.labels import ElidedLabel
from views.program.hover import about_primitive, type_in_words
from views.program.program_half import ProgramHalf
from views.program.program_text import ProgramText
from views.program.program_view import ProgramView
from views.program.program_words import cost_in_words
from views.text.highlighters import KIND
from views.text.line_text import LineText


def tip(half: ProgramHalf, row: int, column: int = 0) -> list[str]:
    text = text_of(half)
    return text.tip_of_place((row, column)).splitlines()


def test_hover_shows_type_meaning_and_origin(view: ProgramView) -> None:
    shared = msgspec.structs.replace(PROGRAM, equations=(Equation("made_up", None, 1, 1, 1, "f32[2]"),), lines=())
    view.show_snapshot(snapshot(PROGRAM, shared))
    first, second = halves(view)
    assert tip(first, 1) == ["sin → f32[5]", "The sine.", "from line 3 of the code"]
    assert tip(first, 0) == []
    assert tip(second, 1) == [
        "made_up → f32[2]",
        "This operation has no description yet; name and types are JAX's own.",
        "inside the library, for several lines of the code",
    ]


def test_keys_are_explained_as_keys() -> None:
    assert "spends the key" in about_primitive("random_bits")
    assert about_primitive("no_such_primitive") == ""


@pytest.mark.parametrize(
    ("form", "line", "stretch", "kind"),
    [
        ("jaxpr", "b:key<fry>[2] = random_split[shape=(2,)] a", "key<fry>[2]", "type"),
        ("jaxpr", "b:key<fry>[2] = random_split[shape=(2,)] a", "random_split", "name"),
        ("jaxpr", "i:f32[3] = bitcast_convert_type[new_dtype=float32] h", "bitcast_convert_type", "name"),
        ("jaxpr", "{ lambda ; a:bf16[]. let  in (a,) }", "lambda", "keyword"),
        ("jaxpr", "{ lambda ; a:bf16[]. let  in (a,) }", "bf16[]", "type"),
        ("jaxpr", "c:f32[] = mul -1.5e-05:f32[] b", "-1.5e-05", "number"),
        ("stablehlo", "%0 = stablehlo.add %1, %2 : tensor<3xf32>", "stablehlo.add", "name"),
        ("stablehlo", "%0 = stablehlo.add %1, %2 : tensor<3xf32>", "tensor<3xf32>", "type"),
        ("hlo", '  %x.1 = f32[5]{0} add(%a, %b), metadata={op_name="f"}', "add", "name"),
        ("hlo", '  %x.1 = f32[5]{0} add(%a, %b), metadata={op_name="f"}', "f32[5]{0}", "type"),
        ("hlo", '  %x.1 = f32[5]{0} add(%a, %b), metadata={op_name="f"}', ', metadata={op_name="f"}', "comment"),
    ],
)
def test_program_text_is_coloured(view: ProgramView, form: Form, line: str, stretch: str, kind: str) -> None:
    view.show_snapshot(snapshot(Program(form, line)))
    view.grab()
    block = text_of(halves(view)[0]).document().firstBlock()
    found = {
        line[each.start : each.start + each.length]: each.format.property(KIND) for each in block.layout().formats()
    }
    assert found[stretch] == kind


# -- names and cost ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("row", "column", "words"),
    [
        (0, 11, "a: float32, shape (5,); passed in on line 1 of this text; used once"),
        (1, 4, "b: float32, shape (5,); made by sin on line 2 of this text; used once"),
        (1, 19, "a: float32, shape (5,); passed in on line 1 of this text; used once"),
        (5, 16, "b: float32, shape (5,); made by sin on line 2 of this text; used once"),
        (3, 44, "f: float32, a single value; made by mul on line 4 of this text; used once"),
        (6, 6, "c: float32, a single value; made by scan on line 3 of this text; used once"),
    ],
)
def test_a_name_shows_type_maker_and_uses(view: ProgramView, row: int, column: int, words: str) -> None:
    view.show_snapshot(snapshot(PROGRAM))
    assert tip(halves(view)[0], row, column)[0] == words


@pytest.mark.parametrize(("row", "column"), [(0, 2), (1, 8), (1, 15), (3, 50), (4, 8), (5, 6), (5, 10), (6, 2)])
def test_no_name_is_found_where_there_is_none(view: ProgramView, row: int, column: int) -> None:
    view.show_snapshot(snapshot(PROGRAM))
    assert not any("this text" in line for line in tip(halves(view)[0], row, column))


@pytest.mark.parametrize(("row", "column", "name"), [(1, 4, "b"), (1, 19, "a"), (1, 15, "")])
def test_the_variable_that_is_clicked_is_reported(view: ProgramView, row: int, column: int, name: str) -> None:
    view.show_snapshot(snapshot(PROGRAM))
    emitted = heard(view.name_reached)
    text = text_of(halves(view)[0])
    cursor = QTextCursor(text.document().findBlockByNumber(row))
    cursor.movePosition(QTextCursor.MoveOperation.Right, n=column)
    place = text.cursorRect(cursor).center() + QPoint(text.fontMetrics().averageCharWidth() // 3, 0)
    QTest.mouseClick(text.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert emitted[-1] == name


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("f32[32,10]", "float32, shape (32, 10)"),
        ("bf16[3]", "bfloat16, shape (3,)"),
        ("bool[]", "bool, a single value"),
        ("u32[2]", "uint32, shape (2,)"),
        ("key<fry>[4]", "random key, key<fry>, shape (4,)"),
        ("Ref{f32[2]}", "Ref{f32[2]}"),
    ],
)
def test_types_are_reported_in_words(written: str, words: str) -> None:
    assert type_in_words(written) == words


@pytest.mark.parametrize(
    ("cost", "words"),
    [
        (
            Cost(49_997.0, 1664.0, 34_529.0, 5428, 1288, 4096, 4612),
            "One call: 49,997 floating-point operations, 1,664 values of exp, sqrt and the like, 33.7 KiB read and "
            "written. "
            "Memory at most 5.3 KiB at one time (arguments 1.26 KiB, outputs 4 KiB, temporary 4.5 KiB).",
        ),
        (
            Cost(2.5e9, None, 3e7, 0, 100, 200, 0),
            "One call: 2.5 billion floating-point operations, 28.6 MiB read and written. "
            "Memory: arguments 100 B, outputs 200 B, temporary 0 B.",
        ),
        (
            Cost(accessed_bytes=8.0),
            "One call: no floating-point operations reported, 8 B read and written. The compiler does not report how "
            "much memory it takes.",
        ),
        (
            Cost(8.0, accessed_bytes=8.0, devices=4, exchanges={"all-gather": 2, "collective-permute": 4}),
            "The 4 devices exchange data: 2 all-gather, 4 collective-permute. One call: 8 floating-point operations, "
            "8 B read and written. The compiler does not report how much memory it takes.",
        ),
        (
            Cost(8.0, devices=2),
            "The 2 devices exchange no data. One call: 8 floating-point operations. The compiler does not report how "
            "much memory it takes.",
        ),
        (
            Cost(8.0, None, None, None, 1024, 2048, 512, uncounted="loop"),
            "One call: 8 floating-point operations. The body of a loop counts once. "
            "Memory: arguments 1 KiB, outputs 2 KiB, temporary 512 B.",
        ),
        (
            Cost(uncounted="library"),
            "The work of a call is not known: a library outside XLA does part of it. The compiler does not report "
            "how much memory it takes.",
        ),
        (Cost(), "The compiler for this device does not report the cost of a call."),
    ],
)
def test_cost_is_reported_in_words_with_units(cost: Cost, words: str) -> None:
    assert cost_in_words(cost) == words


# -- by Qt's own events -----------------------------------------------------------------------------------------------


def over(text: LineText, row: int, column: int) -> QPoint:
    """Return the position of a letter in the viewport of `text`."""
    cursor = QTextCursor(text.document().findBlockByNumber(row))
    cursor.movePosition(QTextCursor.MoveOperation.Right, n=column)
    here, after = text.cursorRect(cursor), QTextCursor(cursor)
    after.movePosition(QTextCursor.MoveOperation.Right)
    return QPoint((here.left() + text.cursorRect(after).left()) // 2, here.center().y())


def rest(text: LineText, row: int, column: int) -> str:
    """Let the pointer rest over a letter and return the tip."""
    place = over(text, row, column)
    QToolTip.hideText()
    asked = QHelpEvent(QEvent.Type.ToolTip, place, text.viewport().mapToGlobal(place))
    QCoreApplication.sendEvent(text.viewport(), asked)
    return QToolTip.text()


def program_view(qtbot: QtBot) -> tuple[ProgramView, ProgramText]:
    view = put_up(qtbot, ProgramView(), 700, 300)
    view.show_snapshot(Snapshot(1, "cpu:0", True, reports=(Report("f", program=PROGRAM),)))
    (text,) = [each for each in view.findChildren(ProgramText) if each.isVisible()]
    qtbot.waitExposed(view)
    return view, text


def test_a_tip_over_a_variable_begins_with_its_dtype_and_shape(qtbot: QtBot) -> None:
    _, text = program_view(qtbot)
    first, *_ = rest(text, 1, 4).splitlines()
    assert first == "b: float32, shape (5,); made by sin on line 2 of this text; used once"


def test_the_pointer_underlays_a_variable_wherever_it_stands_and_shows_it_below(qtbot: QtBot) -> None:
    view, text = program_view(qtbot)
    QTest.mouseMove(text.viewport(), over(text, 1, 4))
    qtbot.waitUntil(lambda: len(text.extraSelections()) == 2)
    names = [each.accessibleName() for each in view.findChildren(ElidedLabel) if each.isVisible()]
    assert [each for each in names if each.startswith("b: float32, shape (5,)")]
    QCoreApplication.sendEvent(text, QEvent(QEvent.Type.Leave))
    assert text.extraSelections() == []


def test_a_tip_over_a_name_in_the_code_says_what_the_worker_knows_of_it(qtbot: QtBot) -> None:
    view = put_up(qtbot, CodeView(), 600, 200)
    view.set_source("y = jnp.sin(x)\n# sin\n")
    asked = heard(view.name_asked)
    text = view.findChild(LineText)
    rest(text, 0, 9)
    (question,) = asked
    assert (question.completes, question.line) == (False, 1)
    assert question.column in (9, 10), "either side of the letter"
    view.show_names(NameAnswer(question.number, title="jnp.sin(x)", doc="Compute the sine of x."))
    assert "jnp.sin(x)" in QToolTip.text()
    assert "Compute the sine of x." in QToolTip.text()
    rest(text, 1, 3)
    assert len(asked) == 1, "a comment names nothing"
    QToolTip.hideText()
