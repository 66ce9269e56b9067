"""``Measurement``, the times of one point of a plot, with its ``Note``s; ``TimingDone`` ends a run."""

from __future__ import annotations

from typing import Literal

import msgspec

from explorer.messages.basics import Array, Failure, Transform, Value
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
