"""The analysis of programs with up to a million keys, against running them without it, and how it grows."""

from __future__ import annotations

import ctypes
import functools
import gc
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.compare import Comparison, Row

SIZES = (1_000, 10_000, 100_000, 1_000_000)
AIMED_AT = 100_000
AIM = 3.0
NONE = float("inf")

Program = Callable[[], Any]


@dataclass(frozen=True)
class Growth:
    """The cost of the analysis per key: a program ten times as large should cost the same per key."""

    what: str
    keys: int
    seconds: float
    """To run and analyse it."""
    extra_bytes: int
    """The peak memory of the analysis in addition to the earlier resident memory."""

    def line(self) -> str:
        """Return one line under the table: time and memory for each key."""
        nanoseconds, octets = 1e9 * self.seconds / self.keys, self.extra_bytes / self.keys
        return f"{self.what:58} {nanoseconds:7.0f} ns {octets:7.0f} B  for each key"


def compare(repeats: int) -> Iterator[Row]:
    """Yield, for each program and size, analysis against the eager and the jitted run, all warm; then the growth."""
    growths = []
    for name, make in {"vmapped split": _fan, "scan, 50 draws a step": _chain, "nested": _nested}.items():
        for size in SIZES:
            program = make(size)
            what = f"{name}, {size:,} keys"
            ways = functools.partial(_analysed, program), program, _jitted(program)
            analysed_s, eager_s, jitted_s = _in_turns(repeats, *ways)
            aim = AIM if size == AIMED_AT else NONE
            yield Comparison(f"{what}, analysed / eager", analysed_s, eager_s, aim)
            yield Comparison(f"{' ' * len(what)}  analysed / jitted", analysed_s, jitted_s, NONE)
            growths.append(Growth(what, size, statistics.median(analysed_s), _extra_bytes(program)))
    yield from growths


# -- programs ---------------------------------------------------------------------------------


def _fan(n: int) -> Program:
    import jax

    return lambda: jax.vmap(jax.random.normal)(jax.random.split(jax.random.key(0), n))


def _chain(n: int) -> Program:
    import jax

    def step(key: jax.Array, _: None) -> tuple[jax.Array, jax.Array]:
        key, *draws = jax.random.split(key, 51)
        return key, jax.vmap(jax.random.normal)(jax.numpy.stack(draws))

    return lambda: jax.lax.scan(step, jax.random.key(0), length=n // 50)


def _nested(n: int) -> Program:
    import jax

    def row(key: jax.Array) -> jax.Array:
        return jax.vmap(jax.random.normal)(jax.random.split(key, n // 100))

    return lambda: jax.vmap(row)(jax.random.split(jax.random.key(0), 100))


def _jitted(program: Program) -> Program:
    import jax

    return jax.jit(program)


def _analysed(program: Program) -> Any:
    import jax

    from explorer.worker.lineage import key_graph
    from explorer.worker.lineage.misuse import findings
    from explorer.worker.recording import recorder

    recording = recorder.record(lambda: jax.block_until_ready(program()))
    known = key_graph.key_lineage(recording, outputs=recording.result)
    assert not [each for each in findings.find(known) if each.level == "bug"]
    return key_graph.key_graph(known)


# -- measuring --------------------------------------------------------------------------------


def _in_turns(repeats: int, *programs: Program) -> list[list[float]]:
    """Return the seconds of each program in each of the `repeats`, after one to warm up."""
    taken = [[_seconds(program) for program in programs] for _ in range(repeats + 1)]
    return [list(column) for column in zip(*taken[1:], strict=True)]


def _seconds(run: Program) -> float:
    import jax

    started = time.perf_counter()
    jax.block_until_ready(run())
    return time.perf_counter() - started


def _extra_bytes(program: Program) -> int:
    """Return the peak memory of the analysis of a warm program, in bytes; 0 where it cannot be measured."""
    if not sys.platform.startswith("linux"):
        return 0
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    # Reset the peak of the resident memory.
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    before = _resident_bytes("VmRSS")
    _analysed(program)
    return _resident_bytes("VmHWM") - before


def _resident_bytes(field: str) -> int:
    status = Path("/proc/self/status").read_text(encoding="ascii")
    (line,) = [line for line in status.splitlines() if line.startswith(field)]
    return int(line.split()[1]) * 1024
