"""Garbage is collected between actions, and in the middle of one only if there is much of it."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from explorer.window import idle_garbage
from explorer.window.idle_garbage import IdleGarbage


class Ring:
    """Refers to itself: only a collection frees it."""

    def __init__(self) -> None:
        self.me = self


@pytest.fixture
def parent(qtbot: QtBot) -> Iterator[QObject]:
    frozen, usual = gc.get_freeze_count(), gc.get_threshold()
    parent = QObject()
    yield parent
    with qtbot.waitSignal(parent.destroyed):
        parent.deleteLater()
    assert gc.isenabled()
    if not frozen:
        gc.unfreeze()
    gc.set_threshold(*usual)


def test_it_waits_until_nothing_is_under_way(parent: QObject, monkeypatch: pytest.MonkeyPatch) -> None:
    busy = True
    garbage = IdleGarbage(parent, lambda: busy)
    assert not gc.isenabled()
    monkeypatch.setattr(idle_garbage, "SOME", 10)
    rings = [Ring() for _ in range(1000)]
    alive = weakref.ref(rings[0])
    del rings
    garbage.look()
    assert alive() is not None
    busy = False
    garbage.look()
    assert alive() is None


def test_much_of_it_waits_for_nothing(parent: QObject, monkeypatch: pytest.MonkeyPatch) -> None:
    garbage = IdleGarbage(parent, lambda: True)
    monkeypatch.setattr(idle_garbage, "MOST", 10)
    rings = [Ring() for _ in range(1000)]
    alive = weakref.ref(rings[0])
    del rings
    garbage.look()
    assert alive() is None
