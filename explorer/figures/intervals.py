"""The bootstrap confidence interval of a median; a share in percent with its interval, or with its bounds."""

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


def share_text(share: float, low: float | None, high: float | None) -> str:
    """Return a share with half of its interval from `low` to `high`, in percent: ``62 % ± 3``."""
    text = f"{_number(share)} %"
    # The wider side, so that the interval is inside.
    return text if low is None or high is None else f"{text} ± {_number(max(high - share, share - low))}"


def between_text(least: float, most: float) -> str:
    """Return a share of which only its bounds may be known, in percent: ``41 %``, ``≤30 %`` or ``10–40 %``."""
    low, high = _number(least), _number(most)
    if low == high:
        return f"{high} %"
    return f"{low}\N{EN DASH}{high} %" if least >= 0.005 else f"\N{LESS-THAN OR EQUAL TO}{high} %"


def _number(share: float) -> str:
    percent = 100 * share
    if percent >= 1:
        return f"{percent:.0f}"
    return f"{percent:.1f}" if percent >= 0.1 else "<0.1"
