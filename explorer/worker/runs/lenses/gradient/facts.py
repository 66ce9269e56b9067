"""The gradient of one variant (`Gradient`) and all facts on it (`Facts`): both passes, residuals, check, notes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import jax
import msgspec
import numpy as np
from jax.extend.core import jaxpr_as_fun

from explorer.messages import Failure
from explorer.text.text import NOTHING, Text, say
from explorer.worker.checks.values import rules as of_values
from explorer.worker.errors.failure import failure
from explorer.worker.internals.jaxprs import every_equation
from explorer.worker.internals.printing import printed
from explorer.worker.internals.value_checks import may_run_again
from explorer.worker.program.equations import short_type
from explorer.worker.recording.interrupt import Interrupt
from explorer.worker.runs.lenses.gradient.check import CORNERS, DifferenceCheck, checked
from explorer.worker.runs.lenses.gradient.flow import FlowEnd, IndexOf, call_name, ends, link_rules, with_calls
from explorer.worker.runs.lenses.gradient.links import (
    MOST_EQUATIONS,
    Level,
    Levels,
    Node,
    TooMany,
    link_backward,
    link_forward,
    passes,
)
from explorer.worker.runs.lenses.gradient.trace import Call, NoGradient, TracedGradient, is_inexact, is_real, trace
from explorer.worker.runs.lenses.gradient.values import Evaluation, FirstNotFinite

LARGE_BYTES = 1_000_000
"""Smallest residual in bytes that is worth a note."""
_NO_REVERSE = "Reverse-mode differentiation does not work for lax.while_loop"
_NO_ARRAY = re.compile(r"returned a value of type <class '(?:[\w.]*\.)?(\w+)'>(?: at output component (\S+?))?, which")
_NO_RULE = re.compile(r"(?:Differentiation|Transpose) rule (?:\(for reverse-mode differentiation\) )?for '([\w-]+)'")
_CALLBACKS = ("Pure callbacks do not support JVP", "IO callbacks do not support JVP")


class Residual(msgspec.Struct, frozen=True):
    """One array that the forward pass keeps for the backward pass."""

    id: int
    shape: str
    """Its type in JAX's notation: ``f32[8,4]``."""
    bytes: int
    line: int
    """The line in user code that made it; 0 for an argument, a constant, or an unknown line."""
    made_by: int
    """Id of the forward equation that made it, -1 for an argument or a constant."""
    argument: str
    """Name of the argument; empty for a computed array."""


class Facts(msgspec.Struct):
    """All facts on a gradient so far, or the reason why there is none."""

    forward: Sequence[Node] = ()
    """All equations of the forward pass; an enclosing equation precedes the nested ones."""
    backward: Sequence[Node] = ()
    residuals: tuple[Residual, ...] = ()
    taken: tuple[str, ...] = ()
    """The differentiated arguments, or their leaves."""
    summed: bool = False
    """Whether it is the gradient of the sum of the outputs, because they are not a single number."""
    ends: tuple[FlowEnd, ...] = ()
    not_finite: tuple[str, ...] = ()
    """Those of `taken` whose gradient contains NaN or inf."""
    first_not_finite: FirstNotFinite | None = None
    check: DifferenceCheck | None = None
    notes: list[Text] = []
    """Notes on the method, and omissions."""
    sentence: Text = NOTHING
    failure: Failure | None = None

    @property
    def residual_bytes(self) -> int:
        return sum(each.bytes for each in self.residuals)

    @property
    def recomputed(self) -> int:
        """Number of equations that the backward pass recomputes."""
        return sum(each.recomputed for each in self.backward)


def sentence(failure: Failure) -> Text:
    """Return a sentence on `failure`, which occurred during the trace of both passes."""
    text = f"{failure.original} {failure.message}"
    if _NO_REVERSE in text:
        return say(
            "The program runs a while loop, and the backward pass would have to go through its iterations from the "
            "last to the first. JAX does not know beforehand how many it must keep. Use jax.lax.scan, or fori_loop "
            "between two plain Python numbers."
        )
    if any(each in text for each in _CALLBACKS):
        return say(
            "The program calls back into Python, and JAX cannot differentiate Python code. Give that step its own "
            "rule with jax.custom_vjp, or put stop_gradient around its input."
        )
    if found := _NO_RULE.search(text):
        return say("JAX has no derivative of {primitive}.", primitive=found[1])
    if found := _NO_ARRAY.search(text):
        return say(
            "The program returns something that is not an array ({type}{place}), so JAX cannot trace it. Return "
            "arrays and numbers only.",
            type=found[1],
            place=f" {found[2]}" if found[2] else "",
        )
    return say("JAX cannot take this gradient: {what}", what=f"{failure.type}: {failure.message}".split("\n")[0])


