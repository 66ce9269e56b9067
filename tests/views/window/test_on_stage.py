"""The layout while a lesson is presented."""

from __future__ import annotations

from dataclasses import replace

import pytest
from pytestqt.qtbot import QtBot

from views.window.layout import Layout
from views.window.main_window import MainWindow

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
    made = MainWindow()
    qtbot.addWidget(made)
    made.resize(1200, 800)
    made.show()
    return made


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
