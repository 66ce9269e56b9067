"""Which processes are left of windows that have ended (Linux: each process of a window carries its mark)."""

from __future__ import annotations

import contextlib
import os
import subprocess
import time
import uuid
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from tools.endurance.promises import Record

MARK = "JAX_EXPLORER_ENDURANCE"
AT_MOST_S = 1.0
_marks: list[str] = []


def marked(name: str) -> Mapping[str, str]:
    """Return an environment with a mark for all descendant processes."""
    _marks.append(f"{name}-{uuid.uuid4()}")
    return {**os.environ, MARK: _marks[-1]}


@contextlib.contextmanager
def of_this_window(record: Record) -> Iterator[None]:
    """Mark all processes that start in the block, whose window ends in it, and check that none is left."""
    before = os.environ.get(MARK)
    os.environ[MARK] = marked("window")[MARK]
    try:
        yield
        judge(record, [None])
    finally:
        os.environ.pop(MARK)
        if before is not None:
            os.environ[MARK] = before


def too_many(most: int) -> list[str]:
    """Return the processes of the newest window where there are more than `most`, as they are a moment after now."""
    marks = [f"{MARK}={_marks[-1]}".encode()]
    start = time.monotonic()
    while len(left := alive(marks)) > most and time.monotonic() - start < AT_MOST_S:
        time.sleep(0.02)
    return left if len(left) > most else []


def judge(record: Record, ended: Sequence[subprocess.Popen[bytes] | None]) -> None:
    """Check that no process is left of the windows that have `ended`."""
    marks = [f"{MARK}={each}".encode() for each in _marks[-len(ended) :]]
    start = time.monotonic()
    while left := alive(marks):
        if time.monotonic() - start > 10 * AT_MOST_S:
            record.fail("processes left", "\n".join(left), "\n".join(left), ".txt")
            break
        time.sleep(0.02)
    record.figure("from the end of a window to that of the last process it started", AT_MOST_S, "s").add(
        time.monotonic() - start
    )


def alive(marks: Sequence[bytes]) -> list[str]:
    """Return the processes with one of `marks`: number and command."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            # One that was started without an environment has it among its arguments.
            content = (folder / "environ").read_bytes() + (folder / "cmdline").read_bytes()
            if (
                any(mark.partition(b"=")[2] in content for mark in marks)
                and b"\nState:\tZ" not in (folder / "status").read_bytes()
            ):
                found.append(f"{folder.name} {(folder / 'cmdline').read_bytes().decode(errors='replace')}")
    return found
