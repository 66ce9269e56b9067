"""Phones vote on the open question through a real server, on the loopback address; the keys count as before."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from explorer.window.presenting.phones import Phones
from tests.phones.served import HOST, ask, is_closed, new_phone, own_port, vote, vote_at_once
from tests.window.presenting.stages import present, press
from tests.window.ui import Ui
from views.window.stage.vote_sign import VoteSign

pytestmark = pytest.mark.process
A, B, V = Qt.Key.Key_A, Qt.Key.Key_B, Qt.Key.Key_V
ELSEWHERE = "192.0.2.1"
"""An address for documentation, which no computer has."""


def phones(ui: Ui) -> Phones:
    return ui.desk.presentation.lectern.phones


def sign(ui: Ui) -> VoteSign:
    bars = ui.desk.presentation.stage.bars
    assert bars is not None
    return bars.sign


def counted(ui: Ui) -> tuple[tuple[int, ...], ...]:
    tally = ui.desk.presentation.lectern.voting.tally()
    return tally.rounds if tally is not None else ()


def notice(ui: Ui) -> str:
    return ui.window.notice.accessibleName() if not ui.window.notice.isHidden() else ""


def switch(ui: Ui) -> None:
    QTest.keyClick(ui.window.focusWidget() or ui.window, Qt.Key.Key_F5, Qt.KeyboardModifier.ControlModifier)


@pytest.fixture
def stage(ui: Ui, qtbot: QtBot) -> Ui:
    """Return a presentation of a lesson whose first page asks, with three choices."""
    phones(ui).address, phones(ui).port = lambda: HOST, own_port()
    present(ui, qtbot)
    return ui


@pytest.fixture
def served(stage: Ui, qtbot: QtBot) -> Ui:
    switch(stage)
    qtbot.waitUntil(sign(stage).isVisible)
    return stage


def port(ui: Ui) -> int:
    return int(sign(ui).address.rpartition(":")[2])


@pytest.mark.rest
def test_phones_vote_until_the_answer_is_shown(served: Ui, qtbot: QtBot) -> None:
    assert served.window.action("votes_by_phone").isChecked()
    here, code = port(served), sign(served).code
    assert ask(here, "GET", "/state").json == {"question": 1, "choices": 3, "choice": None}
    one, other = new_phone(here), new_phone(here)
    for phone, choice in ((one, 0), (other, 1), (one, 2)):
        assert vote(here, phone, choice, code=code).status == 200
    press(B)
    qtbot.waitUntil(lambda: counted(served) == ((0, 2, 1),))
    served.desk.lesson.go_on()
    assert not sign(served).isVisible()
    assert is_closed(here)
    assert counted(served) == ((0, 2, 1),)
    assert served.window.action("votes_by_phone").isChecked()


@pytest.mark.rest
def test_two_hundred_phones_are_counted_exactly(served: Ui, qtbot: QtBot) -> None:
    vote_at_once(port(served), 200, 3, sign(served).code)
    qtbot.waitUntil(lambda: sum(map(sum, counted(served))) >= 200)
    assert counted(served) == ((67, 67, 66),)


@pytest.mark.rest
def test_another_round_is_another_question_at_the_same_address(served: Ui, qtbot: QtBot) -> None:
    here, code = port(served), sign(served).code
    phone = new_phone(here)
    vote(here, phone, 0, code=code)
    qtbot.waitUntil(lambda: counted(served) == ((1, 0, 0),))
    press(V)
    qtbot.waitUntil(sign(served).isVisible)
    assert port(served) == here
    assert vote(here, phone, 1, code=code).status == 409
    assert vote(here, phone, 1, question=2, code=code).status == 200
    qtbot.waitUntil(lambda: counted(served) == ((1, 0, 0), (0, 1, 0)))


@pytest.mark.rest
def test_switched_off_and_on_again_a_phone_still_has_one_vote(served: Ui, qtbot: QtBot) -> None:
    here, code = port(served), sign(served).code
    phone = new_phone(here)
    vote(here, phone, 0, code=code)
    qtbot.waitUntil(lambda: counted(served) == ((1, 0, 0),))
    switch(served)
    assert is_closed(here)
    switch(served)
    qtbot.waitUntil(sign(served).isVisible)
    vote(here, phone, 2, code=code)
    qtbot.waitUntil(lambda: counted(served) == ((0, 0, 1),))


@pytest.mark.rest
def test_the_sign_covers_neither_words_nor_code(served: Ui, qtbot: QtBot) -> None:
    qtbot.waitUntil(sign(served).isVisible)
    area, window = sign(served).geometry(), served.window
    for part in (window.story, window.code):
        assert not area.intersects(part.rect().translated(part.mapTo(window, part.rect().topLeft())))
    served.desk.on_command("present")
    assert served.window.code_column.contentsMargins().bottom() == 0


@pytest.mark.rest
def test_nothing_is_open_after_the_presentation(served: Ui) -> None:
    here = port(served)
    served.desk.on_command("present")
    assert is_closed(here)
    assert not served.window.action("votes_by_phone").isChecked()
    switch(served)
    assert "while you present" in notice(served)
    assert not served.window.action("votes_by_phone").isChecked()


@pytest.mark.rest
def test_on_a_page_without_a_question_it_waits_for_one(stage: Ui, qtbot: QtBot) -> None:
    stage.desk.lesson.go_on()
    switch(stage)
    assert "next question" in stage.desk.presentation.lectern.pointing.overlay.sentence
    assert is_closed(own_port())
    stage.desk.lesson.go_back()
    qtbot.waitUntil(sign(stage).isVisible)


@pytest.mark.parametrize(("address", "words"), [("", "no network"), (ELSEWHERE, "does not let phones in")])
def test_where_the_network_forbids_it_the_notice_says_so_and_keys_count(
    stage: Ui, qtbot: QtBot, address: str, words: str
) -> None:
    phones(stage).address = lambda: address
    switch(stage)
    qtbot.waitUntil(lambda: words in notice(stage))
    assert notice(stage).endswith("Votes are counted by key.")
    assert not sign(stage).isVisible()
    assert not stage.window.action("votes_by_phone").isChecked()
    press(A)
    assert counted(stage) == ((1, 0, 0),)


@pytest.mark.rest
def test_a_server_that_dies_is_reported(served: Ui, qtbot: QtBot) -> None:
    process = phones(served)._process
    assert process is not None
    process.kill()
    qtbot.waitUntil(lambda: "has ended" in notice(served))
    assert not sign(served).isVisible()
