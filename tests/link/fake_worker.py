"""A worker without jax for the tests of the client: the source of the request is its script."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from explorer.messages import (
    Beat,
    Cancel,
    Hello,
    NameAnswer,
    NameQuestion,
    Printed,
    Report,
    Request,
    Snapshot,
    TimingDone,
    UsedUp,
    frames,
)
from explorer.text.text import say

GARBAGE = {
    "no length": b"\xff" * 64,
    "no message": frames.HEADER.pack(4) + b"\xffabc",
    "another kind": frames.encode(Cancel(1)),
    "no Unicode": frames.HEADER.pack(3) + b"\xa2\xff\xff",
    "nested": frames.HEADER.pack(100_000) + b"\x91" * 100_000,
}
"""Bytes that a program may write into the pipe."""


def main() -> None:
    if "--die-at-start" in sys.argv:
        sys.stderr.write("Traceback\nImportError: no jax here\n")
        sys.exit(1)
    if "--linked" in sys.argv:
        os.write(1, b"JAX-Explorer: ready 3.12\n")
        _be_cut_once()
    has_greeted = "--standby" in sys.argv
    if not has_greeted:
        _send(_hello())
    while (body := frames.read_frame(sys.stdin.buffer)) is not None:
        message = frames.decode_to_worker(body)
        if "--standby" in sys.argv and has_greeted:
            _send(_hello())
            has_greeted = False
        if not isinstance(message, Cancel | Beat):
            _answer(message)


def _answer(message: object) -> None:
    if isinstance(message, NameQuestion):
        _send(NameAnswer(message.number, title=message.source))
        return
    if not isinstance(message, Request):
        _send(TimingDone(getattr(message, "run", 0), 0.0))
        return
    if message.source == "crash":
        os.abort()
    if message.source == "exit":
        os._exit(7)
    if message.source == "cut once" and "--linked" in sys.argv:
        _be_cut_once()
    if message.source in GARBAGE:
        sys.stdout.buffer.write(GARBAGE[message.source])
        sys.stdout.buffer.flush()
        time.sleep(60)
    if message.source == "deaf":
        time.sleep(60)
    if message.source == "until cancelled":
        frames.read_frame(sys.stdin.buffer)
        _send(Snapshot(message.run, "fake:0", complete=True, reports=(Report("f", status="stopped"),)))
        return
    if message.source == "all at once":
        part, whole = (Snapshot(message.run, "fake:0", complete=complete) for complete in (False, True))
        answers = (part, part, Printed(message.run, message.source), part, whole)
        # So few bytes come through a pipe in one piece.
        os.write(sys.stdout.fileno(), b"".join(map(frames.encode, answers)))
        return
    _send(Printed(message.run, f"{message.source} from {os.getpid()}"))
    _send(Snapshot(message.run, "fake:0", complete=False))
    if message.source == "leave a thread":
        _send(UsedUp(message.run, say("a thread is still running")))
    _send(Snapshot(message.run, "fake:0", complete=True, reports=(Report("f", status="ok"),)))


def _be_cut_once() -> None:
    """End as a link does, with the exit code in the file that is named before, where there is one."""
    order = Path(sys.argv[sys.argv.index("--linked") - 1])
    if order.name.startswith("cut") and order.exists():
        code = int(order.read_text("ascii"))
        order.unlink()
        os._exit(code)


def _hello() -> Hello:
    return Hello("3", "fake", "fake", (), "fake:0")


def _send(message: object) -> None:
    sys.stdout.buffer.write(frames.encode(message))  # type: ignore[arg-type]
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
