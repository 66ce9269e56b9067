"""One vote for each phone and question, and bounds to what others can try."""

from __future__ import annotations

from http import HTTPStatus

import pytest

from explorer.phones.ballot_box import MOST_CHANGES, MOST_PHONES, MOST_WRONG, WRONG_S, BallotBox, Refusal, Vote
from explorer.phones.records import Open, Voted

CODE = "4821"


class Clock:
    now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def box(clock: Clock) -> BallotBox:
    return BallotBox(Open(1, 3, CODE, "", 0, "en", {"earlier": 2}), clock)


def refused(box: BallotBox, phone: str, vote: Vote, address: str = "there") -> HTTPStatus:
    with pytest.raises(Refusal) as refusal:
        box.vote(phone, address, vote)
    return refusal.value.status


def test_a_second_vote_replaces_the_first(box: BallotBox) -> None:
    assert box.vote("a", "there", Vote(CODE, 1, 0)) == Voted("a", 0)
    assert box.vote("a", "there", Vote(CODE, 1, 2)) == Voted("a", 2)
    assert box.vote("a", "there", Vote(CODE, 1, 2)) is None
    assert (box.state("a").choice, box.state("b").choice) == (2, None)


def test_a_question_that_is_opened_again_knows_the_votes(box: BallotBox) -> None:
    assert box.state("earlier").choice == 2
    assert box.vote("earlier", "there", Vote(CODE, 1, 2)) is None


@pytest.mark.parametrize(
    ("vote", "status"),
    [
        (Vote("0000", 1, 0), HTTPStatus.FORBIDDEN),
        (Vote(CODE, 2, 0), HTTPStatus.CONFLICT),
        (Vote(CODE, 1, 3), HTTPStatus.BAD_REQUEST),
        (Vote(CODE, 1, -1), HTTPStatus.BAD_REQUEST),
    ],
)
def test_what_is_refused(box: BallotBox, vote: Vote, status: HTTPStatus) -> None:
    assert refused(box, "a", vote) == status
    assert box.state("a").choice is None


def test_the_codes_cannot_be_tried_one_after_the_other(box: BallotBox, clock: Clock) -> None:
    box.vote("in the room", "there", Vote(CODE, 1, 0))
    statuses = [refused(box, f"{number}", Vote(f"{number:04}", 1, 0)) for number in range(MOST_WRONG + 1)]
    assert statuses == [HTTPStatus.FORBIDDEN] * MOST_WRONG + [HTTPStatus.TOO_MANY_REQUESTS]
    assert refused(box, "late", Vote(CODE, 1, 0)) == HTTPStatus.TOO_MANY_REQUESTS
    assert box.vote("in the room", "there", Vote(CODE, 1, 1)) == Voted("in the room", 1)
    assert box.vote("elsewhere", "another", Vote(CODE, 1, 1)) == Voted("elsewhere", 1)
    clock.now_s = WRONG_S
    assert box.vote("late", "there", Vote(CODE, 1, 0)) == Voted("late", 0)


def test_there_is_an_end_to_changes_and_to_phones(box: BallotBox) -> None:
    for change in range(MOST_CHANGES + 1):
        box.vote("a", "there", Vote(CODE, 1, change % 2))
    assert refused(box, "a", Vote(CODE, 1, (MOST_CHANGES + 1) % 2)) == HTTPStatus.LOCKED
    for phone in range(MOST_PHONES - 2):
        box.vote(f"{phone}", "there", Vote(CODE, 1, 0))
    assert refused(box, "one more", Vote(CODE, 1, 0)) == HTTPStatus.TOO_MANY_REQUESTS
