"""The sign of a run that takes long."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRect
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from explorer.link.state import WorkerDoes, WorkerState
from explorer.session.controls import Activity
from views.window.run_sign import RunSign


def activity(worker: WorkerDoes, stopped_at: int = 0) -> Activity:
    state = WorkerState(worker)
    return Activity(
        state, stale=True, program_stale=True, rest_stale=True, timing_stale=False, due=False, stopped_at=stopped_at
    )


@pytest.fixture
def under(qtbot: QtBot) -> QWidget:
    under = QWidget()
    under.resize(800, 600)
    qtbot.addWidget(under)
    return under


@pytest.fixture
def sign(under: QWidget) -> RunSign:
    made = RunSign(under, under, QWidget(under), QWidget(under))
    under.show()
    made.show_activity(activity("running"))
    return made


def test_it_comes_after_a_second_and_counts(sign: RunSign, under: QWidget) -> None:
    assert sign.isHidden(), "most runs end sooner"
    sign._tick()
    assert sign.text() == "Running 0 s. Esc stops."
    assert under.rect().contains(sign.geometry())


def test_a_click_and_escape_stop(sign: RunSign, qtbot: QtBot) -> None:
    assert not sign.escape()
    sign._tick()
    with qtbot.waitSignals([sign.stop_wanted, sign.stop_wanted]):
        assert sign.escape()
        sign.click()
    sign.show_activity(activity("stopping"))
    assert sign.text() == "Stopping."
    assert sign.escape(), "a second Escape leaves nothing else"
    sign.show_activity(activity("idle", stopped_at=12))
    assert sign.text() == "Stopped at line 12."
    sign.show_activity(activity("idle", stopped_at=12))
    assert sign.escape()
    assert sign.isHidden()


@pytest.mark.parametrize("then", ["idle", "timing", "dead"])
def test_it_goes_with_the_run(sign: RunSign, then: WorkerDoes, qtbot: QtBot) -> None:
    sign._tick()
    with qtbot.waitSignal(sign.came, check_params_cb=lambda shown: not shown):
        sign.show_activity(activity(then))
    assert sign.isHidden()
    sign.show_activity(activity("running"))
    assert sign.isHidden(), "the next run has its own second"


@pytest.mark.parametrize("lists_at", [QRect(), QRect(400, 450, 400, 150), QRect(0, 450, 800, 150)])
def test_it_stays_near_the_lower_edge_and_covers_neither_a_question_nor_findings(
    sign: RunSign, under: QWidget, lists_at: QRect
) -> None:
    sign._lists.setGeometry(lists_at)
    for story_at in (QRect(), QRect(0, 0, 300, 600), QRect(500, 0, 300, 600)):
        sign._words.setGeometry(story_at)
        sign._tick()
        assert not any(map(sign.geometry().intersects, (story_at, lists_at)))
        assert under.rect().contains(sign.geometry())
    under.resize(500, 300)
    assert under.rect().contains(sign.geometry())
