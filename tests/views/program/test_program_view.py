"""The program pane: JAX's text, the lines it comes from, and the equations that a focus lights up."""

from __future__ import annotations

import msgspec
import pytest
from PySide6.QtCore import QCoreApplication, QPoint, QRect, Qt
from PySide6.QtGui import QFont, QGuiApplication, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QTextBrowser
from pytestqt.qtbot import QtBot

from explorer.messages import TOP_LEVEL, Cost, Equation, Failure, Focus, Form, Marks, Program, Report, Snapshot, Span
from views.program.form_switch import FormButton
from views.program.half import ProgramHalf
from views.program.hover.hover_words import type_in_words
from views.program.hover.primitive_words import about_primitive
from views.program.program_text import ProgramText
from views.program.program_view import ProgramView
from views.program.program_words import cost_in_words
from views.text.highlighters import KIND
from views.text.line_text import LineText
from views.theme import DARK, LIGHT

TEXT = """{ lambda ; a:f32[5]. let
    b:f32[5] = sin a
    c:f32[] f32[5] = scan[
      jaxpr={ lambda ; d:f32[] e:f32[]. let f:f32[] = mul d e in (f,) }
      length=5
    ] 0.0:f32[] b
  in (c,) }"""
SINE, LOOP, PRODUCT = (
    Equation("sin", Span(3, 4, 3, 10), 1, 1, 0, "f32[5]"),
    Equation("scan", Span(5, 4, 5, 30), 2, 5, 0, "f32[] f32[5]"),
    Equation("mul", Span(4, 8, 4, 13), 3, 3, 1, "f32[]"),
)
PROGRAM = Program("jaxpr", TEXT, (SINE, LOOP, PRODUCT), (0, 3, 5, 4, 5, 5, 0))
HLO = Program("hlo", "HloModule\n\n  %a = f32[] add(%b, %c), metadata={}\n", lines=(0, 0, 3))
FAILURE = Failure("TracerBoolConversionError", "of bool[]", Span(7, 0, 7, 2), "So `if` cannot decide.")


@pytest.fixture
def view(qtbot: QtBot) -> ProgramView:
    made = ProgramView()
    qtbot.addWidget(made)
    made.resize(700, 300)
    made.show()
    return made


def snapshot(*programs: Program | None, failure: Failure | None = None) -> Snapshot:
    reports = tuple(Report(name, program=program) for name, program in zip("fg", programs, strict=False))
    return Snapshot(1, "cpu:0", True, reports=reports, failure=failure)


def halves(view: ProgramView) -> list[ProgramHalf]:
    shown = [half for half in view.findChildren(ProgramHalf) if half.isVisible()]
    return sorted(shown, key=lambda half: half.accessibleName())


def text_of(half: ProgramHalf) -> LineText:
    found = half.findChild(LineText)
    assert isinstance(found, LineText)
    return found


def notice_of(half: ProgramHalf) -> str:
    found = half.findChild(QTextBrowser)
    assert isinstance(found, QTextBrowser)
    return found.toPlainText() if found.isVisible() else ""


def click_row(half: ProgramHalf, row: int) -> None:
    text = text_of(half)
    place = text.cursorRect(QTextCursor(text.document().findBlockByNumber(row))).center() + QPoint(10, 0)
    QTest.mouseClick(text.viewport(), Qt.MouseButton.LeftButton, pos=place)


def laid_out(view: ProgramView) -> ProgramView:
    QCoreApplication.processEvents()
    return view


def button(view: ProgramView, text: str) -> FormButton:
    return next(each for each in view.findChildren(FormButton) if each.text() == text)


@pytest.mark.parametrize(
    ("complete", "words"), [(False, "Waiting for the program…"), (True, "There is no variant to show.")]
)
def test_a_program_without_variants_leaves_nothing_of_the_one_before(
    view: ProgramView, complete: bool, words: str
) -> None:
    verdicts: list[str] = []
    view.verdict_changed.connect(verdicts.append)
    view.show_snapshot(snapshot(PROGRAM))
    view.show_snapshot(Snapshot(2, "cpu:0", complete))
    (half,) = halves(view)
    assert text_of(half).toPlainText() == ""
    assert notice_of(half) == words
    assert verdicts[-1] == ""


