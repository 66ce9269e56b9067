"""The layout while a lesson is presented."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton, QToolButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from explorer.messages import Parameter
from explorer.scenario.page import Page, PageQuestion
from explorer.session.controls import Controls
from tests.views.made import hold, put_up
from views.window.layout import Layout
from views.window.main_window import MainWindow
from views.window.tab_order import in_order

CODE = Layout(
    form="stage",
    code_below=False,
    list_open=False,
    panes=(),
    strips=(),
    enlarged=False,
    findings=False,
    covered=frozenset(),
    sizes={"whole": (0, 400, 800), "lesson": (400, 800), "results": (500, 300)},
)


@pytest.fixture
def window(qtbot: QtBot) -> MainWindow:
    return put_up(qtbot, MainWindow(), 1200, 800)


def test_code_without_a_pane_stands_above_what_was_printed_and_as_wide(window: MainWindow) -> None:
    window.obey(replace(CODE, findings=True))
    assert window.code_column.isVisible()
    assert window.code_column.width() == window.bottom.width() > window.story.width()
    above = window.code_column.mapTo(window, window.code_column.rect().bottomLeft())
    assert above.y() < window.bottom.mapTo(window, window.bottom.rect().topLeft()).y()


@pytest.mark.parametrize("layout", [CODE, replace(CODE, findings=True, panes=("noise",)), replace(CODE, form="lesson")])
def test_code_goes_back_next_to_the_words(window: MainWindow, layout: Layout) -> None:
    window.obey(replace(CODE, findings=True))
    window.obey(layout)
    assert window.lesson.indexOf(window.code_column) == 1


# -- the order of the Tab key -----------------------------------------------------------------------------------------


def part(window: QWidget, *names: str) -> QWidget:
    """Return a part of `window` with a button for each of `names`."""
    made = QWidget(window)
    layout = QVBoxLayout(made)
    for name in names:
        layout.addWidget(QPushButton(name))
    return made


def test_what_is_made_later_stands_in_its_own_part(qtbot: QtBot) -> None:
    window = hold(qtbot, QWidget())
    first, second = part(window, "a", "b"), part(window, "c", "d")
    late = QPushButton("late", first)
    hidden, greyed = QPushButton("hidden", second), QPushButton("greyed", second)
    with qtbot.waitExposed(window):
        window.show()
    late.show()
    hidden.hide()
    greyed.show()
    greyed.setEnabled(False)
    found = in_order(window, (second, first))
    assert [each.text() for each in found if isinstance(each, QPushButton)] == ["c", "d", "a", "b", "late"]


def test_tab_goes_from_the_story_to_its_choices_and_from_the_choices_of_the_bar_to_its_fields(qtbot: QtBot) -> None:
    window = hold(qtbot, MainWindow())
    with qtbot.waitExposed(window):
        window.show()
    ask = PageQuestion("Is it so?", ("Yes", "No"))
    window.story.show_page(Page(title="t", heading="h", text="words", count=1, ask=ask, revealed=False))
    window.controls.show_controls(Controls(parameters=(Parameter("batch", 8, 8),)))
    window.story.setFocus()
    names = []
    for _ in range(3):
        qtbot.keyClick(window.focusWidget(), Qt.Key.Key_Tab)
        names.append(window.focusWidget().accessibleName())
    assert names == ["Yes", "No", "Code"]
    buttons = window.controls.findChildren(QToolButton)
    run = next(each for each in buttons if each.defaultAction() is window.action("run"))
    run.setFocus()
    qtbot.keyClick(run, Qt.Key.Key_Backtab)
    assert window.focusWidget().accessibleName() == "batch"
