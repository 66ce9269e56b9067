"""Garbage is collected between actions, and in the middle of one only if there is much of it."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from explorer.window import frame
from explorer.window.frame import IdleGarbage


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


@pytest.mark.parametrize("limit", ["SOME", "MOST"])
def test_some_of_it_waits_until_nothing_is_under_way_and_much_of_it_does_not(
    parent: QObject, monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    busy = True
    garbage = IdleGarbage(parent, lambda: busy)
    assert not gc.isenabled()
    monkeypatch.setattr(frame, limit, 10)
    rings = [Ring() for _ in range(1000)]
    alive = weakref.ref(rings[0])
    del rings
    garbage.look()
    assert (alive() is None) == (limit == "MOST")
    busy = False
    garbage.look()
    assert alive() is None
