"""Waiting for a call's results, at a cost that is negligible next to the call's own.

JAX returns before it has computed: https://docs.jax.dev/en/latest/async_dispatch.html.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from explorer.worker.timing.sampling import Instruments, Track, calibrate, sample

PROBES = 15
"""Calls that show how soon a call returns."""
TRANSFERS = 5


def wait_function() -> Callable[[Any], object]:
    """Return a function that waits for all of its argument's arrays, on a JAX that has started.

    jax.block_until_ready goes through the argument as a tree, which costs about a microsecond and more than doubles
    when the tree is one array: 2 % of a call of 50 microseconds. What is one array, or nothing, needs no tree.
    """
    array: Any = type(jax.device_put(0.0))
    wait_for_one: Callable[[Any], object] = array.block_until_ready
    wait_for_tree: Callable[[Any], object] = jax.block_until_ready

    def wait(outputs: Any) -> None:
        if type(outputs) is array:
            wait_for_one(outputs)
        elif outputs is not None:
            wait_for_tree(outputs)

    return wait


def floor(device: jax.Device, instruments: Instruments) -> float:
    """Return the least seconds of a call of an empty jitted function, one number in and out, on `device`.

    The least, not the median: nothing that jit made can be quicker, whatever else the machine did meanwhile.
    """
    number = jax.device_put(np.float32(0), device)
    empty = jax.jit(lambda x: x)
    track = Track(lambda: empty(number))
    instruments.wait(track.call())
    calibrate(track, instruments)
    sample([track], 0.1, instruments)
    return min(track.samples)


def probe_transfers(
    call: Callable[[], Any],
    arguments: Any,
    budget_s: float,
    wait: Callable[[Any], object],
    clock: Callable[[], float] = time.perf_counter,
) -> tuple[float | None, float | None]:
    """Return the median seconds that the arrays in `arguments` take to their devices, and those of a result back.

    None for arrays that there are none of. It takes one call at least, and no further one after `budget_s` seconds.
    """
    there = _numbers(arguments)
    here = jax.device_get(there)
    placements = [array.sharding for array in there]
    taken: list[float] = []
    brought: list[float] = []
    begun = clock()
    for _ in range(TRANSFERS):
        start = clock()
        wait(jax.device_put(here, placements))
        taken.append(clock() - start)
        # An array remembers what it was on the host, so each result is brought once.
        results = _numbers(call())
        wait(results)
        start = clock()
        jax.device_get(results)
        brought.append(clock() - start)
        if not 0 <= clock() - begun < budget_s:
            break
    return (float(np.median(taken)) if there else None), (float(np.median(brought)) if results else None)


def _numbers(tree: Any) -> list[jax.Array]:
    """Return the arrays in `tree` that NumPy can hold: no keys."""
    arrays = [leaf for leaf in jax.tree.leaves(tree) if isinstance(leaf, jax.Array)]
    return [each for each in arrays if not jnp.issubdtype(each.dtype, jax.dtypes.extended)]


def are_ready(outputs: Any) -> bool:
    """Return whether every array in `outputs` is there already."""
    leaves = [leaf for leaf in jax.tree.leaves(outputs) if hasattr(leaf, "is_ready")]
    return all(leaf.is_ready() for leaf in leaves)


def probe_returns(
    call: Callable[[], Any],
    budget_s: float,
    wait: Callable[[Any], object],
    clock: Callable[[], float] = time.perf_counter,
) -> tuple[float, bool]:
    """Return the median seconds until a warm `call` returns, and whether its outputs are mostly there by then.

    Each output is waited for before the next call, outside the clock. It takes one call at least, and no further one
    after `budget_s` seconds.
    """
    returned: list[float] = []
    ready = 0
    begun = clock()
    for _ in range(PROBES):
        start = clock()
        outputs = call()
        returned.append(clock() - start)
        ready += are_ready(outputs)
        wait(outputs)
        if not 0 <= clock() - begun < budget_s:
            break
    return float(np.median(returned)), 2 * ready > len(returned)
