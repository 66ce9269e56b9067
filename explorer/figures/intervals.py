"""The bootstrap confidence interval of a median."""

from __future__ import annotations

from typing import TYPE_CHECKING

from explorer.messages.lazy_numpy import np

if TYPE_CHECKING:
    import numpy.typing as npt

LEAST = 6
"""With fewer values there is no 95 % interval of a median: 2 * 0.5**5 is above 0.05."""
RESAMPLES = 1000


def median_interval(values: npt.NDArray[np.float64]) -> tuple[float, float] | None:
    """Return the percentile-bootstrap 95 % interval of the median of `values`, float64[n]; None below LEAST values.

    Method: Efron and Tibshirani, An Introduction to the Bootstrap (1993), chapter 13. It is deterministic: equal values
    give equal intervals.
    """
    if len(values) < LEAST:
        return None
    picks = np.random.default_rng(0).integers(0, len(values), (RESAMPLES, len(values)))
    low, high = np.percentile(np.median(values[picks], axis=1), (2.5, 97.5))
    return float(low), float(high)
