"""Waits for a call's results at little cost; measures an empty call, transfers, and when a call returns.

JAX returns before it has computed: https://docs.jax.dev/en/latest/async_dispatch.html.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from explorer.worker.timing.sampling import Instruments, Track, calibrate, sample

PROBES = 15
"""Calls that measure the time until a call returns."""
TRANSFERS = 5


def wait_function() -> Callable[[Any], object]:
    """Return a function that waits for all arrays of its argument. JAX must be initialised.

    jax.block_until_ready flattens its argument as a pytree: about 1 microsecond, and more than twice that for a single
    array, which is 2 % of a call of 50 microseconds. A single array, or None, takes a short cut.
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
    """Return the minimum seconds of a call of an empty jitted function, float32[] to float32[], on `device`.

    The minimum, not the median: no jitted call can be faster, whatever the load of the machine.
    """
    number = jax.device_put(np.float32(0), device)
    empty = jax.jit(lambda x: x)
    track = Track(lambda: empty(number))
    instruments.wait(track.call())
    calibrate(track, instruments)
    sample([track], 0.1, instruments)
    return min(track.samples)


def probe_transfers(
    call: Callable[[], Any], arguments: Any, budget_s: float, instruments: Instruments
) -> tuple[float | None, float | None]:
    """Return the median seconds to copy the arrays in `arguments` to their devices, and those of a result back.

    None where there are no arrays. It makes at least one call, and none after `budget_s` seconds.
    """
    wait, clock = instruments.wait, instruments.clock
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
        # An array caches its host copy, so each result is copied once.
        results = _numbers(call())
        wait(results)
        start = clock()
        jax.device_get(results)
        brought.append(clock() - start)
        if clock() - begun >= budget_s:
            break
    return (float(np.median(taken)) if there else None), (float(np.median(brought)) if results else None)


def _numbers(tree: Any) -> list[jax.Array]:
    """Return the arrays in `tree` that NumPy can hold, without keys."""
    arrays = [leaf for leaf in jax.tree.leaves(tree) if isinstance(leaf, jax.Array)]
    return [each for each in arrays if not jnp.issubdtype(each.dtype, jax.dtypes.extended)]


def are_ready(outputs: Any) -> bool:
    """Return whether every array in `outputs` is ready."""
    leaves = [leaf for leaf in jax.tree.leaves(outputs) if hasattr(leaf, "is_ready")]
    return all(leaf.is_ready() for leaf in leaves)


def probe_returns(call: Callable[[], Any], budget_s: float, instruments: Instruments) -> tuple[float, bool]:
    """Return the median seconds until a warm `call` returns, and whether most outputs are ready by then.

    Each output is waited for before the next call, outside of the clock. It makes at least one call, and none after
    `budget_s` seconds. The CPU hands larger calls to another thread: https://github.com/openxla/xla/issues/18608.
    """
    wait, clock = instruments.wait, instruments.clock
    returned: list[float] = []
    ready = 0
    begun = clock()
    for _ in range(PROBES):
        start = clock()
        outputs = call()
        returned.append(clock() - start)
        ready += are_ready(outputs)
        wait(outputs)
        if clock() - begun >= budget_s:
            break
    return float(np.median(returned)), 2 * ready > len(returned)
