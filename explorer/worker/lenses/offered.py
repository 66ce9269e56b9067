"""Which lenses have something to say about a variant that has run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from explorer.messages import LensName


def offered(outputs: Any, taken: Mapping[str, Any]) -> tuple[LensName, ...]:
    """Return the lenses for a variant that was called with `taken` and has returned `outputs`, both plain trees."""
    return ("gradient",) if _has_floats(outputs) and _has_floats(dict(taken)) else ()


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
