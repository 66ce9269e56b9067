"""Votes of a room come in exactly once, and nobody gets anything else from the server, on the loopback address."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from explorer.phones.records import COMMAND, Refused, Voted, from_server, line
from explorer.phones.server import MOST_BODY, MOST_CONNECTIONS, MOST_HEAD
from tests.phones.served import (
    HOST,
    OPEN,
    PATIENCE_S,
    Served,
    ask,
    head,
    is_closed,
    is_cut,
    new_phone,
    own_port,
    raw,
    vote,
    vote_at_once,
)

pytestmark = pytest.mark.process
PHONES = 200
FORBIDDEN = ("PySide6", "jax", "numpy")


@pytest.fixture(scope="module")
def shared() -> Iterator[Served]:
    """A server for requests that change nothing."""
    with Served(port=0) as made:
        yield made


@pytest.fixture
def served() -> Iterator[Served]:
    with Served() as made:
        yield made


# -- votes ------------------------------------------------------------------------------------


def test_two_hundred_phones_vote_at_once(served: Served) -> None:
    assert vote_at_once(served.port, PHONES, 4) == {b"HTTP/1.1 200 OK": PHONES}
    found = served.votes(PHONES)
    assert Counter(each.choice for each in found) == dict.fromkeys(range(4), PHONES // 4)
    assert len({each.phone for each in found}) == PHONES


def test_a_second_vote_of_a_phone_replaces_its_first(served: Served) -> None:
    phone = new_phone(served.port)
    assert vote(served.port, phone, 0).json == {"question": 1, "choices": 4, "choice": 0}
    assert vote(served.port, phone, 0).status == 200
    assert vote(served.port, phone, 3).json["choice"] == 3
    assert served.votes(2) == [Voted(phone, 0), Voted(phone, 3)]
    # Its page is opened again: the phone stays the same.
    assert "set-cookie" not in ask(served.port, "GET", "/", Cookie=f"phone={phone}").headers
    assert ask(served.port, "GET", "/state", Cookie=f"phone={phone}").json["choice"] == 3


def test_nothing_is_open_after_the_question_and_the_next_one_has_the_same_port() -> None:
    with Served() as served:
        phone = new_phone(served.port)
        vote(served.port, phone, 1)
        assert served.votes(1) == [Voted(phone, 1)]
        waiting = socket.create_connection((HOST, served.port), timeout=PATIENCE_S)
    with waiting:
        assert is_cut(waiting)
    assert is_closed(served.port)
    with Served(question=2, choices=2, votes={phone: 0}) as following:
        assert following.port == served.port
        state = ask(following.port, "GET", "/state", Cookie=f"phone={phone}")
        assert state.json == {"question": 2, "choices": 2, "choice": 0}
        assert vote(following.port, phone, 1, question=1).status == 409
        assert vote(following.port, phone, 1, question=2).status == 200
        assert following.votes(1) == [Voted(phone, 1)]


# -- what others may send -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("request_line", "status"),
    [
        *(
            (f"GET {path} HTTP/1.1", 404)
            for path in ("/favicon.ico", "/../../etc/passwd", "/%2e%2e/page.py", "//state", "/?x", "/state/", "*")
        ),
        (f"GET http://{HOST}/ HTTP/1.1", 404),
        ("POST / HTTP/1.1", 405),
        ("HEAD / HTTP/1.1", 405),
        ("GET /vote HTTP/1.1", 405),
        ("OPTIONS /vote HTTP/1.1", 405),
        ("get / HTTP/1.1", 405),
        ("POST /vote HTTP/1.1\r\nTransfer-Encoding: chunked", 411),
        ("POST /vote HTTP/1.1\r\nContent-Length: -1", 411),
        ("POST /vote HTTP/1.1\r\nContent-Length: ٣", 411),
        (f"POST /vote HTTP/1.1\r\nContent-Length: {MOST_BODY + 1}", 413),
        (f"POST /vote HTTP/1.1\r\nContent-Length: {'9' * 1000}", 413),
        ("GET /", 400),
        ("GET / SPDY/3", 400),
        ("\0\xff\r\n", 400),
        (f"GET / HTTP/1.1\r\nCookie: {'a' * MOST_HEAD}", 431),
        ("GET / HTTP/1.1" + "\r\nA: b" * MOST_HEAD, 431),
    ],
)
def test_everything_else_is_refused(shared: Served, request_line: str, status: int) -> None:
    # What is cut while it is still being sent may lose its answer.
    assert raw(shared.port, head(request_line, port=shared.port)) in {status, 0 if status == 431 else status}
    assert ask(shared.port, "GET", "/state").status == 200


@pytest.mark.parametrize("host", ["evil.example", f"{HOST}", "localhost:80", f"{HOST}:1", ""])
def test_another_name_for_the_address_is_refused(shared: Served, host: str) -> None:
    assert ask(shared.port, "GET", "/", Host=host).status == 421
    assert raw(shared.port, b"GET / HTTP/1.0\r\n\r\n") == 421


def test_a_vote_must_be_one(served: Served) -> None:
    phone = new_phone(served.port)
    for body in ("", "{", "[]", "null", '{"code": "4821"}', '{"code": 4821, "question": 1, "choice": 0}', b"\xff"):
        assert ask(served.port, "POST", "/vote", body, Cookie=f"phone={phone}").status == 400
    for choice in (4, -1, 10**30, 0.5, "0", None, True):
        assert vote(served.port, phone, choice).status == 400
    assert vote(served.port, phone, 0, question=2).status == 409
    for other in ("", "0", "g" * 32, f"; telephone={phone}", phone.upper() + "F", phone + "0"):
        assert vote(served.port, other, 0).status == 403


def test_wrong_codes_are_refused_and_soon_not_even_looked_at(served: Served) -> None:
    phone = new_phone(served.port)
    statuses = [vote(served.port, phone, 0, code=code).status for code in ("", "482", "04821", *["0000"] * 8)]
    assert statuses == [403] * 10 + [429]
    assert vote(served.port, phone, 0).status == 429


@pytest.mark.rest
def test_slow_and_idle_clients_are_cut_and_phones_get_through(served: Served) -> None:
    slow = [socket.create_connection((HOST, served.port), timeout=PATIENCE_S) for _ in range(MOST_CONNECTIONS + 30)]
    slow[-1].sendall(b"GET / HTTP/1.1\r\n")
    phone = new_phone(served.port)
    assert vote(served.port, phone, 2).status == 200
    assert served.votes(1) == [Voted(phone, 2)]
    # Those that are too many at once, the others after their time.
    for each in slow:
        with each:
            assert is_cut(each)


def test_the_page_has_all_that_it_needs_and_may_load_nothing_else(shared: Served) -> None:
    answer = ask(shared.port, "GET", "/")
    policy = answer.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "unsafe" not in policy
    assert "HttpOnly" in answer.headers["set-cookie"]
    assert "SameSite=Strict" in answer.headers["set-cookie"]
    assert answer.headers["cache-control"] == "no-store"
    text = answer.body.decode()
    assert all(each not in text for each in ("http:", "https:", "src=", "href=", "@import", "url("))


def test_the_page_speaks_the_language_of_the_window() -> None:
    with Served(language="ko") as served:
        text = ask(served.port, "GET", "/").body.decode()
    assert '<html lang="ko">' in text
    assert "투표" in text


# -- the process ----------------------------------------------------------------------------------


def test_an_address_that_cannot_be_had_is_reported() -> None:
    with subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write(line(replace(OPEN, address="192.0.2.1")))
        server.stdin.flush()
        answer = from_server(server.stdout.readline())
    assert isinstance(answer, Refused)
    assert "192.0.2.1" not in answer.reason


def test_another_port_is_taken_where_the_first_is_not_free() -> None:
    with socket.create_server((HOST, own_port())), Served() as served:
        assert served.port != own_port()
        assert ask(served.port, "GET", "/state").status == 200


@pytest.mark.skipif(sys.platform == "win32", reason="the test starts it with a pipe of its own")
def test_the_server_is_gone_when_the_window_is_killed() -> None:
    """The parent is killed as by ``kill -9``; the pipe that only the server still holds then ends."""
    opened = line(OPEN)
    window = (
        "import subprocess, sys, time\n"
        f"served = subprocess.Popen({COMMAND!r}, stdin=subprocess.PIPE)\n"
        f"served.stdin.write({opened!r}); served.stdin.flush(); time.sleep(600)"
    )
    with subprocess.Popen([sys.executable, "-c", window], stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        assert b"Listening" in parent.stdout.readline()
        assert not is_closed(own_port())
        os.kill(parent.pid, signal.SIGKILL)
        assert parent.stdout.read() == b""
    assert is_closed(own_port())


def test_the_process_loads_neither_qt_nor_jax() -> None:
    code = f"import sys, {COMMAND[-1]}.__main__; print(*{{each.partition('.')[0] for each in sys.modules}})"
    loaded = subprocess.run([*COMMAND[:2], "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {*FORBIDDEN} & {*loaded}
