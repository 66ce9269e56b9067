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
    """One equation of the forward pass; an enclosing equation precedes the nested ones."""

    id: int
    """Unique among the equations of both passes."""
    primitive: str
    line: int
    """The line in user code, 0 for none."""
    outputs: tuple[str, ...]
    """Output types in JAX's notation: ``f32[8,4]``."""
    finite: bool | None = None
    """Whether all outputs are finite; None if their values are unknown."""
    span: Span | None = None
    depth: int = 0
    """0 at the top level, 1 in an equation's inner jaxpr, and so on."""
    name: str = ""
    """Name of the called function, for a call."""
    equation: int = -1
    """Index into the equations of the variant's Program, -1 for none."""
    added: bool = False
    """Whether it belongs only to the derivative and not to the program itself."""
    rule: int = -1
    """Index of the custom rule that it belongs to, or whose function it calls; -1 for none."""


class BackwardEquation(ForwardEquation, frozen=True):
    """One equation of the backward pass."""

    forward: int = -1
    """Id of the forward equation that it transposes, -1 if unknown."""
    recomputed: bool = False
    """Whether ``jax.checkpoint`` makes it repeat a computation of the forward pass.

    See https://docs.jax.dev/en/latest/notebooks/autodiff_remat.html.
    """


class Residual(msgspec.Struct, frozen=True):
    """One array that the forward pass keeps for the backward pass."""

    id: int
    shape: str
    """Its type in JAX's notation: ``f32[8,4]``."""
    bytes: int
    line: int
    """The line in user code that made it; 0 for an argument, a constant, or an unknown line."""
    made_by: int = -1
    """Id of the forward equation that made it, -1 for an argument or a constant."""
    argument: str = ""
    """Name of the argument; empty for a computed array."""


class FlowEnd(msgspec.Struct, frozen=True):
    """One place where the gradient flow ends."""

    kind: Literal["integer", "unused", "cut off", "stop_gradient", "flat"]
    name: str
    """Name of the argument or of the primitive."""
    sentence: Text
    line: int = 0
    equation: int = -1
    """Index into the equations of the variant's Program, -1 for an argument."""


class CustomRule(msgspec.Struct, frozen=True):
    """A function with its own derivative rule."""

    kind: Literal["custom_jvp", "custom_vjp"]
    name: str
    line: int
    """The line of its call."""
    equation: int = -1
    rule_line: int = 0
    """The line that defines its rule (for custom_vjp, the backward rule); 0 outside of user code."""


class FirstNotFinite(msgspec.Struct, frozen=True):
    """First appearance of NaN or inf in the backward pass of a non-finite gradient."""

    id: int
    """Id of the backward equation."""
    made: Literal["nan", "inf"]
    line: int
    sentence: Text
    not_taken: bool = False
    """Whether it comes from the branch of a ``where`` that was not selected.

    See https://docs.jax.dev/en/latest/faq.html#gradients-contain-nan-where-using-where.
    """
    may_have_fix: bool = False
    """Whether a code change can be tried."""
    fixes: tuple[Fix, ...] | None = None
    """Changes that make the gradient finite and keep the values; None before any was tried."""


class DifferenceCheck(msgspec.Struct, frozen=True):
    """Comparison of the gradient along one direction with a central difference of the program's values."""

    gradient: float
    differences: float
    digits: int
    """Number of decimal digits that agree."""
    agrees: bool
    """Whether they agree within the precision of finite differences."""
    sentence: Text
    arguments: tuple[str, ...] = ()
    """The arguments along which they differ."""


class GradientCost(msgspec.Struct, frozen=True):
    """The cost of one call of the compiled value and gradient; None where XLA reports nothing."""

    variant: str
    residual_bytes: int
    """Bytes of the residuals, before XLA fuses or recomputes them."""
    temporary_bytes: int | None = None
    output_bytes: int | None = None
    argument_bytes: int | None = None
    peak_bytes: int | None = None
    """Peak bytes in use: arguments, outputs and temporary values. None on the CPU."""
    median_s: float | None = None
    """Measured seconds of one call; None if not measured."""
    samples: int = 0
    sentence: Text = Text()
    """Reason for a missing measurement."""


class TimeRatio(msgspec.Struct, frozen=True, array_like=True):
    """Time of the first relative to the second, with a 95 % interval if available."""

    middle: float
    low: float | None = None
    high: float | None = None


class GradientCosts(msgspec.Struct, frozen=True):
    """The costs of one variant, or of two that were interleaved in one run."""

    costs: tuple[GradientCost, ...]
    time_ratio: TimeRatio | None = None


class GradientRows(msgspec.Struct, frozen=True):
    """The gradient of each example, or of each output element."""

    kind: Literal["", "examples", "jacobian"] = ""
    pictures: tuple[Picture, ...] = ()
    """One picture per argument for the examples, one for the Jacobian; each example or element is a row."""
    sentence: Text = Text()
    """Meaning of the rows, or the reason why there are none."""


class GradientLens(Lens, frozen=True, tag=True):
    """The gradient of one variant, sent again with more details as they become known."""

    forward: tuple[ForwardEquation, ...] = ()
    backward: tuple[BackwardEquation, ...] = ()
    residuals: tuple[Residual, ...] = ()
    residual_bytes: int = 0
    taken: tuple[str, ...] = ()
    """The differentiated arguments, or their leaves."""
    summed: bool = False
    """Whether it is the gradient of the sum of the outputs, because they are not a single number."""
    ends: tuple[FlowEnd, ...] = ()
    custom: tuple[CustomRule, ...] = ()
    recomputed: int = 0
    """Number of equations that the backward pass recomputes."""
    not_finite: tuple[str, ...] = ()
    """Those of `taken` whose gradient contains NaN or inf."""
    first_not_finite: FirstNotFinite | None = None
    check: DifferenceCheck | None = None
    costs: GradientCosts | None = None
    """None before the first request."""
    rows: GradientRows | None = None
    """None before the first request."""
    notes: tuple[Text, ...] = ()
    """Notes on the method, and omissions."""

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
