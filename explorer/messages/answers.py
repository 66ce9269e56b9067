"""The worker's answers: times (``Measurement``), values, lenses; FromWorker, the union; which one ends a run."""

from __future__ import annotations

from typing import Literal, TypeGuard

import msgspec

from explorer.messages.basics import Array, Beat, Failure, Transform, Value
from explorer.messages.iterations import Iterations
from explorer.messages.lenses import Lens
from explorer.messages.reports import Hello, Picture, Printed, Programs, Report, Snapshot
from explorer.messages.to_worker import LensRequest, RunRequest, TimingRequest, TrialRequest, ValueRequest
from explorer.text.text import Text

NoteKind = Literal[
    "unstable",
    "recompiled",
    "repeated",
    "hand-over",
    "donated",
    "without jit",
    "as written",
    "always jitted",
    "jits inside",
    "device unknown",
    "other device",
    "numpy inputs",
    "constant-folded",
    "outputs differ",
    "transforms",
    "skipped",
]
LED: frozenset[NoteKind] = frozenset(("unstable", "skipped"))
"""Kinds whose text needs the kind in front."""


class Note(msgspec.Struct, frozen=True, array_like=True):
    """A caveat of a figure."""

    kind: NoteKind
    text: Text
    """The details."""

    @property
    def line(self) -> str:
        """The full note for scripts: ``unstable: there was time for 3 samples only``."""
        return f"{self.kind}: {self.text}" if self.kind in LED else str(self.text)


class Measurement(msgspec.Struct, frozen=True, tag=True):
    """One point of the timing plot. Times are in seconds per call, including the wait for outputs."""

    run: int
    variant: str
    transforms: tuple[Transform, ...]
    parameters: dict[str, Value]
    device: str
    median_s: float | None = None
    q1_s: float | None = None
    q3_s: float | None = None
    low_s: float | None = None
    """95 % bootstrap interval of the median."""
    high_s: float | None = None
    samples_s: Array | None = None
    """float64[samples]: seconds per call, the mean over a block of `calls_per_sample` calls."""
    repeats: Array | None = None
    """int32[samples]: the round of each sample. Those of one round were taken side by side, without drift between."""
    calls_per_sample: int = 0
    trace_s: float | None = None
    lower_s: float | None = None
    compile_s: float | None = None
    first_call_s: float | None = None
    cold: bool = False
    """Whether the first call started from empty caches."""
    notes: tuple[Note, ...] = ()
    failure: Failure | None = None
    final: bool = True
    """False while samples still arrive for this point."""
    returned_s: float | None = None
    """Median seconds until a warm call returns, without the wait for its outputs: the dispatch part of `median_s`."""
    to_device_s: float | None = None
    """Median seconds to copy the argument arrays to the device; not part of a call."""
    to_host_s: float | None = None
    """Median seconds to copy a result to NumPy arrays."""
    floor_s: float | None = None
    """Minimum seconds of an empty jitted call, float32[] to float32[], once per run: the cost of dispatch."""
    cut_short: bool = False
    """Whether the user stopped the run before all samples of this point."""
    swept: str = ""
    """The swept parameter; empty for a single point."""

    @property
    def point(self) -> tuple[str, ...]:
        """The point's identity among the curves: transforms, and every parameter as ``name=value``."""
        return (*self.transforms, *(f"{name}={value}" for name, value in self.parameters.items()))


class TimingDone(msgspec.Struct, frozen=True, tag=True):
    """End of the measurements of this run."""

    run: int
    elapsed_s: float
    cut_short: bool = False
    failure: Failure | None = None
    left_out: tuple[Value, ...] = ()
    """Values of the sweep that were skipped for lack of time."""


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
