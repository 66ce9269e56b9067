"""One worker process for all tests that only need answers."""

from __future__ import annotations

from collections.abc import Iterator

from explorer.link.pipe import WorkerPipe
from explorer.messages import FromWorker, Hello, LensRequest, Request, TimingRequest


class SharedWorker:
    """A WorkerPipe without its end."""

    def __init__(self, pipe: WorkerPipe) -> None:
        self._pipe = pipe
        self._hello = pipe.hello()

    def __enter__(self) -> SharedWorker:
        return self

    def __exit__(self, *_: object) -> None:
        """The next test will ask it too."""

    def hello(self) -> Hello:
        return self._hello

    def ask(
        self, request: Request | TimingRequest | LensRequest, timeout_s: float | None = None
    ) -> Iterator[FromWorker]:
        return self._pipe.ask(request, timeout_s)
