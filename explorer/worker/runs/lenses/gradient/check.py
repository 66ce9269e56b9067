"""Check of a gradient against central differences along one direction.

JAX has such a check too: https://docs.jax.dev/en/latest/_autosummary/jax.test_util.check_grads.html.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import jax.numpy as jnp
import numpy as np

from explorer.text.text import Text, say, sentences
from explorer.worker.runs.lenses.gradient.trace import ArgumentArray, is_real

SEED = 0
"""Fixed, so that the direction is the same in each run."""
FEW = 100
"""Largest number of elements that all move by a whole step."""
LEVELS, MOST_ROUNDING = 6, 0.05
"""Number of distances over corners, each a quarter of the one before, and the largest share of rounding in a slope."""
CORNERS = {
    "abs", "argmax", "argmin", "ceil", "clamp", "cond", "cummax", "cummin", "floor", "max", "min", "reduce_max",
    "reduce_min", "reduce_window_max", "reduce_window_min", "rem", "round", "select_and_gather_add", "select_n", "sign",
    "sort", "top_k", "while",
}  # fmt: skip
"""Primitives whose values may have corners and jumps."""
AS_GOOD_AS_0 = 1e-6
_MOST_DIGITS = 15
Directions = dict[int, Any]
Values = Callable[[Sequence[Any]], float]
"""Return the sum of the program's outputs for its arguments."""


class DifferenceCheck(NamedTuple):
    """Comparison of the gradient along one direction with a central difference of the program's values."""

    agrees: bool
    """Whether they agree within the precision of finite differences."""
    sentence: Text


def checked(
    values: Values, leaves: Sequence[ArgumentArray], gradients: Sequence[Any], *, corners: bool = False
) -> DifferenceCheck | None:
    """Return how the `gradients` of the differentiated leaves agree with differences of `values`.

    It uses central differences over a distance and its half, with Richardson extrapolation; their difference and
    rounding bound the error. Functions with `corners`, such as networks of relus, may be smooth only over short
    distances: then the shortest distance above rounding decides. None if no leaf is real, or the values are not finite.
    """
    taken = [place for place, leaf in enumerate(leaves) if leaf.is_taken]
    slopes = dict(zip(taken, gradients, strict=True))
    real = [place for place in taken if is_real(leaves[place].value) and leaves[place].value.size]
    if not real:
        return None
    directions = _directions(leaves, real)
    gradient = sum(_along(slopes[place], directions[place]) for place in real)
    differ = _over_corners if corners else _differences
    differences, doubt = differ(values, leaves, directions)
    if not all(map(math.isfinite, (gradient, differences, doubt))):
        return None
    agrees = abs(gradient - differences) <= doubt
    differing = () if agrees or len(real) == 1 else tuple(_differing(differ, values, leaves, directions, slopes))
    return DifferenceCheck(agrees, _words(gradient, differences, agrees, differing))


def _directions(leaves: Sequence[ArgumentArray], real: Sequence[int]) -> dict[int, Any]:
    """Return a direction for each leaf: entries between 0.5 and 1 with random signs, scaled down for many elements.

    The scale keeps the length of a step independent of the number of elements.
    """
    random = np.random.default_rng(SEED)
    shapes = {place: leaves[place].value.shape for place in real}
    scale = math.sqrt(min(1.0, FEW / sum(map(math.prod, shapes.values()))))
    return {
        place: scale * random.uniform(0.5, 1.0, shape) * random.choice((-1, 1), shape)
        for place, shape in shapes.items()
    }


def _along(slope: Any, direction: Any) -> float:
    return float((np.asarray(slope, np.float64) * direction).sum())


def _differences(values: Values, leaves: Sequence[ArgumentArray], directions: Directions) -> tuple[float, float]:
    """Return the slope along `directions`, and a bound of its error."""
    step, epsilon, size = _step(leaves, directions)
    (one, most), (other, more) = (_slope(values, leaves, directions, each) for each in (step, step / 2))
    best = (4 * other - one) / 3
    rounding = 8 * epsilon * max(most, more, size * abs(best)) / step
    return best, rounding + abs(other - one) / 2 + 1e-12


