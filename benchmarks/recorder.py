"""The cost of the key recorder: a recorded program next to the program alone.

Times are processor times, because a busy machine makes both wait. Programs of libraries run where flax and optax are
installed.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from benchmarks import library_programs
from benchmarks.compare import Comparison, Row

STEPS = 200
MANY_STEPS = 20_000
DRAWS = 200
KEYS = 100_000
CHAIN = 16_000
MOST_OVER_MS = 0.05
"""The most milliseconds that recording may add to a call of a jitted function."""
FEW_REPEATS = 3
"""For programs that take seconds."""


@dataclass(frozen=True)
class EachCall:
    """The cost of a call, in seconds, alone and recorded; the n-th of both come from the same repeat."""

    what: str
    recorded_s: list[float]
    plain_s: list[float]

    def line(self) -> str:
        """Return one line of the table: medians, and the additional cost of a recorded call."""
        over = [1e3 * (ours - bare) for ours, bare in zip(self.recorded_s, self.plain_s, strict=True)]
        low, middle, high = statistics.quantiles(over, n=4) if len(over) > 1 else over * 3
        ours_us, bare_us = (1e6 * statistics.median(samples) for samples in (self.recorded_s, self.plain_s))
        quartiles = f"{low:.3f} to {high:.3f}"
        return (
            f"{self.what:58} {ours_us:7.1f} us {bare_us:7.1f} us {middle:+7.3f} ms {quartiles:>14} {MOST_OVER_MS:6.2f}"
        )


def compare(repeats: int) -> Iterator[Row]:
    """Yield, for each program, the recorded run and the recorded run with its report, against the plain run."""
    yield from _calls("a jitted call that draws next to nothing", _next_to_nothing(MANY_STEPS), repeats)
    yield from _calls("a jitted call without keys", _without_keys(MANY_STEPS), repeats)
    yield from _calls("a jitted call without keys that returns a number", _with_number(MANY_STEPS), repeats)
    steps = training()
    programs = {
        f"{STEPS} jitted training steps with dropout": (steps, 1.5),
        "    the same compiled anew": (compiled_anew(steps), 2.0),
        f"{STEPS} training steps in one scan": (_scan(), 1.5),
        f"{DRAWS} eager splits and draws": (_eager(), 5.0),
        f"a chain of {CHAIN:,} keys, the first one used twice": (compiled_anew(_chain()), 2.0),
        f"a vmapped draw with {KEYS:,} keys of a split": (_batch(), 1.5),
    }
    for what, (program, aim) in programs.items():
        yield from _compare(what, program, repeats, aim)
    few = min(repeats, FEW_REPEATS)
    yield from _compare(f"{MANY_STEPS:,} training steps in Python", training(MANY_STEPS, width=32), few, 1.3)
    for what, program in library_programs.programs().items():
        yield from _compare(what, program, few, 1.1)


def _calls(what: str, program: Callable[[], Any], repeats: int) -> Iterator[Row]:
    recorded, reported = _compare(what, program, repeats, 0.0)
    for each in (recorded, reported):
        yield EachCall(each.what, *([one / MANY_STEPS for one in all_s] for all_s in (each.ours_s, each.bare_s)))


def _compare(what: str, program: Callable[[], Any], repeats: int, aim: float) -> list[Comparison]:
    from explorer.worker.runs import in_process

    plain_s, recorded_s, reported_s = [], [], []
    for _ in range(repeats + 1):
        started = time.process_time()
        program()
        plain_s.append(time.process_time() - started)
        started = time.process_time()
        with in_process.recorded() as recording:
            program()
        recorded_s.append(time.process_time() - started)
        in_process.report(what, recording)
        reported_s.append(time.process_time() - started)
    # The first round compiles.
    return [
        Comparison(f"{what}, recorded", recorded_s[1:], plain_s[1:], aim),
        Comparison("        and reported", reported_s[1:], plain_s[1:], aim),
    ]


def training(steps: int = STEPS, width: int = 256) -> Callable[[], Any]:
    """Return a small network's training: a jitted step of matrix products and dropout, called from a Python loop."""
    import jax

    step, weights, batch = _step(width)
    jitted = jax.jit(step)

    def train() -> Any:
        key, current = jax.random.key(0), weights
        for number in range(steps):
            current = jitted(current, batch, jax.random.fold_in(key, number))
        return jax.block_until_ready(current)

    return train


