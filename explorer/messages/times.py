"""The worker's measurements of the time and memory of calls."""

from __future__ import annotations

from typing import Literal

import msgspec

from explorer.messages.basics import Array, Failure, Transform, Value, WrongWay
from explorer.text.text import Text

BadgeName = Literal[
    "blocked",
    "warmed",
    "on device",
    "not constant-folded",
    "equal outputs",
    "interleaved",
    "checker off",
    "stable",
]


class Badge(msgspec.Struct, frozen=True, array_like=True):
    """One condition under which a time can be believed, and whether it held; each is computed."""

    name: BadgeName
    ok: bool | None
    """None where it cannot be told, or where it says nothing against the figure."""
    sentence: Text
    """What was found, in one plain sentence."""


NoteKind = Literal[
    "unstable",
    "clock jumped",
    "wrong way",
    "recompiled",
    "repeated",
    "hand-over",
    "device unknown",
    "other device",
    "transforms",
    "skipped",
]
LED: frozenset[NoteKind] = frozenset(("unstable", "skipped"))
"""Kinds whose text does not say what it is about."""


class Note(msgspec.Struct, frozen=True, array_like=True):
    """Something that a careful reader of a figure must know."""

    kind: NoteKind
    text: Text
    """What was found."""

    @property
    def line(self) -> str:
        """The note by itself, as scripts read it: ``unstable: there was time for 3 samples only``."""
        return f"{self.kind}: {self.text}" if self.kind in LED else str(self.text)


class Memory(msgspec.Struct, frozen=True):
    """The device memory of one call, as the program's compiler reports it; None where it does not."""

    argument_bytes: int | None = None
    output_bytes: int | None = None
    temporary_bytes: int | None = None
    code_bytes: int | None = None
    """The compiled program itself."""
    peak_bytes: int | None = None
    """The most in use at one time: arguments, outputs and temporary values. None on the CPU."""
    process_bytes: int | None = None
    """How far the memory of the whole process rose during one warm call, measured; 0 where freed memory was enough."""


class Measurement(msgspec.Struct, frozen=True, tag=True):
    """One point of the timing plot. Times are seconds of one call, outputs waited for."""

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
    """float64[samples]: seconds of one call, the mean over a block of `calls_per_sample`."""
    repeats: Array | None = None
    """int32[samples]: the round of each sample. Within one run and one setting of the parameters, samples of
    the same round were taken side by side, so that their ratio is free of slow drifts of the machine."""
    calls_per_sample: int = 0
    trace_s: float | None = None
    lower_s: float | None = None
    compile_s: float | None = None
    first_call_s: float | None = None
    cold: bool = False
    """Whether the first call started from empty caches, rather than with what earlier points had compiled."""
    notes: tuple[Note, ...] = ()
    failure: Failure | None = None
    final: bool = True
    """False while samples still arrive for this point."""
    wrong_way: WrongWay = ""
    """The mistake that was made on purpose; such a figure is never to be taken for a right one."""
    badges: tuple[Badge, ...] = ()
    """All eight, in a fixed order, once the point is final; one that is not ok says that the figure is not good."""
    returned_s: float | None = None
    """Median seconds until a warm call returns, without waiting for its outputs: what dispatch takes of `median_s`."""
    to_device_s: float | None = None
    """Median seconds to bring the arrays among the arguments to the device; a call itself does without."""
    to_host_s: float | None = None
    """Median seconds to bring the arrays of a result back as NumPy arrays."""
    floor_s: float | None = None
    """The least seconds of an empty jitted function on this device, one number in and out, taken once a run: what
    dispatch costs where there is no work."""
    memory: Memory | None = None
    """Under jit of the compiled program; elsewhere at most what was seen of the process."""
    cut_short: bool = False
    """Whether the user stopped the run before this point had all its samples."""
    swept: str = ""
    """The parameter over which the run goes; empty where it has one point."""

    @property
    def point(self) -> tuple[str, ...]:
        """Which point of the variant's curves it is: its transforms and the mistake made on purpose, if any, then
        every parameter as ``name=value``."""
        wrong = (self.wrong_way,) if self.wrong_way else ()
        return (*self.transforms, *wrong, *(f"{name}={value}" for name, value in self.parameters.items()))


class TimingDone(msgspec.Struct, frozen=True, tag=True):
    """No further Measurement comes for this run."""

    run: int
    elapsed_s: float
    cut_short: bool = False
    failure: Failure | None = None
    left_out: tuple[Value, ...] = ()
    """Values of the sweep that the run had no time for."""
