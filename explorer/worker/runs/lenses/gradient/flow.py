"""Where the gradient flow ends, and functions whose own rules it goes through.

Arguments without a gradient, unused arguments, and steps with zero derivative end it. For rules see
https://docs.jax.dev/en/latest/notebooks/Custom_derivative_rules_for_Python_code.html.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from jax.extend import core
from jax.extend.core import JaxprEqn

from explorer.messages import LOOPS
from explorer.text.text import Text, say
from explorer.worker.internals.printing import positions
from explorer.worker.internals.sources import equation_source, transforms
from explorer.worker.internals.zero_gradients import FLAT
from explorer.worker.jaxpr.interpreter import is_variable, live, read_if_needed
from explorer.worker.runs.lenses.gradient.links import Instructions, Level, Node
from explorer.worker.runs.lenses.gradient.trace import ArgumentArray, TracedGradient, is_inexact

# -- rules ---------------------------------------------------------------------------------------------------------

_CUSTOM = ("custom_jvp_call", "custom_vjp_call")


def call_name(node: Node) -> str:
    """Return the name of the function that an equation calls, or an empty text."""
    name = node.equation.params.get("name")
    if isinstance(name, str):
        return name
    if node.primitive not in _CUSTOM:
        return ""
    inner = node.equation.params.get("call_jaxpr")
    information: Any = getattr(getattr(inner, "jaxpr", None), "debug_info", None)
    return str(getattr(information, "func_name", ""))


def with_calls(program: Sequence[Node], forward: Sequence[Node]) -> list[Node]:
    """Return `forward`, plus the calls of the program that are missing because their rules run instead."""
    there = {id(node.plain) for top in forward for node in top.all() if node.plain and not node.added}
    order = {id(inside): place for place, top in enumerate(program) for inside in top.all()}
    by_key = {top.key: place for place, top in enumerate(program) if top.primitive in _CUSTOM}
    missing = [(place, top) for place, top in enumerate(program) if top.primitive in _CUSTOM and id(top) not in there]
    found: list[Node] = []
    for node in forward:
        own = order.get(id(node.plain)) if node.plain else None
        place = own if own is not None else next((by_key[key] for key in _calls_around(node) if key in by_key), None)
        while missing and place is not None and missing[0][0] <= place:
            found.append(_standing_in(missing.pop(0)[1]))
        found.append(node)
    return [*found, *(_standing_in(top) for _, top in missing)]


def link_rules(backward: Sequence[Node], forward: Sequence[Node]) -> None:
    """Link the backward equations of a rule, as far as they have no link yet, to the call of its function."""
    calls = {node.key: node for node in forward if node.primitive in _CUSTOM}
    for top in backward:
        for node in top.all():
            node.forward = node.forward or next((calls[key] for key in _calls_around(node) if key in calls), None)


def _calls_around(node: Node) -> Iterator[Instructions]:
    """Yield the instructions at which `node` was traced, then those of its enclosing calls."""
    return (node.key[start:] for start in range(len(node.key)))


def _standing_in(plain: Node) -> Node:
    return Node(plain.equation, plain.depth, plain.span, plain.key, [], plain)


# -- ends ----------------------------------------------------------------------------------------------------------

IndexOf = Callable[[JaxprEqn], int]
"""Return the index of an equation in the variant's Program, -1 for none."""
_STOP = "stop_gradient"


class FlowEnd(NamedTuple):
    """One place where the gradient flow ends."""

    name: str
    """Name of the argument or of the primitive."""
    sentence: Text
    equation: int = -1
    """Index into the equations of the variant's Program, -1 for an argument."""


def flat_steps(program: Level, leaves: Sequence[ArgumentArray]) -> Iterator[Node]:
    """Yield the steps of `program` at which the dependence on differentiated `leaves` ends, in order."""
    variables = program.jaxpr.jaxpr.invars
    taken = {variable for variable, leaf in zip(variables, leaves, strict=True) if leaf.is_taken}
    yield from _steps(program, taken)


def sentence(node: Node) -> Text:
    """Return the reason why no gradient flows through `node`."""
    types = {each.aval.dtype.name for each in node.equation.outvars if hasattr(each.aval, "dtype")}
    if node.primitive in FLAT:
        return say("{primitive} is flat: its derivative is zero, so nothing flows back.", primitive=node.primitive)
    if types == {"bool"}:
        return say("True or false cannot change by a small amount: nothing flows back.")
    return say("Integers cannot change by a small amount: nothing flows back.")


