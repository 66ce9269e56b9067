"""The worker's answers to single questions; the union of its messages; which one ends a run, and how without one."""

from __future__ import annotations

from typing import TypeGuard

import msgspec

from explorer.messages.basics import Beat, Failure
from explorer.messages.iterations import Iterations
from explorer.messages.reports import Hello, Picture, Printed, Programs, Report, Snapshot
from explorer.messages.tables import Lens
from explorer.messages.times import Measurement, TimingDone
from explorer.messages.to_worker import LensRequest, RunRequest, TimingRequest, TrialRequest, ValueRequest
from explorer.text.text import Text


class Loop(msgspec.Struct, frozen=True, array_like=True):
    """One loop around an equation whose value is shown."""

    primitive: str
    """``scan`` or ``while``."""
    length: int
    """Number of iterations for the current inputs."""
    step: int
    """The shown iteration, from 0."""


class EquationValue(msgspec.Struct, frozen=True, tag=True):
    """The answer to a ValueRequest; a preliminary one is without `iterations`."""

    run: int
    about_run: int
    variant: str
    equation: int
    pictures: tuple[Picture, ...] = ()
    """The outputs of the equation, then its operands, with the role ``value``."""
    loops: tuple[Loop, ...] = ()
    """The loops around the equation, outermost first."""
    sentence: Text | str = ""
    """Reason for a missing picture, or a note on it."""
    iterations: Iterations | None = None
    """The curves of a loop, or of an equation inside one; None for others."""
    complete: bool = True


class LensAnswer(msgspec.Struct, frozen=True, tag=True):
    """The answer to a LensRequest, possibly preliminary."""

    run: int
    about_run: int
    variant: str
    name: str
    """The id of the lens."""
    lens: Lens | None = None
    sentence: Text | str = ""
    """Reason for a missing lens."""
    complete: bool = True


class TrialAnswer(msgspec.Struct, frozen=True, tag=True):
    """The answer to a TrialRequest: a complete snapshot of each trial; none where it was stopped."""

    run: int
    snapshots: tuple[Snapshot, ...] = ()


class NameAnswer(msgspec.Struct, frozen=True, tag=True):
    """The worker's facts for a NameQuestion; empty if it has none."""

    number: int
    names: tuple[str, ...] = ()
    """All possible completions, regardless of the letters typed; names from user code first."""
    title: str = ""
    """Signature or type of the name: ``jnp.sum(a, axis=None)``, ``x: float32[32,10]``."""
    doc: str = ""
    """The first paragraph of its docstring, as plain text."""
    defined: tuple[int, int] | None = None
    """Line, from 1, and column, in characters, where the code binds the name; None if it does not."""


class UsedUp(msgspec.Struct, frozen=True, tag=True):
    """A program changed its process irreversibly, so no other program may run there.

    The process still answers ValueRequests about that program, and NameQuestions. It drops all other requests.
    """

    run: int
    """The run of that program."""
    reason: Text
    """Description of the change."""


LastAnswer = Programs | Snapshot | TimingDone | EquationValue | LensAnswer | TrialAnswer
"""Messages that may end a run."""
FromRun = Hello | Printed | Measurement | LastAnswer
FromWorker = FromRun | NameAnswer | UsedUp | Beat


def ends_run(message: FromWorker) -> TypeGuard[LastAnswer]:
    if isinstance(message, Programs):
        return message.last
    if isinstance(message, Snapshot | LensAnswer | EquationValue):
        return message.complete
    return isinstance(message, TimingDone | TrialAnswer)


def unanswered(request: RunRequest, failure: Failure, *, stopped: bool = False) -> LastAnswer:
    """Return the answer that ends `request` after `failure`; `stopped`: at the user's request."""
    if isinstance(request, TimingRequest):
        return TimingDone(request.run, 0.0, cut_short=stopped, failure=None if stopped else failure)
    if isinstance(request, ValueRequest):
        return EquationValue(
            request.run, request.about_run, request.variant, request.equation, sentence=failure.message
        )
    if isinstance(request, LensRequest):
        return LensAnswer(request.run, request.about_run, request.variant, request.lens, sentence=failure.message)
    if isinstance(request, TrialRequest):
        return TrialAnswer(request.run)
    if request.texts_only:
        return Programs(request.run, {}, last=True)
    if stopped and request.variants:
        reports = tuple(Report(name, "stopped") for name in request.variants)
        return Snapshot(request.run, request.device, complete=True, reports=reports)
    reports = tuple(Report(name, "error", failure=failure) for name in request.variants)
    return Snapshot(request.run, request.device, complete=True, reports=reports, failure=failure)
