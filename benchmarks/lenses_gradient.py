"""The gradient lens: its cost next to the bare traces, and its agreement with JAX on 100 random programs."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from benchmarks.compare import Comparison, Row

AIM = 1.5
SIZES = (10, 200, 2_000)
PROGRAMS = 100
DIGITS = 6


@dataclass(frozen=True)
class Agreement:
    """The number of programs for which the lens agrees with its reference."""

    what: str
    right: int
    total: int
    wrong: tuple[int, ...]
    """Their seeds."""

    def line(self) -> str:
        """Return it in one line."""
        return f"{self.what:58} {self.right} of {self.total}" + (f"; not for {self.wrong}" if self.wrong else "")


def compare(repeats: int) -> Iterable[Row]:
    """Yield the cost of the lens relative to the bare traces by the number of equations, then the agreement."""
    for count in SIZES:
        yield _compared(count, repeats)
    yield from _agreement()


def _compared(count: int, repeats: int) -> Comparison:
    bare_s, lens_s = [], []
    for _ in range(min(repeats, 5) + 1):
        # JAX remembers what it has traced by the function object.
        bare_s.append(_seconds(_bare, _program(count)))
        lens_s.append(_seconds(_lens, _program(count)))
    return Comparison(f"the gradient of {count:,} equations, traced", lens_s[1:], bare_s[1:], AIM)


def _program(count: int) -> Callable[[Any], Any]:
    import jax.numpy as jnp

    def loss(x: Any) -> Any:
        for number in range(count // 4):
            x = jnp.sin(x) * x + number
        return x.sum()

    return loss


def _seconds(run: Callable[[Any], object], given: Any) -> float:
    started = time.perf_counter()
    run(given)
    return time.perf_counter() - started


def _bare(loss: Callable[[Any], Any]) -> object:
    import jax
    import jax.numpy as jnp

    def both(x: Any, cotangent: Any) -> Any:
        found, pullback = jax.vjp(loss, x)
        return found, pullback(cotangent)

    x = jnp.arange(3.0)
    return jax.make_jaxpr(loss)(x), jax.make_jaxpr(both)(x, 1.0)


def _lens(loss: Callable[[Any], Any]) -> object:
    import jax.numpy as jnp

    from explorer.worker.runs.lenses.gradient.facts import Gradient

    return Gradient.of(loss, {"x": jnp.arange(3.0)}, lambda filename: filename == __file__)


def _agreement() -> Iterable[Agreement]:
    """Yield the numbers of random programs with JAX's residuals, and with the gradient of finite differences."""
    import jax

    from explorer.worker.runs.lenses.gradient.facts import facts
    from tests.worker.runs.lenses import random_programs

    other: list[int] = []
    separate: list[int] = []
    stopped = 0
    with jax.enable_x64(True):
        for seed in range(PROGRAMS):
            call, inputs = random_programs.program(seed), random_programs.inputs(seed, "float64")
            found = facts(call, inputs, lambda filename: filename == random_programs.__file__)
            if Counter(each.shape for each in found.residuals) != _residuals_of_jax(call, inputs):
                other.append(seed)
            if any(each.kind == "stop_gradient" for each in found.ends):
                # The derivative of the values is another one there, as the program intends.
                stopped += 1
            elif found.check is None or not found.check.agrees or found.check.digits < DIGITS:
                separate.append(seed)
    yield Agreement("residuals are those of saved_residuals", PROGRAMS - len(other), PROGRAMS, tuple(other))
    total = PROGRAMS - stopped
    yield Agreement(f"gradients agree to {DIGITS} digits", total - len(separate), total, tuple(separate))


def _residuals_of_jax(call: Callable[..., Any], inputs: dict[str, Any]) -> Counter[str]:
    from jax._src.ad_checkpoint import saved_residuals

    # Literals stand in the program: nothing is kept for them.
    saved = [aval for aval, source in saved_residuals(call, **inputs) if source != "from a literal"]
    return Counter(aval.str_short(short_dtypes=True) for aval in saved)
