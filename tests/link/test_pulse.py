"""A silent link is reported, also before its first message."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from explorer.link import client
from explorer.link.client import Pulse, WorkerClient
from explorer.link.remotes.remote import HERE, Remote

LAB = Remote("lab", ("ssh", "lab", "python3"))


@pytest.mark.rest
def test_a_remote_that_does_not_answer_at_first_is_reported_within_two_seconds(qtbot: QtBot) -> None:
    owner = QObject()
    beats = Pulse(owner)
    beats.follow(LAB)
    beats.wait()
    with qtbot.waitSignal(beats.silence_changed, timeout=4000) as emitted:
        pass
    assert emitted.args in ([1], [2])
    with qtbot.waitSignal(beats.silence_changed, timeout=1000) as emitted:
        beats.hear()
    assert emitted.args == [0]


def test_where_nothing_is_to_come_no_silence_is_reported(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "BEAT_MS", 5)
    monkeypatch.setattr(client, "SILENT_S", 0.0)
    owner = QObject()
    beats, emitted = Pulse(owner), list[int]()
    beats.silence_changed.connect(emitted.append)
    beats.follow(LAB)
    qtbot.wait(50)
    beats.wait()
    beats.follow(HERE)
    qtbot.wait(50)
    assert emitted == []


@pytest.mark.rest
def test_the_window_says_that_it_waits_for_a_remote(qtbot: QtBot) -> None:
    client = WorkerClient(spare=False)
    emitted: list[str] = []
    client.state_changed.connect(lambda state: emitted.append(str(state.sentence)))
    # It takes all in and answers nothing, as a host far away that is asleep.
    client.go_to(Remote("lab", ("sh", "-c", "sleep 60")))
    qtbot.waitUntil(lambda: any("Waiting for lab" in each for each in emitted), timeout=4000)
    client.close()
