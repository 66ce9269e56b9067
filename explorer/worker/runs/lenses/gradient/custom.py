"""Functions with their own derivative rule, and the equations of both passes that belong to it.

See https://docs.jax.dev/en/latest/notebooks/Custom_derivative_rules_for_Python_code.html.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal

from jax.extend.core import JaxprEqn

from explorer.messages.lenses.gradient import CustomRule
from explorer.worker.runs.lenses.gradient.links import Instructions, Level, Node

KINDS: dict[str, Literal["custom_jvp", "custom_vjp"]] = {
    "custom_jvp_call": "custom_jvp",
    "custom_vjp_call": "custom_vjp",
}
_RULES = ("bwd", "jvp_jaxpr_fun")
"""Parameters of such a call that hold the rule."""

_SUM = "add_any"
"""Adds the cotangents of one value, outside of any rule."""


class Rules:
    """The rules of a program, one per function and calling line, in the order of the program.

    An equation belongs to a rule if it was traced at the user's instruction that calls the function, and nothing else
    was.
    """

    def __init__(
        self, program: Level, index_of: Callable[[JaxprEqn], int], is_user_code: Callable[[str], bool]
    ) -> None:
        self._is_user_code = is_user_code
        self._index_of = index_of
        found: dict[tuple[str, int], CustomRule] = {}
        by_key: dict[Instructions, set[tuple[str, int]]] = {}
        for node in program.all():
            if node.name in KINDS:
                rule = self._rule(node)
                found.setdefault((rule.name, rule.line), rule)
                by_key.setdefault(node.key, set()).add((rule.name, rule.line))
        places = {each: number for number, each in enumerate(found)}
        mixed = _mixed_keys(program)
        self.all = tuple(found.values())
        self._by_key = {
            key: places[next(iter(named))]
            for key, named in by_key.items()
            if key and len(named) == 1 and key not in mixed
        }

    def of(self, node: Node, *, backward: bool = False) -> int:
        """Return the index of the rule that `node` belongs to, or whose function it calls; -1 for none."""
        if node.is_recomputed or node.name == _SUM or not (backward or node.added or node.name in KINDS):
            return -1
        return next((self._by_key[key] for key in _calls_around(node) if key in self._by_key), -1)

    def _rule(self, node: Node) -> CustomRule:
        line, parameters = node.span.line if node.span else 0, node.equation.params
        debug_info = next(
            (getattr(parameters[each], "debug_info", None) for each in _RULES if each in parameters), None
        )
        is_own = self._is_user_code(str(getattr(debug_info, "func_filename", "")))
        of_rule = getattr(debug_info, "func_lineno", 0) if is_own else 0
        return CustomRule(KINDS[node.name], call_name(node), line, self._index_of(node.equation), of_rule or 0)


def call_name(node: Node) -> str:
    """Return the name of the function that an equation calls, or an empty text."""
    name = node.equation.params.get("name")
    if isinstance(name, str):
        return name
    if node.name not in KINDS:
        return ""
    inner = node.equation.params.get("call_jaxpr")
    information: Any = getattr(getattr(inner, "jaxpr", None), "debug_info", None)
    return str(getattr(information, "func_name", ""))


def with_calls(program: Sequence[Node], forward: Sequence[Node]) -> list[Node]:
    """Return `forward`, plus the calls of the program that are missing because their rules run instead."""
    there = {id(node.plain) for top in forward for node in top.all() if node.plain and not node.added}
    order = {id(inside): place for place, top in enumerate(program) for inside in top.all()}
    by_key = {top.key: place for place, top in enumerate(program) if top.name in KINDS}
    missing = [(place, top) for place, top in enumerate(program) if top.name in KINDS and id(top) not in there]
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
    calls = {node.key: node for node in forward if node.name in KINDS}
    for top in backward:
        for node in top.all():
            node.forward = node.forward or next((calls[key] for key in _calls_around(node) if key in calls), None)


def _calls_around(node: Node) -> Iterator[Instructions]:
    """Yield the instructions at which `node` was traced, then those of its enclosing calls."""
    return (node.key[start:] for start in range(len(node.key)))


def _standing_in(plain: Node) -> Node:
    return Node(plain.equation, plain.depth, plain.span, plain.places, plain.key, [], plain)


def _mixed_keys(program: Level) -> set[Instructions]:
    """Return the instructions at which other equations were traced besides calls of such functions."""
    found: set[Instructions] = set()

    def look(level: Level) -> None:
        for node in level.nodes:
            if node.name not in KINDS:
                found.add(node.key)
                for inner in node.levels:
                    look(inner)

    look(program)
    return found
