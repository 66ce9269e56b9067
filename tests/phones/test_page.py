"""The page of the phones, in a real browser."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from explorer.phones.records import Voted
from tests.phones.browser import Browser, browser
from tests.phones.served import CODE, HOST, Served

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(browser() is None, reason="there is no Chromium; .ci/system installs one"),
]
MOST_TRIES, AGAIN_S = 200, 0.1
MESSAGE = "document.getElementById('message').textContent"


def wait_for(condition: Callable[[], bool]) -> None:
    for _ in range(MOST_TRIES):
        if condition():
            return
        time.sleep(AGAIN_S)
    raise AssertionError("it never came true")


@pytest.mark.rest
def test_a_person_types_the_code_and_taps_a_letter(tmp_path: Path) -> None:
    with Browser(tmp_path) as page:
        with Served() as served:
            page.open(f"http://{HOST}:{served.port}/")
            wait_for(lambda: page.value("document.querySelectorAll('button').length") == 4)
            assert page.value("[...document.querySelectorAll('button')].map(b => b.textContent).join('')") == "ABCD"
            page.click("button:nth-child(2)")
            assert "four digits" in page.value(MESSAGE)
            page.type("0000")
            page.click("button:nth-child(2)")
            wait_for(lambda: page.value(MESSAGE) == "This is not the room code.")
            page.value("document.getElementById('code').value = ''")
            page.click("#code")
            page.type(CODE)
            page.click("button:nth-child(2)")
            wait_for(lambda: page.value("document.querySelector('[aria-pressed=true]')?.textContent") == "B")
            page.click("button:nth-child(3)")
            first, second = served.votes(2)
            assert (first.choice, second.choice) == (1, 2)
            assert first.phone == second.phone
            # The page has its token, and no script can read it.
            assert page.value("document.cookie") == ""
        wait_for(lambda: page.value(MESSAGE) == "Waiting for the next question")
        assert page.value("document.querySelectorAll('button').length") == 0
        with Served(question=2, choices=2) as following:
            wait_for(lambda: page.value("document.querySelectorAll('button').length") == 2)
            page.click("button")
            assert following.votes(1) == [Voted(first.phone, 0)]


@pytest.mark.rest
def test_the_picture_on_the_stage_brings_the_code_along(tmp_path: Path) -> None:
    with Browser(tmp_path) as page, Served() as served:
        page.open(f"http://{HOST}:{served.port}/#{CODE}")
        wait_for(lambda: page.value(MESSAGE) == "Tap a letter.")
        page.click("button:nth-child(4)")
        assert [each.choice for each in served.votes(1)] == [3]
