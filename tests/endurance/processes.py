"""Which processes are left of windows that have ended (Linux: each process of a window carries its mark)."""

from __future__ import annotations

import contextlib
import os
import subprocess
import time
import uuid
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.endurance.promises import Record

MARK = "JAX_EXPLORER_ENDURANCE"
AT_MOST_S = 1.0
_marks: list[str] = []


def marked(name: str) -> Mapping[str, str]:
    """Return an environment whose mark tells all processes that come of it."""
    _marks.append(f"{name}-{uuid.uuid4()}")
    return {**os.environ, MARK: _marks[-1]}


def judge(record: Record, ended: Sequence[subprocess.Popen[bytes]]) -> None:
    """Hold what is left of the windows that have `ended` against the promise."""
    marks = [f"{MARK}={each}".encode() for each in _marks[-len(ended) :]]
    start = time.monotonic()
    while left := _alive(marks):
        if time.monotonic() - start > 10 * AT_MOST_S:
            record.fail("processes left", "\n".join(left), "\n".join(left), ".txt")
            break
        time.sleep(0.02)
    record.figure("from the end of a window to that of the last process it started", AT_MOST_S, "s").add(
        time.monotonic() - start
    )


def _alive(marks: Sequence[bytes]) -> list[str]:
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            environment = (folder / "environ").read_bytes().split(b"\0")
            if any(mark in environment for mark in marks) and b"\nState:\tZ" not in (folder / "status").read_bytes():
                found.append(f"{folder.name} {(folder / 'cmdline').read_bytes().decode(errors='replace')}")
    return found
