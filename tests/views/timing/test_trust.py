from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QLabel, QTreeWidget, QTreeWidgetItem
from pytestqt.qtbot import QtBot

from explorer.figures.curves import Figures, Series
from explorer.figures.trust import broken, conditions
from explorer.messages import Badge, Measurement
from tests.views.timing.test_timing_view import (
    MILLISECOND,
    choose_page,
    curve_plot,
    end_words,
    is_drawn_curve,
    measured,
)
from views.theme import LIGHT
from views.timing.page_stack import TRUST
from views.timing.pages.trust_page import TrustPage
from views.timing.timing_view import TimingView

STABLE = Badge("stable", True, "Known to 1 %.")
GOOD = (
    Badge("blocked", True, "Waited."),
    Badge("equal outputs", True, "Equal."),
    STABLE,
)
DIFFERS = (GOOD[0], Badge("equal outputs", False, "They differ by 0.3."), STABLE)
UNSTABLE = (*GOOD[:2], Badge("stable", False, "Known to 9 %."))


def run(*badges: tuple[Badge, ...]) -> tuple[Measurement, ...]:
    """Return a curve f under jit, with these badges at n = 8, 64 and so on."""
    return tuple(measured("f", "jit", 8 ** (place + 1), MILLISECOND, badges=each) for place, each in enumerate(badges))


@pytest.mark.parametrize(
    ("badges", "failed", "made_worthless"),
    [
        ((GOOD, GOOD), [], []),
        ((GOOD, DIFFERS), ["equal outputs"], ["equal outputs"]),
        ((UNSTABLE, GOOD), ["stable"], []),
        (((), GOOD), [], []),
    ],
)
def test_a_condition_of_a_curve_must_hold_at_all_its_points(
    badges: tuple[tuple[Badge, ...], ...], failed: list[str], made_worthless: list[str]
) -> None:
    figures, series = Figures.of(run(*badges)), Series("f", ("jit",))
    assert [each.name for each in conditions(figures, series) if each.ok is False] == failed
    assert [each.name for each in broken(figures, series)] == made_worthless


def test_a_question_that_no_point_decides_stays_open() -> None:
    figures = Figures.of(run((Badge("equal outputs", None, "There is nothing to compare with."),)))
    assert [each.ok for each in conditions(figures, Series("f", ("jit",)))] == [None]


@pytest.fixture
def view(qtbot: QtBot) -> TimingView:
    view = TimingView()
    qtbot.addWidget(view)
    view.resize(900, 600)
    view.show()
    return view


def rows(view: TimingView) -> list[QTreeWidgetItem]:
    tree = next(each for each in view.findChildren(QTreeWidget) if each.isVisible())
    found = (tree.topLevelItem(number) for number in range(tree.topLevelItemCount()))
    return [item for item in found if item is not None]


def test_each_curve_has_a_row_that_opens_to_sentences(view: TimingView) -> None:
    view.show_measurements(run(GOOD, DIFFERS))
    choose_page(view, TRUST)
    (row,) = rows(view)
    assert (row.text(0), row.text(1)) == ("f (jit)", "no: outputs differ")
    assert row.child(1).text(0) == "no: equal outputs. They differ by 0.3."


@pytest.mark.parametrize(
    ("badges", "summary"),
    [((GOOD,), "yes"), ((GOOD, UNSTABLE), "yes, but unstable at 64"), (((),), "not known yet")],
)
def test_the_row_says_in_a_word_whether_the_curve_can_be_believed(
    view: TimingView, badges: tuple[tuple[Badge, ...], ...], summary: str
) -> None:
    view.show_measurements(run(*badges))
    choose_page(view, TRUST)
    assert rows(view)[0].text(1) == summary


def test_the_right_arrow_opens_a_row_and_it_stays_open_while_more_comes(view: TimingView, qtbot: QtBot) -> None:
    view.show_measurements(run(GOOD))
    choose_page(view, TRUST)
    tree = next(each for each in view.findChildren(QTreeWidget) if each.isVisible())
    tree.setCurrentItem(rows(view)[0])
    tree.setFocus()
    qtbot.keyClick(tree, Qt.Key.Key_Right)
    assert rows(view)[0].isExpanded()
    view.show_measurements(run(GOOD, DIFFERS))
    view.show_timing_state("")
    assert rows(view)[0].isExpanded()


def test_a_curve_that_cannot_be_believed_is_grey_and_says_why_at_its_end(view: TimingView) -> None:
    view.show_measurements(run(GOOD, DIFFERS))
    pens = [item.opts["pen"].color().name() for item in curve_plot(view).plotItem.items if is_drawn_curve(item)]
    assert pens == [LIGHT.dim]
    assert end_words(view) == ["outputs differ"]


def test_in_a_narrow_pane_the_pages_are_a_list(view: TimingView, qtbot: QtBot) -> None:
    view.show_measurements(run(GOOD, DIFFERS))
    view.resize(350, 300)
    box = next(each for each in view.findChildren(QComboBox) if each.isVisible() and each.findText("Trust") >= 0)
    box.setFocus()
    while box.currentText() != "Trust":
        qtbot.keyClick(box, Qt.Key.Key_Down)
    assert rows(view)[0].text(1) == "no: outputs differ"


@pytest.mark.parametrize(
    ("badges", "sentences", "more"),
    [
        (GOOD, "All conditions hold for every curve.", "Open a row to read each of them."),
        (DIFFERS, "Grey curves are not reliable: f (jit).", "Open their rows to read why."),
    ],
)
def test_paper_has_no_advice_to_open_a_row(qtbot: QtBot, badges: tuple[Badge, ...], sentences: str, more: str) -> None:
    page = TrustPage()
    qtbot.addWidget(page)
    page.show_figures(Figures.of(run(badges)))
    words = page.findChild(QLabel)
    assert words is not None
    assert words.text() == f"{sentences} {more}"
    page.open_all()
    assert words.text() == sentences
