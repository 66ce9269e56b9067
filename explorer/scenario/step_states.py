"""The selection at each step of a story for a reader who changes nothing else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from msgspec.structs import replace

from explorer.messages import Form, Value
from explorer.scenario.code_inputs import known_settings
from explorer.scenario.scenario import Scenario, StepPlan


@dataclass(frozen=True)
class StepState:
    """The choices that a step leaves in force."""

    variant: str = ""
    compare: str = ""
    parameters: Mapping[str, Value] = field(default_factory=dict)
    form: Form = "jaxpr"
    jax_checker: bool = False

    def after(self, plan: StepPlan) -> StepState:
        """Return the state once a step with `plan` has opened."""
        variant = plan.variant or self.variant
        compare = self.compare if plan.compare is None else plan.compare
        return StepState(
            variant,
            "" if compare == variant else compare,
            {**self.parameters, **plan.parameters},
            plan.form or self.form,
            self.jax_checker if plan.jax_checker is None else plan.jax_checker,
        )

    def with_variant(self, variant: str) -> StepState:
        """Return the same with another variant, where `variant` names one."""
        return self.after(StepPlan(variant=variant)) if variant else self

    @property
    def plan(self) -> StepPlan:
        """A step that selects all of it, whatever was selected before."""
        return StepPlan(
            variant=self.variant,
            compare=self.compare,
            parameters=dict(self.parameters),
            form=self.form,
            jax_checker=self.jax_checker,
        )

    @property
    def variants(self) -> tuple[str, ...]:
        """The variants on screen."""
        return tuple(name for name in (self.variant, self.compare) if name)


def fitting(plan: StepPlan, variants: Sequence[str], source: str) -> StepPlan:
    """Return `plan` without variants and parameters that are missing in the editor's code, `source` with `variants`."""
    return replace(
        plan,
        variant=plan.variant if plan.variant in variants else "",
        compare=plan.compare if plan.compare in ("", *variants) else None,
        parameters=known_settings(plan.parameters, source),
    )


def opening(scenario: Scenario) -> StepState:
    """Return the selection when `scenario` opens: its own choices, overridden by its first step."""
    first = scenario.variants[0].name if scenario.variants else ""
    bare = StepState(first, scenario.compare)
    return bare.after(scenario.steps[0]) if scenario.steps else bare


def walk(scenario: Scenario) -> tuple[StepState, ...]:
    """Return the state at each planned step of `scenario`."""
    states: list[StepState] = []
    for plan in scenario.steps:
        states.append(states[-1].after(plan) if states else opening(scenario))
    return tuple(states)
