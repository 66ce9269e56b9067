"""Answers of the worker that the tests of lessons share: no program runs twice."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest

from explorer.commands.lesson_check import Run
from explorer.messages import Request, Snapshot
from tests.link.shared_worker import SharedWorker


@pytest.fixture(scope="session")
def answers() -> Iterator[dict[bytes, Snapshot]]:
    """Yield a cache of answers, by the request."""
    known: dict[bytes, Snapshot] = {}
    yield known
    known.clear()


@pytest.fixture
def run(worker: SharedWorker, answers: dict[bytes, Snapshot]) -> Run:
    """Return a function that answers a request, its variants one by one: the next may need one of them again."""

    def last_answer(request: Request) -> Snapshot:
        if len(request.variants) > 1:
            each = [last_answer(msgspec.structs.replace(request, variants=(name,))) for name in request.variants]
            return msgspec.structs.replace(each[0], reports=tuple(report for one in each for report in one.reports))
        key = msgspec.msgpack.encode(request)
        if key not in answers:
            *_, last = worker.ask(request, 120)
            answers[key] = last
        return answers[key]

    return last_answer