def facts(call: Call, inputs: Mapping[str, Any], is_user_code: Callable[[str], bool]) -> Facts:
    """Return all facts on the gradient of `call` with its arguments `inputs`; failures are reported in it."""
    gradient = Gradient.of(call, inputs, is_user_code)
    if isinstance(gradient, Facts):
        return gradient
    gradient.evaluate()
    return gradient.facts


class PassValues(NamedTuple):
    """The computed values of both passes."""

    outputs: list[Any]
    gradients: list[Any]
    """One per differentiated leaf."""


class Gradient(msgspec.Struct):
    """The gradient of one variant; `facts` holds the results so far."""

    facts: Facts
    traced: TracedGradient
    _both: Level
    _backward: list[Node]
    _is_user_code: Callable[[str], bool]
    values: PassValues | None = None
    """None if unknown."""

    @staticmethod
    def of(call: Call, inputs: Mapping[str, Any], is_user_code: Callable[[str], bool]) -> Gradient | Facts:
        """Return the gradient of `call`, by tracing only; or the reason why there is none."""
        try:
            traced = trace(call, inputs)
            levels = Levels(is_user_code)
            program, both = levels.of(traced.plain), levels.of(traced.both)
        except NoGradient as reason:
            return Facts(sentence=reason.text)
        except TooMany:
            return Facts(
                sentence=say(
                    "Both passes have more than {most} equations: too many to show.", most=f"{MOST_EQUATIONS:,}"
                )
            )
        except Interrupt:
            raise
        except BaseException as error:
            raised = failure(error, is_user_code)
            return Facts(sentence=sentence(raised), failure=raised)
        forward, backward = passes(both)
        link_forward(program.nodes, forward)
        forward = with_calls(program.nodes, forward)
        everything = [each for node in forward for each in node.all()]
        link_backward(backward, everything, both.made)
        link_rules(backward, forward)
        reversed_ones = [each for node in backward for each in node.all()]
        for number, each in enumerate([*everything, *reversed_ones]):
            each.id = number
        index_of = _indices(traced)
        _describe(everything, index_of)
        _describe(reversed_ones, index_of, backward=True)
        real = [each for each in traced.outputs if is_real(each)]
        found = Facts(
            everything,
            reversed_ones,
            tuple(_residuals(traced, both)),
            tuple(leaf.name for leaf in traced.leaves if leaf.is_taken),
            len(real) > 1 or real[0].shape != (),
            tuple(ends(traced, program, index_of, is_user_code)),
        )
        found.notes += _notes(traced, found)
        return Gradient(found, traced, both, backward, is_user_code)

    def evaluate(self) -> None:
        """Evaluate both passes: finiteness of values, origin of NaN, and the check by finite differences."""
        if not may_run_again(self.traced.both.jaxpr):
            self._note(say("The program has side effects, so it is not run again: its values are not known."))
            return
        evaluation = Evaluation(self._backward)
        try:
            values = [*(leaf.value for leaf in self.traced.leaves), *self.traced.cotangents]
            outputs = evaluation.run(self._both, values)
            jax.block_until_ready(outputs)
            count = len(self.traced.outputs)
            self.values = PassValues(outputs[:count], outputs[count:][: len(self.traced.gradients)])
            corners = any(each.primitive.name in CORNERS for each in every_equation(self.traced.plain.jaxpr))
            check = checked(self._summed, self.traced.leaves, self.values.gradients, corners=corners)
        except Interrupt:
            raise
        except BaseException as error:
            raised = failure(error, self._is_user_code)
            self._note(say("Its values could not be computed: {what}", what=raised.words))
            return
        found = self.facts
        if not all(map(of_values.is_finite, self.values.gradients)):
            found.first_not_finite = evaluation.first_not_finite()
        found.not_finite, found.check = self._not_finite(self.values.gradients), check
        if check is None and not all(map(of_values.is_finite, self.values.outputs)):
            self._note(say("The value itself holds NaN or inf: finite differences cannot check it."))

    def _not_finite(self, gradients: Sequence[Any]) -> tuple[str, ...]:
        names = (leaf.name for leaf in self.traced.leaves if leaf.is_taken)
        return tuple(name for name, each in zip(names, gradients, strict=True) if not of_values.is_finite(each))

    def _summed(self, values: Sequence[Any]) -> float:
        outputs = jaxpr_as_fun(self.traced.plain)(*values)
        return float(sum(np.asarray(each, np.float64).sum() for each in outputs if is_real(each)))

    def _note(self, sentence: Text) -> None:
        self.facts.notes.append(sentence)


