"""Stopping a program, and operations that must not be interrupted."""

from __future__ import annotations

import contextlib
import gc
import importlib
import signal
import sys
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from explorer.worker.process import output
from explorer.worker.process.interrupts import Interrupts
from explorer.worker.process.output import PrintedText
from explorer.worker.recording.interrupt import TimeLimit

SLOW = """
import time
import weakref
end = time.monotonic() + 0.3
begun.set()
while time.monotonic() < end:
    pass
"""


@pytest.fixture
def interrupts() -> Iterator[Interrupts]:
    before = signal.getsignal(signal.SIGINT)
    yield Interrupts()
    signal.signal(signal.SIGINT, before)


def slow_module(folder: Path, monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """Write a slow module and return an event that is set when its import has begun."""
    folder.mkdir(parents=True)
    (folder / "takes_its_time.py").write_text(f"from builtins import begun{SLOW}whole = True\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(folder))
    begun = threading.Event()
    monkeypatch.setattr("builtins.begun", begun, raising=False)
    monkeypatch.delitem(sys.modules, "takes_its_time", raising=False)
    return begun


def wait() -> None:
    threading.Event().wait(5)
    pytest.fail("it was never interrupted")


def import_and_wait() -> None:
    importlib.import_module("takes_its_time")
    wait()


def cancel_once(begun: threading.Event, interrupts: Interrupts) -> threading.Thread:
    def cancel() -> None:
        begun.wait()
        interrupts.cancel(1)

    thread = threading.Thread(target=cancel)
    thread.start()
    return thread


@pytest.mark.rest
def test_an_import_of_something_installed_is_never_broken_off(
    interrupts: Interrupts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = slow_module(tmp_path / "site-packages", monkeypatch)
    thread = cancel_once(begun, interrupts)
    with pytest.raises(KeyboardInterrupt), interrupts.listening_to(1):
        import_and_wait()
    thread.join()
    assert sys.modules["takes_its_time"].whole


def test_an_import_of_the_users_own_is_interrupted(
    interrupts: Interrupts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = slow_module(tmp_path / "mine", monkeypatch)
    thread = cancel_once(begun, interrupts)
    with pytest.raises(KeyboardInterrupt), interrupts.listening_to(1):
        import_and_wait()
    thread.join()
    assert "takes_its_time" not in sys.modules


class Cleaned:
    """Slow where Python ignores exceptions."""

    def __init__(self, begun: threading.Event) -> None:
        self._begun = begun

    def __del__(self) -> None:
        self.take_time("start")

    def take_time(self, phase: str, *_: object) -> None:
        if phase == "start" and not self._begun.is_set():
            end = time.monotonic() + 0.3
            self._begun.set()
            while time.monotonic() < end:
                pass


def thrown_away(begun: threading.Event) -> None:
    Cleaned(begun)
    wait()


def collected(begun: threading.Event) -> None:
    def callback(phase: str, about: dict[str, int]) -> None:
        slow.take_time(phase, about)

    slow = Cleaned(begun)
    gc.callbacks.append(callback)
    try:
        gc.collect()
        wait()
    finally:
        gc.callbacks.remove(callback)


@pytest.mark.parametrize("clean_up", [thrown_away, collected])
def test_where_python_would_ignore_it_an_interrupt_waits(
    interrupts: Interrupts, clean_up: Callable[[threading.Event], None]
) -> None:
    begun = threading.Event()
    thread = cancel_once(begun, interrupts)
    with pytest.raises(KeyboardInterrupt), interrupts.listening_to(1):
        clean_up(begun)
    thread.join()


def test_a_time_limit_waits_for_an_import_too(
    interrupts: Interrupts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow_module(tmp_path / "site-packages", monkeypatch)
    with pytest.raises(TimeLimit), interrupts.listening_to(1), interrupts.time_limit(0.1):
        import_and_wait()
    assert sys.modules["takes_its_time"].whole


def dropped(begun: threading.Event) -> None:
    """Wait where the callback of a weak reference, whose exceptions Python ignores, is interrupted first."""
    watched = threading.Event()
    reference = weakref.ref(watched, lambda _: Cleaned(begun).take_time("start"))
    del watched
    assert reference() is None
    wait()


@pytest.mark.parametrize("limited", [False, True], ids=["cancelled", "out of time"])
def test_one_that_python_ignores_comes_again(
    interrupts: Interrupts, limited: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "unraisablehook", interrupts.on_ignored)
    begun = threading.Event()
    thread = cancel_once(begun, interrupts) if not limited else None
    expected = TimeLimit if limited else KeyboardInterrupt
    with pytest.raises(expected), interrupts.listening_to(1), interrupts.time_limit(0.1 if limited else None):
        dropped(begun)
    if thread is not None:
        thread.join()


def test_what_an_interrupt_ends_can_still_be_sent(interrupts: Interrupts) -> None:
    sent = []

    def send_at_the_end() -> None:
        try:
            interrupts.cancel(1)
            wait()
        finally:
            for each in range(3):
                with interrupts.shielded():
                    sent.append(each)

    with pytest.raises(KeyboardInterrupt), interrupts.listening_to(1):
        send_at_the_end()
    assert sent == [0, 1, 2]


def test_a_program_that_swallows_an_interrupt_gets_another(interrupts: Interrupts) -> None:
    def swallow() -> None:
        with contextlib.suppress(KeyboardInterrupt):
            interrupts.cancel(1)
            wait()
        with interrupts.shielded():
            pass

    with pytest.raises(KeyboardInterrupt), interrupts.listening_to(1):
        swallow()


def test_a_timer_that_goes_off_too_late_ends_nothing(interrupts: Interrupts, monkeypatch: pytest.MonkeyPatch) -> None:
    timers = []

    class LateTimer:
        def __init__(self, _seconds: float, function: Callable[..., None], given: list[int]) -> None:
            timers.append(lambda: function(*given))

        def start(self) -> None:
            """Start the timer, which the test fires."""

        cancel = start

    with interrupts.listening_to(1):
        with monkeypatch.context() as patch:
            patch.setattr(threading, "Timer", LateTimer)
            with interrupts.time_limit(1.0):
                pass
        timers[0]()
        with interrupts.shielded():
            pass


# -- what is printed ---------------------------------------------------------------------------


LONG_S = 30.0


class Sent:
    """What was sent of a program's output."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.second = threading.Event()
        self.printed = PrintedText(self._send)

    def _send(self, text: str) -> None:
        self.texts.append(text)
        if len(self.texts) == 2:
            self.second.set()


def test_a_text_that_nothing_follows_is_sent_after_a_while() -> None:
    sent = Sent()
    sent.printed.write("one")
    sent.printed.write("two")
    assert sent.texts == ["one"]
    assert sent.second.wait(LONG_S)
    assert sent.texts == ["one", "two"]
    assert sent.printed.take() == "onetwo"


@pytest.mark.parametrize("is_endless", [False, True])
def test_a_hidden_run_is_shown_only_if_it_does_not_end(is_endless: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output, "ASIDE_S", 0.01)
    sent = Sent()
    sent.printed.write("shown")
    with sent.printed.aside(unless_endless=is_endless):
        sent.printed.write("hidden")
        assert sent.second.wait(LONG_S if is_endless else 0.2) == is_endless
    assert sent.texts == ["shown", "hidden"][: 1 + is_endless]
    assert sent.printed.take() == "shown"
