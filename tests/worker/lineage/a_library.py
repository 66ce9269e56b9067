"""A library, as far as tests are concerned: its file is not the user's."""

from __future__ import annotations

from typing import Any

from jax import random


def log_prob(x: Any) -> Any:
    """Draw with a constant of its own."""
    return x - random.normal(random.key(5), x.shape)


def noise(shape: tuple[int, ...], seed: int) -> Any:
    """Draw with a key made from the `seed` it is given."""
    return random.normal(random.key(seed), shape)


def describe(x: Any) -> int:
    """Split a constant, and draw from none of its children."""
    return len(random.split(random.key(5))) + x.ndim
