"""When another program opens, no mark, verdict or word of the one before stands next to its code."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QListWidget, QPlainTextEdit, QWidget
from pytestqt.qtbot import QtBot

from explorer.link.command import WorkerState
from explorer.messages import Finding, Focus, Printed
from explorer.scenario.scenario import Scenario
from explorer.scenario.texts import Texts
from tests.whole.one_window import REPORT, Whole, span, whole_window
from views import theme
from views.keys.canvas import KeyCanvas
from views.window.main_window import MainWindow
from views.window.pane import STALE_DELAY_MS

OTHER = Scenario("two", "built-in", "two/code.py", "def other_program():\n    return 2\n", Texts("Two"))
BUG = Finding("key-reuse", "bug", "Something bad about a key.", (span(6),), keys=(3,), sites=(2,))
OF_THE_FIRST = ("Something bad", "1 bug", "ran on", "random_bits", "printed by the first", "all different")
"""Texts of the earlier program, in any part."""


@pytest.fixture
def whole(qapp: QApplication, qtbot: QtBot) -> Iterator[Whole]:
    theme.apply_to_application(qapp, theme.LIGHT)
    made = whole_window(qtbot, 1500, 900)
    yield made
    made.window.close()


def words(window: MainWindow) -> str:
    """Return all text of the window but the code, the story and the menus; that of tabs behind others too."""
    descriptions = []
    excluded = (window.story, window.scenarios, window.controls, window.transforms)
    for each in window.findChildren(QWidget):
        if (
            any(part is each or part.isAncestorOf(each) for part in excluded)
            or each is window.code.text
            or each.isHidden()
        ):
            continue
        if isinstance(each, QLabel | QAbstractButton):
            descriptions += [each.text(), each.accessibleName()]
        elif isinstance(each, QPlainTextEdit):
            descriptions.append(each.toPlainText())
        elif isinstance(each, QListWidget):
            descriptions += [each.item(row).text() for row in range(each.count())]
    return "\n".join(descriptions)


def test_nothing_of_the_program_before_stands_next_to_another(whole: Whole) -> None:
    run = whole.client.request.run
    whole.client.say(Printed(run, "printed by the first\n"))
    whole.show(msgspec.structs.replace(REPORT, findings=(BUG,), ran_on=("cpu:0",), printed="printed by the first\n"))
    whole.session.choose_focus(Focus("finding", 0, "each"))
    before = words(whole.window)
    assert [each for each in OF_THE_FIRST if each not in before] == []
    assert whole.code.marks.signs
    whole.session.workspace.open(OTHER)
    after = words(whole.window)
    assert "up to date" not in after
    assert [each for each in OF_THE_FIRST if each in after] == []
    assert not whole.code.marks.signs
    assert not whole.code.marks.marked
    assert all(each.picture is None for each in whole.window.findChildren(KeyCanvas))


def test_a_program_that_is_read_first_has_no_run_and_no_mark_of_the_one_before(whole: Whole, qtbot: QtBot) -> None:
    whole.show(REPORT)
    assert whole.code.marks.colours
    # It is asked for once more, which takes its time.
    whole.session.run()
    whole.client.running, whole.client.state = whole.client.request, WorkerState("running")
    whole.client.state_changed.emit(whole.client.state)
    stops = whole.client.stops
    whole.session.workspace.open(OTHER, runs=False)
    assert whole.client.stops == stops + 1
    assert not whole.code.marks.colours
    # The worker needs a while to stop, and a pane to say so.
    qtbot.wait(2 * STALE_DELAY_MS)
    panes = whole.window.area.panes
    assert [pane.accessibleDescription() for pane in panes if pane.is_at_work] == []
    assert "running" not in whole.window.bottom.tabText(0)
    whole.session.workspace.let_run()
    qtbot.waitUntil(lambda: panes[0].is_at_work)
