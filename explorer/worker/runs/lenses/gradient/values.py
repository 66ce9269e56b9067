"""The values of both passes, evaluated once, equation by equation: finiteness, and the origin of NaN."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Any, Literal, NamedTuple

import numpy as np

from explorer.text.text import Text, say
from explorer.worker.checks.values import rules
from explorer.worker.internals import jaxprs, value_checks
from explorer.worker.jaxpr import interpreter
from explorer.worker.jaxpr.interpreter import CALLS, evaluate
from explorer.worker.runs.lenses.gradient.links import Level, Node

_MOST_STEPS = 20_000
"""Largest number of equations to evaluate one by one in the iterations of a loop."""


class FirstNotFinite(NamedTuple):
    """First appearance of NaN or inf in the backward pass of a non-finite gradient."""

    id: int
    """Id of the backward equation."""
    made: Literal["nan", "inf"]
    line: int
    sentence: Text


class Evaluation:
    """Evaluator of both passes that marks each equation as finite or not, and keeps the first bad backward one."""

    def __init__(self, backward: Sequence[Node]) -> None:
        self._backward = {id(inside) for node in backward for inside in node.all()}
        self._forward: Node | None = None
        """The first non-finite equation of the forward pass."""
        self._is_forward = False
        """Whether only its residuals are not finite."""
        self._is_given = False
        """Whether an argument is not finite."""
        self._first: tuple[Node, list[_Value], _Value] | None = None

    def run(self, level: Level, arguments: Sequence[Any]) -> list[Any]:
        """Return the outputs of `level`, which holds both passes. Raises the exceptions of the evaluation."""
        self._is_given = not all(map(rules.is_finite, arguments))
        return [each.array for each in self._run(level, [_Value(each) for each in arguments])]

    def first_not_finite(self) -> FirstNotFinite | None:
        """Return the first appearance of NaN or inf in the backward pass, or None."""
        if self._first is None:
            return None
        in_iteration = self._in_iterations(*self._first[:2])
        if in_iteration is not None:
            return in_iteration
        node, given, result = self._first
        made: Literal["nan", "inf"] = "nan" if np.isnan(_host(result)).any() else "inf"
        if _is_not_taken(node, given, result):
            sentence = say(
                "NaN first appears here: the branch that was not taken gave 0 x inf. The where passes it a zero, "
                "but its own derivative is infinite there. Put a second where around its argument."
            )
            return FirstNotFinite(node.id, made, node.line, sentence)
        return FirstNotFinite(node.id, made, node.line, self._origin_words(node, given, made))

    def _in_iterations(self, node: Node, given: list[_Value]) -> FirstNotFinite | None:
        """Return the first appearance inside the scan `node`, by evaluating its iterations; None for other nodes."""
        parameters = node.equation.params
        if node.primitive != "scan" or len(node.levels) != 1:
            return None
        inner = Evaluation(())
        inner._backward, inner._is_given = self._backward, self._is_given
        inner._forward, inner._is_forward = self._forward, self._is_forward
        inside = list(node.levels[0].all())
        iterations = interpreter.scan_iterations(parameters, given, lambda *given: inner._run(node.levels[0], given))
        for _ in islice(iterations, _MOST_STEPS // max(1, len(inside))):
            if inner._first is not None:
                break
        for each in inside:
            # Later iterations were not evaluated.
            each.finite = None if each.finite else each.finite
        return inner.first_not_finite()

    def _origin_words(self, node: Node, given: list[_Value], made: str) -> Text:
        if made == "nan" and _is_zero_times_inf(node, given):
            return say("NaN first appears here: 0 x inf.")
        if all(rules.is_finite(each.array) for each in given):
            return say("{made} first appears here, from numbers that were all finite.", made=_word(made))
        source = self._forward
        if source is None or self._is_given:
            return say("{made} first appears here: an argument already holds it.", made=_word(made))
        if self._is_forward:
            return say(
                "{made} first appears here: the derivative that the forward pass keeps is not finite ({primitive}, "
                "line {line}).",
                made=_word(made),
                primitive=source.primitive,
                line=source.line or "?",
            )
        return say(
            "{made} first appears here, but the forward pass has made it before ({primitive}, line {line}).",
            made=_word(made),
            primitive=source.primitive,
            line=source.line or "?",
        )

    def _run(self, level: Level, arguments: Sequence[_Value]) -> list[_Value]:
        nodes = {id(node.equation): node for node in level.nodes}
        return evaluate(
            level.jaxpr, arguments, lambda equation, given: self._carried_out(nodes[id(equation)], given), lift=_Value
        )

    def _carried_out(self, node: Node, given: list[_Value]) -> list[_Value] | None:
        if value_checks.only_prints(node.equation):
            return None
        entered = _entered(node, given)
        if entered is not None:
            outputs = self._run(*entered)
        else:
            found = jaxprs.bind(node.equation, [each.array for each in given])
            is_masked = any(each.is_masked for each in given)
            is_masked |= node.primitive == "select_n" and id(node) in self._backward
            outputs = [_Value(each, is_masked) for each in found]
        node.finite = all(rules.is_finite(each.array) for each in outputs)
        if not node.finite:
            self._note(node, given, outputs, is_call=entered is not None)
        return outputs

    def _note(self, node: Node, given: list[_Value], outputs: list[_Value], *, is_call: bool) -> None:
        if is_call:
            return
        if id(node) not in self._backward:
            if self._forward is None:
                own = outputs[: len(node.plain.equation.outvars)] if node.plain and not node.added else []
                self._forward, self._is_forward = node, all(rules.is_finite(each.array) for each in own)
        elif self._first is None:
            self._first = node, given, next(each for each in outputs if not rules.is_finite(each.array))


class _Value:
    """A value, with its origin."""

    __slots__ = ("array", "is_masked")

    def __init__(self, array: Any, is_masked: bool = False) -> None:
        self.array = array
        self.is_masked = is_masked
        """Whether it comes from the backward pass of a ``where``, which inserts zeros for unselected elements."""

    def __getitem__(self, place: Any) -> _Value:
        return _Value(self.array[place], self.is_masked)


def _entered(node: Node, given: list[_Value]) -> tuple[Level, list[_Value]] | None:
    """Return the equations inside `node`, and their arguments; None if it runs as a whole."""
    if node.primitive in CALLS and len(node.levels) == 1:
        return node.levels[0], given
    if node.primitive == "cond" and not node.equation.params.get("branches_platforms"):
        return node.levels[interpreter.branch_index(node.equation.params, given[0].array)], given[1:]
    return None


def _host(value: _Value) -> Any:
    return np.asarray(value.array)


def _word(made: str) -> str:
    return "NaN" if made == "nan" else made


def _is_not_taken(node: Node, given: list[_Value], result: _Value) -> bool:
    """Return whether `node` makes NaN from the zeros that a ``where`` inserts for the unselected branch.

    See https://docs.jax.dev/en/latest/faq.html#gradients-contain-nan-where-using-where.
    """
    array = _host(result)
    if node.primitive not in ("mul", "div", "dot_general", "integer_pow", "pow") or not np.isnan(array).any():
        return False
    masked = [_host(each) for each in given if each.is_masked]
    others = [_host(each) for each in given if not each.is_masked]
    if not masked or not others or not rules.is_finite(masked[0]):
        return False
    if node.primitive != "dot_general" and masked[0].shape == array.shape:
        return bool((masked[0][np.isnan(array)] == 0).all()) and _is_zero_times_inf(node, given)
    return bool((masked[0] == 0).any()) and not rules.is_finite(others[0])


def _is_zero_times_inf(node: Node, given: list[_Value]) -> bool:
    if node.primitive not in ("mul", "div") or len(given) != 2:
        return False
    with np.errstate(all="ignore"):
        left, right = (_host(each) for each in given)
        factor = right if node.primitive == "mul" else 1 / right
        return bool((((left == 0) & np.isinf(factor)) | (np.isinf(left) & (factor == 0))).any())
