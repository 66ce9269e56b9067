"""Programs for tests, and the contents of the program pane."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QPoint, Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QTextBrowser

from explorer.messages import Equation, Failure, Program, Report, Snapshot, Span
from views.parts.tabs import TabButton
from views.program.program_half import ProgramHalf
from views.program.program_view import ProgramView
from views.text.line_text import LineText

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


def snapshot(*programs: Program | None, failure: Failure | None = None) -> Snapshot:
    reports = tuple(Report(name, program=program) for name, program in zip("fg", programs, strict=False))
    return Snapshot(1, "cpu:0", True, reports=reports, failure=failure)


def halves(view: ProgramView) -> list[ProgramHalf]:
    shown = [half for half in view.findChildren(ProgramHalf) if half.isVisible()]
    return sorted(shown, key=lambda half: half.accessibleName())


def text_of(half: ProgramHalf) -> LineText:
    return half.findChild(LineText)


def first_text(view: ProgramView) -> str:
    """Return the text of the first lens, or else of the first program."""
    first = view._lenses.pages[0] if view._lenses.shown else None
    return first.text() if first else text_of(view._halves[0]).toPlainText()


def notice_of(half: ProgramHalf) -> str:
    found = half.findChild(QTextBrowser)
    return found.toPlainText() if found.isVisible() else ""


def click_row(half: ProgramHalf, row: int) -> None:
    text = text_of(half)
    place = text.cursorRect(QTextCursor(text.document().findBlockByNumber(row))).center() + QPoint(10, 0)
    QTest.mouseClick(text.viewport(), Qt.MouseButton.LeftButton, pos=place)


def laid_out(view: ProgramView) -> ProgramView:
    QCoreApplication.processEvents()
    return view


def button(view: ProgramView, text: str) -> TabButton:
    return next(each for each in view.findChildren(TabButton) if each.text() == text)


def long_program(number: str = "1.0") -> Program:
    rows = [f"    b:f32[5] = add a {number if row == 150 else '1.0'}:f32[]" for row in range(300)]
    equations = tuple(Equation("add", Span(row + 1, 0, row + 1, 5), row, row, 0, "f32[5]") for row in range(300))
    return Program("jaxpr", "\n".join(rows), equations, tuple(range(1, 301)))


def labels(view: ProgramView) -> list[str]:
    return [each.text() for each in view.findChildren(QLabel) if each.isVisible()]


def long_jaxpr(count: int) -> Program:
    middle = [f"    b:f32[5] = add a {number}.0:f32[]" for number in range(count)]
    equations = tuple(
        Equation("add", Span(row + 2, 0, row + 2, 5), row + 1, row + 1, 0, "f32[5]") for row in range(count)
    )
    text = "\n".join(["{ lambda ; a:f32[5]. let", *middle, "  in (b,) }"])
    return Program("jaxpr", text, equations, (0, *range(2, count + 2), 0))
