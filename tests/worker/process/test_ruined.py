"""Removal of things that the worker's process needs is reported, asked of a real worker."""

from __future__ import annotations

import pytest

from explorer.link.pipe import WorkerEnded, WorkerPipe
from explorer.messages import FromWorker, Printed, Request, UsedUp
from tests.link.shared_worker import SharedWorker

pytestmark = pytest.mark.process
PATIENCE_S = 60.0

NO_EXCEPTIONS = """\
import builtins, sys
    ours = [each for name, each in sys.modules.items() if name.startswith(("explorer", "__main__"))]
    for module in (builtins, *ours):
        own = vars(module)
        own.update([(name, 7) for name, each in list(own.items())
            if type(each) is type and type.__subclasscheck__(BaseException, each)])
    sys"""
"""Puts a number where each class of exceptions was: none is a class any more that `except` could name."""
NO_ISINSTANCE = "import builtins; builtins.isinstance = None; raise ValueError"


def asked(worker: SharedWorker | WorkerPipe, body: str) -> list[FromWorker]:
    return list(worker.ask(Request(1, f"def f():\n    {body}\n", "<code>", variants=("f",)), PATIENCE_S))


def printed(messages: list[FromWorker]) -> str:
    return "".join(each.text for each in messages if isinstance(each, Printed))


@pytest.mark.rest
def test_a_program_that_ruins_its_process_ends_it_and_that_is_reported() -> None:
    with WorkerPipe() as worker:
        worker.hello()
        with pytest.raises(WorkerEnded, match="changed functions or modules"):
            asked(worker, "import builtins; vars(builtins).clear()")


@pytest.mark.rest
@pytest.mark.parametrize("body", [NO_EXCEPTIONS, NO_EXCEPTIONS + "; 1 / 0", NO_ISINSTANCE])
def test_a_worker_without_what_it_needs_reports_that_and_is_used_up(body: str) -> None:
    with WorkerPipe() as worker:
        worker.hello()
        messages = asked(worker, body)
    assert messages[-1].failure.type == "ProcessChanged"
    assert any(isinstance(each, UsedUp) for each in messages)


@pytest.mark.rest
def test_a_pipe_that_is_taken_away_is_reported() -> None:
    with WorkerPipe() as worker:
        worker.hello()
        with pytest.raises(WorkerEnded, match="closed or replaced the pipe"):
            asked(worker, "import os; os.closerange(3, 256)")


@pytest.mark.parametrize("body", [r"print('a\udcff')", r"raise ValueError('a\udcff')", r"f.__doc__ = '\udcff'"])
def test_a_lone_surrogate_is_written_out(worker: SharedWorker, body: str) -> None:
    messages = asked(worker, body)
    assert messages[-1].failure is None
    assert printed(messages) == (r"a\udcff" + "\n" if "print" in body else "")