def compiled_anew(program: Callable[[], Any]) -> Callable[[], Any]:
    import jax

    def run() -> Any:
        jax.clear_caches()
        return program()

    return run


def _scan() -> Callable[[], Any]:
    import jax

    step, weights, batch = _step()

    @jax.jit
    def train(current: Any, keys: Any) -> Any:
        return jax.lax.scan(lambda carry, key: (step(carry, batch, key), None), current, keys)[0]

    return lambda: jax.block_until_ready(train(weights, jax.random.split(jax.random.key(0), STEPS)))


def _chain() -> Callable[[], Any]:
    import jax

    @jax.jit
    def train(key: Any) -> Any:
        def step(key: Any, _: None) -> Any:
            key, now = jax.random.split(key)
            return key, jax.vmap(jax.random.normal)(jax.random.split(now, 100)).mean()

        return jax.lax.scan(step, jax.random.split(key)[0], None, CHAIN)[1], jax.random.normal(key)

    return lambda: jax.block_until_ready(train(jax.random.key(0)))


def _step(width: int = 256) -> tuple[Callable[[Any, Any, Any], Any], Any, Any]:
    """Return one step of gradient descent with its first weights and its batch: 3 layers, half as many examples."""
    import jax
    import jax.numpy as jnp

    def loss(weights: Any, batch: Any, key: Any) -> Any:
        for layer, subkey in zip(weights, jax.random.split(key, len(weights)), strict=True):
            batch = jax.nn.relu(batch @ layer)
            batch = jnp.where(jax.random.bernoulli(subkey, 0.9, batch.shape), batch / 0.9, 0.0)
        return jnp.mean(batch**2)

    def step(weights: Any, batch: Any, key: Any) -> Any:
        slopes = jax.grad(loss)(weights, batch, key)
        return [layer - 0.01 * slope for layer, slope in zip(weights, slopes, strict=True)]

    weights = [jnp.eye(width)] * 3
    return step, weights, jnp.ones((width // 2, width))


def _next_to_nothing(calls: int) -> Callable[[], Any]:
    """Return a Python loop that calls a jitted function of few microseconds: the worst that a program can do."""
    import jax

    @jax.jit
    def step(key: Any) -> tuple[Any, Any]:
        key, subkey = jax.random.split(key)
        return key, jax.random.normal(subkey, (10,))

    def run() -> Any:
        key = jax.random.key(0)
        for _ in range(calls):
            key, drawn = step(key)
        return jax.block_until_ready(drawn)

    return run


def _without_keys(calls: int) -> Callable[[], Any]:
    """Return a Python loop that calls a short jitted function without keys."""
    import jax
    import jax.numpy as jnp

    @jax.jit
    def step(values: Any) -> Any:
        return values + 1.0

    def run() -> Any:
        values = jnp.ones(3)
        for _ in range(calls):
            values = step(values)
        return jax.block_until_ready(values)

    return run


def _with_number(calls: int) -> Callable[[], Any]:
    """Return a Python loop that calls a short jitted function, whose second output is a curve."""
    import jax
    import jax.numpy as jnp

    @jax.jit
    def step(values: Any) -> tuple[Any, Any]:
        return values + 1.0, values.sum()

    def run() -> Any:
        values = jnp.ones(3)
        for _ in range(calls):
            values, _total = step(values)
        return jax.block_until_ready(values)

    return run


def _eager() -> Callable[[], Any]:
    import jax

    def draw() -> Any:
        key = jax.random.key(0)
        for _ in range(DRAWS):
            key, subkey = jax.random.split(key)
            drawn = jax.random.normal(subkey, (100,))
        return jax.block_until_ready(drawn)

    return draw


def _batch() -> Callable[[], Any]:
    import jax

    def draw() -> Any:
        keys = jax.random.split(jax.random.key(0), KEYS)
        return jax.block_until_ready(jax.vmap(lambda key: jax.random.normal(key, (10,)))(keys))

    return draw
