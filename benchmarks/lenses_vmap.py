"""The vmap lens: its cost next to the bare traces, and its agreement with JAX on 200 random programs."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from benchmarks.compare import Comparison, Row

AIM = 1.5
SIZES = (10, 200, 2_000)
PROGRAMS = 200


@dataclass(frozen=True)
class Agreement:
    """The number of random programs for which the lens agrees with JAX."""

    wrong: tuple[int, ...]
    """The seeds of the others."""

    def line(self) -> str:
        """Return it in one line."""
        right = f"{PROGRAMS - len(self.wrong)} of {PROGRAMS}"
        return f"{'vmap of random programs, as JAX says':58} {right}" + (f"; not {self.wrong}" if self.wrong else "")


def compare(repeats: int) -> Iterable[Row]:
    """Yield the cost of the lens relative to the bare traces by the number of equations, then the agreement."""
    for count in SIZES:
        yield _compared(count, repeats)
    yield _agreement()


def _compared(count: int, repeats: int) -> Comparison:
    bare_s, lens_s = [], []
    for _ in range(min(repeats, 5) + 1):
        # JAX remembers what it has traced by the function object.
        bare_s.append(_seconds(_bare, _program(count)))
        lens_s.append(_seconds(_lens, _program(count)))
    return Comparison(f"vmap of {count:,} equations, one example and batch", lens_s[1:], bare_s[1:], AIM)


def _program(count: int) -> Callable[[Any], Any]:
    import jax.numpy as jnp

    def one(x: Any) -> Any:
        for number in range(count // 4):
            x = jnp.sin(x) * x + number
        return x.sum()

    return one


def _seconds(run: Callable[[Any], object], given: Any) -> float:
    started = time.perf_counter()
    run(given)
    return time.perf_counter() - started


def _bare(one: Callable[[Any], Any]) -> object:
    import jax
    import jax.numpy as jnp

    x = jnp.ones((32, 3))
    return jax.make_jaxpr(one)(x[0]), jax.make_jaxpr(jax.vmap(one))(x)


def _lens(one: Callable[[Any], Any]) -> object:
    import jax
    import jax.numpy as jnp

    from explorer.worker.runs.lenses.vmap import vmaps

    return vmaps(jax.vmap(one), {"x": jnp.ones((32, 3))}, lambda filename: filename == __file__)


def _agreement() -> Agreement:
    from tests.worker.runs.lenses.test_vmap_truth import differences

    wrong = tuple(seed for seed in range(PROGRAMS) if list(differences(seed, depth=2, run=False)))
    return Agreement(wrong)
