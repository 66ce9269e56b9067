"""Detection of programs for several devices."""

from __future__ import annotations

from typing import Any

from jax.sharding import Sharding

from explorer.worker.internals.jaxprs import anywhere

_SHARDINGS = ("in_shardings", "out_shardings", "sharding", "devices")
"""Parameters that hold shardings: of jit, with_sharding_constraint and device_put."""


def _count(parameters: dict[str, Any]) -> int:
    """Return the largest number of devices in any parameter of an equation."""
    counts = [getattr(parameters.get("mesh"), "size", 1), parameters.get("global_axis_size") or 1]
    for name in _SHARDINGS:
        value = parameters.get(name)
        counts += [_devices(each) for each in (value if isinstance(value, tuple | list) else (value,))]
    return max(each for each in counts if isinstance(each, int))


def _devices(sharding: Any) -> int:
    return sharding.num_devices if isinstance(sharding, Sharding) else 1


is_spread = anywhere(lambda equation: _count(equation.params) > 1)
"""Whether any equation of a jaxpr uses more than one device."""
