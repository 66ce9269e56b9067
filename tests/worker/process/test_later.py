"""A call that happens after a while unless it is called off."""

from __future__ import annotations

import threading

from explorer.worker.process.output import Later

LONG_S = 30.0


def test_it_is_called_once_after_its_time() -> None:
    calls: list[int] = []
    called = threading.Event()

    def note() -> None:
        calls.append(1)
        called.set()

    Later(0.01, note).start()
    assert called.wait(LONG_S)
    assert calls == [1]


def test_what_is_called_off_does_not_happen_and_what_comes_after_does() -> None:
    calls: list[str] = []
    called = threading.Event()
    name = "first"

    def note() -> None:
        calls.append(name)
        called.set()

    later = Later(0.05, note)
    later.start()
    later.cancel()
    name = "second"
    later.start()
    assert called.wait(LONG_S)
    assert calls == ["second"]


def test_one_thread_serves_many_starts() -> None:
    before = threading.active_count()
    later = Later(0.05, lambda: None)
    for _ in range(50):
        later.start()
        later.cancel()
    assert threading.active_count() <= before + 1
