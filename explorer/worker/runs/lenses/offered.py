"""Which lenses have something to say about a variant that has run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from explorer.messages import LensName, Program
from explorer.worker.code.trees import leaves
from explorer.worker.recording import abilities
from explorer.worker.runs.lenses.devices.pieces import is_spread

_SPREADING = ("NamedSharding", "shard_map", "pmap", "PmapSharding", "set_mesh", "PositionalSharding")
"""What code names that puts arrays on several devices."""


def offered(
    program: Program | None, outputs: Any, taken: Mapping[str, Any], *, jits: bool = False, spreads: bool = False
) -> tuple[LensName, ...]:
    """Return the lenses for a variant that is `program` and gave `outputs` for `taken`, both plain trees.

    `jits` says that the code may call jitted functions, `spreads` that it may put arrays on several devices: of a
    program that cannot be traced as a whole nothing else would tell.
    """
    found: dict[LensName, bool] = {
        "vmap": program is not None and program.mapped,
        "gradient": _has_floats(outputs) and _has_floats(dict(taken)),
        "calls": jits,
        "devices": _has_several_devices(program, leaves((outputs, dict(taken))), spreads),
    }
    return tuple(name for name, has_to_say in found.items() if has_to_say and not _is_off(name))


def _is_off(name: LensName) -> bool:
    needed: dict[LensName, abilities.Ability] = {"vmap": "vmap", "gradient": "gradient", "calls": "traces"}
    return name in needed and abilities.is_off(needed[name])


def may_spread(source: str) -> bool:
    """Return whether code may put arrays on several devices, as far as its words and the devices here tell."""
    return any(word in source for word in _SPREADING) and jax.device_count() > 1


def _has_several_devices(program: Program | None, arrays: Sequence[Any], spreads: bool) -> bool:
    if any(map(is_spread, arrays)) or (program is not None and program.spread):
        return True
    unknown = program is not None and program.failure is not None
    return spreads and unknown and any(isinstance(each, jax.Array | np.ndarray) for each in arrays)


def _has_floats(tree: Any) -> bool:
    try:
        leaves = jax.tree.leaves(tree)
    except (TypeError, ValueError):  # a dict whose keys cannot be sorted
        return False
    return any(_is_float(each) for each in leaves)


def _is_float(leaf: Any) -> bool:
    dtype = getattr(leaf, "dtype", None)
    if dtype is None:
        return type(leaf) is float
    return isinstance(dtype, np.dtype) and jnp.issubdtype(dtype, np.inexact)
