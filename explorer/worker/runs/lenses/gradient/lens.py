"""The gradient lens: forward and backward pass, residuals, and a check of the result."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import jax
import msgspec
import numpy as np
from jax.extend.core import jaxpr_as_fun

from explorer.messages import Failure
from explorer.messages.lenses.gradient import GradientLens
from explorer.text.text import Text, say
from explorer.worker.checks.values import rules as of_values
from explorer.worker.errors.failure import failure
from explorer.worker.internals.jaxprs import every_equation
from explorer.worker.internals.value_checks import may_run_again
from explorer.worker.recording.interrupt import Interrupt
from explorer.worker.runs.lenses.gradient import ends, records
from explorer.worker.runs.lenses.gradient.check import CORNERS, checked
from explorer.worker.runs.lenses.gradient.custom import Rules, link_rules, with_calls
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
from explorer.worker.runs.lenses.gradient.trace import Call, NoGradient, Traced, is_real, trace
from explorer.worker.runs.lenses.gradient.values import Evaluation

_NO_REVERSE = "Reverse-mode differentiation does not work for lax.while_loop"
_NO_ARRAY = re.compile(r"returned a value of type <class '(?:[\w.]*\.)?(\w+)'>(?: at output component (\S+?))?, which")
_NO_RULE = re.compile(r"(?:Differentiation|Transpose) rule (?:\(for reverse-mode differentiation\) )?for '([\w-]+)'")
_CALLBACKS = ("Pure callbacks do not support JVP", "IO callbacks do not support JVP")


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


def gradient_lens(call: Call, inputs: Mapping[str, Any], is_user_code: Callable[[str], bool]) -> GradientLens:
    """Return the whole lens for `call` with its arguments `inputs`; failures are reported in it.

    `is_user_code` decides by file name.
    """
    gradient = Gradient.of(call, inputs, is_user_code)
    if isinstance(gradient, GradientLens):
        return gradient
    gradient.evaluate()
    return gradient.lens


class Values(NamedTuple):
    """The computed values of both passes."""

    outputs: list[Any]
    gradients: list[Any]
    """One per differentiated leaf."""


@dataclass
class Gradient:
    """The gradient of one variant; `lens` holds the results so far."""

    lens: GradientLens
    traced: Traced
    _both: Level
    _passes: tuple[list[Node], list[Node]]
    _is_user_code: Callable[[str], bool]
    values: Values | None = None
    """None if unknown."""
    first_not_finite: Node | None = None
    """The backward equation where NaN or inf first appears, for a non-finite gradient."""

    @staticmethod
    def of(call: Call, inputs: Mapping[str, Any], is_user_code: Callable[[str], bool]) -> Gradient | GradientLens:
        """Return the gradient of `call`, by tracing only; or a lens with the reason why there is none."""
        try:
            traced = trace(call, inputs)
            levels = Levels(is_user_code)
            program, both = levels.of(traced.plain), levels.of(traced.both)
        except NoGradient as reason:
            return GradientLens(sentence=reason.text)
        except TooMany:
            return GradientLens(
                sentence=say(
                    "Both passes have more than {most} equations: too many to show.", most=f"{MOST_EQUATIONS:,}"
                )
            )
        except Interrupt:
            raise
        except BaseException as error:
            return _failed(error, is_user_code)
        forward, backward = passes(both)
        link_forward(program.nodes, forward)
        forward = with_calls(program.nodes, forward)
        everything = [each for node in forward for each in node.all()]
        link_backward(backward, everything, both.made)
        link_rules(backward, forward)
        for number, each in enumerate([*everything, *(each for node in backward for each in node.all())]):
            each.id = number
        gradient = Gradient(GradientLens(), traced, both, (forward, backward), is_user_code)
        gradient._tell(program)
        return gradient

    def evaluate(self) -> None:
        """Evaluate both passes: finiteness of values, origin of NaN, and the check by finite differences."""
        if not may_run_again(self.traced.both.jaxpr):
            self._note(say("The program has side effects, so it is not run again: its values are not known."))
            return
        evaluation = Evaluation(self._passes[1])
        try:
            values = [*(leaf.value for leaf in self.traced.leaves), *self.traced.cotangents]
            outputs = evaluation.run(self._both, values)
            jax.block_until_ready(outputs)
            count = len(self.traced.outputs)
            self.values = Values(outputs[:count], outputs[count:][: len(self.traced.gradients)])
            corners = any(each.primitive.name in CORNERS for each in every_equation(self.traced.plain.jaxpr))
            check = checked(self._summed, self.traced.leaves, self.values.gradients, corners=corners)
        except Interrupt:
            raise
        except BaseException as error:
            raised = failure(error, self._is_user_code)
            self._note(say("Its values could not be computed: {what}", what=raised.words))
            return
        first = None
        if not all(map(of_values.is_finite, self.values.gradients)):
            first, self.first_not_finite = evaluation.first_not_finite(), evaluation.first
        finite = {node.id: node.finite for side in self._passes for top in side for node in top.all()}
        self.lens = msgspec.structs.replace(
            self.lens,
            forward=tuple(msgspec.structs.replace(each, finite=finite[each.id]) for each in self.lens.forward),
            backward=tuple(msgspec.structs.replace(each, finite=finite[each.id]) for each in self.lens.backward),
            not_finite=self._not_finite(self.values.gradients),
            first_not_finite=first,
            check=check,
        )
        if check is None and not all(map(of_values.is_finite, self.values.outputs)):
            self._note(say("The value itself holds NaN or inf: finite differences cannot check it."))

    def _not_finite(self, gradients: Sequence[Any]) -> tuple[str, ...]:
        names = (leaf.name for leaf in self.traced.leaves if leaf.is_taken)
        return tuple(name for name, each in zip(names, gradients, strict=True) if not of_values.is_finite(each))

    def _summed(self, values: Sequence[Any]) -> float:
        outputs = jaxpr_as_fun(self.traced.plain)(*values)
        return float(sum(np.asarray(each, np.float64).sum() for each in outputs if is_real(each)))

    def _note(self, sentence: Text) -> None:
        self.lens = msgspec.structs.replace(self.lens, notes=(*self.lens.notes, sentence))

    def _tell(self, program: Level) -> None:
        traced, (forward, backward) = self.traced, self._passes
        index_of = records.indices(traced)
        types, rules = records.Types(), Rules(program, index_of, self._is_user_code)
        rows = [records.forward_equation(node, types, index_of, rules) for top in forward for node in top.all()]
        back = [records.backward_equation(node, types, index_of, rules) for top in backward for node in top.all()]
        residuals = records.residuals(traced, self._both)
        real = [each for each in traced.outputs if is_real(each)]
        self.lens = GradientLens(
            forward=tuple(rows),
            backward=tuple(back),
            residuals=residuals,
            residual_bytes=sum(each.bytes for each in residuals),
            taken=tuple(leaf.name for leaf in traced.leaves if leaf.is_taken),
            summed=len(real) > 1 or real[0].shape != (),
            ends=tuple(ends.ends(traced, program, index_of, self._is_user_code)),
            custom=rules.all,
            recomputed=sum(each.recomputed for each in back),
        )
        for sentence in records.notes(traced, self.lens):
            self._note(sentence)


def _failed(error: BaseException, is_user_code: Callable[[str], bool]) -> GradientLens:
    raised = failure(error, is_user_code)
    return GradientLens(sentence=sentence(raised), failure=raised)
