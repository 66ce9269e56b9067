"""The equations of both passes (`Node`, nested in `Level`s), linked to the program's own and to each other.

JAX keeps no such links. But it differentiates equation by equation, so both passes hold the program's equations in its
order, each traced at the same instruction of user code; and all equations transposed from one share a traceback object.
"""

from __future__ import annotations

from collections import ChainMap, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec
from jax.extend.core import ClosedJaxpr, JaxprEqn, Literal

from explorer.messages import Span
from explorer.worker.internals.printing import positions
from explorer.worker.internals.sources import equation_source, scopes, transforms
from explorer.worker.internals.spans import SpanFinder
from explorer.worker.jaxpr.interpreter import inner_jaxprs

MOST_EQUATIONS = 20_000
"""Limit: an inner jaxpr counts once per call."""
_RECOMPUTED = "rematted_computation"
_PASSED_THROUGH = ("checkpoint", "remat2", "custom_jvp_call", "custom_vjp_call", "closed_call")
"""Equations whose inner equations may replace them under differentiation."""
Instructions = tuple[tuple[int, int], ...]
"""The user's instructions at which an equation was traced, innermost first."""


class TooMany(Exception):
    """There are too many equations to show."""


class Node(msgspec.Struct, eq=False):
    """One equation in one of its evaluations."""

    equation: JaxprEqn
    depth: int
    span: Span | None
    key: Instructions
    levels: list[Level]
    plain: Node | None = None
    """The program's equation that it is, or that it was added for."""
    added: bool = False
    """Whether it belongs only to the derivative and not to the program itself."""
    forward: Node | None = None
    """In the backward pass, the equation that it transposes."""
    id: int = -1
    """Unique among the equations of both passes."""
    finite: bool | None = None
    """Whether all outputs are finite; None if their values are unknown."""
    called: str = ""
    """Name of the called function, for a call."""
    outputs: tuple[str, ...] = ()
    """Output types in JAX's notation: ``f32[8,4]``."""
    index: int = -1
    """Index into the equations of the variant's Program, -1 for none."""
    recomputed: bool = False
    """Whether it is of the backward pass, and repeats a computation of the forward pass."""

    @property
    def primitive(self) -> str:
        return str(self.equation.primitive.name)

    @property
    def line(self) -> int:
        """The line in user code, 0 for none."""
        return self.span.line if self.span else 0

    @property
    def is_recomputed(self) -> bool:
        """Whether it repeats a computation of the forward pass."""
        return _RECOMPUTED in scopes(equation_source(self.equation)[1])

    def all(self) -> Iterator[Node]:
        """Yield it and all nested equations, in the order of the text."""
        yield self
        for level in self.levels:
            for node in level.nodes:
                yield from node.all()


class Level(msgspec.Struct, eq=False):
    """The equations of one jaxpr in one of its evaluations."""

    jaxpr: ClosedJaxpr
    nodes: list[Node] = []
    made: dict[Any, Node] = {}
    """By variable, the innermost equation that computes it."""

    def all(self) -> Iterator[Node]:
        """Yield all equations, in the order of the text."""
        for node in self.nodes:
            yield from node.all()


class Levels:
    """Builder of levels. `is_user_code` decides by file name."""

    def __init__(self, is_user_code: Callable[[str], bool]) -> None:
        self._is_user_code = is_user_code
        self._finder = SpanFinder(is_user_code)
        self._codes: dict[int, bool] = {}
        self._count = 0

    def of(
        self, jaxpr: ClosedJaxpr, depth: int = 0, caller: Span | None = None, given: Mapping[Any, Node] | None = None
    ) -> Level:
        """Return the equations of `jaxpr`, with nested ones. Raises TooMany."""
        level = Level(jaxpr, made=dict(given or {}))
        self._count += len(jaxpr.eqns)
        if self._count > MOST_EQUATIONS:
            raise TooMany
        for equation in jaxpr.eqns:
            places = [place for place in positions(equation) if self._is_of_user(place[0])]
            span = (self._finder.innermost(places) if places else None) or caller
            key = tuple((id(code), offset) for code, offset in places)
            levels = [
                self.of(inner, depth + 1, span, _handed_over(equation, inner, level.made))
                for inner in inner_jaxprs(equation)
            ]
            node = Node(equation, depth, span, key, levels)
            level.nodes.append(node)
            _note_outputs(node, level.made)
        return level

    def _is_of_user(self, code: Any) -> bool:
        known = self._codes.get(id(code))
        if known is None:
            known = self._codes[id(code)] = self._is_user_code(code.co_filename)
        return known


def _handed_over(equation: JaxprEqn, inner: ClosedJaxpr, made: Mapping[Any, Node]) -> dict[Any, Node]:
    """Return, by variable of `inner`, the outer equation that computes it."""
    variables = inner.jaxpr.invars
    operands = equation.invars[len(equation.invars) - len(variables) :]
    if len(operands) != len(variables):
        return {}
    return {
        variable: made[operand]
        for variable, operand in zip(variables, operands, strict=True)
        if not isinstance(operand, Literal) and operand in made
    }


