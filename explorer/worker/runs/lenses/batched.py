"""For the vmap lens: the per-example operations in order, the batched equations of each, and what became of it.

A mapped ``cond`` becomes ``select_n``: https://github.com/jax-ml/jax/issues/8409.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec
from jax.extend.core import ClosedJaxpr, JaxprEqn, Var, jaxprs_in_params

from explorer.text.text import Text, say
from explorer.worker.internals.batching.steps import (
    BatchingSteps,
    Chain,
    EquationOrigin,
    ExampleValue,
    VmapCall,
    variables_of,
    within_vmaps,
)
from explorer.worker.internals.jaxprs import KEY_OPERATIONS
from explorer.worker.program.equations import short_type
from explorer.worker.program.varying import Varies, VaryingAxes

DRAWS = tuple(name for name, operation in KEY_OPERATIONS.items() if operation == "draw")
_OVER_EXAMPLES = ("psum", "pmax", "pmin")
READ_FROM = {*KEY_OPERATIONS, *_OVER_EXAMPLES, "dot_general"}
"""Primitives whose description depends on their operands."""
CALLBACKS = ("pure_callback", "io_callback", "debug_callback", "debug_print")
_ADDED = {"broadcast_in_dim", "transpose", "reshape", "squeeze", "expand_dims", "convert_element_type"}
"""Primitives by which batching only aligns axes."""
_CALLS = ("jit", "pjit", "closed_call", "core_call", "remat2", "checkpoint", "custom_jvp_call", "custom_vjp_call")


class Batched(msgspec.Struct, frozen=True):
    """One per-example operation, and its batched equations."""

    primitive: str
    parameters: dict[str, Any]
    operands: Sequence[Varies]
    """The vmaps along which each operand differs."""
    mapped: Sequence[VmapCall]
    """The vmaps with an axis in any output, outermost first."""
    enclosing: Sequence[VmapCall]
    equations: Sequence[Any]
    """The batched equations."""

    @property
    def names(self) -> list[str]:
        """The primitives of the batched equations."""
        return [each.primitive.name for each in self.equations]

    def differs(self, operand: int) -> bool:
        """Return whether an operand differs between examples."""
        return operand < len(self.operands) and bool(self.operands[operand])


def shared(primitive: str, operands: Sequence[Varies], enclosing: Sequence[VmapCall]) -> list[VmapCall]:
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


def _of_callback(_: Batched) -> Text:
    return say("calls Python on the host, as its own rule for vmap says")


_RULES: dict[str, Callable[[Batched], Text]] = {
    "cond": _of_cond,
    "while": _of_while,
    "scan": lambda batched: say("one loop: each iteration is for all {count}", count=_count(batched.mapped)),
    "dot_general": _of_dot,
    "dynamic_slice": _of_slice,
    "dynamic_update_slice": _of_update,
    "axis_index": lambda batched: say("the number of each example, 0 to {last}", last=batched.enclosing[-1].size - 1),
    "custom_vmap_call": lambda _: say("made by its own rule for vmap"),
    **dict.fromkeys(_OVER_EXAMPLES, _of_sum),
    **dict.fromkeys(CALLBACKS, _of_callback),
}


def _count(maps: Collection[VmapCall]) -> str:
    return " × ".join(str(each.size) for each in maps)


# -- operations ------------------------------------------------------------------------------------------------------

MOST = 10_000
"""Largest number of equations reported; shared jaxprs count once per use."""


class VmapEquation(msgspec.Struct, frozen=True):
    """One per-example operation, and its batched counterpart."""

    primitive: str
    one: tuple[str, ...]
    """Output types for one example."""
    batch: tuple[str, ...]
    """Output types for the batch."""
    mapped: tuple[tuple[int, ...], ...]
    """For each output, the axes of `batch` that hold examples, outermost vmap first; () if all examples share it."""
    along: tuple[tuple[int, ...], ...]
    """For each entry of `mapped`, the index of its vmap."""
    copies: tuple[tuple[int, ...], ...]
    """For each output, the vmaps along which all examples have a copy of the same value."""
    calls: tuple[int, ...]
    """Indices of all vmaps around the operation, outermost first."""
    id: int
    """Index of the Program's equation that makes the batched outputs, -1 if none is left."""
    others: tuple[int, ...]
    """Indices of further equations that it became, or that align axes."""
    line: int
    """The line in user code, 0 for none."""
    depth: int
    """0 in the mapped function itself, 1 in an equation's inner jaxpr, and so on."""
    inside: int
    """Index of the enclosing equation among these, -1 for none."""
    became: Text
    """The batched form in a few words; empty for the same operation on a larger array."""
    is_draw: bool
    shared: tuple[int, ...]
    """The vmaps along which this key operation has the same key for all examples."""
    name: str
    """Name of the called function, for a call."""


