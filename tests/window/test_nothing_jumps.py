"""A walk through all lessons: no page, answer or result moves a part."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QRect
from PySide6.QtWidgets import QApplication

from explorer.library import library
from tests.window.ui import Ui, finish_steps, places


def settled(ui: Ui) -> dict[str, QRect]:
    """Return where each part is once the window is dressed and Qt has nothing more to do."""
    finish_steps(ui.window)
    for _ in range(4):
        QApplication.processEvents()
    # Without a loop they wait, and the next page would look through all of them.
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    return places(ui)


@pytest.mark.rest
@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080)])
def test_no_page_and_no_answer_moves_a_part(ui: Ui, size: tuple[int, int]) -> None:
    ui.window.resize(*size)
    # The places are compared; nobody looks at it.
    ui.window.setUpdatesEnabled(False)
    moved: list[str] = []
    # Every second lesson in each size.
    for scenario in library.built_in()[size == (1280, 720) :: 2]:
        ui.session.workspace.open(scenario)
        before = settled(ui)
        assert {"keys", "noise", "program", "timing"} <= before.keys()
        while not (ui.desk.lesson.page.is_last and ui.desk.lesson.page.revealed):
            ui.desk.lesson.go_on()
            if (now := settled(ui)) != before:
                moved += [f"{scenario.id} {ui.desk.lesson.half}: {name}" for name in now if now[name] != before[name]]
            before = now
    assert moved == []
