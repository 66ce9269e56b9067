"""An array as shards, read from its sharding: no value is accessed."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import jax

from explorer.messages.lenses.devices import Piece, ShardedArray

Role = Literal["input", "inside", "output"]
Bounds = tuple[tuple[int, int], ...]


def sharded(array: Any, name: str, role: Role) -> ShardedArray:
    """Return the shards of `array`, of JAX or NumPy. Raises ValueError for unequal shards."""
    if not isinstance(array, jax.Array):
        return ShardedArray(name, type_text(array), role, "")
    return laid_out(array, array.sharding, name, role)


def laid_out(array: Any, sharding: jax.sharding.Sharding, name: str, role: Role) -> ShardedArray:
    """Return the shards of an array with the shape and dtype of `array` under `sharding`."""
    cut, found = pieces(array.shape, sharding.addressable_devices_indices_map(array.shape), item_bytes(array))
    return ShardedArray(name, type_text(array), role, str(sharding), cut, found)


def pieces(
    shape: Sequence[int], indices: Mapping[Any, Sequence[slice] | None], itemsize: int
) -> tuple[tuple[int, ...], tuple[Piece, ...]]:
    """Return the number of parts along each axis of an array of `shape`, and each device's shard.

    `indices` has the slices of each device, None for the whole array, as in a sharding's ``devices_indices_map``;
    `itemsize` is in bytes per element.
    """
    bounds_by_device = {device: _bounds(shape, index) for device, index in indices.items()}
    holders = Counter(bounds_by_device.values())
    starts = [sorted({each[axis] for each in bounds_by_device.values()}) for axis in range(len(shape))]
    found = [
        Piece(
            device.id,
            index_text(shape, bounds),
            tuple(starts[axis].index(each) for axis, each in enumerate(bounds)),
            math.prod(stop - start for start, stop in bounds) * itemsize,
            holders[bounds] > 1,
        )
        for device, bounds in bounds_by_device.items()
    ]
    return tuple(map(len, starts)), tuple(found)


def _bounds(shape: Sequence[int], index: Sequence[slice] | None) -> Bounds:
    whole = index if index is not None else (slice(None),) * len(shape)
    return tuple(each.indices(size)[:2] for each, size in zip(whole, shape, strict=True))


def index_text(shape: Sequence[int], bounds: Bounds) -> str:
    """Return a range of an array in Python's notation, ``[0:4, :]``; ``[]`` for a scalar."""
    written = (
        ":" if (start, stop) == (0, size) else f"{start}:{stop}"
        for (start, stop), size in zip(bounds, shape, strict=True)
    )
    return f"[{', '.join(written)}]"


def item_bytes(array: Any) -> int:
    """Return the bytes of one element; for a key, those of its key data."""
    return int(getattr(array.dtype, "itemsize", 0))


def type_text(array: Any) -> str:
    """Return the type of `array` in JAX's notation: ``f32[8,4]``."""
    plain: Any = jax.core.ShapedArray(array.shape, array.dtype)
    return str(plain.str_short(short_dtypes=True))


def is_spread(leaf: Any) -> bool:
    """Return whether `leaf` is an array on more than one device."""
    return isinstance(leaf, jax.Array) and not isinstance(leaf, jax.core.Tracer) and len(leaf.sharding.device_set) > 1
