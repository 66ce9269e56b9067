"""Reverse-mode differentiation of one variant: forward pass, residuals and backward pass."""

from __future__ import annotations

from typing import Any, Literal, Self

import msgspec
from msgspec.structs import replace

from explorer.messages.basics import Fix, Span
from explorer.messages.lenses.lens import Lens, LensSpec, Rerun, Shown
from explorer.messages.reports import Picture
from explorer.text.text import Text, say

FIND_FIX = Rerun("fix")
MEASURE = Rerun("measure", together=True)
ROWS = Rerun("rows", pane="noise")


class ForwardEquation(msgspec.Struct, frozen=True):
    """One equation of the forward pass; one that holds others stands before them."""

    id: int
    """Its own among all equations of both passes."""
    primitive: str
    line: int
    """The user's line, 0 for none."""
    outputs: tuple[str, ...]
    """The type of each, as JAX writes it: ``f32[8,4]``."""
    finite: bool | None = None
    """Whether all that it gives is finite; None where its values are not known."""
    span: Span | None = None
    depth: int = 0
    """0 at the top, 1 in a jaxpr inside an equation, and so on."""
    name: str = ""
    """Of the function that it calls, where it is a call."""
    equation: int = -1
    """Index into the equations of the variant's Program, -1 where it has none there."""
    added: bool = False
    """Whether it is there for the backward pass only: the program itself does not have it."""
    rule: int = -1
    """Which of the custom rules it belongs to, or calls the function of."""


class BackwardEquation(ForwardEquation, frozen=True):
    """One equation of the backward pass."""

    forward: int = -1
    """The id of the forward equation that it is the transpose of, -1 where that is not known."""
    recomputed: bool = False
    """Whether it does once more what the forward pass has done, because of ``jax.checkpoint``."""


class Residual(msgspec.Struct, frozen=True):
    """One array that the forward pass keeps for the backward pass."""

    id: int
    shape: str
    """Its type, as JAX writes it: ``f32[8,4]``."""
    bytes: int
    line: int
    """The user's line that made it; 0 for an argument, a constant, and where none is known."""
    made_by: int = -1
    """The id of the forward equation that made it, -1 for an argument or a constant."""
    argument: str = ""
    """The name of the argument that it is; empty for what the forward pass computed."""
    read_by: tuple[int, ...] = ()
    """The ids of the backward equations that read it."""


class FlowEnd(msgspec.Struct, frozen=True):
    """One place where no gradient flows on."""

    kind: Literal["integer", "unused", "cut off", "stop_gradient", "flat"]
    name: str
    """Of the argument, or of the primitive."""
    sentence: Text
    line: int = 0
    equation: int = -1
    """Index into the equations of the variant's Program, -1 for an argument."""


class CustomRule(msgspec.Struct, frozen=True):
    """A function that brings its own derivative."""

    kind: Literal["custom_jvp", "custom_vjp"]
    name: str
    line: int
    """Where it is called."""
    equation: int = -1
    rule_line: int = 0
    """Where its rule is defined: of custom_vjp the backward one; 0 where that is not user code."""


class FirstNotFinite(msgspec.Struct, frozen=True):
    """Where NaN or inf first appears in the backward pass, while the gradient holds some."""

    id: int
    """Of the backward equation."""
    made: Literal["nan", "inf"]
    line: int
    sentence: Text
    not_taken: bool = False
    """Whether it comes out of the branch of a ``where`` that was not taken."""
    may_have_fix: bool = False
    """Whether there is a change of the code to try."""
    fixes: tuple[Fix, ...] | None = None
    """The changes with which the gradient is finite and the values stay; None while none has been tried."""


class DifferenceCheck(msgspec.Struct, frozen=True):
    """The gradient along one direction next to a central difference of the program's values."""

    gradient: float
    differences: float
    digits: int
    """To how many decimal digits they agree."""
    agrees: bool
    """Whether they agree as far as finite differences can tell."""
    sentence: Text
    arguments: tuple[str, ...] = ()
    """Those along which they differ."""


