"""Measurements made by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from explorer.messages import Array, Measurement, Transform, Value


def measured(
    variant: str, transform: Transform, n: Value, median_s: float | None, repeats: int = 12, **figures: Any
) -> Measurement:
    """Return a measurement at n whose samples vary by 1 % around `median_s`; without it there are none."""
    if median_s is None:
        return bare(variant, transform, n, **figures)
    samples = median_s * np.linspace(0.99, 1.01, repeats)
    spread = {"q1_s": median_s * 0.9, "q3_s": median_s * 1.1, "low_s": median_s * 0.99, "high_s": median_s * 1.01}
    figures = {"median_s": median_s, "calls_per_sample": 5, **spread, **figures}
    return bare(variant, transform, n, **_samples(samples, np.arange(repeats)), **figures)


def sampled(seconds: Sequence[float], repeats: Sequence[int] | None = None) -> Measurement:
    """Return a measurement of these samples, one in each repeat unless `repeats` says otherwise."""
    low, q1, median, q3, high = np.percentile(seconds, [45, 25, 50, 75, 55])
    figures = {"median_s": median, "q1_s": q1, "q3_s": q3, "low_s": low, "high_s": high, "calls_per_sample": 5}
    return bare(**figures, **_samples(seconds, range(len(seconds)) if repeats is None else repeats))


def bare(variant: str = "f", transform: Transform = "eager", n: Value = 8, **figures: Any) -> Measurement:
    """Return a measurement at n with `figures` only."""
    return Measurement(1, variant, (transform,), {"n": n, "seed": 0}, "cpu:0", **figures)


def _samples(seconds: Any, repeats: Any) -> dict[str, Array]:
    return {"samples_s": Array.of(seconds, np.float64), "repeats": Array.of(repeats, np.int32)}
