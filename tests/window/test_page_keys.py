"""Page Up and Page Down read the story wherever they mean nothing else."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QApplication
from pytestqt.qtbot import QtBot

from explorer.messages import Array, Picture, Program, Report, Snapshot, Variant
from explorer.window import connections
from tests.window.ui import Ui, finish_steps

NUMBERS = Array.of(np.random.default_rng(0).normal(size=(4, 3, 2)).astype("f4"))
GROUPS = Array.of(range(4), "i4")


def drawn(role: str) -> Picture:
    return Picture(role, role, (4, 3, 2), "float32", NUMBERS, 0, GROUPS, 4, role, None, -2.0, 2.0)  # type: ignore[arg-type]


@pytest.mark.parametrize("word", ["Draws", "Side by side", "HLO"])
def test_after_a_click_in_a_pane_page_down_still_reads_on_and_page_up_back(ui: Ui, qtbot: QtBot, word: str) -> None:
    connections.add_plots(ui.window, ui.session, ui.desk)
    finish_steps(ui.window)
    ui.window.resize(1366, 768)
    ui.window.show()
    ui.window.activateWindow()
    asked, arrays = ui.client.request, (drawn("output"), drawn("draw"))
    reports = tuple(Report(name, "ok", program=Program("jaxpr", "{ }"), pictures=arrays) for name in asked.variants)
    variants = tuple(Variant(each.name, 1) for each in reports)
    ui.client.say(Snapshot(asked.run, "cpu:0", True, reports=reports, variants=variants))
    QApplication.processEvents()
    shown = {each.text(): each for each in ui.window.area.findChildren(QAbstractButton) if each.isVisible()}
    qtbot.mouseClick(shown[word], Qt.MouseButton.LeftButton)
    assert ui.window.focusWidget() is shown[word]
    page = ui.desk.lesson.page.place
    for key, place in ((Qt.Key.Key_PageDown, page + 1), (Qt.Key.Key_PageUp, page)):
        for _ in range(9):
            if ui.desk.lesson.page.place != place:
                # What is longer than its part takes more than one press.
                qtbot.keyClick(ui.window.focusWidget(), key)
        assert ui.desk.lesson.page.place == place
