"""Fetches pending arrays such that the wait can be interrupted; arrays that failed, were deleted or come too late.

Arrays are pending because of https://docs.jax.dev/en/latest/async_dispatch.html.
"""

from __future__ import annotations

import time
from typing import Any

import jax
import numpy as np
import numpy.typing as npt

_LONGEST_NAP_S = 0.01


class FailedArray(Exception):
    """An array that will not arrive: the program that should compute it failed."""


class DeletedArray(FailedArray):
    """An array that the program deleted or donated."""


class PendingArray(FailedArray):
    """An array that is still being computed."""


def fetched(array: Any, deadline: float | None = None) -> npt.NDArray[Any]:
    """Return `array` as a NumPy array.

    Raises DeletedArray, PendingArray if it is not ready by `deadline`, or FailedArray if its computation failed.
    A deadline is a time of ``time.monotonic()``; without one, the wait is unlimited. NumPy alone could not be
    interrupted, and would wait forever for a computation that ran out of memory for another output.
    """
    if hasattr(array, "is_ready"):
        # is_ready of a deleted array may crash.
        if array.is_deleted():
            raise DeletedArray
        nap_s = 1e-5
        while not array.is_ready():
            if deadline is not None and time.monotonic() > deadline:
                raise PendingArray
            time.sleep(nap_s)
            nap_s = min(2 * nap_s, _LONGEST_NAP_S)
        try:
            array.block_until_ready()
        except jax.errors.JaxRuntimeError as error:
            raise FailedArray from error
    return np.asarray(array)
