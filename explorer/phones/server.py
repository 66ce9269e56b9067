"""The web server for phones: one page, the state of the question, and votes; each connection is one request."""

from __future__ import annotations

import asyncio
import os
import re
import secrets
import socket
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from http import HTTPStatus

import msgspec

from explorer.phones.ballot_box import BallotBox, Refusal, Vote
from explorer.phones.page import page, security_policy
from explorer.phones.records import Open, Voted

MOST_CONNECTIONS = 220
"""A room of 200 phones; macOS lets a process open 256 files."""
MOST_HEAD, MOST_BODY = 4096, 200
"""Bytes of a request's lines, and of its body."""
REQUEST_S = 5.0
"""Seconds from a connection to the last byte of its answer."""
METHODS = {"/": "GET", "/state": "GET", "/vote": "POST"}
PHONE = re.compile(r"(?:^|;\s*)phone=([0-9a-f]{32})(?:;|$)")
HTML, JSON, PLAIN = "text/html; charset=utf-8", "application/json", "text/plain"


@dataclass(frozen=True)
class Request:
    """The first lines of a request."""

    method: str
    path: str
    headers: dict[str, str]
    """By their names in small letters."""

    @property
    def phone(self) -> str:
        """The random token of the phone; empty for a new one."""
        found = PHONE.search(self.headers.get("cookie", ""))
        return found[1] if found else ""


class Server:
    """Takes votes for one question until its process ends, and reports them."""

    def __init__(self, opened: Open, report: Callable[[Voted], None]) -> None:
        self._opened = opened
        self._report = report
        self._box = BallotBox(opened)
        self._host = ""
        """The only value of the Host header that is answered."""
        self._connections: dict[asyncio.Task[None] | None, None] = {}
        """The open connections, the oldest first."""

    async def listen(self) -> int:
        """Listen; return the port.

        Raises:
            OSError: nothing can listen at this address.
        """
        try:
            listener = _bound(self._opened.address, self._opened.port)
        except OSError:
            listener = _bound(self._opened.address, 0)
        port: int = listener.getsockname()[1]
        self._host = f"{self._opened.address}:{port}"
        await asyncio.start_server(self._serve, sock=listener, limit=MOST_HEAD, backlog=MOST_CONNECTIONS)
        return port

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer one request. Where there are too many connections, the one that has been open longest is cut."""
        task = asyncio.current_task()
        self._connections[task] = None
        if len(self._connections) > MOST_CONNECTIONS and (oldest := next(iter(self._connections))) is not None:
            oldest.cancel()
            del self._connections[oldest]
        try:
            # What is cancelled is done: nobody waits for it, and asyncio would log it.
            with suppress(OSError, EOFError, TimeoutError, asyncio.CancelledError):
                async with asyncio.timeout(REQUEST_S):
                    writer.write(await self._answer(reader, writer.get_extra_info("peername")[0]))
                    writer.close()
                    await writer.wait_closed()
        finally:
            writer.transport.abort()
            self._connections.pop(task, None)

    async def _answer(self, reader: asyncio.StreamReader, address: str) -> bytes:
        try:
            request = _parsed(await reader.readuntil(b"\r\n\r\n"))
        except asyncio.LimitOverrunError:
            return _response(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
        if request is None:
            return _response(HTTPStatus.BAD_REQUEST)
        if request.headers.get("host") != self._host:
            # A name of somebody else's that leads to this address: DNS rebinding.
            return _response(HTTPStatus.MISDIRECTED_REQUEST)
        if request.path not in METHODS:
            return _response(HTTPStatus.NOT_FOUND)
        if request.method != METHODS[request.path]:
            return _response(HTTPStatus.METHOD_NOT_ALLOWED, f"Allow: {METHODS[request.path]}")
        if request.path == "/":
            return self._page(request)
        if request.path == "/state":
            return self._state(request)
        return await self._vote(request, reader, address)

    def _page(self, request: Request) -> bytes:
        body = page(self._opened.language)
        headers = [f"Content-Security-Policy: {security_policy(body)}"]
        if not request.phone:
            headers.append(f"Set-Cookie: phone={secrets.token_hex(16)}; HttpOnly; SameSite=Strict; Path=/")
        return _response(HTTPStatus.OK, *headers, body=body, kind=HTML)

    def _state(self, request: Request) -> bytes:
        return _response(HTTPStatus.OK, body=msgspec.json.encode(self._box.state(request.phone)), kind=JSON)

    async def _vote(self, request: Request, reader: asyncio.StreamReader, address: str) -> bytes:
        length = request.headers.get("content-length", "")
        if not (length.isascii() and length.isdecimal()):
            return _response(HTTPStatus.LENGTH_REQUIRED)
        if len(length) > len(str(MOST_BODY)) or int(length) > MOST_BODY:
            return _response(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        body = await reader.readexactly(int(length))
        if not request.phone:
            return _response(HTTPStatus.FORBIDDEN)
        try:
            voted = self._box.vote(request.phone, address, msgspec.json.decode(body, type=Vote))
        except msgspec.MsgspecError:
            return _response(HTTPStatus.BAD_REQUEST)
        except Refusal as refusal:
            return _response(refusal.status)
        if voted is not None:
            self._report(voted)
        return self._state(request)


def _bound(address: str, port: int) -> socket.socket:
    """Return a socket at `address`. Unlike asyncio's, its errors are the system's own on every Python."""
    made = socket.socket()
    try:
        if os.name == "posix":
            # Elsewhere it would share the port with another program.
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((address, port))
    except OSError:
        made.close()
        raise
    return made


def _parsed(head: bytes) -> Request | None:
    """Return the request that begins with `head`, None for anything else."""
    first, *lines = head.decode("latin-1").removesuffix("\r\n\r\n").split("\r\n")
    words = first.split(" ")
    if len(words) != 3 or not words[2].startswith("HTTP/1."):
        return None
    pairs = (line.partition(":") for line in lines)
    return Request(words[0], words[1], {name.lower(): value.strip() for name, _, value in pairs})


def _response(status: HTTPStatus, *headers: str, body: bytes = b"", kind: str = PLAIN) -> bytes:
    content = body or status.phrase.encode()
    lines = (
        f"HTTP/1.1 {status.value} {status.phrase}",
        f"Content-Type: {kind}",
        f"Content-Length: {len(content)}",
        "Cache-Control: no-store",
        "X-Content-Type-Options: nosniff",
        "Referrer-Policy: no-referrer",
        "Connection: close",
        *headers,
    )
    return "\r\n".join((*lines, "", "")).encode() + content
