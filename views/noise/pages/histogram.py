"""How often values occur: in all rows together, and in each of a few rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from views.noise.arrays.heat_colours import Scale

Matrix = npt.NDArray[Any]
Shares = npt.NDArray[np.float64]

MOST_VALUES = 2**21
"""Of larger arrays the first rows are counted, so that the window waits no longer than a blink."""
MOST_ROWS = 24
"""More rows than this would hide each other."""
FEWEST_BINS, MOST_BINS = 8, 60


@dataclass(frozen=True)
class Histogram:
    """Shares of values, bin by bin."""

    rows: int
    """How many rows were counted."""
    edges: npt.NDArray[np.float64]
    """[bins + 1]"""
    counts: npt.NDArray[np.int64]
    """[bins]: of all rows together."""
    total: int
    """How many values are finite."""
    beyond: int
    """How many of these lie outside of the bins."""
    mean: float
    deviation: float
    row_low: float
    row_high: float
    """Least and greatest mean of a row."""

    def shares(self, counts: npt.NDArray[np.int64]) -> Shares:
        """Return `counts` as shares of their sum."""
        return counts / max(1, int(counts.sum()))

    def of_row(self, row: Matrix) -> npt.NDArray[np.int64]:
        """Return int[bins]: how often values of `row` occur in each bin."""
        return counts_of(row, self.edges)


def edges_for(scale: Scale, dtype: np.dtype[Any], values: int) -> npt.NDArray[np.float64]:
    """Return the edges of bins over `scale`: one for each whole number where there are few, else even ones."""
    if scale.kind == "two-valued":
        return np.array([-0.5, 0.5, 1.5])
    if dtype.kind in "iu" and scale.high - scale.low < MOST_BINS:
        return np.arange(np.floor(scale.low), np.ceil(scale.high) + 2) - 0.5
    bins = int(np.clip(2 * np.cbrt(values), FEWEST_BINS, MOST_BINS)) // 2 * 2
    # Step by step from zero, so that the largest numbers do not overflow.
    return scale.low * np.linspace(1.0, 0.0, bins + 1) + scale.high * np.linspace(0.0, 1.0, bins + 1)


def counts_of(values: Matrix, edges: npt.NDArray[np.float64]) -> npt.NDArray[np.int64]:
    """Return int[bins]: how often the finite of `values` occur in even bins; the last one holds its upper edge too."""
    flat = values.reshape(-1).astype(np.float64)
    flat = flat[(flat >= edges[0]) & (flat <= edges[-1])]
    shares = Scale("diverging", float(edges[0]), float(edges[-1])).share(flat)
    bins = len(edges) - 1
    return np.bincount(np.minimum((shares * bins).astype(np.intp), bins - 1), minlength=bins)


def histogram_of(rows: Matrix, scale: Scale) -> Histogram:
    """Return the histogram of `rows` [n, values] over `scale`, n * values > 0; of large arrays, of their first rows."""
    rows = rows[: max(1, MOST_VALUES // rows.shape[1])]
    edges = edges_for(scale, rows.dtype, rows.size)
    counts = counts_of(rows, edges)
    wide = rows.astype(np.float64)
    finite = np.isfinite(wide)
    total = int(np.count_nonzero(finite))
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        sums = np.where(finite, wide, 0.0).sum(axis=1)
        means = sums / finite.sum(axis=1)
        means = means[np.isfinite(means)]
        deviation = float(np.std(wide[finite])) if total else float("nan")
    low, high = (float(means.min()), float(means.max())) if len(means) else (float("nan"), float("nan"))
    mean = float(sums.sum() / total) if total else float("nan")
    return Histogram(len(rows), edges, counts, total, total - int(counts.sum()), mean, deviation, low, high)


def rows_drawn(rows: int, chosen: Sequence[int]) -> list[int]:
    """Return which rows get a curve of their own: `chosen`, or else the first ones."""
    return list(chosen) if chosen else list(range(min(rows, MOST_ROWS)))