@pytest.mark.parametrize("complete", [False, True])
def test_the_top_level_of_a_file_has_no_program_and_that_is_told(view: ProgramView, complete: bool) -> None:
    view.show_snapshot(snapshot(PROGRAM))
    view.show_snapshot(Snapshot(2, "cpu:0", complete, reports=(Report(TOP_LEVEL, "ok"),)))
    (half,) = halves(view)
    assert text_of(half).toPlainText() == ""
    assert notice_of(half).startswith("Nothing traces the top level of a file")


def test_the_text_and_its_lines_are_shown(view: ProgramView) -> None:
    view.show_snapshot(snapshot(PROGRAM))
    (half,) = halves(view)
    assert text_of(half).toPlainText() == TEXT
    assert [text_of(half).marks.origin(row) for row in range(7)] == [0, 3, 5, 4, 5, 5, 0]
    assert notice_of(half) == ""


def test_two_reports_stand_side_by_side_and_one_alone(view: ProgramView) -> None:
    view.show_snapshot(snapshot(PROGRAM, HLO))
    assert [half.accessibleName() for half in halves(view)] == ["Program of f", "Program of g"]
    view.show_snapshot(snapshot(PROGRAM))
    assert len(halves(view)) == 1


@pytest.mark.parametrize(
    ("width", "height", "below"), [(500, 600, True), (1600, 600, False), (500, 200, False)], ids=str
)
def test_two_programs_stand_below_each_other_where_their_lines_have_no_room_otherwise(
    view: ProgramView, qtbot: QtBot, width: int, height: int, below: bool
) -> None:
    view.show_snapshot(snapshot(PROGRAM, PROGRAM))
    view.resize(width, height)
    first, second = halves(view)
    qtbot.waitUntil(lambda: (second.y() > first.y(), second.x() > first.x()) == (below, not below))
    view.show_snapshot(snapshot(PROGRAM))
    qtbot.waitUntil(lambda: halves(view)[0].height() > height / 2)


def test_a_program_not_known_yet_says_so(view: ProgramView) -> None:
    view.show_snapshot(snapshot(None))
    assert notice_of(halves(view)[0]) == "Waiting for the program…"


def test_a_later_snapshot_without_program_keeps_the_text(view: ProgramView) -> None:
    view.show_snapshot(snapshot(PROGRAM))
    view.show_snapshot(snapshot(None))
    assert text_of(halves(view)[0]).toPlainText() == TEXT
    assert notice_of(halves(view)[0]) == ""


def test_another_variant_does_not_inherit_the_text(view: ProgramView) -> None:
    view.show_snapshot(snapshot(PROGRAM))
    view.show_snapshot(Snapshot(2, "cpu:0", False, reports=(Report("other"),)))
    assert text_of(halves(view)[0]).toPlainText() == ""
    assert notice_of(halves(view)[0]) == "Waiting for the program…"


def test_what_cannot_be_traced_is_explained(view: ProgramView) -> None:
    view.show_snapshot(snapshot(Program("jaxpr", "", failure=FAILURE)))
    words = notice_of(halves(view)[0])
    assert words.splitlines()[0] == "There is no jaxpr: TracerBoolConversionError on line 7"
    assert "So if cannot decide." in words
    assert "of bool[]" in words


def test_code_that_cannot_run_keeps_the_last_text_and_says_so(view: ProgramView) -> None:
    view.show_snapshot(snapshot(PROGRAM))
    view.show_snapshot(snapshot(failure=Failure("SyntaxError", "bad", Span(2, 0, 2, 1), "Look at the place.")))
    (half,) = halves(view)
    assert text_of(half).toPlainText() == TEXT
    assert notice_of(half) == "SyntaxError on line 2. Below stands the last jaxpr that there was."
    view.show_snapshot(snapshot(PROGRAM))
    assert notice_of(half) == ""


def test_the_text_above_a_mistake_keeps_its_colours(view: ProgramView) -> None:
    view.show_snapshot(snapshot(PROGRAM))
    (half,) = halves(view)
    before = [text_of(half).colour_of(line) for line in (3, 4, 5)]
    view.show_snapshot(snapshot(Program("jaxpr", "", failure=FAILURE)))
    assert text_of(half).toPlainText() == TEXT
    assert [text_of(half).colour_of(line) for line in (3, 4, 5)] == before


def test_html_in_a_message_is_shown_as_it_is(view: ProgramView) -> None:
    view.show_snapshot(snapshot(Program("jaxpr", "", failure=Failure("ValueError", "<b>key<fry>[]</b>"))))
    assert "<b>key<fry>[]</b>" in notice_of(halves(view)[0])


