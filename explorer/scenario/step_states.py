"""The choices in force at each step of a story, if the reader changes nothing, and what its question covers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate

import msgspec
from msgspec.structs import replace

from explorer.messages import Form, Transforms, Value, is_same
from explorer.scenario.code_inputs import known_settings, signature_defaults
from explorer.scenario.questions import decides
from explorer.scenario.scenario import Scenario, StepPlan


class StepState(msgspec.Struct, frozen=True):
    """The choices that a step leaves in force."""

    variant: str = ""
    compare: str = ""
    parameters: Mapping[str, Value] = {}
    form: Form = "jaxpr"
    jax_checker: bool = False
    transforms: Transforms = Transforms()
    """Those around the variant; no step has any."""

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
            self.transforms,
        )

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
    """Return the selection when `scenario` opens: its own choices, overridden by the steps up to the first page."""
    first = scenario.pages[0] if scenario.pages else 0
    return (_bare(scenario), *walk(scenario)[: first + 1])[-1]


def walk(scenario: Scenario) -> tuple[StepState, ...]:
    """Return the state at each planned step of `scenario`."""
    return tuple(accumulate(scenario.steps, StepState.after, initial=_bare(scenario)))[1:]


def _bare(scenario: Scenario) -> StepState:
    return StepState(scenario.variants[0].name if scenario.variants else "", scenario.compare)


def panes_at(scenario: Scenario, place: int) -> StepPlan:
    """Return the plan of the step at `place`, with what the panes show since the steps before it."""
    lens, picture, look, page = "", "output", "auto", "auto"
    plan = StepPlan()
    for plan in scenario.steps[: place + 1]:
        # A form without a lens shows the program's text.
        lens = plan.lens if plan.lens is not None else "" if plan.form else lens
        picture, look, page = plan.picture or picture, plan.look or look, plan.page or page
    here = plan if place < len(scenario.steps) else StepPlan()
    return replace(here, lens=lens, picture=picture, look=look, page=page)


def settings_apart(own: StepState, now: StepState, source: str) -> dict[str, Value | None]:
    """Return the parameters that are set otherwise `now` than in `own`, with the values of `own`.

    `source` is the code with the defaults; None stands for a default that it does not say.
    """
    names = dict.fromkeys((*own.parameters, *now.parameters))
    defaults = signature_defaults(source) if names else {}
    pairs = {name: [each.parameters.get(name, defaults.get(name)) for each in (own, now)] for name in names}
    return {name: first for name, (first, second) in pairs.items() if not _are_same(first, second)}


def _are_same(first: Value | None, second: Value | None) -> bool:
    if first is None or second is None:
        return first is second
    # A sheet may say 1 where the code says 1.0.
    return is_same(first, second) or (type(first) in (int, float) and type(second) in (int, float) and first == second)


IN_KEYS = frozenset(("draws", "seeds", "splits", "keys"))
"""The measures that can be read in the Keys pane."""
IN_PROGRAM = frozenset(("printed", "traces", "compiles"))
"""Those that can be read in the Program pane: it has a jaxpr for each trace, and what is traced prints."""


def covered(scenario: Scenario, place: int) -> frozenset[str]:
    """Return the parts that hold the answer to the question at `place`: a pane, and the findings.

    What an earlier page about this pane has shown is not covered again. A program that fails says so in every pane.
    """
    plan = scenario.steps[place] if place < len(scenario.steps) else StepPlan()
    if plan.question is None:
        return frozenset()
    states = walk(scenario)
    failing = {variant.name for variant in scenario.variants if variant.error}
    if failing & {*states[place].variants}:
        return frozenset(("keys", "noise", "program", "timing", "findings"))
    if plan.question.shows_run:
        return frozenset(("findings",))
    asked = {each.split()[0] for each in decides(plan.question)}
    own = plan.pane if plan.pane not in ("", "code") else "keys" if asked & IN_KEYS else ""
    about_it = [each for each in range(place) if (scenario.steps[each].pane or "noise") == own]
    panes = {own: about_it} if own else {}
    if asked & IN_PROGRAM:
        panes = {"program": [*range(place)], **panes}
    return frozenset(("findings", *(pane for pane, pages in panes.items() if _is_new(scenario, place, pane, pages))))


def _is_new(scenario: Scenario, place: int, pane: str, pages: Sequence[int]) -> bool:
    """Return whether `pane` shows at `place` what it shows on none of the earlier `pages`."""
    states = walk(scenario)
    earlier = {shown for each in pages for shown in _contents(scenario, states, each, pane)}
    return not {*_contents(scenario, states, place, pane)} <= earlier


def _contents(scenario: Scenario, states: Sequence[StepState], place: int, pane: str) -> Iterator[object]:
    """Yield for each variant on screen at `place` what `pane` shows of it."""
    state, plan = states[place], panes_at(scenario, place)
    shown = {"noise": (plan.picture, plan.look), "program": (plan.lens, state.form), "timing": (plan.page,)}
    for variant in state.variants:
        yield variant, tuple(sorted(state.parameters.items())), shown.get(pane, ())
