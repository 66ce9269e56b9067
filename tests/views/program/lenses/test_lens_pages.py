"""The pages of the lenses in the program pane: offers, contents and marks."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QTextBrowser, QWidget
from pytestqt.qtbot import QtBot

from explorer.messages import Failure, Focus, Marks, Report, Snapshot, Span
from explorer.messages.lenses import Lens, Piece, Row, Table, text_cell
from explorer.scenario.scenario import StepPlan
from explorer.text.text import verbatim
from tests import a_new_lens
from tests.views.made import heard, put_up
from tests.views.program.lenses.lens_answers import (
    GRADIENT,
    answer_with,
    offering,
    opened,
    pages,
    row,
    table,
    table_of,
    without,
)
from tests.views.program.shown import HLO, button, halves, laid_out, snapshot
from views.parts.tabs import TabButton
from views.program.lenses.page import LensPage
from views.program.lenses.table import LensTable, shared_out
from views.program.program_view import ProgramView
from views.theme import apply_to_tree, chosen

LONG = Lens(table=table(*(row("add f32[5]", n + 1, n) for n in range(2000))))


def offered(view: ProgramView) -> list[str]:
    return [each.text() for each in view.findChildren(TabButton) if each.isVisible()]


def notices(page: LensPage) -> list[str]:
    return [each.toPlainText() for each in page.findChildren(QTextBrowser) if each.isVisible()]


def down(view: ProgramView) -> list[str]:
    return [each.text() for each in view.findChildren(TabButton) if each.isChecked()]


# -- the switch --------------------------------------------------------------------------------------------------


def test_a_lens_is_offered_only_where_it_has_something_to_say(view: ProgramView) -> None:
    view.show_snapshot(offering())
    assert offered(view) == ["jaxpr", "StableHLO", "HLO"]
    view.show_snapshot(offering("gradient", "vmap"))
    assert sorted(offered(view)) == sorted(["jaxpr", "vmap", "gradient", "StableHLO", "HLO"])


def test_a_lens_of_which_nothing_else_knows_has_its_button_and_its_page(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    a_new_lens.add(monkeypatch)
    view = put_up(qtbot, ProgramView())
    rows = (Row((text_cell("x"), text_cell("40 of f"))),)
    sizes = Lens(table=Table(("argument", "bytes"), ("", ""), rows, (0.5, 0.5)), summary=(Piece("1 arguments."),))
    (page,) = opened(view, answer_with(sizes, name="sizes"))
    assert button(view, "sizes").toolTip() == "How large it is"
    assert page.text().splitlines() == ["\targument\tbytes", "\tx\t40 of f", "1 arguments."]


def test_choosing_a_lens_asks_for_it_and_choosing_a_form_leaves_it(view: ProgramView, qtbot: QtBot) -> None:
    view.show_snapshot(offering("gradient"))
    with qtbot.waitSignal(view.lens_requested) as asked, qtbot.assertNotEmitted(view.form_requested):
        QTest.mouseClick(button(view, "gradient"), Qt.MouseButton.LeftButton)
    assert (asked.args, halves(view), notices(pages(view)[0])) == (["gradient"], [], ["Waiting for the gradient…"])
    with qtbot.waitSignals([view.lens_requested, view.form_requested]):
        button(view, "jaxpr").click()
    assert (len(halves(view)), pages(view), down(view)) == (1, [], ["jaxpr"])


def test_a_step_looks_through_the_lens_that_it_names_and_one_that_sets_a_form_through_none(view: ProgramView) -> None:
    asked = heard(view.lens_requested)
    view.show_snapshot(offering("vmap", "gradient"))
    steps = [StepPlan(lens="vmap"), StepPlan(), StepPlan(lens="vmap", form="jaxpr"), StepPlan(form="jaxpr")]
    shown = []
    for plan in steps:
        view.show_plan(plan)
        shown += down(view)
    assert (shown, asked) == (["vmap", "vmap", "vmap", "jaxpr"], ["vmap", ""])
    view.show_plan(StepPlan(lens="gradient"))
    view.show_plan(StepPlan(lens=""))
    assert down(view) == ["jaxpr"]


def test_behind_a_lens_lies_the_jaxpr_whose_equations_it_shows(view: ProgramView, qtbot: QtBot) -> None:
    view.show_snapshot(offering("gradient", program=HLO))
    with qtbot.waitSignal(view.form_requested) as asked:
        button(view, "gradient").click()
    assert asked.args == ["jaxpr"]


def test_a_step_with_lens_and_form_keeps_its_form_whichever_was_shown_before(view: ProgramView) -> None:
    asked = heard(view.form_requested)
    view.show_snapshot(offering("gradient", program=HLO))
    view.show_plan(StepPlan(lens="gradient", form="hlo"))
    assert (down(view), asked) == (["gradient"], [])


def test_the_choice_outlives_a_run_an_error_and_another_program(view: ProgramView) -> None:
    opened(view, answer_with(GRADIENT))
    view.show_snapshot(without(offering("gradient"), complete=False, reports=(Report("f"),)))
    assert len(pages(view)) == 1
    view.show_snapshot(snapshot(failure=Failure("SyntaxError", "bad", Span(2, 0, 2, 1))))
    assert notices(pages(view)[0])[0] == "SyntaxError on line 2. The earlier table is shown below."
    view.show_snapshot(offering())
    assert (pages(view), down(view)) == ([], ["jaxpr"])
    view.show_snapshot(offering("gradient"))
    assert (len(pages(view)), down(view)) == (1, ["gradient"])
    view.show_snapshot(without(offering(), reports=(Report("other", failure=Failure("ValueError", "no", None)),)))
    assert (pages(view), down(view)) == ([], ["jaxpr"])
    view.show_snapshot(offering("gradient"))


def test_while_it_fails_what_was_offered_of_it_still_is(view: ProgramView) -> None:
    view.show_snapshot(offering("gradient", "vmap"))
    failing = Report("f", "error", failure=Failure("ValueError", "no"), lenses=("calls",))
    view.show_snapshot(without(offering(), reports=(failing,)))
    assert {*offered(view)} >= {"gradient", "vmap", "calls"}
    view.show_snapshot(offering("vmap"))
    assert not {*offered(view)} & {"gradient", "calls"}


# -- what is shown -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (answer_with(None, sentence="It runs on the host."), "It runs on the host."),
        (answer_with(Lens(sentence=verbatim("The output is an integer."))), "The output is an integer."),
        (
            answer_with(
                Lens(sentence=verbatim("It goes round."), failure=Failure("TypeError", "no", Span(4, 0, 4, 1)))
            ),
            "It goes round.\nTypeError on line 4\nno",
        ),
    ],
    ids=["no lens", "nothing to differentiate", "raises"],
)
def test_where_there_is_no_gradient_a_notice_says_why(view: ProgramView, answer: object, words: str) -> None:
    (page,) = opened(view, answer)  # type: ignore[arg-type]
    assert notices(page) == [words]
    assert not table_of(page).isVisible()


def test_two_variants_have_a_page_each_and_one_without_an_answer_says_so(view: ProgramView) -> None:
    view.resize(1600, 400)
    shown = opened(view, answer_with(GRADIENT), answer_with(None, "g", "No."), names="fg")
    assert [table_of(page).accessibleName() for page in shown] == ["gradient of f", "gradient of g"]
    assert shown[1].mapTo(view, QPoint()).x() > shown[0].mapTo(view, QPoint()).x()
    only_f = (*offering("gradient").reports, Report("g", "ok"))
    view.show_lenses([answer_with(GRADIENT)])
    view.show_snapshot(Snapshot(1, "cpu:0", True, reports=only_f))
    assert notices(pages(view)[1]) == ["The gradient lens has nothing to show for this variant."]


def test_the_table_is_copied_as_text(view: ProgramView) -> None:
    (page,) = opened(view, answer_with(GRADIENT))
    table_of(page).actions()[0].trigger()
    assert "\nLine 3: NaN first appears here." in QGuiApplication.clipboard().text()
    assert "3\tsin f32[5]\t1 KiB\n" in QGuiApplication.clipboard().text()


def test_a_type_that_does_not_fit_is_reported_by_a_tip(view: ProgramView) -> None:
    long = "f32[" + ",".join(["128"] * 30) + "]"
    lens = Lens(table=table(row(f"add {long}", 1), row("mul f32[]", 1)))
    (page,) = opened(view, answer_with(lens))
    shown = table_of(page)
    painter, width = shown.itemDelegate(), shown.columnWidth(1)
    assert painter.tip(shown.model().index(0, 1), width) == f"add {long}"  # type: ignore[attr-defined]
    assert painter.tip(shown.model().index(1, 1), width) == ""  # type: ignore[attr-defined]
    assert shown.columnWidth(0) + sum(shown.columnWidth(n) for n in (1, 2, 3)) == shown.viewport().width()


def test_thousands_of_rows_make_no_widgets_and_values_leave_the_place(view: ProgramView) -> None:
    (page,) = opened(view, answer_with(GRADIENT))
    before = len(view.findChildren(QWidget))
    view.show_lenses([answer_with(LONG)])
    shown = table_of(page)
    assert shown.model().rowCount() == 2000
    assert len(view.findChildren(QWidget)) - before < 5
    laid_out(view)
    shown.setCurrentIndex(shown.model().index(1500, 1))
    shown.verticalScrollBar().setValue(3000)
    valued = (row("add NaN f32[5]" if n == 7 else "add f32[5]", n + 1, n) for n in range(2000))
    view.show_lenses([answer_with(Lens(table=table(*valued), summary=(Piece("Told.", "words"),)))])
    laid_out(view)
    assert (shown.currentIndex().row(), shown.verticalScrollBar().value()) == (1500, 3000)
    assert notices(page) == ["Told."]
    view.show_lenses([answer_with(LONG), answer_with(LONG, "g")])
    view.show_snapshot(offering("gradient", names="g"))
    laid_out(view)
    assert (shown.currentIndex().row(), shown.verticalScrollBar().value()) == (-1, 0)


# -- what is selected --------------------------------------------------------------------------------------------


def test_arrow_keys_choose_the_equation_of_each_row(view: ProgramView) -> None:
    (page,) = opened(view, answer_with(GRADIENT))
    chosen = heard(view.focus_requested)
    view.focus_requested.connect(lambda focus: view.show_marks(Marks(focus)))
    shown = table_of(page)
    shown.setCurrentIndex(shown.model().index(2, 1))
    for _ in range(3):
        QTest.keyClick(shown, Qt.Key.Key_Down)
    assert chosen == [Focus("equation", 0, "f"), Focus("equation", 1, "f")]
    shown.setCurrentIndex(shown.model().index(6, 1))
    assert chosen[-1] == Focus("line", 6, "f")


def test_what_is_selected_elsewhere_lights_up_its_rows_and_comes_on_screen(view: ProgramView, qtbot: QtBot) -> None:
    (page,) = opened(view, answer_with(LONG))
    shown = table_of(page)
    with qtbot.assertNotEmitted(view.focus_requested):
        view.show_marks(Marks(Focus("line", 1601), frozenset({1601}), {"f": frozenset({1600}), "g": frozenset({3})}))
    assert shown.lit == {1600}
    assert shown.rowAt(0) <= 1600 <= shown.rowAt(shown.viewport().height() - 1)
    view.show_marks(Marks())
    assert shown.lit == frozenset()


def test_a_column_has_also_what_others_do_not_need_and_its_longest_word_where_there_is_room() -> None:
    assert shared_out(100, (80, 10, 10), (0.4, 0.3, 0.3)) == [80, 10, 10]
    assert shared_out(100, (80, 80, 10), (0.4, 0.3, 0.3)) == [60, 30, 10]
    assert shared_out(100, (20, 20, 20), (0.4, 0.3, 0.3)) == [20, 20, 60]
    assert shared_out(-5, (20, 20, 20), (0.4, 0.3, 0.3)) == [0, 0, 0]
    assert shared_out(100, (80, 80, 80), (0.4, 0.3, 0.3), (20, 50, 20)) == [20, 50, 30]
    assert shared_out(100, (80, 80, 80), (0.4, 0.3, 0.3), (20, 90, 90)) == [20, 40, 40]


def test_on_a_stage_a_table_with_more_columns_replaces_another(qtbot: QtBot) -> None:
    shown = put_up(qtbot, LensTable())
    apply_to_tree(shown, chosen("light", 1.0, 1.0, 1.0))
    for columns in (3, 4, 2):
        cells = tuple(text_cell(f"a_long_word_{column}") for column in range(columns))
        texts = tuple(f"column {column}" for column in range(columns))
        shown.show_table(Table(texts, texts, (Row(cells),) * 40, (1 / columns,) * columns), "f")
        widths = [shown.columnWidth(column) for column in range(columns + 1)]
        assert sum(widths) == shown.viewport().width()
        shown.scrollTo(shown.model().index(20, 1))
        assert shown.rowViewportPosition(shown.rowAt(0)) == 0, "the first row in sight is whole"