@pytest.mark.parametrize(
    ("programs", "verdict"),
    [
        ((PROGRAM,), "2 equations, 1 more inside"),
        ((msgspec.structs.replace(PROGRAM, equations=(SINE,)),), "1 equation"),
        ((HLO,), "3 lines"),
        ((PROGRAM, msgspec.structs.replace(PROGRAM, equations=(SINE,))), "2 equations, 1 more inside | 1 equation"),
        ((Program("jaxpr", "", failure=FAILURE),), "none: TracerBoolConversionError"),
    ],
)
def test_the_verdict_counts(view: ProgramView, qtbot: QtBot, programs: tuple[Program, ...], verdict: str) -> None:
    with qtbot.waitSignal(view.verdict_changed) as told:
        view.show_snapshot(snapshot(*programs))
    assert told.args == [verdict]
    with qtbot.assertNotEmitted(view.verdict_changed):
        view.show_snapshot(snapshot(*programs))


# -- other forms --------------------------------------------------------------------------------------------------


def test_choosing_a_form_asks_for_it_and_waits_with_the_old_text(view: ProgramView, qtbot: QtBot) -> None:
    view.show_snapshot(snapshot(PROGRAM))
    with qtbot.waitSignal(view.form_requested) as asked:
        QTest.mouseClick(button(view, "optimised HLO"), Qt.MouseButton.LeftButton)
    assert asked.args == ["hlo"]
    assert notice_of(halves(view)[0]) == "Waiting for the optimised HLO…"
    view.show_snapshot(snapshot(PROGRAM))
    assert button(view, "optimised HLO").isChecked()
    view.show_snapshot(snapshot(HLO))
    assert notice_of(halves(view)[0]) == ""
    assert text_of(halves(view)[0]).toPlainText() == HLO.text


def test_the_switch_follows_a_form_that_was_chosen_elsewhere(view: ProgramView) -> None:
    view.show_snapshot(snapshot(HLO))
    assert button(view, "optimised HLO").isChecked()


def test_the_switch_works_with_the_keyboard(view: ProgramView, qtbot: QtBot) -> None:
    view.show_snapshot(snapshot(PROGRAM))
    with qtbot.waitSignal(view.form_requested) as asked:
        QTest.keyClick(button(view, "StableHLO"), Qt.Key.Key_Space)
    assert asked.args == ["stablehlo"]


def test_copy_gives_the_exact_text(view: ProgramView) -> None:
    view.show_snapshot(snapshot(PROGRAM))
    halves(view)[0].copy()
    assert QGuiApplication.clipboard().text() == TEXT


# -- focus --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("row", "equation"), [(1, 0), (2, 1), (3, 2), (4, 1), (5, 1)])
def test_a_click_chooses_the_innermost_equation(view: ProgramView, qtbot: QtBot, row: int, equation: int) -> None:
    view.show_snapshot(snapshot(PROGRAM))
    with qtbot.waitSignal(view.focus_requested) as asked:
        click_row(halves(view)[0], row)
    assert asked.args == [Focus("equation", equation, "f")]


def test_a_click_on_no_equation_asks_for_nothing(view: ProgramView, qtbot: QtBot) -> None:
    view.show_snapshot(snapshot(PROGRAM))
    with qtbot.assertNotEmitted(view.focus_requested):
        click_row(halves(view)[0], 0)


def test_arrow_keys_choose_equations_too(view: ProgramView, qtbot: QtBot) -> None:
    view.show_snapshot(snapshot(PROGRAM))
    with qtbot.waitSignal(view.focus_requested) as asked:
        QTest.keyClick(text_of(halves(view)[0]), Qt.Key.Key_Down)
    assert asked.args == [Focus("equation", 0, "f")]


def test_a_click_in_hlo_asks_for_the_code_line(view: ProgramView, qtbot: QtBot) -> None:
    view.show_snapshot(snapshot(HLO))
    with qtbot.waitSignal(view.focus_requested) as asked:
        click_row(halves(view)[0], 2)
    assert asked.args == [Focus("line", 3, "f")]


def bold_rows(half: ProgramHalf) -> list[int]:
    document = text_of(half).document()
    return [
        row
        for row in range(document.blockCount())
        if any(
            each.format.fontWeight() == QFont.Weight.Bold for each in document.findBlockByNumber(row).layout().formats()
        )
    ]


