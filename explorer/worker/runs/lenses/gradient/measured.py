"""The cost of value and gradient as one compiled program: memory from XLA, and measured time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.extend.core import jaxpr_as_fun

from explorer.figures.intervals import median_interval
from explorer.messages.lenses.gradient import GradientCost, GradientCosts, TimeRatio
from explorer.text.text import Text, say
from explorer.worker.internals.compiled import cost
from explorer.worker.internals.value_checks import may_run_again
from explorer.worker.recording.interrupt import Interrupt
from explorer.worker.runs.lenses.gradient.lens import Gradient
from explorer.worker.runs.lenses.gradient.trace import Traced, is_real
from explorer.worker.timing.sampling import Instruments, Track, calibrate, sample, spread
from explorer.worker.timing.undisturbed import CompilationCount, undisturbed

BUDGET_S = 1.0
"""Seconds of sampling, for all together."""


def measured(gradients: Mapping[str, Gradient]) -> GradientCosts:
    """Return the cost of each variant's gradient, with times interleaved in one run."""
    costs: dict[str, GradientCost] = {}
    tracks: dict[str, Track] = {}
    with undisturbed(), CompilationCount() as compilations:
        instruments = Instruments(jax.block_until_ready, compilations=compilations.count)
        for name, gradient in gradients.items():
            costs[name], call = _compiled(name, gradient)
            if call is None:
                continue
            track = Track(call)
            try:
                calibrate(track, instruments)
            except Interrupt:
                raise
            except BaseException as error:
                costs[name] = _without(name, gradient, _reason(error))
                continue
            tracks[name] = track
        sample(list(tracks.values()), BUDGET_S, instruments)
    for name, track in tracks.items():
        costs[name] = _with_time(costs[name], track)
    return GradientCosts(tuple(costs.values()), _ratio(list(tracks.values())) if len(tracks) == 2 else None)


def value_and_gradient(traced: Traced) -> Callable[..., tuple[Any, ...]]:
    """Return a function of the arguments of `traced` that returns the outputs and their gradients.

    Residuals stay inside, as in the program that a user would compile.
    """
    count = len(traced.outputs) + len(traced.gradients)
    both = jaxpr_as_fun(traced.both)

    def function(*values: Any) -> tuple[Any, ...]:
        ones = [jnp.ones(each.shape, each.dtype) for each in traced.outputs if is_real(each)]
        return tuple(both(*values, *ones)[:count])

    return function


def _compiled(name: str, gradient: Gradient) -> tuple[GradientCost, Callable[[], Any] | None]:
    traced = gradient.traced
    if not may_run_again(traced.both.jaxpr):
        sentence = say("The program has side effects, so it is not run again: nothing was measured.")
        return _without(name, gradient, sentence), None
    try:
        values = jax.device_put([leaf.value for leaf in traced.leaves])
        program = jax.jit(value_and_gradient(traced)).lower(*values).compile()
    except Interrupt:
        raise
    except BaseException as error:
        return _without(name, gradient, _reason(error)), None
    costs = cost(program)
    found = GradientCost(
        name,
        gradient.lens.residual_bytes,
        temporary_bytes=costs.temporary_bytes,
        output_bytes=costs.output_bytes,
        argument_bytes=costs.argument_bytes,
        peak_bytes=costs.peak_bytes,
    )
    return found, lambda: program(*values)


def _without(name: str, gradient: Gradient, sentence: Text) -> GradientCost:
    return GradientCost(name, gradient.lens.residual_bytes, sentence=sentence)


def _reason(error: BaseException) -> Text:
    return say("It could not be measured: {what}", what=f"{type(error).__name__}: {error}".split("\n")[0])


def _with_time(cost: GradientCost, track: Track) -> GradientCost:
    if not track.samples:
        return GradientCost(cost.variant, cost.residual_bytes, sentence=_reason(track.error or RuntimeError()))
    found = spread(track.samples)
    return GradientCost(
        cost.variant,
        cost.residual_bytes,
        cost.temporary_bytes,
        cost.output_bytes,
        cost.argument_bytes,
        cost.peak_bytes,
        found.median,
        len(track.samples),
    )


def _ratio(tracks: list[Track]) -> TimeRatio | None:
    """Return the ratio of the medians, with the 95 % interval of the paired ratio."""
    first, second = (dict(zip(each.repeats, each.samples, strict=True)) for each in tracks)
    medians = [float(np.median(list(each.values()))) for each in (first, second) if each]
    if len(medians) < 2 or medians[1] <= 0:
        return None
    pairs = [first[number] / second[number] for number in first if second.get(number, 0.0) > 0]
    low, high = median_interval(np.asarray(pairs)) or (None, None)
    return TimeRatio(medians[0] / medians[1], low, high)
