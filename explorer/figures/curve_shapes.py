"""The shape of a curve over iterations, for every picture of it: its range, its heights and its stretches."""

from __future__ import annotations

from typing import Any

from explorer.messages import Curve, Iterations
from explorer.messages.late_numpy import np


def curve_range(curve: Curve) -> tuple[float, float]:
    """Return the least and the greatest finite value of a curve; (0, 0) where there is none."""
    low, high = curve.least.numpy(), curve.most.numpy()
    some = np.isfinite(low) & np.isfinite(high)
    return (float(low[some].min()), float(high[some].max())) if some.any() else (0.0, 0.0)


def height_share(value: Any, low: float, high: float) -> Any:
    """Return the place of a value, or of each of an array of them, between `low` (0) and `high` (1)."""
    # Halves: the range of two finite numbers may be infinite.
    spread = high / 2 - low / 2
    return (value / 2 - low / 2) / spread if spread else value * 0 + 0.5


def width_share(iterations: Iterations, iteration: Any) -> Any:
    """Return the place of the middle of an iteration, or of each of an array of them, between 0 and 1."""
    return (iteration + 0.5) / max(1, iterations.length)


def stretches(holds: Any) -> list[Any]:
    """Return the indices of each unbroken run of true entries."""
    places = np.flatnonzero(holds)
    return [each for each in np.split(places, np.flatnonzero(np.diff(places) > 1) + 1) if len(each)]
