from __future__ import annotations

import pytest
from msgspec.structs import replace
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from explorer.link.command import WorkerState
from explorer.messages import Failure, Focus, Marks, Report, Snapshot
from explorer.session.controls import Activity
from tests.views.made import hold
from views.window.status_line import QUIET_MS, StatusLine


def activity(worker: str, *, stale: bool = False, due: bool = False) -> Activity:
    return Activity(
        WorkerState(worker), stale=stale, program_stale=stale, rest_stale=stale, timing_stale=False, due=due
    )


def shown(qtbot: QtBot) -> StatusLine:
    line = hold(qtbot, StatusLine())
    line.show_snapshot(Snapshot(1, "cpu:0", True, elapsed_s=0.05))
    line.show_activity(activity("idle"))
    return line


def test_a_run_that_gives_way_to_a_keystroke_is_not_reported_any_more(qtbot: QtBot) -> None:
    line = shown(qtbot)
    line.show_activity(activity("timing"))
    qtbot.waitUntil(lambda: line.state.text() == "timing", timeout=10 * QUIET_MS)
    line.show_activity(activity("idle", stale=True, due=True))
    assert line.state.text() == "runs in a moment"
    line.show_activity(activity("idle"))
    assert line.state.text() == "up to date in 50 ms"


def test_what_was_stopped_is_reported_so_and_a_keystroke_is_not(qtbot: QtBot) -> None:
    line = shown(qtbot)
    line.show_activity(activity("idle", stale=True, due=True))
    assert line.state.text() == "up to date in 50 ms"
    line.show_activity(activity("idle", stale=True))
    assert line.state.text() == "stopped: the panes show an older run"


def test_where_it_ran_stands_until_that_is_known_of_the_next_run(qtbot: QtBot) -> None:
    line = hold(qtbot, StatusLine())
    emitted = []
    for complete, ran_on in ((False, ()), (True, ("cpu:0",)), (False, ()), (False, ("cpu:1",)), (True, ())):
        line.show_snapshot(Snapshot(1, "cpu:0", complete, reports=(Report("f", "ok", ran_on=ran_on),)))
        emitted += [label.text() for label in line.findChildren(QLabel) if "cpu" in label.text()]
    assert emitted == ["cpu:0", "ran on cpu:0", "ran on cpu:0", "ran on cpu:1", "cpu:0"]


@pytest.mark.parametrize(("on", "words"), [("True", "cpu:0"), ("False", "cpu:0  draws as before JAX 0.5")])
def test_a_flag_that_is_not_as_jax_sets_it_is_named(qtbot: QtBot, on: str, words: str) -> None:
    line = hold(qtbot, StatusLine())
    line.show_snapshot(
        Snapshot(1, "cpu:0", True, flags=(("jax_threefry_partitionable", on), ("jax_disable_jit", "False")))
    )
    assert words in [label.text() for label in line.findChildren(QLabel)]


def test_that_the_selected_thing_is_gone_passes_as_other_news_does(qtbot: QtBot) -> None:
    line = shown(qtbot)
    gone = Marks(sentence="Selection cleared: the selected item is no longer there.")
    line.show_marks(gone)
    assert line.sentence() == gone.sentence
    line._passing.timeout.emit()
    line.show_marks(gone)
    assert line.sentence() == ""


def test_news_is_shown_for_a_while(qtbot: QtBot) -> None:
    line = shown(qtbot)
    line.show_marks(Marks(focus=Focus("line", 3), sentence="Selected: line 3"))
    line.show_activity(replace(activity("idle"), worker=WorkerState("starting", "The worker was restarted.")))
    assert line.sentence() == "The worker was restarted."
    line._passing.timeout.emit()
    assert line.sentence() == "Selected: line 3"


def test_it_says_what_a_run_waits_for_and_how_to_stop_it(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    line = shown(qtbot)
    monkeypatch.setattr(StatusLine, "_seconds", 13)
    assert not line.escape(), "nothing runs"
    line.show_snapshot(Snapshot(2, "cpu:0", False, reports=(Report("f", "ok"),), checks="checking values"))
    line.show_activity(activity("running"))
    qtbot.waitUntil(lambda: line.state.text() == "checking values, 13 s. Esc stops", timeout=10 * QUIET_MS)
    with qtbot.waitSignal(line.stop_wanted):
        assert line.escape()
    line.show_snapshot(Snapshot(2, "cpu:0", True, reports=(Report("f", "ok"),), elapsed_s=13.2))
    line.show_activity(activity("idle"))
    assert line.state.text() == "up to date in 13.2 s"
    line.show_snapshot(Snapshot(2, "cpu:0", True, reports=(Report("f", "error", Failure("KeyError", "")),)))
    assert line.state.text() == "failed: KeyError"
