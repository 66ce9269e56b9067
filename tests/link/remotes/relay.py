"""A relay between two ends of a link: it delays, silences, corrupts or cuts the link."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

PIECE = 1 << 16


class Relay:
    """Forwards connections from `port` to `target`, both on loopback, in its own thread.

    Attributes:
        port: the port that it listens on.
        delay_s: the delay of each piece, in each direction.
        is_silent: whether nothing is forwarded any more, as in a broken network.
        corrupts: whether a byte of the next piece is changed.
    """

    def __init__(self, target: int, delay_s: float = 0.0) -> None:
        self._target = target
        self.delay_s, self.is_silent, self.corrupts = delay_s, False, False
        self._loop = asyncio.new_event_loop()
        self._writers: list[asyncio.StreamWriter] = []
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        serving = asyncio.run_coroutine_threadsafe(asyncio.start_server(self._serve, "127.0.0.1", 0), self._loop)
        self._server = serving.result()
        self.port = int(self._server.sockets[0].getsockname()[1])

    def cut(self) -> None:
        """End every link that goes through it; new ones may come."""
        self._loop.call_soon_threadsafe(lambda: [each.transport.abort() for each in self._writers])

    def close(self) -> None:
        async def end() -> None:
            self._server.close()
            for each in self._writers:
                each.transport.abort()
            await asyncio.sleep(0)

        asyncio.run_coroutine_threadsafe(end(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_connection("127.0.0.1", self._target)
        self._writers += [writer, back]
        await asyncio.gather(self._pass(reader, back), self._pass(there, writer))

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while piece := await reader.read(PIECE):
                self._loop.call_later(self.delay_s, self._write, writer, piece)
        self._loop.call_later(self.delay_s, self._end, writer)

    def _write(self, writer: asyncio.StreamWriter, piece: bytes) -> None:
        if not self.is_silent and not writer.transport.is_closing():
            writer.write(piece if not self.corrupts else bytes([piece[0] ^ 1]) + piece[1:])
            self.corrupts = False

    def _end(self, writer: asyncio.StreamWriter) -> None:
        if not self.is_silent:
            writer.close()


@contextmanager
def relayed(target: int, delay_s: float = 0.0) -> Iterator[Relay]:
    """Give a relay to `target`."""
    relay = Relay(target, delay_s)
    try:
        yield relay
    finally:
        relay.close()
