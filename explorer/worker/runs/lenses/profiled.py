"""Calls under JAX's profiler, and the operations that it saw.

See https://docs.jax.dev/en/latest/_autosummary/jax.profiler.ProfileData.html.
"""

from __future__ import annotations

import time
import warnings
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import jax
from jax.profiler import ProfileData, ProfileOptions, TraceAnnotation

from explorer.link import temporary

PATIENCE = 10
CALL = "jax-explorer: one call"
"""The name of a call in the profile."""
_END = "end: "
"""An operation that other threads go on with ends before the event of this name, which may be late."""


class Operation(NamedTuple):
    """One operation that ran."""

    name: str
    """The instruction of the compiled program."""
    device: int
    start_ns: float
    end_ns: float


def profiled(call: Callable[[], Callable[[], Any]], *, least: int, most: int, budget_s: float) -> ProfileData:
    """Return the profile of `least` to `most` calls, as many as begin within `budget_s` seconds.

    If `least` would take PATIENCE times as long, there are fewer. `call` prepares a call, and returns it. Raises
    RuntimeError while another profile is taken.
    """
    options = ProfileOptions()
    options.python_tracer_level = 0
    options.enable_hlo_proto = False
    with temporary.folder() as folder:
        with jax.profiler.trace(folder, profiler_options=options):
            begun = time.perf_counter()
            for number in range(most):
                if number and time.perf_counter() - begun > (budget_s if number >= least else budget_s * PATIENCE):
                    break
                prepared = call()
                with TraceAnnotation(CALL):
                    jax.block_until_ready(prepared())
        (written,) = folder.rglob("*.xplane.pb")
        return ProfileData.from_file(str(written))


def operations(profile: Any, module: str) -> list[list[Operation]]:
    """Return the operations of `module` in each call of `profile`, a ProfileData.

    Where the profiler lost some, the call has fewer than others and is left out.
    """
    with warnings.catch_warnings():
        # Python 3.12 warns of jaxlib's type of properties, which has no module.
        warnings.simplefilter("ignore", DeprecationWarning)
        events = list(_events(profile))
    calls: list[tuple[float, float]] = []
    found: list[tuple[Operation, int]] = []
    ends: dict[int, float] = {}
    for event, stats in events:
        if event.name == CALL:
            calls.append((event.start_ns, event.end_ns))
        elif stats.get("hlo_module") == module and "hlo_op" in stats:
            name, device = str(stats["hlo_op"]), int(stats.get("device_ordinal", 0))
            found.append((Operation(name, device, event.start_ns, event.end_ns), stats.get("_p", 0)))
        elif event.name.startswith(_END) and "_c" in stats:
            ends[stats["_c"]] = event.end_ns
    found.sort(key=lambda each: each[0].start_ns)
    seen = []
    for start, end in sorted(calls):
        inside = [each for each in found if start <= each[0].start_ns < end]
        starts = [each.start_ns for each, _ in inside]
        seen.append([_whole(each, ends.get(number, 0.0), starts) for each, number in inside])
    most = max(map(len, seen), default=0)
    return [each for each in seen if len(each) == most and each]


def _events(profile: Any) -> Iterator[tuple[Any, dict[str, Any]]]:
    """Yield the events of a profile and their properties."""
    for plane in profile.planes:
        for line in plane.lines:
            for event in line.events:
                yield event, dict(event.stats)


def _whole(operation: Operation, end_ns: float, starts: list[float]) -> Operation:
    """Return `operation` with its end on all threads: at `end_ns`, but before the next of the `starts`."""
    place = bisect_left(starts, operation.end_ns)
    following = starts[place] if place < len(starts) else end_ns
    return operation._replace(end_ns=max(operation.end_ns, min(end_ns, following)))


def between_ns(start: float, end: float, stretches: Sequence[tuple[float, float]]) -> list[float]:
    """Return the lengths of what is left of `start` to `end` without the (start, end) `stretches`."""
    found, reached = [], start
    for first, last in sorted(stretches):
        if first > reached:
            found.append(first - reached)
        reached = max(reached, last)
    if end > reached or not stretches:
        found.append(end - reached)
    return found