def test_marked_equations_are_bold_with_all_their_lines(view: ProgramView) -> None:
    view.show_snapshot(snapshot(PROGRAM, PROGRAM))
    view.show_marks(Marks(Focus("line", 5), frozenset({5}), {"f": frozenset({1}), "g": frozenset({0, 99})}))
    assert [bold_rows(half) for half in halves(view)] == [[2, 3, 4, 5], [1]]
    view.show_marks(Marks())
    assert [bold_rows(half) for half in halves(view)] == [[], []]


def test_marks_stay_when_the_program_changes(view: ProgramView) -> None:
    view.show_marks(Marks(Focus("equation", 0, "f"), frozenset(), {"f": frozenset({0})}))
    view.show_snapshot(snapshot(PROGRAM))
    assert bold_rows(halves(view)[0]) == [1]
    view.show_snapshot(snapshot(msgspec.structs.replace(PROGRAM, text=TEXT.replace("sin", "cos"))))
    assert bold_rows(halves(view)[0]) == [1]


def test_in_hlo_the_lines_of_the_focus_are_marked(view: ProgramView) -> None:
    view.show_snapshot(snapshot(HLO))
    view.show_marks(Marks(Focus("line", 3), frozenset({3})))
    assert bold_rows(halves(view)[0]) == [2]


def test_hlo_opens_where_what_is_run_begins_and_a_focus_prefers_that_part(view: ProgramView) -> None:
    before = [f"  %{row} = f32[] add(%b, %c)" for row in range(100)]
    text = "\n".join([*before, "ENTRY %main {", *before, "}"])
    lines = (*[3] * 100, 0, *[3] * 100, 0)
    view.show_snapshot(snapshot(msgspec.structs.replace(HLO, text=text, lines=lines)))
    bar = text_of(halves(view)[0]).verticalScrollBar()
    assert bar.value() == 100
    view.show_marks(Marks(Focus("line", 3), frozenset({3})))
    assert bar.value() == 100


def long_program(number: str = "1.0") -> Program:
    rows = [f"    b:f32[5] = add a {number if row == 150 else '1.0'}:f32[]" for row in range(300)]
    equations = tuple(Equation("add", Span(row + 1, 0, row + 1, 5), row, row, 0, "f32[5]") for row in range(300))
    return Program("jaxpr", "\n".join(rows), equations, tuple(range(1, 301)))


def test_a_one_line_change_keeps_the_scroll_position_and_touches_one_line(view: ProgramView) -> None:
    view.show_snapshot(snapshot(long_program()))
    text = text_of(halves(view)[0])
    text.verticalScrollBar().setValue(100)
    changes: list[tuple[int, int, int]] = []
    text.document().contentsChange.connect(lambda *change: changes.append(change))
    view.show_snapshot(snapshot(long_program("2.5")))
    assert text.verticalScrollBar().value() == 100
    assert text.toPlainText() == long_program("2.5").text
    assert sum(added for _, _, added in changes) < 10


def test_a_new_focus_scrolls_once_and_one_chosen_here_does_not(view: ProgramView) -> None:
    view.show_snapshot(snapshot(long_program()))
    bar = text_of(halves(view)[0]).verticalScrollBar()
    marks = Marks(Focus("line", 201), frozenset({201}), {"f": frozenset({200})})
    view.show_marks(marks)
    assert bar.value() > 150
    bar.setValue(0)
    view.show_marks(marks)
    view.show_snapshot(snapshot(long_program()))
    assert bar.value() == 0
    view.show_marks(Marks(Focus("equation", 250, "f"), frozenset({251}), {"f": frozenset({250})}))
    assert bar.value() == 0


# -- hover and colours --------------------------------------------------------------------------------------------


def tip(half: ProgramHalf, row: int, column: int = 0) -> list[str]:
    text = text_of(half)
    assert isinstance(text, ProgramText)
    assert text.tip_of_place is not None
    return text.tip_of_place((row, column)).splitlines()


