"""Which lenses have something to say about a variant that has run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from explorer.messages import LensName, Program
from explorer.worker.code.trees import leaves
from explorer.worker.runs.lenses.devices.pieces import is_spread


def offered(
    program: Program | None, outputs: Any, taken: Mapping[str, Any], *, jits: bool = False
) -> tuple[LensName, ...]:
    """Return the lenses for a variant that is `program` and gave `outputs` for `taken`, both plain trees.

    `jits` says that the code may call jitted functions.
    """
    found: dict[LensName, bool] = {
        "vmap": program is not None and program.mapped,
        "gradient": _has_floats(outputs) and _has_floats(dict(taken)),
        "calls": jits,
        "devices": (program is not None and program.spread) or any(map(is_spread, leaves((outputs, dict(taken))))),
    }
    return tuple(name for name, has_to_say in found.items() if has_to_say)


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