def _note_outputs(node: Node, made: dict[Any, Node]) -> None:
    outputs = node.equation.outvars
    # With branches, several equations may compute it.
    only = node.levels[0] if len(node.levels) == 1 else None
    if only is None or len(only.jaxpr.jaxpr.outvars) != len(outputs):
        made.update(dict.fromkeys(outputs, node))
        return
    for outer, inner in zip(outputs, only.jaxpr.jaxpr.outvars, strict=True):
        made[outer] = node if isinstance(inner, Literal) else only.made.get(inner, node)


def passes(both: Level) -> tuple[list[Node], list[Node]]:
    """Return the top-level equations of both passes in `both`, without those that make zeros for unused arguments."""
    found: dict[str, list[Node]] = {"jvp": [], "transpose": []}
    for node in both.nodes:
        # A gradient inside the program has its marks inside of ours.
        outermost = next(transforms(equation_source(node.equation)[1]), "")
        found.get(outermost, []).append(node)
    return found["jvp"], found["transpose"]


# -- from the forward pass to the program ----------------------------------------------------------------------


def link_forward(program: Iterable[Node], forward: Iterable[Node]) -> None:
    """Set, for each equation of `forward`, the program's equation that it is, or that it was added for."""
    left: dict[Any, deque[Node]] = {}
    last: dict[Instructions, Node] = {}
    for node in _in_reach(program):
        left.setdefault(_likeness(node), deque()).append(node)
        last.setdefault(node.key, node)
    for node in forward:
        alike = left.get(_likeness(node))
        node.added = not alike
        if alike:
            last[node.key] = alike.popleft()
        node.plain = last.get(node.key)
        inside = [each for level in node.plain.levels for each in level.nodes] if node.plain else []
        for place, level in enumerate(node.levels):
            is_alike = node.plain is not None and len(node.plain.levels) == len(node.levels)
            link_forward(node.plain.levels[place].nodes if node.plain and is_alike else inside, level.nodes)


def _in_reach(program: Iterable[Node]) -> Iterator[Node]:
    for node in program:
        yield node
        if node.primitive in _PASSED_THROUGH:
            for level in node.levels:
                yield from _in_reach(level.nodes)


def _likeness(node: Node) -> Any:
    equation = node.equation
    if node.levels:
        # Residuals are additional outputs.
        return node.key, node.primitive, equation.params.get("name")
    return node.key, node.primitive, tuple(each.aval for each in equation.outvars), equation.params.get("y")


# -- from the backward to the forward pass ---------------------------------------------------------------------


def link_backward(
    backward: Sequence[Node],
    forward: Sequence[Node],
    made: Mapping[Any, Node],
    everywhere: Mapping[Instructions, list[Node]] | None = None,
) -> None:
    """Set, for each equation of `backward`, the equation of `forward` that it transposes.

    `made` has the forward equation of each variable; `everywhere` is the whole forward pass.
    """
    known: dict[Instructions, list[Node]] = {}
    for node in forward:
        known.setdefault(node.key, []).append(node)
    everywhere = known if everywhere is None else everywhere
    for key, groups in _groups(backward).items():
        alike = known.get(key) or _inside(key, forward) or everywhere.get(key, [])
        own = [node for node in alike if not node.added] or alike
        owners = _owners(alike)
        for number, group in enumerate(groups):
            found = _of_residual(group, owners, made) or _by_order(own, number, len(groups))
            for node in group:
                node.forward = found
    for node in backward:
        inside = [each for level in node.forward.levels for each in level.nodes] if node.forward else []
        for level in node.levels:
            handed_over = ChainMap(_handed_over(node.equation, level.jaxpr, made), made)  # type: ignore[arg-type]
            link_backward(level.nodes, inside or forward, handed_over, everywhere)
        if node.forward is None:
            # The contents of a checkpoint appear in the forward pass without it.
            node.forward = next((each.forward for level in node.levels for each in level.nodes if each.forward), None)


def _groups(backward: Iterable[Node]) -> dict[Instructions, list[list[Node]]]:
    """Return, by instructions, the groups of equations with one traceback, in the order of the backward pass."""
    found: dict[Instructions, dict[int, list[Node]]] = {}
    for node in backward:
        traceback = equation_source(node.equation)[0]
        found.setdefault(node.key, {}).setdefault(id(traceback), []).append(node)
    return {key: list(groups.values()) for key, groups in found.items()}


def _inside(key: Instructions, pool: Iterable[Node]) -> list[Node]:
    """Return the equations traced inside a call at `key`: a user's rule, or the contents of a checkpoint."""
    return [node for node in pool if key and node.key[-len(key) :] == key]


def _owners(alike: Iterable[Node]) -> dict[int, Node]:
    """Return, by id of each added equation, the program's equation that it was added for."""
    found: dict[int, Node] = {}
    own = None
    for node in alike:
        if node.added and own is not None:
            found[id(node)] = own
        elif not node.added:
            own = node
    return found


def _of_residual(group: Iterable[Node], owners: Mapping[int, Node], made: Mapping[Any, Node]) -> Node | None:
    """Return the equation whose residual `group` reads, None if it reads none.

    Outputs of the program's own equations do not count: a neighbour may read them as well.
    """
    read = (each for node in group for each in node.equation.invars if not isinstance(each, Literal))
    return next((owners[id(made[each])] for each in read if each in made and id(made[each]) in owners), None)


def _by_order(own: Sequence[Node], number: int, count: int) -> Node | None:
    """Return the equation of `own` for group `number` of `count`, in reverse order."""
    return own[len(own) - 1 - number * len(own) // count] if own else None