def test_hover_tells_type_meaning_and_origin(view: ProgramView) -> None:
    shared = msgspec.structs.replace(PROGRAM, equations=(Equation("made_up", None, 1, 1, 1, "f32[2]"),), lines=())
    view.show_snapshot(snapshot(PROGRAM, shared))
    first, second = halves(view)
    assert tip(first, 1) == ["sin → f32[5]", "The sine.", "from line 3 of the code"]
    assert tip(first, 0) == []
    assert tip(second, 1) == [
        "made_up → f32[2]",
        "There is no sentence for this operation here yet; name and types are JAX's own.",
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
    block = text_of(halves(view)[0]).document().firstBlock()
    found = {
        line[each.start : each.start + each.length]: each.format.property(KIND) for each in block.layout().formats()
    }
    assert found[stretch] == kind


def test_a_theme_recolours_the_text(view: ProgramView) -> None:
    view.show_snapshot(snapshot(PROGRAM))
    block = text_of(halves(view)[0]).document().findBlockByNumber(1)
    light = [each.format.foreground().color().name() for each in block.layout().formats()]
    view.apply_theme(DARK)
    dark = [each.format.foreground().color().name() for each in block.layout().formats()]
    assert set(light) <= {*LIGHT.series, LIGHT.dim}
    assert set(dark) <= {*DARK.series, DARK.dim}


# -- names and cost -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("row", "column", "words"),
    [
        (0, 11, "a: float32, shape (5,); handed in on line 1 of this text; used once"),
        (1, 4, "b: float32, shape (5,); made by sin on line 2 of this text; used once"),
        (1, 19, "a: float32, shape (5,); handed in on line 1 of this text; used once"),
        (5, 16, "b: float32, shape (5,); made by sin on line 2 of this text; used once"),
        (3, 44, "f: float32, a single value; made by mul on line 4 of this text; used once"),
        (6, 6, "c: float32, a single value; made by scan on line 3 of this text; used once"),
    ],
)
def test_a_name_tells_type_maker_and_uses(view: ProgramView, row: int, column: int, words: str) -> None:
    view.show_snapshot(snapshot(PROGRAM))
    assert tip(halves(view)[0], row, column)[0] == words


@pytest.mark.parametrize(("row", "column"), [(0, 2), (1, 8), (1, 15), (3, 50), (4, 8), (5, 6), (5, 10), (6, 2)])
def test_what_is_no_name_tells_no_name(view: ProgramView, row: int, column: int) -> None:
    view.show_snapshot(snapshot(PROGRAM))
    assert not any("this text" in line for line in tip(halves(view)[0], row, column))


def test_the_name_under_the_pointer_is_underlaid_wherever_it_stands(view: ProgramView) -> None:
    view.show_snapshot(snapshot(PROGRAM))
    text = text_of(halves(view)[0])
    assert isinstance(text, ProgramText)
    text.pointed_at.emit((1, 4))
    places = [each.cursor.selectedText() for each in text.extraSelections()]
    rows = [each.cursor.blockNumber() for each in text.extraSelections()]
    assert (places, rows) == (["b", "b"], [1, 5])
    text.pointed_at.emit(None)
    assert text.extraSelections() == []