def _over_corners(values: Values, leaves: Sequence[ArgumentArray], directions: Directions) -> tuple[float, float]:
    """Return the same for a function that may have corners."""
    step, epsilon, _ = _step(leaves, directions)
    found: list[tuple[float, float]] = []
    for number in range(LEVELS):
        distance = step / 4**number
        slope, most = _slope(values, leaves, directions, distance)
        rounding = epsilon * most / distance
        if number > 1 and rounding > MOST_ROUNDING * abs(slope):
            break
        found.append((slope, 4 * rounding))
    steps = list(itertools.pairwise(found))
    best = min(steps, key=lambda pair: abs(pair[1][0] - pair[0][0]) + pair[1][1])[1][0]
    (longer, _), (last, rounding) = steps[-1]
    return best, abs(best - last) + abs(last - longer) + 2 * rounding + 1e-12


def _step(leaves: Sequence[ArgumentArray], directions: Directions) -> tuple[float, float, float]:
    """Return the largest step, the machine epsilon and the magnitude of the arguments."""
    arrays = [np.asarray(leaves[place].value, np.float64) for place in directions]
    epsilon = max(float(jnp.finfo(leaves[place].value.dtype).eps) for place in directions)  # type: ignore[no-untyped-call]
    size = max(1.0, *(float(np.abs(each).max()) for each in arrays))
    # After extrapolation, the error is of fourth order: this step balances it with rounding.
    return epsilon ** (1 / 5) * size / 4, epsilon, size


def _slope(
    values: Values, leaves: Sequence[ArgumentArray], directions: Directions, distance: float
) -> tuple[float, float]:
    """Return the central difference over `distance`, and the larger magnitude of both values."""
    ends = [values(_moved(leaves, directions, sign * distance)) for sign in (1, -1)]
    return (ends[0] - ends[1]) / (2 * distance), max(map(abs, ends))


def _moved(leaves: Sequence[ArgumentArray], directions: Directions, by: float) -> list[Any]:
    return [
        jnp.asarray(np.asarray(leaf.value, np.float64) + by * directions[place], leaf.value.dtype)
        if place in directions
        else leaf.value
        for place, leaf in enumerate(leaves)
    ]


def _differing(
    differ: Callable[[Values, Sequence[ArgumentArray], Directions], tuple[float, float]],
    values: Values,
    leaves: Sequence[ArgumentArray],
    directions: Directions,
    slopes: dict[int, Any],
) -> Sequence[str]:
    """Return the names of the leaves along which gradient and differences disagree."""
    found = []
    for place, direction in directions.items():
        differences, doubt = differ(values, leaves, {place: direction})
        if not abs(_along(slopes[place], direction) - differences) <= doubt:
            found.append(leaves[place].name)
    return found


def _digits(gradient: float, differences: float) -> int:
    size = max(abs(gradient), abs(differences))
    if gradient == differences:
        return _MOST_DIGITS
    return max(0, min(_MOST_DIGITS, math.floor(-math.log10(abs(gradient - differences) / size))))


def _words(gradient: float, differences: float, agrees: bool, differing: Sequence[str]) -> Text:
    digits = _digits(gradient, differences)
    if agrees and digits > 1:
        return say("Finite differences along one direction agree to {digits} digits.", digits=digits)
    if agrees and max(abs(gradient), abs(differences)) > AS_GOOD_AS_0:
        return say(
            "Finite differences along one direction give {differences}, the gradient {gradient}: they agree, as far "
            "as this can be checked here.",
            differences=f"{differences:.3g}",
            gradient=f"{gradient:.3g}",
        )
    if agrees:
        return say("Along one direction both gradient and finite differences are practically 0.")
    sentence = say(
        "Finite differences along one direction give {differences}, the gradient {gradient}. They need not agree at "
        "a jump or a corner, behind stop_gradient, or with a custom rule that is not the derivative.",
        differences=f"{differences:.6g}",
        gradient=f"{gradient:.6g}",
    )
    return (
        sentence if not differing else sentences(sentence, say("They differ for {names}.", names=", ".join(differing)))
    )
