"""What it costs to run a program under the key recorder: the program recorded against the program alone."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from benchmarks.compare import Comparison

STEPS = 200
DRAWS = 200
KEYS = 100_000


def compare(rounds: int) -> list[Comparison]:
    """Return, for each program, the recorded run and the recorded run with its report, against the plain run."""
    steps = training()
    programs = {
        f"{STEPS} jitted training steps with dropout": (steps, 1.5),
        "    the same compiled anew": (compiled_anew(steps), 2.0),
        f"{STEPS} training steps in one scan": (_scan(), 1.5),
        f"{STEPS} jitted steps that do next to nothing": (_next_to_nothing(), 15.0),
        f"{DRAWS} eager splits and draws": (_eager(), 5.0),
        f"a vmapped draw with {KEYS:,} keys of a split": (_batch(), 1.5),
    }
    return [
        comparison for what, (program, aim) in programs.items() for comparison in _compare(what, program, rounds, aim)
    ]


def _compare(what: str, program: Callable[[], Any], rounds: int, aim: float) -> list[Comparison]:
    from explorer.worker.runs import in_process

    plain_s, recorded_s, reported_s = [], [], []
    for _ in range(rounds + 1):
        started = time.perf_counter()
        program()
        plain_s.append(time.perf_counter() - started)
        started = time.perf_counter()
        with in_process.recorded() as recording:
            program()
        recorded_s.append(time.perf_counter() - started)
        in_process.report(what, recording)
        reported_s.append(time.perf_counter() - started)
    # The first round compiles.
    return [
        Comparison(f"{what}, recorded", recorded_s[1:], plain_s[1:], aim),
        Comparison("        and reported", reported_s[1:], plain_s[1:], aim),
    ]


def training() -> Callable[[], Any]:
    """Return a small network's training: a jitted step of matrix products and dropout, called from a Python loop."""
    import jax

    step, weights, batch = _step()
    jitted = jax.jit(step)

    def train() -> Any:
        key, current = jax.random.key(0), weights
        for number in range(STEPS):
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


def _step() -> tuple[Callable[[Any, Any, Any], Any], Any, Any]:
    """Return one step of gradient descent with its first weights and its batch: 3 layers of 256, 128 examples."""
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

    weights = [jnp.eye(256)] * 3
    return step, weights, jnp.ones((128, 256))


def _next_to_nothing() -> Callable[[], Any]:
    """Return a Python loop that calls a jitted function of few microseconds: the worst that a program can do."""
    import jax

    @jax.jit
    def step(key: Any) -> tuple[Any, Any]:
        key, subkey = jax.random.split(key)
        return key, jax.random.normal(subkey, (10,))

    def run() -> Any:
        key = jax.random.key(0)
        for _ in range(STEPS):
            key, drawn = step(key)
        return jax.block_until_ready(drawn)

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