def _steps(level: Level, carried: set[Any]) -> Iterator[Node]:
    """Yield the steps of one jaxpr, and extend `carried` by the variables that depend on it."""
    for node in level.nodes:
        outputs = [each for each in node.equation.outvars if _holds_floats(each)]
        if node.primitive == _STOP or carried.isdisjoint(filter(is_variable, node.equation.invars)):
            continue
        if not outputs or node.primitive in FLAT:
            # An equation with side effects only has no outputs.
            if node.equation.outvars:
                yield node
            continue
        if node.primitive in _CUSTOM or not node.levels:
            carried.update(outputs)
            continue
        yield from _inside(node, carried)


def _inside(node: Node, carried: set[Any]) -> Iterator[Node]:
    outputs = node.equation.outvars
    is_loop = node.primitive in LOOPS
    reached: set[Any] = set()
    for inner in node.levels:
        variables = inner.jaxpr.jaxpr.invars
        operands = node.equation.invars[len(node.equation.invars) - len(variables) :]
        if is_loop or len(operands) != len(variables):
            known = {each for each in variables if _holds_floats(each)}
        else:
            pairs = zip(variables, operands, strict=True)
            known = {variable for variable, operand in pairs if is_variable(operand) and operand in carried}
        yield from _steps(inner, known)
        ends = inner.jaxpr.jaxpr.outvars
        if is_loop or len(ends) != len(outputs):
            reached.update(outputs)
        else:
            pairs = zip(outputs, ends, strict=True)
            reached.update(outer for outer, end in pairs if is_variable(end) and end in known)
    carried.update(each for each in reached if _holds_floats(each))


def _holds_floats(variable: Any) -> bool:
    return hasattr(variable.aval, "dtype") and is_inexact(variable.aval)


def ends(
    traced: TracedGradient, program: Level, index_of: IndexOf, is_user_code: Callable[[str], bool]
) -> Iterator[FlowEnd]:
    """Yield the ends of the gradient flow: arguments in order, then equations."""
    gradients = iter(traced.gradients)
    by_transposing = _given_backward(traced)
    used = _used(traced)
    for place, leaf in enumerate(traced.leaves):
        if not leaf.is_taken:
            yield FlowEnd(leaf.name, _not_float(leaf))
        elif isinstance(gradient := next(gradients), core.Literal) or gradient not in by_transposing:
            yield _without_gradient(leaf.name, place in used)
    seen = set()
    for node in program.all():
        if node.primitive == _STOP and _is_users_own(node.equation, is_user_code) and node.key not in seen:
            seen.add(node.key)
            words = say("stop_gradient: the backward pass treats this value as a constant.")
            yield FlowEnd(_STOP, words, index_of(node.equation))
    for node in flat_steps(program, traced.leaves):
        yield FlowEnd(node.primitive, sentence(node), index_of(node.equation))


def _not_float(leaf: ArgumentArray) -> Text:
    type_ = leaf.value.dtype.name
    if type_.startswith("key<"):
        return say("No gradient: a random key is not a number.")
    if type_ == "bool":
        return say("No gradient: true or false cannot change by a small amount.")
    return say("No gradient: integers ({type}) cannot change by a small amount.", type=type_)


def _without_gradient(name: str, is_used: bool) -> FlowEnd:
    if not is_used:
        return FlowEnd(name, say("Gradient zero: not used for the output."))
    sentence = say(
        "Gradient zero: every way to the output goes through stop_gradient, integers, or steps whose derivative is "
        "zero."
    )
    return FlowEnd(name, sentence)


def _given_backward(traced: TracedGradient) -> set[Any]:
    """Return the variables of the backward pass, including cotangents."""
    cotangents = set(traced.both.jaxpr.invars[len(traced.leaves) :])
    for equation in traced.both.jaxpr.eqns:
        if next(transforms(equation_source(equation)[1]), "") == "transpose":
            cotangents.update(equation.outvars)
    return cotangents


def _used(traced: TracedGradient) -> set[int]:
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
