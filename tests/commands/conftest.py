from __future__ import annotations

import signal
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def ctrl_c_is_heard() -> Iterator[None]:
    """Listen to SIGINT, here and in what is started from here: who runs the tests in the background ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
