"""A gradient held to the values of the program: along one direction, against central differences."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import jax.numpy as jnp
import numpy as np

from explorer.messages.lenses.gradient import DifferenceCheck
from explorer.worker.runs.lenses.gradient.trace import Leaf, is_real
from explorer.worker.spoken.say import say

SEED = 0
"""The direction is the same for each run."""
_MOST_DIGITS = 15
Values = Callable[[Sequence[Any]], float]
"""What the program returns for its arguments, summed."""


def checked(values: Values, leaves: Sequence[Leaf], gradients: Sequence[Any]) -> DifferenceCheck | None:
    """Return how the `gradients` of the leaves that are taken agree with differences of `values`.

    Central differences at one and at half a distance, extrapolated; how far apart they are, and what rounding does to
    them, is what they can tell. None where there are no real numbers to go along, or the values are not finite.
    """
    taken = [place for place, leaf in enumerate(leaves) if leaf.is_taken]
    slopes = dict(zip(taken, gradients, strict=True))
    real = [place for place in taken if is_real(leaves[place].value) and leaves[place].value.size]
    if not real:
        return None
    directions = _directions(leaves, real)
    gradient = sum(_along(slopes[place], directions[place]) for place in real)
    differences, doubt = _differences(values, leaves, directions)
    if not all(map(math.isfinite, (gradient, differences, doubt))):
        return None
    agrees = abs(gradient - differences) <= doubt
    apart = () if agrees or len(real) == 1 else tuple(_apart(values, leaves, directions, slopes))
    digits = _digits(gradient, differences)
    return DifferenceCheck(
        gradient, differences, digits, agrees, _words(gradient, differences, digits, agrees, apart), apart
    )


def _directions(leaves: Sequence[Leaf], real: Sequence[int]) -> dict[int, Any]:
    """Return for each place a direction of numbers between 0.5 and 1, of either sign."""
    random = np.random.default_rng(SEED)
    return {
        place: random.uniform(0.5, 1.0, leaves[place].value.shape) * random.choice((-1, 1), leaves[place].value.shape)
        for place in real
    }


def _along(slope: Any, direction: Any) -> float:
    return float((np.asarray(slope, np.float64) * direction).sum())


def _differences(values: Values, leaves: Sequence[Leaf], directions: dict[int, Any]) -> tuple[float, float]:
    """Return the slope along `directions`, and by how much it may be wrong."""
    arrays = [np.asarray(leaves[place].value, np.float64) for place in directions]
    epsilon = max(float(jnp.finfo(leaves[place].value.dtype).eps) for place in directions)  # type: ignore[no-untyped-call]
    size = max(1.0, *(float(np.abs(each).max()) for each in arrays))
    # Extrapolated, the error of the formula falls with the fourth power: this balances it with rounding.
    step = epsilon ** (1 / 5) * size / 4
    found, most = [], 0.0
    for each in (step, step / 2):
        ends = [values(_moved(leaves, directions, sign * each)) for sign in (1, -1)]
        found.append((ends[0] - ends[1]) / (2 * each))
        most = max(most, *map(abs, ends))
    best = (4 * found[1] - found[0]) / 3
    rounding = 8 * epsilon * max(most, size * abs(best)) / step
    return best, rounding + abs(found[1] - found[0]) / 2 + 1e-12


def _moved(leaves: Sequence[Leaf], directions: dict[int, Any], by: float) -> list[Any]:
    return [
        jnp.asarray(np.asarray(leaf.value, np.float64) + by * directions[place], leaf.value.dtype)
        if place in directions
        else leaf.value
        for place, leaf in enumerate(leaves)
    ]


def _apart(values: Values, leaves: Sequence[Leaf], directions: dict[int, Any], slopes: dict[int, Any]) -> Sequence[str]:
    """Return the names of the leaves along which gradient and differences do not agree."""
    found = []
    for place, direction in directions.items():
        differences, doubt = _differences(values, leaves, {place: direction})
        if not abs(_along(slopes[place], direction) - differences) <= doubt:
            found.append(leaves[place].name)
    return found


def _digits(gradient: float, differences: float) -> int:
    size = max(abs(gradient), abs(differences))
    if gradient == differences:
        return _MOST_DIGITS
    return max(0, min(_MOST_DIGITS, math.floor(-math.log10(abs(gradient - differences) / size))))


def _words(gradient: float, differences: float, digits: int, agrees: bool, apart: Sequence[str]) -> str:
    if agrees and digits:
        return say("Finite differences along one direction agree to {digits} digits.", digits=digits)
    if agrees:
        return say("Along one direction both gradient and finite differences are as good as 0.")
    sentence = say(
        "Finite differences along one direction give {differences}, the gradient {gradient}. They need not agree at a "
        "jump or a corner, behind stop_gradient, or with a custom rule that is no derivative.",
        differences=f"{differences:.6g}",
        gradient=f"{gradient:.6g}",
    )
    return sentence if not apart else f"{sentence} " + say("They differ for {names}.", names=", ".join(apart))
