"""The server for phones: its question arrives on stdin, the votes leave on stdout; it ends when stdin does."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading

from explorer.phones.records import FromServer, Listening, Open, Refused, line, to_server
from explorer.phones.server import Server


async def serve(opened: Open) -> None:
    """Take votes until the process ends."""
    try:
        port = await Server(opened, _send).listen()
    except OSError as error:
        _send(Refused(error.strerror or str(error)))
        return
    _send(Listening(port))
    await asyncio.Event().wait()


def _send(record: FromServer) -> None:
    sys.stdout.buffer.write(line(record))
    sys.stdout.buffer.flush()


def _end_with_stdin() -> None:
    sys.stdin.buffer.read()
    # Also where the main thread waits for a window that reads no more.
    os._exit(0)


if __name__ == "__main__":
    # Ctrl-C is for the window; with it goes stdin.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    opened = to_server(sys.stdin.buffer.readline())
    threading.Thread(target=_end_with_stdin, daemon=True).start()
    asyncio.run(serve(opened))
    os._exit(0)