def _indices(traced: TracedGradient) -> IndexOf:
    if not traced.linked:
        return lambda _: -1
    order = {id(each.equation): place for place, each in enumerate(printed(traced.plain)[1])}
    return lambda equation: order.get(id(equation), -1)


def _describe(nodes: Sequence[Node], index_of: IndexOf, *, backward: bool = False) -> None:
    """Set the facts on each of `nodes` that the table shows."""
    for node in nodes:
        plain = (node.forward.plain if node.forward else None) if backward else node.plain
        node.index = index_of(plain.equation) if plain else -1
        node.outputs = tuple(short_type(each.aval) for each in node.equation.outvars)
        node.called = call_name(node)
        node.recomputed, node.added = backward and node.is_recomputed, backward or node.added


def _residuals(traced: TracedGradient, both: Level) -> Iterator[Residual]:
    names = {variable: leaf.name for variable, leaf in zip(traced.both.jaxpr.invars, traced.leaves, strict=False)}
    for number, variable in enumerate(traced.residuals):
        maker = both.made.get(variable)
        aval: Any = variable.aval
        size = int(np.prod(aval.shape, dtype=np.int64)) * int(getattr(aval.dtype, "itemsize", 0))
        line, made_by = (maker.line, maker.id) if maker else (0, -1)
        yield Residual(number, aval.str_short(short_dtypes=True), size, line, made_by, names.get(variable, ""))


def _notes(traced: TracedGradient, facts: Facts) -> list[Text]:
    """Return the notes on the gradient as a whole."""
    texts = []
    real = [each for each in traced.outputs if is_real(each)]
    if not any(np.prod(each.shape) for each in real):
        texts.append(say("The output has no elements: its sum is 0 for all arguments, and so is the gradient."))
    elif facts.summed:
        types = ", ".join(dict.fromkeys(each.str_short(short_dtypes=True) for each in real))
        texts.append(say("The output is not a single number ({types}): this is the gradient of its sum.", types=types))
    elif not any(leaf.value.size for leaf in traced.leaves if leaf.is_taken):
        texts.append(say("The differentiated arguments have no elements, so neither has the gradient."))
    others = [each for each in traced.outputs if not is_real(each)]
    if any(map(is_inexact, others)):
        texts.append(say("Complex outputs are left out: only real ones have a gradient."))
    if not all(map(is_inexact, others)):
        texts.append(say("Outputs that are not floats are left out: they have no gradient."))
    if not all(is_real(leaf.value) for leaf in traced.leaves if leaf.is_taken):
        texts.append(
            say(
                "An argument is complex: JAX gives the slope along the real part minus i times that along the "
                "imaginary part, so its conjugate points uphill."
            )
        )
    largest = max(facts.residuals, key=lambda each: each.bytes, default=None)
    # Residuals despite a checkpoint are its inputs: another checkpoint would not remove them.
    if largest is not None and largest.bytes >= LARGE_BYTES and not largest.argument and not facts.recomputed:
        texts.append(
            say(
                "The forward pass keeps {type} of line {line} for the backward pass: {mebibytes} MiB. jax.checkpoint "
                "around that step would compute it again instead.",
                type=largest.shape,
                line=largest.line,
                mebibytes=f"{largest.bytes / 2**20:,.1f}",
            )
        )
    return texts
