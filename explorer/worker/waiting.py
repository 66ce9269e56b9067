"""Waiting for what a call gives, at a cost that can be neglected beside the call's own."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import jax
import numpy as np

from explorer.worker.sampling import Instruments, Track, calibrate, sample, spread

PROBES = 15
"""Calls from which it is told how soon a call returns."""


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
    """Return the median seconds of a call of an empty jitted function, one number in and out, on `device`."""
    number = jax.device_put(np.float32(0), device)
    empty = jax.jit(lambda x: x)
    track = Track(lambda: empty(number))
    instruments.wait(track.call())
    calibrate(track, instruments)
    sample([track], 0.1, instruments)
    return spread(track.samples).median


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
