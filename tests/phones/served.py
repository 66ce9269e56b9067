"""The server for phones as a process, on the loopback address alone, and requests to it."""

from __future__ import annotations

import asyncio
import http.client
import json
import os
import re
import socket
import subprocess
import threading
from collections import Counter
from dataclasses import dataclass
from typing import Any

import msgspec

from explorer.phones.records import COMMAND, FromServer, Listening, Open, Voted, from_server, line

HOST, CODE = "127.0.0.1", "4821"
PATIENCE_S, LIFE_S = 60.0, 600.0
"""After them a request fails, and the server is killed, so that no test waits for ever."""


def own_port() -> int:
    """Return a port that is another one for each process of the tests, and none that the system gives away itself."""
    return 20_000 + os.getpid() % 10_000


if os.name == "posix":
    import resource

    # Two hundred phones are as many open files, of which macOS allows 256.
    LIMITS = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(max(LIMITS[0], 1024), LIMITS[1]), LIMITS[1]))
OPEN = Open(1, 4, CODE, HOST, own_port(), "en")


class Served:
    """A server that takes votes for question 1, which has four choices, or for another one."""

    def __init__(self, **different: Any) -> None:
        self._process = subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._guard = threading.Timer(LIFE_S, self._process.kill)
        self._guard.start()
        assert self._process.stdin is not None
        self._process.stdin.write(line(msgspec.structs.replace(OPEN, **different)))
        self._process.stdin.flush()
        answer = self._read()
        assert isinstance(answer, Listening)
        self.port = answer.port

    def _read(self) -> FromServer:
        """Return the next record of the server."""
        assert self._process.stdout is not None
        return from_server(self._process.stdout.readline())

    def votes(self, count: int) -> list[Voted]:
        """Return the next `count` records, which are votes."""
        return [each for each in (self._read() for _ in range(count)) if isinstance(each, Voted)]

    def __enter__(self) -> Served:
        return self

    def __exit__(self, *_: object) -> None:
        """Close its stdin and wait until it is gone; what it has reported was read."""
        rest = self._process.communicate(timeout=PATIENCE_S)[0]
        self._guard.cancel()
        assert (rest, self._process.returncode) == (b"", 0)


@dataclass(frozen=True)
class Answer:
    """The answer to a request."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def phone(self) -> str:
        """The token that the page has set."""
        found = re.match(r"phone=([0-9a-f]{32});", self.headers["set-cookie"])
        assert found is not None
        return found[1]


def ask(port: int, method: str, path: str, body: str | bytes | None = None, **headers: str) -> Answer:
    """Return the answer to a request; an underscore in the name of a header is a dash."""
    connection = http.client.HTTPConnection(HOST, port, timeout=PATIENCE_S)
    try:
        connection.request(method, path, body, {name.replace("_", "-"): value for name, value in headers.items()})
        answer = connection.getresponse()
        found = {name.lower(): value for name, value in answer.getheaders()}
        return Answer(answer.status, found, answer.read())
    finally:
        connection.close()


def new_phone(port: int) -> str:
    """Return the token of a phone that has opened the page."""
    return ask(port, "GET", "/").phone


def vote(port: int, phone: str, choice: object, question: object = 1, code: object = CODE) -> Answer:
    """Return the answer to a vote."""
    body = json.dumps({"code": code, "question": question, "choice": choice})
    return ask(port, "POST", "/vote", body, Cookie=f"phone={phone}")


def raw(port: int, request: bytes) -> int:
    """Return the status of the answer to these bytes; 0 where the connection is cut without one."""
    with socket.create_connection((HOST, port), timeout=PATIENCE_S) as sent:
        try:
            sent.sendall(request)
            first = sent.makefile("rb").readline()
        except ConnectionError:
            return 0
    return int(first.split()[1]) if first else 0


def is_closed(port: int) -> bool:
    """Return whether nothing listens."""
    with socket.socket() as probe:
        probe.settimeout(PATIENCE_S)
        return probe.connect_ex((HOST, port)) != 0


def is_cut(connection: socket.socket) -> bool:
    """Return whether the server ends a connection without a word."""
    try:
        return connection.recv(1) == b""
    except ConnectionError:
        return True


def head(*lines: str, port: int) -> bytes:
    """Return the lines of a request."""
    return "\r\n".join((*lines, f"Host: {HOST}:{port}", "", "")).encode()


def vote_at_once(port: int, phones: int, choices: int, code: str = CODE) -> Counter[bytes]:
    """Let so many phones open the page and vote for the choices in turn; return how often there was which answer."""

    async def all_at_once() -> list[bytes]:
        each = (_phone(port, number % choices, code) for number in range(phones))
        return await asyncio.wait_for(asyncio.gather(*each), PATIENCE_S)

    return Counter(answer.split(b"\r\n")[0] for answer in asyncio.run(all_at_once()))


async def _phone(port: int, choice: int, code: str) -> bytes:
    """Return the answer to the vote of a new phone."""
    page = await _asked(port, head("GET / HTTP/1.1", port=port))
    cookie = page.partition(b"Set-Cookie: ")[2].partition(b";")[0].decode()
    body = json.dumps({"code": code, "question": 1, "choice": choice})
    lines = ("POST /vote HTTP/1.1", f"Cookie: {cookie}", f"Content-Length: {len(body)}")
    return await _asked(port, head(*lines, port=port) + body.encode())


async def _asked(port: int, request: bytes) -> bytes:
    reader, writer = await asyncio.open_connection(HOST, port)
    writer.write(request)
    answer = await reader.read()
    writer.close()
    return answer
