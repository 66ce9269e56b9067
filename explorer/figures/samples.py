"""What the samples of one point say beyond their median: drift, stragglers, how well the median is known."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from explorer.figures.curves import is_unstable
from explorer.messages import Measurement

STRAGGLER = 1.5
"""A sample this many times the median is one that something else disturbed."""
DRIFT = 0.05
LEAST_FOR_DRIFT = 15


@dataclass(frozen=True)
class Samples:
    """The samples of one point, in the order in which they were taken."""

    seconds: npt.NDArray[np.float64]
    rounds: npt.NDArray[np.int32]
    median_s: float
    precision: float | None
    """Half the 95 % interval of the median over the median; None where there is no interval."""
    drift: float
    """By what share of the median the last third of the samples took longer than the first; 0 where that is little."""
    stragglers: int
    stable: bool

    @staticmethod
    def of(point: Measurement) -> Samples | None:
        """Return the samples of `point`, None where there are none."""
        if not (point.samples_s and point.rounds and point.median_s):
            return None
        seconds, median_s = point.samples_s.numpy(), point.median_s
        known = point.low_s is not None and point.high_s is not None
        return Samples(
            seconds,
            point.rounds.numpy(),
            median_s,
            ((point.high_s or 0.0) - (point.low_s or 0.0)) / 2 / median_s if known else None,
            _drift(seconds, median_s),
            int((seconds > STRAGGLER * median_s).sum()),
            not is_unstable(point),
        )

    def histogram(self, bins: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
        """Return how many samples there are in each of `bins` and their edges in seconds, stragglers left out."""
        most = self.seconds[self.seconds <= STRAGGLER * self.median_s]
        counts, edges = np.histogram(most, bins=bins)
        return counts, edges


def _drift(seconds: npt.NDArray[np.float64], median_s: float) -> float:
    """Return the drift where it is more than the scatter of the thirds' medians could make."""
    if len(seconds) < LEAST_FOR_DRIFT:
        return 0.0
    third = len(seconds) // 3
    first, last = seconds[:third], seconds[-third:]
    change = float(np.median(last) - np.median(first))
    q1, q3 = np.percentile(seconds, (25, 75))
    scatter = float(q3 - q1) / np.sqrt(third)
    return change / median_s if abs(change) > max(DRIFT * median_s, 2 * scatter) else 0.0
