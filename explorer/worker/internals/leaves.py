"""What may be asked for its shape and values: the arrays of JAX and NumPy, and no object that says it is one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np

_module_of = cast(Callable[[type], object], vars(type)["__module__"].__get__)
_classes = cast(Callable[[type], tuple[type, ...]], vars(type)["__mro__"].__get__)
"""As Python itself reads them: a class may answer as it likes."""
_KNOWN = ("jax", "jaxlib", "numpy", "ml_dtypes", "builtins")
_UNKNOWN = object()
"""In the place of what may lie about itself."""


def honest(leaf: Any) -> Any:
    """Return `leaf`, as a plain array where its class derives from one, or something without any attributes.

    An object of the person's may say that it is an array, of any shape, and fail or never return when it is asked.
    """
    kind = type(leaf)
    if str(_module_of(kind)).partition(".")[0] in _KNOWN:
        return leaf
    return np.ndarray.view(leaf, np.ndarray) if np.ndarray in _classes(kind) else _UNKNOWN
