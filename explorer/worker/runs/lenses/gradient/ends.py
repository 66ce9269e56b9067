"""Ends of the gradient flow: arguments without a gradient, unused arguments, and steps with zero derivative."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from jax.extend.core import JaxprEqn, Literal

from explorer.messages import LOOPS
from explorer.messages.lenses.gradient import FlowEnd
from explorer.text.text import Text, say
from explorer.worker.internals.printing import positions
from explorer.worker.internals.sources import equation_source, transforms
from explorer.worker.jaxpr.interpreter import live, read_if_needed
from explorer.worker.runs.lenses.gradient.custom import KINDS
from explorer.worker.runs.lenses.gradient.links import Level, Node
from explorer.worker.runs.lenses.gradient.trace import Leaf, Traced, is_inexact

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


IndexOf = Callable[[JaxprEqn], int]
"""Return the index of an equation in the variant's Program, -1 for none."""


def ends(traced: Traced, program: Level, index_of: IndexOf, is_user_code: Callable[[str], bool]) -> Iterator[FlowEnd]:
    """Yield the ends of the gradient flow: arguments in order, then equations."""
    gradients = iter(traced.gradients)
    by_transposing = _given_backward(traced)
    used = _used(traced)
    for place, leaf in enumerate(traced.leaves):
        if not leaf.is_taken:
            yield FlowEnd("integer", leaf.name, _not_float(leaf))
        elif not _flows(next(gradients), by_transposing):
            yield _without_gradient(leaf.name, place in used)
    seen = set()
    for node in program.all():
        line = node.span.line if node.span else 0
        if node.name == _STOP and _is_users_own(node.equation, is_user_code) and node.key not in seen:
            seen.add(node.key)
            yield FlowEnd(
                "stop_gradient",
                _STOP,
                say("stop_gradient: the backward pass treats this value as a constant."),
                line,
                index_of(node.equation),
            )
    for node in flat_steps(program, traced.leaves):
        line = node.span.line if node.span else 0
        yield FlowEnd("flat", node.name, sentence(node), line, index_of(node.equation))


def _not_float(leaf: Leaf) -> Text:
    type_ = leaf.value.dtype.name
    if type_.startswith("key<"):
        return say("No gradient: a random key is not a number.")
    if type_ == "bool":
        return say("No gradient: true or false cannot change by a small amount.")
    return say("No gradient: integers ({type}) cannot change by a small amount.", type=type_)


def _without_gradient(name: str, is_used: bool) -> FlowEnd:
    if not is_used:
        return FlowEnd("unused", name, say("Gradient zero: not used for the output."))
    sentence = say(
        "Gradient zero: every way to the output goes through stop_gradient, integers, or steps whose derivative is "
        "zero."
    )
    return FlowEnd("cut off", name, sentence)


def _flows(gradient: Any, by_transposing: set[Any]) -> bool:
    return not isinstance(gradient, Literal) and gradient in by_transposing


def _given_backward(traced: Traced) -> set[Any]:
    """Return the variables of the backward pass, including cotangents."""
    cotangents = set(traced.both.jaxpr.invars[len(traced.leaves) :])
    for equation in traced.both.jaxpr.eqns:
        if next(transforms(equation_source(equation)[1]), "") == "transpose":
            cotangents.update(equation.outvars)
    return cotangents


def _used(traced: Traced) -> set[int]:
    """Return the indices of the arguments that the real outputs may depend on."""
    jaxpr = traced.plain.jaxpr
    needed = live(jaxpr, jaxpr.outvars, _read_for)[1]
    return {place for place, variable in enumerate(jaxpr.invars) if variable in needed}


def _read_for(equation: JaxprEqn, needed: set[Any]) -> Iterable[Any] | None:
    """Return the operands that the `needed` outputs of `equation` require, looking into a jit."""
    inner = equation.params.get("jaxpr") if equation.primitive.name == "jit" else None
    if inner is None or needed.isdisjoint(equation.outvars):
        return read_if_needed(equation, needed)
    pairs = zip(equation.outvars, inner.jaxpr.outvars, strict=True)
    wanted = live(inner.jaxpr, (inside for outside, inside in pairs if outside in needed), _read_for)[1]
    return [each for each, own in zip(equation.invars, inner.jaxpr.invars, strict=True) if own in wanted]


def _is_users_own(equation: JaxprEqn, is_user_code: Callable[[str], bool]) -> bool:
    """Return whether user code itself calls stop_gradient; many functions of JAX do."""
    after = ""
    for code, _ in positions(equation):
        if is_user_code(code.co_filename):
            return after == _STOP
        # Enclosing frames of JAX have the same name, or belong to tree_map.
        if code.co_name == _STOP or after != _STOP:
            after = code.co_name
        elif "tree" not in code.co_filename:
            return False
    return False
