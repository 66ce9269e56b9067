from __future__ import annotations

import signal
import sys
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def ctrl_c_is_heard() -> Iterator[None]:
    """Handle SIGINT, here and in child processes, which ignore it when the tests run in the background."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(autouse=True)
def pythons_own_last_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """Restore Python's own error report, which pytest-qt replaces."""
    monkeypatch.setattr(sys, "excepthook", sys.__excepthook__)
