"""Whether a traced program is for more than one device."""

from __future__ import annotations

from typing import Any

from jax.extend.core import Jaxpr, jaxprs_in_params
from jax.sharding import Sharding

_SHARDINGS = ("in_shardings", "out_shardings", "sharding", "devices")
"""Parameters that hold shardings: of jit, of with_sharding_constraint, of device_put."""


def is_spread(jaxpr: Jaxpr) -> bool:
    """Return whether any equation of `jaxpr`, however deep, puts something on more than one device."""
    return any(
        _count(equation.params) > 1 or any(map(is_spread, jaxprs_in_params(equation.params))) for equation in jaxpr.eqns
    )


def _count(parameters: dict[str, Any]) -> int:
    """Return the most devices that any parameter of an equation names."""
    counts = [getattr(parameters.get("mesh"), "size", 1), parameters.get("global_axis_size") or 1]
    for name in _SHARDINGS:
        told = parameters.get(name)
        counts += [_devices(each) for each in (told if isinstance(told, tuple | list) else (told,))]
    return max(each for each in counts if isinstance(each, int))


def _devices(sharding: Any) -> int:
    return sharding.num_devices if isinstance(sharding, Sharding) else 1
