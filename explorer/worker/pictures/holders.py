"""Which devices hold which examples of an array that lies on several."""

from __future__ import annotations

from typing import Any

import jax

from explorer.messages import ShardRange

MOST = 64
"""Pieces along the examples that are reported; no one reads more."""


def holders(array: Any, axis: int) -> tuple[ShardRange, ...]:
    """Return the pieces of `array` along `axis`, each with who holds it; () where all is on the same devices.

    A jax.Array may be of any number of axes; of another array, and for no axis (-1), nothing is reported.
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
