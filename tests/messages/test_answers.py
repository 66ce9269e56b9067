"""The last answer to a request that got no other."""

from __future__ import annotations

import pytest

from explorer.messages import (
    EquationValue,
    Failure,
    LastAnswer,
    Programs,
    Report,
    Request,
    RunRequest,
    Snapshot,
    TimingDone,
    TimingRequest,
    ValueRequest,
    ends_run,
    unanswered,
)

FAILURE = Failure("WorkerDied", "It ended.")
FULL = Request(3, "", "<f>", device="cpu:0", variants=("f", "g"))
BARE = Request(3, "", "<f>", device="cpu:0")
TEXTS = Request(3, "", "<f>", variants=("f",), texts_only=True)
TIMING = TimingRequest(3, "", "<f>")
VALUE = ValueRequest(3, 2, "f", 1)


def ended(*reports: Report, failure: Failure | None = None) -> Snapshot:
    return Snapshot(3, "cpu:0", complete=True, reports=reports, failure=failure)


@pytest.mark.parametrize(
    ("request_", "stopped", "answer"),
    [
        (TIMING, False, TimingDone(3, 0.0, failure=FAILURE)),
        (TIMING, True, TimingDone(3, 0.0, cut_short=True)),
        (VALUE, False, EquationValue(3, 2, "f", 1, sentence="It ended.")),
        (VALUE, True, EquationValue(3, 2, "f", 1, sentence="It ended.")),
        (TEXTS, False, Programs(3, {}, last=True)),
        (TEXTS, True, Programs(3, {}, last=True)),
        (FULL, False, ended(*(Report(name, "error", failure=FAILURE) for name in "fg"), failure=FAILURE)),
        (FULL, True, ended(Report("f", "stopped"), Report("g", "stopped"))),
        (BARE, True, ended(failure=FAILURE)),
    ],
)
def test_each_request_that_got_no_answer_is_ended_in_its_own_way(
    request_: RunRequest, stopped: bool, answer: LastAnswer
) -> None:
    assert unanswered(request_, FAILURE, stopped=stopped) == answer
    assert ends_run(answer)