class _Item(NamedTuple):
    """A batched equation, and the rest of its chain."""

    equation: JaxprEqn
    chain: Chain


class _Place(NamedTuple):
    """Location of batched equations."""

    variables: Collection[Any]
    """Variables of their jaxpr."""
    enclosing: tuple[VmapCall, ...]
    inside: int
    depth: int


class _Output(NamedTuple):
    one: str
    batch: str
    variable: Any
    axes: tuple[tuple[VmapCall, int], ...]
    differs: Varies


class Operations:
    """Collector of the operations of one program."""

    def __init__(self, steps: BatchingSteps, ids: Mapping[int, int], lines: Mapping[int, int]) -> None:
        self.equations: list[VmapEquation] = []
        self.maps: dict[VmapCall, int] = {}
        """All vmaps of the program, with their indices."""
        self._steps, self._ids, self._lines = steps, ids, lines
        self._varying = VaryingAxes()

    def add(self, jaxpr: ClosedJaxpr) -> None:
        """Add all operations under a vmap in the traced program `jaxpr`."""
        self._jaxpr(jaxpr.jaxpr, (), -1, 0)

    def _jaxpr(self, jaxpr: Any, enclosing: tuple[VmapCall, ...], inside: int, depth: int) -> None:
        items = [_Item(each, self._steps.chain(each)) for each in jaxpr.eqns if id(each) in self._ids]
        # Jaxprs that JAX does not print are not shown.
        self._items(items, _Place(variables_of(jaxpr), enclosing, inside, depth))

    def _items(self, items: Iterable[_Item], place: _Place) -> None:
        groups: dict[object, list[tuple[_Item, EquationOrigin | None]]] = {}
        for item in items:
            origin = self._steps.origin(item.chain, len(place.enclosing))
            groups.setdefault(origin.identity if origin else id(item.equation), []).append((item, origin))
        for group in groups.values():
            if len(self.equations) >= MOST:
                return
            item, origin = group[0]
            if origin is not None:
                self._row(origin, [(each, of.inlined) for (each, _), of in group if of is not None], place)
                continue
            for inner in jaxprs_in_params(item.equation.params):
                self._jaxpr(inner, place.enclosing, place.inside, place.depth)

    def _row(self, origin: EquationOrigin, group: list[tuple[JaxprEqn, Chain]], place: _Place) -> None:
        enclosing = within_vmaps(place.enclosing, origin.enclosing)
        here = place._replace(enclosing=enclosing)
        inner = [jaxpr for equation, rest in group if not rest for jaxpr in jaxprs_in_params(equation.params)]
        inlined = [_Item(each, rest) for each, rest in group if rest]
        is_read = bool(inner or inlined) or origin.step.primitive in READ_FROM
        operands = self._operands(origin, [each for each, _ in group], here) if is_read else []
        outputs = self._outputs(origin, [each for each, _ in group], here)
        user_places = tuple([each for each in enclosing if each.is_user_code])
        self.equations.append(self._record(origin, [each for each, _ in group], operands, outputs, place, user_places))
        number = len(self.equations) - 1
        if inner or inlined:
            parameters = origin.source.params if origin.source is not None else origin.step.parameters
            self._varying.carry_in(origin.step.primitive, parameters, operands)
            self._items(inlined, _Place(place.variables, enclosing, number, place.depth + 1))
            for jaxpr in inner:
                self._jaxpr(jaxpr, enclosing, number, place.depth + 1)

    def _operands(self, origin: EquationOrigin, group: Sequence[JaxprEqn], place: _Place) -> list[Varies]:
        """Return the vmaps along which each operand differs."""
        if origin.source is not None and all(map(self._varying.knows, origin.source.invars)):
            return [self._varying.of(each) for each in origin.source.invars]
        read = {each for equation in group for each in equation.invars if isinstance(each, Var)}
        return [self._differs(each, read, place) for each in origin.step.operands]

    def _outputs(self, origin: EquationOrigin, group: Sequence[JaxprEqn], place: _Place) -> list[_Output]:
        found = []
        made = {each for equation in group for each in equation.outvars}
        variables = origin.source.outvars if origin.source is not None else ()
        for number, output in enumerate(origin.step.outputs):
            there = self._located(output, made, place) or ExampleValue(output.one, None, (), 0)
            every = [(place.enclosing[-of], axis) for of, axis in sorted(there.axes, reverse=True) if of]
            axes = tuple([each for each in every if each[0].is_user_code])
            if number < len(variables) and self._varying.knows(variables[number]):
                differs = self._varying.of(variables[number])
            else:
                differs = self._differs(output, made, place, there)
            batch = there.variable.aval if there.variable is not None else output.one
            found.append(_Output(short_type(output.one), short_type(batch), there.variable, axes, differs))
        return found

    def _located(self, value: ExampleValue, likely: Collection[Var], place: _Place) -> ExampleValue | None:
        """Return `value` in the batch, preferably as one of the `likely` variables: a jaxpr may be evaluated often."""
        around = len(place.enclosing)
        found = self._steps.placed_in(likely, value, around)
        return found or self._steps.placed_anywhere(place.variables, value, around)

    def _differs(
        self, value: ExampleValue, likely: Collection[Var], place: _Place, there: ExampleValue | None = None
    ) -> Varies:
        if value.variable is None or self._varying.knows(value.variable):
            return _along(value, place.enclosing) | self._varying.of(value.variable)
        return _along(there or self._located(value, likely, place) or value, place.enclosing)

    def _record(
        self,
        origin: EquationOrigin,
        group: list[JaxprEqn],
        operands: list[Varies],
        outputs: list[_Output],
        place: _Place,
        enclosing: tuple[VmapCall, ...],
    ) -> VmapEquation:
        name = origin.step.primitive
        made = {each.variable for each in outputs}
        main = next((each for each in group if not made.isdisjoint(each.outvars)), group[-1])
        there = {each for output in outputs for each, _ in output.axes}
        mapped = [each for each in enclosing if each in there]
        parameters = origin.source.params if origin.source is not None else origin.step.parameters
        words = became(Batched(name, parameters, operands, mapped, enclosing, group))
        number = self.maps.setdefault
        calls = tuple([number(each, len(self.maps)) for each in enclosing])
        return VmapEquation(
            name,
            tuple(each.one for each in outputs),
            tuple(each.batch for each in outputs),
            tuple(tuple(axis for _, axis in each.axes) for each in outputs),
            tuple(tuple(self.maps[of] for of, _ in each.axes) for each in outputs),
            tuple(tuple(self.maps[of] for of, _ in each.axes if of not in each.differs) for each in outputs),
            calls,
            self._ids.get(id(main), -1),
            tuple(self._ids[id(each)] for each in group if each is not main and id(each) in self._ids),
            self._lines.get(id(main), 0),
            place.depth,
            place.inside,
            words,
            name in DRAWS,
            tuple(self.maps[each] for each in shared(name, operands, enclosing)),
            str(parameters.get("name") or "") if "jaxpr" in parameters else "",
        )


def _along(value: ExampleValue, enclosing: Sequence[VmapCall]) -> Varies:
    return frozenset(each for each in (enclosing[-of] for of, _ in value.axes if of) if each.is_user_code)
