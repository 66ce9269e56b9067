"""Statistics of one point's samples beyond the median: stragglers and the precision of the median."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from explorer.figures.curves import is_unstable
from explorer.messages import Measurement

STRAGGLER = 1.5
"""A sample above this multiple of the median was disturbed."""


@dataclass(frozen=True)
class Samples:
    """The samples of one point, in the order of measurement."""

    seconds: npt.NDArray[np.float64]
    repeats: npt.NDArray[np.int32]
    median_s: float
    precision: float | None
    """Half-width of the 95 % interval relative to the median; None without an interval."""
    stragglers: int
    stable: bool

    @staticmethod
    def of(point: Measurement) -> Samples | None:
        """Return the samples of `point`, or None without any."""
        if not (point.samples_s and point.repeats and point.median_s):
            return None
        seconds, median_s = point.samples_s.numpy(), point.median_s
        known = point.low_s is not None and point.high_s is not None
        return Samples(
            seconds,
            point.repeats.numpy(),
            median_s,
            ((point.high_s or 0.0) - (point.low_s or 0.0)) / 2 / median_s if known else None,
            int((seconds > STRAGGLER * median_s).sum()),
            not is_unstable(point),
        )

    def histogram(self, bins: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
        """Return the counts, int64[bins], and the edges in seconds, float64[bins + 1], without stragglers."""
        most = self.seconds[self.seconds <= STRAGGLER * self.median_s]
        counts, edges = np.histogram(most, bins=bins)
        return counts, edges
