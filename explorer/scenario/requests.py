"""Default requests of a scenario to the worker, whose fields callers replace; parameter and values of its sweep."""

from __future__ import annotations

from explorer.messages import Parameter, Request, TimingRequest, Value
from explorer.scenario.scenario import Scenario, helpers

CURVE_BUDGET_S = 0.25
"""Seconds of sampling for one point of one curve."""
CPU = "cpu:0"
SWEEP_FACTORS = (0.25, 1, 4, 16)
"""The sweep of code without a timing plan: multiples of the current value."""


def analysis(scenario: Scenario) -> Request:
    """Return the request for every variant of `scenario`, with its own code and defaults, as run 1."""
    return Request(
        1,
        scenario.source,
        scenario.filename,
        named=tuple(plan.name for plan in scenario.variants),
        hidden=helpers(scenario),
        shared_on_purpose=tuple(plan.name for plan in scenario.variants if plan.shared),
        device=CPU if scenario.on_cpu else "",
    )


def timing(scenario: Scenario) -> TimingRequest:
    """Return the timing request for the plan of `scenario`, at one point, as run 1."""
    return TimingRequest(
        1,
        scenario.source,
        scenario.filename,
        variants=scenario.timing.variants,
        named=tuple(plan.name for plan in scenario.variants),
        hidden=helpers(scenario),
        transforms=scenario.timing.transforms,
        device=CPU if scenario.on_cpu else "",
    )


def _with(value: Value, values: tuple[Value, ...]) -> tuple[Value, ...]:
    """Return `values` with `value` inserted in numeric order, else appended."""
    every = (*values, value)
    numbers = [each for each in every if isinstance(each, int | float) and not isinstance(each, bool)]
    return tuple(sorted(numbers)) if len(numbers) == len(every) else every


def sweep_of(scenario: Scenario, parameters: tuple[Parameter, ...]) -> tuple[str, tuple[Value, ...]]:
    """Return (parameter, values) of the scenario's plan; without one, of its first whole number except the seed.

    The set value is one of them, because the user is interested in it.
    """
    planned = scenario.timing
    if planned.parameter:
        swept = next((each for each in parameters if each.name == planned.parameter), None)
        if swept is None or swept.value in (swept.default, *planned.values):
            return planned.parameter, planned.values
        return planned.parameter, _with(swept.value, planned.values)
    for parameter in parameters:
        value = parameter.value
        if isinstance(value, int) and not isinstance(value, bool) and parameter.name != "seed" and value > 0:
            return parameter.name, tuple(sorted({max(1, int(value * factor)) for factor in SWEEP_FACTORS}))
    return "", ()
