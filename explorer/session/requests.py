"""Requests to the worker from the state of the workspace; the partner and the reports of a comparison."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from explorer.messages import ORIGINAL, Request, TimingRequest, Value, Variant, original_name, subjects
from explorer.scenario import requests
from explorer.scenario.code_inputs import fitting_settings, known_settings
from explorer.scenario.scenario import Scenario
from explorer.session.controls import Controls, TimingChoice


def partners(controls: Controls) -> tuple[str, ...]:
    """Return the partners of the selected variant: other variants, its original if it was edited."""
    others = tuple(each.name for each in controls.variants if each.name != controls.variant)
    return (*others, ORIGINAL) if controls.edited else others


def partner(controls: Controls, preferred: Sequence[str]) -> str:
    """Return the first of `preferred` that the selected variant can be compared with, else any; empty for none."""
    possible = partners(controls)
    return next((name for name in (*preferred, *possible) if name in possible), "")


def shown(controls: Controls) -> tuple[str, ...]:
    """Return the names of the reports on screen."""
    second = original_name(controls.variant) if controls.compare == ORIGINAL else controls.compare
    return tuple(name for name in (controls.variant, second) if name)


def requested(controls: Controls) -> tuple[str, ...]:
    """Return the variants of the code in the editor that must run for that."""
    return tuple(name for name in (controls.variant, controls.compare) if name not in ("", ORIGINAL))


class RunChoices(msgspec.Struct, frozen=True):
    """A scenario, its code as edited, and every choice around it."""

    scenario: Scenario
    source: str
    settings: Mapping[str, Value]
    """The values of the parameters; the worker ignores names and types that the code does not have."""
    controls: Controls
    timeout_s: float | None = None
    """Seconds for each variant."""


def of_window(chosen: RunChoices, run: int, *, finding_fixes: bool = False) -> Request:
    """Return the request for everything that the panes show.

    The fixes of findings come last. A reader of a story finds them first, unless they ask.
    """
    controls = chosen.controls
    original = chosen.scenario.source if controls.compare == ORIGINAL else ""
    return msgspec.structs.replace(
        requests.analysis(chosen.scenario),
        run=run,
        source=chosen.source,
        original=original,
        original_parameters=known_settings(chosen.settings, original),
        variants=requested(controls),
        parameters=fitting_settings(chosen.settings, chosen.source),
        device=controls.device,
        form=controls.form,
        timeout_s=chosen.timeout_s,
        draws=True,
        fixes=True,
        finding_fixes=finding_fixes or not chosen.scenario.stories,
        jax_checker=controls.jax_checker,
        line_types=controls.line_types,
        traces=True,
        value_checks=True,
        transforms=controls.around_the_variant,
        leaves_out_plots=controls.leaves_out_plots,
        subject=controls.wanted_subject,
    )


def timing_of_window(chosen: RunChoices, run: int, device: str) -> TimingRequest:
    """Return the request for the measurements of everything that is ticked, on `device`."""
    controls, ticked = chosen.controls, chosen.controls.timing
    subject = next((each for each in controls.subjects if each.name == controls.of_script), None)
    variants = timed_variants(ticked, controls.functions) if subject is None else ()
    curves = max(1, len(variants)) * len(ticked.transforms)
    applied = controls.around_the_variant
    if not applied.applied:
        # Whichever variant is selected: the times are the same ones.
        applied = msgspec.structs.replace(applied, variant="")
    sweep_name, sweep_values = requests.sweep_of(chosen.scenario, controls.parameters)
    request = msgspec.structs.replace(
        requests.timing(chosen.scenario),
        run=run,
        source=chosen.source,
        variants=variants,
        parameters=fitting_settings(chosen.settings, chosen.source),
        device=device,
        transforms=ticked.transforms,
        sweep_name=sweep_name,
        sweep_values=sweep_values,
        budget_s=requests.CURVE_BUDGET_S * curves,
        applied=applied,
        leaves_out_plots=controls.leaves_out_plots,
    )
    return subjects.timed(request, subject) if subject is not None else request


def timed_variants(ticked: TimingChoice, known: Sequence[Variant]) -> tuple[str, ...]:
    """Return the ticked ones of the `known` variants; all of them where none of those ticked is there any more."""
    names = tuple(variant.name for variant in known)
    return tuple(name for name in names if name in ticked.variants) or names
