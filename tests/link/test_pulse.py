"""A link that says nothing is told of, also before its first word."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from explorer.link import pulse
from explorer.link.client import WorkerClient
from explorer.link.pulse import Pulse
from explorer.link.remotes.remote import HERE, Remote

LAB = Remote("lab", ("ssh", "lab", "python3"))


def test_a_place_that_does_not_answer_at_first_is_told_of_within_two_seconds(qtbot: QtBot) -> None:
    owner = QObject()
    beats = Pulse(owner)
    beats.follow(LAB)
    beats.wait()
    with qtbot.waitSignal(beats.silence_changed, timeout=4000) as told:
        pass
    assert told.args in ([1], [2])
    with qtbot.waitSignal(beats.silence_changed, timeout=1000) as told:
        beats.hear()
    assert told.args == [0]


def test_where_nothing_is_to_come_no_silence_is_told(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pulse, "BEAT_MS", 5)
    monkeypatch.setattr(pulse, "SILENT_S", 0.0)
    owner = QObject()
    beats, told = Pulse(owner), list[int]()
    beats.silence_changed.connect(told.append)
    beats.follow(LAB)
    qtbot.wait(50)
    beats.wait()
    beats.follow(HERE)
    qtbot.wait(50)
    assert told == []


def test_the_window_says_that_it_waits_for_a_place(qtbot: QtBot) -> None:
    client = WorkerClient(spare=False)
    told: list[str] = []
    client.state_changed.connect(lambda state: told.append(str(state.sentence)))
    # It takes all in and answers nothing, as a host far away that is asleep.
    client.go_to(Remote("lab", ("sh", "-c", "sleep 60")))
    qtbot.waitUntil(lambda: any("Waiting for lab" in each for each in told), timeout=4000)
    client.close()
