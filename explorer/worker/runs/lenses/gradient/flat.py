"""Steps that block the gradient: their outputs hold no floats, or have zero derivative."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from explorer.messages import LOOPS
from explorer.text.text import Text, say
from explorer.worker.runs.lenses.gradient.custom import KINDS
from explorer.worker.runs.lenses.gradient.links import Level, Node
from explorer.worker.runs.lenses.gradient.trace import Leaf, is_inexact

_FLAT = frozenset({"round", "floor", "ceil", "sign"})
"""Their derivative is zero wherever it exists."""
_STOP = "stop_gradient"


def flat_steps(program: Level, leaves: Sequence[Leaf]) -> Iterator[Node]:
    """Yield the steps of `program` at which the dependence on differentiated `leaves` ends, in order."""
    variables = program.jaxpr.jaxpr.invars
    taken = {variable for variable, leaf in zip(variables, leaves, strict=True) if leaf.is_taken}
    yield from _steps(program, taken)


def sentence(node: Node) -> Text:
    """Return the reason why no gradient flows through `node`."""
    types = {each.aval.dtype.name for each in node.equation.outvars if hasattr(each.aval, "dtype")}
    if node.name in _FLAT:
        return say("{primitive} is flat: its derivative is zero, so nothing flows back.", primitive=node.name)
    if types == {"bool"}:
        return say("True or false cannot change by a small amount: nothing flows back.")
    return say("Integers cannot change by a small amount: nothing flows back.")


def _steps(level: Level, carried: set[Any]) -> Iterator[Node]:
    """Yield the steps of one jaxpr, and extend `carried` by the variables that depend on it."""
    for node in level.nodes:
        outputs = [each for each in node.equation.outvars if _holds_floats(each)]
        if node.name == _STOP or carried.isdisjoint(filter(_is_variable, node.equation.invars)):
            continue
        if not outputs or node.name in _FLAT:
            # An equation with side effects only has no outputs.
            if node.equation.outvars:
                yield node
            continue
        if node.name in KINDS or not node.levels:
            carried.update(outputs)
            continue
        yield from _inside(node, carried)


def _inside(node: Node, carried: set[Any]) -> Iterator[Node]:
    outputs = node.equation.outvars
    is_loop = node.name in LOOPS
    reached: set[Any] = set()
    for inner in node.levels:
        variables = inner.jaxpr.jaxpr.invars
        operands = node.equation.invars[len(node.equation.invars) - len(variables) :]
        if is_loop or len(operands) != len(variables):
            known = {each for each in variables if _holds_floats(each)}
        else:
            pairs = zip(variables, operands, strict=True)
            known = {variable for variable, operand in pairs if _is_variable(operand) and operand in carried}
        yield from _steps(inner, known)
        ends = inner.jaxpr.jaxpr.outvars
        if is_loop or len(ends) != len(outputs):
            reached.update(outputs)
        else:
            pairs = zip(outputs, ends, strict=True)
            reached.update(outer for outer, end in pairs if _is_variable(end) and end in known)
    carried.update(each for each in reached if _holds_floats(each))


def _is_variable(atom: Any) -> bool:
    return not hasattr(atom, "val")


def _holds_floats(variable: Any) -> bool:
    return hasattr(variable.aval, "dtype") and is_inexact(variable.aval)