@pytest.mark.parametrize(("row", "column", "name"), [(1, 4, "b"), (1, 19, "a"), (1, 15, "")])
def test_the_variable_that_is_clicked_is_told(view: ProgramView, row: int, column: int, name: str) -> None:
    view.show_snapshot(snapshot(PROGRAM))
    told: list[str] = []
    view.name_reached.connect(told.append)
    text = text_of(halves(view)[0])
    cursor = QTextCursor(text.document().findBlockByNumber(row))
    cursor.movePosition(QTextCursor.MoveOperation.Right, n=column)
    place = text.cursorRect(cursor).center() + QPoint(text.fontMetrics().averageCharWidth() // 3, 0)
    QTest.mouseClick(text.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert told[-1] == name


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
def test_types_are_told_in_words(written: str, words: str) -> None:
    assert type_in_words(written) == words


@pytest.mark.parametrize(
    ("cost", "words"),
    [
        (
            Cost(49_997.0, 1664.0, 34_529.0, 5428, 1288, 4096, 4612),
            "One call: 49,997 floating-point operations, 1,664 of exp, tanh and the like, 33.7 KiB read and written. "
            "Memory at most 5.3 KiB at one time (arguments 1.26 KiB, outputs 4 KiB, temporary 4.5 KiB).",
        ),
        (
            Cost(2.5e9, None, 3e7, 0, 100, 200, 0),
            "One call: 2.5 billion floating-point operations, 28.6 MiB read and written. "
            "Memory: arguments 100 B, outputs 200 B, temporary 0 B.",
        ),
        (
            Cost(accessed_bytes=8.0),
            "One call: no floating-point operations told, 8 B read and written. "
            "How much memory it takes, the compiler does not tell.",
        ),
        (
            Cost(8.0, accessed_bytes=8.0, devices=4, exchanges={"all-gather": 2, "collective-permute": 4}),
            "The 4 devices exchange data: 2 all-gather, 4 collective-permute. One call: 8 floating-point operations, "
            "8 B read and written. How much memory it takes, the compiler does not tell.",
        ),
        (
            Cost(8.0, devices=2),
            "The 2 devices exchange nothing. One call: 8 floating-point operations. "
            "How much memory it takes, the compiler does not tell.",
        ),
        (Cost(), "The compiler for this device does not tell what a call costs."),
    ],
)
def test_cost_is_told_in_words_with_units(cost: Cost, words: str) -> None:
    assert cost_in_words(cost) == words


def test_the_cost_stands_below_the_compiled_program_only(view: ProgramView) -> None:
    view.show_snapshot(snapshot(msgspec.structs.replace(HLO, cost=Cost(flops=5.0))))
    assert [each for each in labels(view) if each.startswith("One call: 5 floating-point operations")]
    view.show_snapshot(snapshot(PROGRAM))
    assert not [each for each in labels(view) if each.startswith("One call")]


def labels(view: ProgramView) -> list[str]:
    return [each.text() for each in view.findChildren(QLabel) if each.isVisible()]


def test_a_backend_that_does_not_print_its_program_is_told_so(view: ProgramView) -> None:
    view.show_snapshot(snapshot(Program("hlo", "", cost=Cost())))
    assert notice_of(halves(view)[0]) == (
        "The compiler for this device does not print what it made. The other forms are there."
    )
    view.show_snapshot(snapshot(HLO))
    assert notice_of(halves(view)[0]) == ""


def test_a_form_that_cannot_be_made_is_told_with_its_reason_above_the_one_that_is_shown(view: ProgramView) -> None:
    view.show_snapshot(snapshot(PROGRAM))
    button = next(each for each in view.findChildren(FormButton) if "HLO" in each.text() and each.text() != "StableHLO")
    button.click()
    missing = Failure("NotImplementedError", "no rule for mine", Span(13, 0, 13, 2))
    view.show_snapshot(snapshot(Program("hlo", "", failure=missing)))
    told = notice_of(halves(view)[0]).splitlines()
    assert told[0] == "There is no optimised HLO: NotImplementedError on line 13. Below stands the jaxpr."
    assert told[-1] == "no rule for mine"


def test_counts_of_long_programs_have_their_thousands_apart(view: ProgramView, qtbot: QtBot) -> None:
    with qtbot.waitSignal(view.verdict_changed) as told:
        view.show_snapshot(snapshot(Program("stablehlo", "row\n" * 12_345)))
    assert told.args == ["12,345 lines"]


def test_an_edit_paints_at_once_and_only_the_lines_that_it_changed(
    view: ProgramView, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    view.show_snapshot(snapshot(PROGRAM))
    qtbot.waitExposed(view)
    QGuiApplication.processEvents()
    painted: list[QRect] = []
    paint = LineText.paintEvent
    monkeypatch.setattr(LineText, "paintEvent", lambda text, event: (painted.append(event.rect()), paint(text, event)))
    view.show_snapshot(snapshot(msgspec.structs.replace(PROGRAM, text=TEXT.replace("mul d", "add d"))))
    text = text_of(halves(view)[0])
    (place,) = [place for row, place in text.visible_rows() if row == 3]
    assert painted == [place.toAlignedRect()]


def test_notices_and_costs_do_not_push_the_panes_around(view: ProgramView) -> None:
    view.resize(500, 260)
    view.show_snapshot(snapshot(PROGRAM, PROGRAM))
    least = laid_out(view).minimumSizeHint().height()
    costly = msgspec.structs.replace(HLO, cost=Cost(49_997.0, 1664.0, 34_529.0, 5428, 1288, 4096, 4612))
    view.show_snapshot(snapshot(costly, costly))
    assert laid_out(view).minimumSizeHint().height() == least
    QTest.mouseClick(button(view, "jaxpr"), Qt.MouseButton.LeftButton)
    assert all("Waiting for" in notice_of(half) for half in halves(view))
    assert laid_out(view).minimumSizeHint().height() == least
