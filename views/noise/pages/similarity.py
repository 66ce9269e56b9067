"""How alike the rows of a matrix are, each with each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Matrix = npt.NDArray[Any]

MOST_ROWS = 512
MOST_PRODUCTS = 2**29
"""Of long rows fewer are compared, so that the window waits no longer than a blink."""
FEWEST_VALUES = 3
"""Two values always correlate fully."""


@dataclass(frozen=True)
class Similarity:
    """The correlation of each row with each."""

    matrix: npt.NDArray[np.float32]
    """[rows, rows]: NaN for rows that hold one value only, or values that are not finite."""
    values: int
    """How many values each row has."""
    mean: float
    low: float
    high: float
    """Of the correlations of different rows; NaN where there is none."""

    @property
    def chance(self) -> float:
        """Within plus and minus this, 95 % of the correlations of independent rows lie."""
        return float(1.96 / np.sqrt(self.values))


def rows_compared(rows: int, values: int) -> int:
    """Return how many of so many rows, each of so many values, are compared."""
    return max(2, min(rows, MOST_ROWS, int(np.sqrt(MOST_PRODUCTS / max(1, values)))))


def similarity_of(rows: Matrix) -> Similarity:
    """Return the correlations of the first of `rows` [n, values] with each other."""
    values = rows.shape[1]
    first = rows[: rows_compared(len(rows), values)].astype(np.float64)
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        # To the size of 1, so that the largest numbers do not overflow when they are squared.
        first /= np.maximum(np.abs(first).max(axis=1, keepdims=True), np.finfo(np.float64).tiny)
        constant = np.ptp(first, axis=1) == 0
        first -= first.mean(axis=1, keepdims=True)
        first /= np.linalg.norm(first, axis=1, keepdims=True)
        first[constant] = np.nan
        matrix = np.clip(first @ first.T, -1.0, 1.0).astype(np.float32)
    others = matrix[np.triu_indices(len(matrix), 1)]
    others = others[np.isfinite(others)]
    if not len(others):
        return Similarity(matrix, values, np.nan, np.nan, np.nan)
    return Similarity(matrix, values, float(others.mean()), float(others.min()), float(others.max()))
