"""Arrays that the program may still be computing, fetched such that waiting for them can be interrupted."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Any

import jax
import numpy as np
import numpy.typing as npt

_LONGEST_NAP_S = 0.01


class Lost(Exception):
    """An array will not come: the program that should have made it has failed."""


class Gone(Lost):
    """An array was there, and the program has deleted it or given it away."""


def fetched(array: Any, deadline: float | None = None) -> npt.NDArray[Any]:
    """Return `array` as NumPy's. Raises Lost where its computation failed, or has not ended by `deadline`; and Gone.

    A deadline is a time of ``time.monotonic()``; without one it waits for ever. NumPy alone would wait past any
    interrupt; and for ever, where a computation lacked the memory for another of its outputs.
    """
    if hasattr(array, "is_ready"):
        # Of a deleted array JAX must not be asked whether it is ready: it may crash.
        if array.is_deleted():
            raise Gone
        nap_s = 1e-5
        while not array.is_ready():
            if deadline is not None and time.monotonic() > deadline:
                raise Lost
            time.sleep(nap_s)
            nap_s = min(2 * nap_s, _LONGEST_NAP_S)
        try:
            array.block_until_ready()
        except jax.errors.JaxRuntimeError as error:
            raise Lost from error
    return np.asarray(array)


def all_fetched(arrays: Iterable[tuple[str, Any]], deadline: float | None = None) -> dict[str, npt.NDArray[Any]]:
    """Return `arrays`, which are pairs of name and array, as NumPy's by name. Raises Lost."""
    return {name: fetched(array, deadline) for name, array in arrays}