class GradientCost(msgspec.Struct, frozen=True):
    """The cost of one call of the compiled value and gradient; None where XLA reports nothing."""

    variant: str
    residual_bytes: int
    """Of what the forward pass keeps, before XLA fuses and computes again as it likes."""
    temporary_bytes: int | None = None
    output_bytes: int | None = None
    argument_bytes: int | None = None
    peak_bytes: int | None = None
    """The most in use at one time: arguments, outputs and temporary values. None on the CPU."""
    median_s: float | None = None
    """Seconds of one call, measured; None where it was not."""
    samples: int = 0
    sentence: Text = Text()
    """Why it was not measured."""


class TimeRatio(msgspec.Struct, frozen=True, array_like=True):
    """How many times as long the first takes as the second, with a 95 % interval where there is one."""

    middle: float
    low: float | None = None
    high: float | None = None


class GradientCosts(msgspec.Struct, frozen=True):
    """The costs of one variant, or of two that took turns in one run."""

    costs: tuple[GradientCost, ...]
    time_ratio: TimeRatio | None = None


class GradientRows(msgspec.Struct, frozen=True):
    """The gradient of each example, or of each element of what the program returns."""

    kind: Literal["", "examples", "jacobian"] = ""
    pictures: tuple[Picture, ...] = ()
    """A row each: of the examples one for each argument, of the Jacobian one."""
    sentence: Text = Text()
    """What the rows are, or why there are none."""


class GradientLens(Lens, frozen=True, tag=True):
    """The gradient of one variant. It comes again, more complete, as parts become known."""

    forward: tuple[ForwardEquation, ...] = ()
    backward: tuple[BackwardEquation, ...] = ()
    residuals: tuple[Residual, ...] = ()
    residual_bytes: int = 0
    taken: tuple[str, ...] = ()
    """The arguments, or their leaves, that it is taken for."""
    summed: bool = False
    """Whether it is the gradient of the sum of the outputs, because they are not one number."""
    ends: tuple[FlowEnd, ...] = ()
    custom: tuple[CustomRule, ...] = ()
    recomputed: int = 0
    """How many equations the backward pass does once more."""
    not_finite: tuple[str, ...] = ()
    """Those of `taken` whose gradient holds NaN or inf."""
    first_not_finite: FirstNotFinite | None = None
    check: DifferenceCheck | None = None
    costs: GradientCosts | None = None
    """None while no one has asked for them."""
    rows: GradientRows | None = None
    """None while no one has asked for them."""
    notes: tuple[Text, ...] = ()
    """Sentences on what was done, and on what is left out."""

    def as_json(self) -> dict[str, Any]:
        return {
            "forward": [_equation(each) for each in self.forward],
            "backward": [{**_equation(each), "of": each.forward} for each in self.backward],
            "residuals": [
                {"id": each.id, "shape": each.shape, "bytes": each.bytes, "line": each.line} for each in self.residuals
            ],
            "residual_bytes": self.residual_bytes,
        }

    def completed(self, before: Self) -> Self:
        first, old = self.first_not_finite, before.first_not_finite
        if first is not None and old is not None and first.fixes is None:
            first = replace(first, fixes=old.fixes)
        costs, rows = self.costs or before.costs, self.rows or before.rows
        return replace(self, first_not_finite=first, costs=costs, rows=rows)

    def shown(self) -> Shown | None:
        return Shown(self.rows.pictures, self.rows.sentence) if self.rows is not None and self.rows.pictures else None


def _equation(equation: ForwardEquation) -> dict[str, Any]:
    return {
        "id": equation.id,
        "primitive": equation.primitive,
        "line": equation.line,
        "outputs": list(equation.outputs),
        "finite": equation.finite,
    }


LENS = LensSpec(
    "gradient",
    GradientLens,
    name=say("gradient"),
    tip=say("Shows the backward pass next to the program"),
    ability="gradient",
    without=say("With this version of JAX the gradient lens does not work."),
)
