"""The cost of watching the values of a program, next to the same program without it."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from benchmarks import recorder
from benchmarks.compare import Comparison

STEPS = 200
EQUATIONS = 2000
AIM = 1.5
EAGER_AIM = 3.0
"""Most of it is JAX's own way past all compiled short cuts, which the recorder of keys takes, too."""


def compare(repeats: int) -> list[Comparison]:
    """Return, for each program, the watched run against the plain one; of a scenario, against the recorded one."""
    training = recorder.training()
    programs = {
        f"{STEPS} jitted training steps": training,
        "    compiled anew": recorder.compiled_anew(training),
        f"{STEPS} steps that look things up, in one scan": _lookups(),
        "    the lookups compiled anew": recorder.compiled_anew(_lookups()),
        f"{EQUATIONS:,} equations under jit": _long(),
        "    the equations compiled anew": recorder.compiled_anew(_long()),
    }
    found = [_watched(what, program, repeats, AIM) for what, program in programs.items()]
    eager = _watched(f"an eager loop of {STEPS} rounds", _eager(), repeats, EAGER_AIM)
    return [*found, eager, _of_scenario("one_key_for_the_batch", repeats)]


def _watched(what: str, program: Callable[[], Any], repeats: int, aim: float) -> Comparison:
    from explorer.worker.checks.values import findings, watch
    from explorer.worker.runs import in_process

    def watched() -> None:
        with watch.watched(in_process.own_files()) as log:
            program()
        assert not findings.value_findings(log)

    return _in_turns(what, watched, program, repeats, aim)


def _of_scenario(name: str, repeats: int) -> Comparison:
    """Return the seconds of watching all variants of a scenario, next to recording all their keys."""
    from explorer.library import library
    from explorer.messages import Transforms
    from explorer.scenario import requests
    from explorer.worker.code import calls, transformed, trees, user_code
    from explorer.worker.recording import recorder as keys
    from explorer.worker.runs import observe

    request = requests.analysis(library.open_target(name))

    def load() -> user_code.LoadedProgram:
        return user_code.load(request.source, request.filename, {}, request.named, request.hidden)

    def run(loaded: user_code.LoadedProgram, variant: str) -> Any:
        return trees.waited_for(calls.call(*transformed.prepared(loaded, variant, loaded.inputs(), Transforms())))

    def watched() -> None:
        for variant in request.named:
            observe.checked(loaded, variant, Transforms())[0]

    def recorded() -> None:
        for variant in request.named:
            anew = load()
            keys.record(lambda anew=anew, variant=variant: run(anew, variant))

    loaded = load()
    return _in_turns(f"the scenario {name}, against its recorded run", watched, recorded, repeats, AIM)


def _in_turns(what: str, ours: Callable[[], Any], bare: Callable[[], Any], repeats: int, aim: float) -> Comparison:
    ours_s, bare_s = [], []
    for _ in range(repeats + 1):
        started = time.perf_counter()
        bare()
        bare_s.append(time.perf_counter() - started)
        started = time.perf_counter()
        ours()
        ours_s.append(time.perf_counter() - started)
    # The first round compiles.
    return Comparison(what, ours_s[1:], bare_s[1:], aim)


def _lookups() -> Callable[[], Any]:
    """Return a scan that reads and writes at a computed index in every iteration, next to a matrix product."""
    import jax
    import jax.numpy as jnp

    @jax.jit
    def walk(table: Any, weights: Any) -> Any:
        def step(state: Any, number: Any) -> Any:
            table, row = state
            place = (number * 7) % 64
            row = jnp.tanh(row @ weights + table[place])
            return (table.at[place].set(row), row), row.sum()

        return jax.lax.scan(step, (table, table[0]), jnp.arange(STEPS))

    table, weights = jnp.ones((64, 256)), jnp.eye(256)
    return lambda: jax.block_until_ready(walk(table, weights))


def _eager() -> Callable[[], Any]:
    """Return a Python loop over operations without jit: manual steps of gradient descent."""
    import jax
    import jax.numpy as jnp

    data, target = jnp.ones((256, 256)), jnp.ones(256)

    def run() -> Any:
        weights = jnp.zeros(256)
        for number in range(STEPS):
            error = data @ weights - target
            weights = weights - 1e-4 * (data.T @ error)
            weights = weights.at[number].add(0.1) * jnp.exp(-(weights[number] ** 2))
        return jax.block_until_ready(weights)

    return run


def _long() -> Callable[[], Any]:
    import jax
    import jax.numpy as jnp

    @jax.jit
    def run(x: Any, places: Any) -> Any:
        for number in range(EQUATIONS // 20):
            x = x + x[places[number % 16]] * 0.1
            for _ in range(5):
                x = jnp.sin(x) * 0.5 + 0.1
        return x

    x, places = jnp.ones(1000), jnp.arange(16)
    return lambda: jax.block_until_ready(run(x, places))
