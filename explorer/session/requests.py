"""Requests to the worker, made from what a scenario says of itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from explorer.messages import (
    AS_IT_WAS,
    Form,
    Parameter,
    Request,
    TimingRequest,
    Transform,
    Transforms,
    Value,
    Variant,
    WrongWay,
)
from explorer.scenario.scenario import Scenario, helpers
from explorer.session import comparing
from explorer.session.controls import Controls, TimingChoice

CURVE_BUDGET_S = 0.25
"""Seconds of sampling that one point of one curve may take."""
SWEEP_FACTORS = (0.25, 1, 4, 16)
"""For code without a timing plan: multiples of the value in force."""
NO_TRANSFORMS = Transforms()


@dataclass(frozen=True)
class Chosen:
    """What a person has in front of them: a scenario, its code as edited, and everything chosen around it."""

    scenario: Scenario
    source: str
    settings: Mapping[str, Value]
    """Of the parameters; also of some that the code has no more, which the worker passes over."""
    controls: Controls
    language: str


def analysis(
    scenario: Scenario,
    run: int = 1,
    *,
    source: str | None = None,
    original: str = "",
    variants: tuple[str, ...] = (),
    parameters: Mapping[str, Value] | None = None,
    device: str = "",
    form: Form = "jaxpr",
    draws: bool = False,
    fixes: bool = False,
    finding_fixes: bool = False,
    jax_checker: bool = False,
    traces: bool = False,
    transforms: Transforms = NO_TRANSFORMS,
    timeout_s: float | None = None,
    language: str = "en",
) -> Request:
    """Return the request for everything about `variants` of `scenario`; `source` is its code where it is edited."""
    return Request(
        run=run,
        source=scenario.source if source is None else source,
        filename=scenario.filename,
        device=device,
        parameters=dict(parameters or {}),
        variants=variants,
        original=original,
        named=tuple(plan.name for plan in scenario.variants),
        hidden=helpers(scenario),
        shared_on_purpose=tuple(plan.name for plan in scenario.variants if plan.shared),
        form=form,
        draws=draws,
        fixes=fixes,
        finding_fixes=finding_fixes,
        jax_checker=jax_checker,
        traces=traces,
        transforms=transforms,
        timeout_s=timeout_s,
        language=language,
    )


def timing(
    scenario: Scenario,
    run: int = 1,
    *,
    source: str | None = None,
    variants: tuple[str, ...] = (),
    parameters: Mapping[str, Value] | None = None,
    device: str = "",
    transforms: tuple[Transform, ...] = (),
    sweep: tuple[str, tuple[Value, ...]] = ("", ()),
    budget_s: float = 0.5,
    applied: Transforms = NO_TRANSFORMS,
    language: str = "en",
    wrong_way: WrongWay = "",
) -> TimingRequest:
    """Return the request to time `variants` of `scenario` over `sweep`; what is left out comes from its plan."""
    name, values = sweep
    return TimingRequest(
        run=run,
        source=scenario.source if source is None else source,
        filename=scenario.filename,
        device=device,
        parameters=dict(parameters or {}),
        variants=variants or scenario.timing.variants,
        named=tuple(plan.name for plan in scenario.variants),
        hidden=helpers(scenario),
        transforms=transforms or scenario.timing.transforms,
        sweep_name=name,
        sweep_values=values,
        budget_s=budget_s,
        applied=applied,
        language=language,
        wrong_way=wrong_way,
    )


def of_window(chosen: Chosen, run: int, *, finding_fixes: bool = False) -> Request:
    """Return the request for everything that the panes show."""
    controls = chosen.controls
    return analysis(
        chosen.scenario,
        run,
        source=chosen.source,
        original=chosen.scenario.source if controls.compare == AS_IT_WAS else "",
        variants=comparing.asked(controls),
        parameters=chosen.settings,
        device=controls.device,
        form=controls.form,
        draws=True,
        fixes=True,
        finding_fixes=finding_fixes,
        jax_checker=controls.jax_checker,
        traces=True,
        transforms=controls.around_the_variant,
        language=chosen.language,
    )


def timing_of_window(chosen: Chosen, run: int, device: str) -> TimingRequest:
    """Return the request for the measurements of everything that is ticked, on `device`."""
    controls, ticked = chosen.controls, chosen.controls.timing
    variants = timed_variants(ticked, controls.functions)
    curves = len(variants) * len(ticked.transforms) * (2 if ticked.wrong_way else 1)
    return timing(
        chosen.scenario,
        run,
        source=chosen.source,
        variants=variants,
        parameters=chosen.settings,
        device=device,
        transforms=ticked.transforms,
        sweep=sweep_of(chosen.scenario, controls.parameters),
        budget_s=CURVE_BUDGET_S * curves,
        applied=controls.around_the_variant,
        language=chosen.language,
        wrong_way=ticked.wrong_way,
    )


def timed_variants(ticked: TimingChoice, known: Sequence[Variant]) -> tuple[str, ...]:
    """Return the ticked ones of the `known` variants; all of them where none of those ticked is there any more."""
    names = tuple(variant.name for variant in known)
    return tuple(name for name in names if name in ticked.variants) or names


def sweep_of(scenario: Scenario, parameters: tuple[Parameter, ...]) -> tuple[str, tuple[Value, ...]]:
    """Return (parameter, values) of the scenario's plan; without one, of its first whole number but the seed."""
    if scenario.timing.parameter:
        return scenario.timing.parameter, scenario.timing.values
    for parameter in parameters:
        value = parameter.value
        if isinstance(value, int) and not isinstance(value, bool) and parameter.name != "seed" and value > 0:
            return parameter.name, tuple(sorted({max(1, int(value * factor)) for factor in SWEEP_FACTORS}))
    return "", ()
