"""Published timings of JAX, run again: the scenarios' own code in a worker, timed as the window times it.

A factor that was published on another machine is reproduced when ours points the same way and is of its order of
magnitude, that is, within a factor of ten to the half up or down.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec

from benchmarks.checks import tell
from explorer.figures.curves import Ratio, paired_ratio, seconds_text
from explorer.library import library
from explorer.link.pipe import WorkerPipe
from explorer.messages import Measurement, Transform, Value
from explorer.scenario import requests

BUDGET_S = 2.0
MAGNITUDE = math.sqrt(10)
Times = dict[tuple[str, str, Value], Measurement]
"""By variant, transform and value of the swept parameter."""


def published() -> None:
    """Print a line for each published figure."""
    _selu()
    _jit_in_a_loop()
    _convolve()
    _vmap_and_pmap()


def _selu() -> None:
    """30.9 ms eager and 3.01 ms under jit, for a million numbers."""
    times = _timed("selu_eager_or_jit", ("selu",), ("eager", "jit"), "n", (1_000_000,))
    _factor("SELU, eager / jit", times["selu", "eager", 1_000_000], times["selu", "jit", 1_000_000], 10.3)


def _jit_in_a_loop() -> None:
    """453 ms with a partial, 437 ms with a lambda, 2.63 ms with the function itself, each 20 times."""
    names = "jit_of_a_partial", "jit_of_a_lambda", "jit_of_the_function"
    times = _timed("jit_in_a_loop", names, ("eager",), "n", (20,))
    cached = times["jit_of_the_function", "eager", 20]
    _factor("20 x jit, partial / cached", times["jit_of_a_partial", "eager", 20], cached, 172)
    _factor("20 x jit, lambda / cached", times["jit_of_a_lambda", "eager", 20], cached, 166)


def _convolve() -> None:
    """Compare a Python loop, vmap and a hand-written batch, all eager, and jit of vmap: published as an order."""
    names = "loop", "vmapped", "by_hand", "jit_of_vmap"
    times = _timed("convolve_a_batch", names, ("eager",), "batch", (2, 32, 512))
    for batch in (2, 32, 512):
        medians = [times[name, "eager", batch].median_s or math.nan for name in names]
        found = ", ".join(f"{name} {seconds_text(each)}" for name, each in zip(names, medians, strict=True))
        # For two examples mapping costs more than the loop that it replaces.
        in_order = medians[2:] == sorted(medians[2:], reverse=True) if batch == 2 else medians == sorted(medians)[::-1]
        wanted = "by hand > jit(vmap)" if batch == 2 else "loop > vmap > by hand > jit(vmap)"
        tell(f"convolve, batch {batch}", found, wanted, in_order)
    few, many = (times["loop", "eager", batch].median_s or math.nan for batch in (32, 512))
    slope = math.log(many / few) / math.log(512 / 32)
    tell(
        "convolve, loop over batch 32 to 512",
        f"time grows as batch to the {slope:.2f}",
        "0.9 to 1.1",
        0.9 < slope < 1.1,
    )


def _vmap_and_pmap() -> None:
    """Compare 8.8 ms for a first call of vmap and 59.6 ms of pmap on one device, whose earlier compiles are not stated.

    Both orders are true: they depend on what was compiled before.
    """
    # The second value of the seed leaves all shapes alone, so that everything has been compiled by then.
    times = _timed("many_devices", ("one_device", "pmapped"), ("eager",), "seed", (0, 1))
    vmap, pmap = times["one_device", "eager", 0], times["pmapped", "eager", 0]
    vmap_later = times["one_device", "eager", 1]
    cold_s, compiled_s, pmap_s = (each.first_call_s or math.nan for each in (vmap, vmap_later, pmap))
    cold, warm = pmap_s / cold_s, pmap_s / compiled_s
    found = f"{seconds_text(pmap_s)} / {seconds_text(cold_s)} = {cold:.2f}"
    tell("first call, pmap / vmap, both cold", found, "under 6.8, which was published", cold < 6.8)
    found = f"{seconds_text(pmap_s)} / {seconds_text(compiled_s)} = {warm:.1f}"
    tell("the same, operations of vmap compiled", found, "over 6.8", warm > 6.8)


def _factor(what: str, slow: Measurement, quick: Measurement, published_ratio: float) -> None:
    ratio = paired_ratio(slow, quick) or Ratio(math.nan)
    found = f"{seconds_text(slow.median_s or 0)} / {seconds_text(quick.median_s or 0)} = {ratio.middle:.3g}"
    close = published_ratio / MAGNITUDE <= ratio.middle <= published_ratio * MAGNITUDE
    tell(
        what,
        found,
        f"{published_ratio / MAGNITUDE:.3g} to {published_ratio * MAGNITUDE:.3g}, published {published_ratio:g}",
        close,
    )


def _timed(
    scenario_id: str, variants: tuple[str, ...], transforms: tuple[Transform, ...], name: str, values: Sequence[Value]
) -> Times:
    request = msgspec.structs.replace(
        requests.timing(library.open_target(scenario_id)),
        variants=variants,
        transforms=transforms,
        parameters={name: values[0]},
        sweep_name=name,
        sweep_values=tuple(values),
        budget_s=BUDGET_S,
    )
    with WorkerPipe() as worker:
        worker.hello()
        came = [each for each in worker.ask(request) if isinstance(each, Measurement) and each.final]
    return {(each.variant, each.transforms[0], each.parameters[name]): each for each in came}
