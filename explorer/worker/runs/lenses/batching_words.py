"""Short descriptions of batched operations.

A mapped ``cond`` becomes ``select_n``: https://github.com/jax-ml/jax/issues/8409.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any

from explorer.text.text import Text, say
from explorer.worker.internals.batching.steps import Map
from explorer.worker.internals.jaxprs import KEY_OPERATIONS
from explorer.worker.program.varying import Varies

DRAWS = tuple(name for name, operation in KEY_OPERATIONS.items() if operation == "draw")
_OVER_EXAMPLES = ("psum", "pmax", "pmin")
READ_FROM = {*KEY_OPERATIONS, *_OVER_EXAMPLES, "dot_general"}
"""Primitives whose description depends on their operands."""
CALLBACKS = ("pure_callback", "io_callback", "debug_callback", "debug_print")
_ADDED = {"broadcast_in_dim", "transpose", "reshape", "squeeze", "expand_dims", "convert_element_type"}
"""Primitives by which batching only aligns axes."""
_CALLS = ("jit", "pjit", "closed_call", "core_call", "remat2", "checkpoint", "custom_jvp_call", "custom_vjp_call")


@dataclass(frozen=True)
class Batched:
    """One per-example operation, and its batched equations."""

    primitive: str
    parameters: dict[str, Any]
    operands: Sequence[Varies]
    """The vmaps along which each operand differs."""
    mapped: Sequence[Map]
    """The vmaps with an axis in any output, outermost first."""
    enclosing: Sequence[Map]
    equations: Sequence[Any]
    """The batched equations."""

    @property
    def names(self) -> list[str]:
        """The primitives of the batched equations."""
        return [each.primitive.name for each in self.equations]

    def differs(self, operand: int) -> bool:
        """Return whether an operand differs between examples."""
        return operand < len(self.operands) and bool(self.operands[operand])


def shared(primitive: str, operands: Sequence[Varies], enclosing: Sequence[Map]) -> list[Map]:
    """Return the vmaps whose examples all have the same key in a key operation."""
    if primitive not in KEY_OPERATIONS or not operands:
        return []
    return [each for each in enclosing if each.size > 1 and each not in operands[0]]


def became(batched: Batched) -> Text:
    """Return the description of a batched operation; empty for the same operation on a larger array."""
    if batched.primitive in KEY_OPERATIONS:
        return _of_keys(batched)
    rule = _RULES.get(batched.primitive)
    if rule is not None and (batched.mapped or rule in (_of_callback, _of_sum)):
        return rule(batched)
    if not batched.mapped:
        several = [each for each in batched.enclosing if each.size > 1]
        return say("the same for all {count}", count=_count(several)) if several else Text()
    if batched.primitive in batched.names or batched.primitive in _CALLS:
        return Text()
    others = dict.fromkeys(name for name in batched.names if name not in _ADDED)
    return say("became {primitives}", primitives=", ".join(others)) if others else Text()


def _of_keys(batched: Batched) -> Text:
    same = shared(batched.primitive, batched.operands, batched.enclosing)
    if not same:
        return say("a key for each of the {count}", count=_count(batched.enclosing)) if batched.mapped else Text()
    if batched.primitive in DRAWS:
        return say("all {count} draw the same", count=_count(same))
    return say("one key: the same for all {count}", count=_count(same))


def _of_cond(batched: Batched) -> Text:
    count, branches = _count(batched.mapped), len(batched.parameters.get("branches", ()))
    if "cond" in batched.names:
        return say("one branch runs, for all {count}", count=count)
    if branches == 2:
        return say("both branches run for all {count}, then select_n takes one for each example", count=count)
    return say(
        "all {branches} branches run for all {count}, then select_n takes one for each example",
        branches=branches,
        count=count,
    )


def _of_while(batched: Batched) -> Text:
    count = _count(batched.mapped)
    loop = next((each for each in batched.equations if each.primitive.name == "while"), None)
    if loop is not None and loop.params["cond_jaxpr"].out_avals[0].shape:
        return say("runs until the last of the {count} examples is done", count=count)
    return say("the same number of iterations for all {count}", count=count)


def _of_scan(batched: Batched) -> Text:
    return say("one loop: each iteration is for all {count}", count=_count(batched.mapped))


def _of_dot(batched: Batched) -> Text:
    if batched.differs(0) and batched.differs(1):
        return say("one matrix product with a batch dimension")
    return say("one matrix product for the whole batch")


def _of_slice(batched: Batched) -> Text:
    return say("a gather: each example reads at its own index") if "gather" in batched.names else Text()


def _of_update(batched: Batched) -> Text:
    there = any(name.startswith("scatter") for name in batched.names)
    return say("a scatter: each example writes at its own index") if there else Text()


def _of_sum(batched: Batched) -> Text:
    if any(batched.operands):
        return say("over the examples: {primitives}", primitives=", ".join(dict.fromkeys(batched.names)))
    return say("the same for all {count}", count=_count(batched.enclosing))


def _of_number(batched: Batched) -> Text:
    return say("the number of each example, 0 to {last}", last=batched.enclosing[-1].size - 1)


def _of_callback(_: Batched) -> Text:
    return say("calls Python on the host, as its own rule for vmap says")


def _of_own_rule(_: Batched) -> Text:
    return say("made by its own rule for vmap")


_RULES: dict[str, Callable[[Batched], Text]] = {
    "cond": _of_cond,
    "while": _of_while,
    "scan": _of_scan,
    "dot_general": _of_dot,
    "dynamic_slice": _of_slice,
    "dynamic_update_slice": _of_update,
    "axis_index": _of_number,
    "custom_vmap_call": _of_own_rule,
    **dict.fromkeys(_OVER_EXAMPLES, _of_sum),
    **dict.fromkeys(CALLBACKS, _of_callback),
}


def _count(maps: Collection[Map]) -> str:
    return " × ".join(str(each.size) for each in maps)
