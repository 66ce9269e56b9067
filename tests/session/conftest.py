"""The session that these tests drive, and the client that it asks."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from explorer.session.session import Session
from explorer.session.workspace import Workspace
from tests.session.client import Client, Clock


@pytest.fixture
def client(qapp: object) -> Client:
    return Client()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def session(client: Client, clock: Clock) -> Iterator[Session]:
    session = Session(client, Workspace(time_automatically=False), clock=clock)  # type: ignore[arg-type]
    yield session
    # Left to its timer, an edit would be written into the folders of the next test.
    session.workspace.keep_draft()
