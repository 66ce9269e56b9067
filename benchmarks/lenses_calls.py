"""The calls lens: its cost next to the bare run, and whether its counts equal those of the report for 50 programs."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterable
from dataclasses import dataclass

from benchmarks.compare import Comparison, Row

AIM = 1.5
SIZES = (5, 50)
PROGRAMS = 50
_SOURCE = """
import jax, jax.numpy as jnp

def inputs(): return dict(x=jnp.ones(3))

def f(x):
    for number in range(20):
        x = jnp.sin(x) * x + number
    return x.sum()

def run(x):
    for number in range({count}):
        jax.jit(lambda x: f(x))(x)
"""


@dataclass(frozen=True)
class Agreement:
    """Of how many random programs the lens counts the traces that the report counts."""

    wrong: tuple[int, ...]
    """The seeds of the others."""

    def line(self) -> str:
        """Return it in one line."""
        right = f"{PROGRAMS - len(self.wrong)} of {PROGRAMS}"
        return f"{'calls of random programs, as the meter counts':58} {right}" + (
            f"; not {self.wrong}" if self.wrong else ""
        )


def compare(repeats: int) -> Iterable[Row]:
    """Yield the cost of the lens relative to the bare run by the number of tracing calls, then the agreement."""
    for count in SIZES:
        yield _compared(count, repeats)
    yield _agreement()


def _compared(count: int, repeats: int) -> Comparison:
    from explorer.messages import Transforms
    from explorer.worker.code.user_code import load
    from explorer.worker.process.output import PrintedText
    from explorer.worker.runs.lenses.calls import calls_lens

    program = load(_SOURCE.format(count=count), "<calls>")
    bare_s, lens_s = [], []
    for _ in range(min(repeats, 5) + 1):
        started = time.perf_counter()
        anew = program.anew()
        anew.module.run(**anew.inputs())
        bare_s.append(time.perf_counter() - started)
        started = time.perf_counter()
        calls_lens(program, "run", Transforms(), PrintedText(lambda _: None))
        lens_s.append(time.perf_counter() - started)
    return Comparison(f"{count:,} calls that trace and compile", lens_s[1:], bare_s[1:], AIM)


def _agreement() -> Agreement:
    from explorer.messages import Transforms
    from explorer.worker.code.user_code import load
    from explorer.worker.process.output import PrintedText
    from explorer.worker.runs.lenses.calls import calls_lens
    from explorer.worker.runs.observe import Observer
    from tests.worker.runs.lenses import call_programs

    wrong = []
    calls = (*call_programs.CALLS, *call_programs.IN_DERIVATIVES)
    for seed in range(PROGRAMS):
        program = load(call_programs.program(seed, calls_of=calls), "<calls>")
        with contextlib.redirect_stdout(None):
            observer, anew = Observer(program.is_user_code), program.anew("run")
            with observer.calling():
                anew.module.run(**anew.inputs())
            counted = observer.seen(anew.module).traces
            found = calls_lens(program, "run", Transforms(), PrintedText(lambda _: None))
        if found.traces != sum(each.traces for each in counted):
            wrong.append(seed)
    return Agreement(tuple(wrong))
