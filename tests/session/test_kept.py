"""What is kept of a page, for whoever comes back to it."""

from __future__ import annotations

from explorer.messages import Parameter
from explorer.session.kept import MOST_KEPT, Kept
from explorer.session.session import Session
from tests.session.client import SCENARIO, Client


def test_only_the_newest_answers_are_kept_and_none_while_it_is_off() -> None:
    kept: Kept[int, str] = Kept()
    kept.note(1, "one")
    assert kept.of(1) is None
    kept.keep(True)
    for number in range(MOST_KEPT + 1):
        kept.note(number, str(number))
    kept.note(1, "again")
    assert (kept.of(0), kept.of(1), kept.of(MOST_KEPT)) == (None, "again", str(MOST_KEPT))
    kept.keep(False)
    assert kept.of(1) is None


def batch(session: Session) -> object:
    assert session.snapshot is not None
    return session.snapshot.parameters[0].value


def choose(session: Session, client: Client, value: int) -> None:
    session.workspace.set_parameter(Parameter("batch", value, 32))
    session.run()


def test_what_was_computed_already_is_shown_at_once_and_greyed_until_it_is_computed_again(
    session: Session, client: Client
) -> None:
    session.workspace.open(SCENARIO)
    session.keep_results(True)
    for value in (4, 8):
        choose(session, client, value)
        client.answer("f", parameters=(Parameter("batch", value, 32),))
    assert batch(session) == 8
    choose(session, client, 4)
    assert batch(session) == 4
    assert session.stale
    assert client.request.parameters == {"batch": 4}
    client.answer("f", parameters=(Parameter("batch", 4, 32),))
    assert not session.stale
    session.keep_results(False)
    choose(session, client, 8)
    assert batch(session) == 4
