"""The devices that hold the examples of a sharded array."""

from __future__ import annotations

from typing import Any

import jax

from explorer.messages import ShardRange

MOST = 64
"""Largest number of shards that are reported."""


def holders(array: Any, axis: int) -> tuple[ShardRange, ...]:
    """Return the shards of `array` along `axis`, with their devices; () for a single shard along it.

    Also () for anything but a jax.Array, and for `axis` -1.
    """
    if not isinstance(array, jax.Array) or isinstance(array, jax.core.Tracer) or not 0 <= axis < array.ndim:
        return ()
    if len(array.sharding.device_set) == 1:
        return ()
    found: dict[tuple[int, int], list[str]] = {}
    places: dict[Any, Any] = dict(array.sharding.devices_indices_map(array.shape))
    for device, index in places.items():
        start, stop, _ = index[axis].indices(array.shape[axis])
        found.setdefault((start, stop), []).append(f"{device.platform}:{device.id}")
    if not 1 < len(found) <= MOST:
        return ()
    return tuple(ShardRange(start, stop, ", ".join(devices)) for (start, stop), devices in sorted(found.items()))
