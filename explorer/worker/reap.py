"""Rewrites a function with random operations so that the keys they touch come out as extra outputs.

The rewritten function runs under ``jax.jit`` like the original and returns the same bits. Loops stack what their
rounds do, branches give zeros for the ones not taken, and a mask tells which entries really happened.
"""

from __future__ import annotations

import math
import weakref
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

import jax
import jax.numpy as jnp
from jax import lax
from jax.extend.core import ClosedJaxpr, Jaxpr, JaxprEqn, jaxprs_in_params
from jax.extend.core import Literal as JaxprLiteral
from jax.sharding import PartitionSpec

from explorer.worker import internals
from explorer.worker.internals import NameStack, Traceback

Operation = Literal["seed", "split", "fold_in", "draw", "clone", "rounds"]
"""``rounds`` is no operation of the program's: it tells how often a ``while`` went round."""
AxisKind = Literal["loop", "device"]

FIRST_CAPACITY = 1024
"""Rounds of a ``while`` that there is room for at first; a longer one is run again with more."""


@dataclass(frozen=True)
class Source:
    """Where an operation comes from: the tracebacks and name stacks of all the calls around it."""

    tracebacks: tuple[Traceback, ...] = ()
    """Innermost first; each ends where the tracing of its jaxpr began."""
    stack: NameStack = ()
    """Outermost first."""

    def inside(self, outer: Source) -> Source:
        """Return this source as seen from a caller at `outer`."""
        return Source(self.tracebacks + outer.tracebacks, outer.stack + self.stack)


@dataclass(frozen=True)
class Event:
    """What is known of an operation on keys before it runs. Its arrays come in the order of `fields`.

    Arrays have the shape (leading axes..., mapped axes..., and for what a split makes its own axes..., words).
    """

    operation: Operation
    fields: tuple[str, ...]
    """Of: keys, made, data, mask, rounds."""
    source: Source
    implementation: str = ""
    shape: tuple[int, ...] = ()
    """Of what one use makes: the noise of one draw, the children of one split."""
    dtype: str = ""
    leading: tuple[tuple[AxisKind, int], ...] = ()
    """Loops and device axes that it is in, outermost first."""
    moment: int = 0
    """When in the run it happens, in an arbitrary unit, in the first round of all its loops."""
    strides: tuple[int, ...] = ()
    """How much later each further step along a leading axis happens."""
    again: bool = False
    """Whether it repeats an earlier operation, for a derivative."""


class Caught(NamedTuple):
    """An event and its arrays by name, while the rewritten function is traced."""

    event: Event
    arrays: dict[str, Any]


@dataclass
class Reaped:
    """A function that returns (outputs, arrays of its events); `events` is known once it has been traced."""

    call: Callable[..., tuple[list[Any], list[tuple[Any, ...]]]]
    events: tuple[Event, ...] = ()
    notes: frozenset[str] = frozenset()
    length: int = 0
    """How much later it ends than it begins, in the unit of ``Event.moment``."""
    loops: bool = False
    """Whether it has a ``while`` whose rounds had to be given a capacity."""


_reaped: weakref.WeakKeyDictionary[ClosedJaxpr, dict[Any, Reaped]] = weakref.WeakKeyDictionary()
"""Kept for as long as JAX itself keeps the jaxpr, so that code that did not change is not compiled again."""


def reaped(parameters: dict[str, Any], capacity: int) -> Reaped:
    """Return the jit operation with these `parameters`, rewritten.

    `capacity` is how many rounds of each ``while`` there is room for.
    """
    jaxpr = parameters["jaxpr"]
    made = _reaped.setdefault(jaxpr, {})
    key = (capacity, *(_key(parameters.get(name)) for name in _JIT_OPTIONS))
    if key not in made:
        made[key] = _jitted(jaxpr, parameters, capacity)
    return made[key]


_JIT_OPTIONS = ("name", "in_shardings", "out_shardings", "donated_invars", "compiler_options_kvs")


def _key(option: Any) -> Any:
    return tuple(option) if isinstance(option, list) else option


def _jitted(jaxpr: ClosedJaxpr, parameters: dict[str, Any], capacity: int) -> Reaped:
    # A strong reference from the cached value would keep the cache's key alive for ever.
    reference = weakref.ref(jaxpr)
    name = parameters["name"]

    def run(*arguments: Any) -> tuple[list[Any], list[tuple[Any, ...]]]:
        catcher = _Catcher(capacity)
        outputs = catcher.closed(reference(), arguments)
        if name == internals.BRANCH:
            catcher.caught = [_masked(each, arguments[0]) for each in catcher.caught]
        made.events = tuple(replace(event, fields=tuple(arrays)) for event, arrays in catcher.caught)
        made.notes = frozenset(catcher.notes)
        made.length = catcher.moment
        return outputs, [tuple(arrays.values()) for _, arrays in catcher.caught]

    run.__name__ = run.__qualname__ = name
    made = Reaped(jax.jit(run, **_jit_options(parameters)))
    return made


def _jit_options(parameters: dict[str, Any]) -> dict[str, Any]:
    """Return the options of ``jax.jit`` that change what the program sees: where its arrays lie, and which it lost."""
    options: dict[str, Any] = {}
    ins, outs = parameters["in_shardings"], parameters["out_shardings"]
    if any(internals.is_specified(each) for each in ins):
        options["in_shardings"] = tuple(each if internals.is_specified(each) else None for each in ins)
    if any(internals.is_specified(each) for each in outs):
        options["out_shardings"] = [each if internals.is_specified(each) else None for each in outs], None
    if any(parameters["donated_invars"]) and not _has_while(parameters["jaxpr"].jaxpr):
        # A while may be run again with more room, and needs its arguments for that.
        options["donate_argnums"] = tuple(place for place, given in enumerate(parameters["donated_invars"]) if given)
    if parameters.get("compiler_options_kvs"):
        options["compiler_options"] = dict(parameters["compiler_options_kvs"])
    return options


def _has_while(jaxpr: Jaxpr) -> bool:
    return any(
        equation.primitive.name == "while" or any(_has_while(inner) for inner in jaxprs_in_params(equation.params))
        for equation in jaxpr.eqns
    )


# -- the evaluator: one method for each kind of operation -------------------------------------


class _Catcher:
    """Evaluates a jaxpr under tracing and catches the operations on keys in it."""

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self.caught: list[Caught] = []
        self.notes: set[str] = set()
        self.moment = 0

    def closed(self, jaxpr: Any, arguments: Sequence[Any]) -> list[Any]:
        """Return the outputs of `jaxpr`, which may carry its constants or have none."""
        return self.run(getattr(jaxpr, "jaxpr", jaxpr), getattr(jaxpr, "consts", ()), arguments)

    def run(self, jaxpr: Jaxpr, constants: Iterable[Any], arguments: Sequence[Any]) -> list[Any]:
        """Return the outputs of `jaxpr`, evaluated equation by equation."""
        values: dict[Any, Any] = dict(zip(jaxpr.constvars, constants, strict=True))
        values.update(zip(jaxpr.invars, arguments, strict=True))

        def read(atom: Any) -> Any:
            return atom.val if isinstance(atom, JaxprLiteral) else values[atom]

        for equation in jaxpr.eqns:
            # Meshes, compute_on and some flags are part of an equation's context.
            with equation.ctx.manager:
                outputs = self.equation(equation, [read(atom) for atom in equation.invars])
            values.update(zip(equation.outvars, outputs, strict=True))
        return [read(atom) for atom in jaxpr.outvars]

    def equation(self, equation: JaxprEqn, arguments: list[Any]) -> list[Any]:
        """Return the outputs of one equation."""
        name = equation.primitive.name
        if name in internals.KEY_OPERATIONS:
            outputs = internals.bind(equation, arguments)
            caught = key_event(name, equation.params, arguments, outputs, Source())
            self._adopt([caught], equation, 1)
            return outputs
        if not internals.carries_random(equation.params):
            return internals.bind(equation, arguments)
        if name in _CALLS:
            return self._call(equation, arguments)
        rule = {
            "jit": self._jit,
            "scan": self._scan,
            "while": self._while,
            "cond": self._cond,
            "remat2": self._remat,
            "shard_map": self._shard_map,
        }.get(name)
        if rule is None or (name == "cond" and equation.params.get("branches_platforms")):
            self.notes.add(f"Keys used inside {name} could not be seen.")
            return internals.bind(equation, arguments)
        return rule(equation, arguments)

    def _adopt(self, caught: Iterable[Caught], equation: JaxprEqn, length: int, again: bool = False) -> None:
        """Take over what was caught inside `equation`, which lasts `length`."""
        traceback, stack = internals.equation_source(equation)
        here = Source((traceback,) if traceback is not None else (), stack)
        for event, arrays in caught:
            event = replace(
                event,
                source=event.source.inside(here),
                moment=event.moment + self.moment,
                again=event.again or again,
            )
            self.caught.append(Caught(event, arrays))
        self.moment += length

    def _inner(self) -> _Catcher:
        """Return a catcher for a jaxpr inside an equation of this one's."""
        inner = _Catcher(self.capacity)
        inner.notes = self.notes
        return inner

    def _call(self, equation: JaxprEqn, arguments: list[Any]) -> list[Any]:
        inner = self._inner()
        outputs = inner.closed(equation.params[_CALLS[equation.primitive.name]], arguments)
        self._adopt(inner.caught, equation, inner.moment)
        return outputs

    def _remat(self, equation: JaxprEqn, arguments: list[Any]) -> list[Any]:
        again = equation.params["differentiated"]
        prevent_cse = equation.params["prevent_cse"]
        if again and prevent_cse:
            # As in JAX's own lowering: the compiler must not merge the second computation with the first.
            guarded = [True] * len(arguments) if prevent_cse is True else list(prevent_cse)
            behind = iter(lax.optimization_barrier([each for each, guard in zip(arguments, guarded) if guard]))
            arguments = [next(behind) if guard else each for each, guard in zip(arguments, guarded)]
        inner = self._inner()
        outputs = inner.closed(equation.params["jaxpr"], arguments)
        self._adopt(inner.caught, equation, inner.moment, again)
        return outputs

    def _jit(self, equation: JaxprEqn, arguments: list[Any]) -> list[Any]:
        inner = reaped(equation.params, self.capacity)
        outputs, arrays = inner.call(*arguments)
        self.notes |= inner.notes
        caught = [Caught(event, dict(zip(event.fields, each))) for event, each in zip(inner.events, arrays)]
        self._adopt(caught, equation, inner.length)
        return outputs

    def _scan(self, equation: JaxprEqn, arguments: list[Any]) -> list[Any]:
        parameters = equation.params
        constants, carried = internals.scan_counts(parameters, arguments)
        fixed, carry, slices = arguments[:constants], arguments[constants:][:carried], arguments[constants + carried :]
        inner = self._inner()

        def body(carry: list[Any], slices: list[Any]) -> tuple[list[Any], tuple[list[Any], list[Any]]]:
            inner.caught, inner.moment = [], 0
            outputs = inner.closed(parameters["jaxpr"], [*fixed, *carry, *slices])
            return outputs[:carried], (outputs[carried:], [arrays for _, arrays in inner.caught])

        length = parameters["length"]
        carry, (stacked, arrays) = lax.scan(
            body, carry, slices, length, reverse=parameters["reverse"], unroll=parameters["unroll"]
        )
        self._adopt(_in_loop(inner, arrays, length), equation, length * inner.moment)
        return [*carry, *stacked]

    def _while(self, equation: JaxprEqn, arguments: list[Any]) -> list[Any]:
        loop = _While(self._inner, equation.params, arguments)
        outputs, before, after = loop.run(self.capacity)
        self._adopt(before.caught, equation, before.moment)
        self._adopt(after, equation, self.capacity * loop.length)
        return outputs

    def _cond(self, equation: JaxprEqn, arguments: list[Any]) -> list[Any]:
        index, *operands = arguments
        branches = equation.params["branches"]
        inners = [self._inner() for _ in branches]
        shapes = [jax.eval_shape(lambda *each, b=b, i=i: _branch(i, b, each)[1], *operands)
                  for b, i in zip(branches, inners)]

        def taking(number: int) -> Callable[..., Any]:
            def take(*operands: Any) -> tuple[list[Any], list[Any]]:
                outputs, arrays = _branch(inners[number], branches[number], operands)
                others = jax.tree.map(lambda each: jnp.zeros(each.shape, each.dtype), shapes)
                return outputs, [arrays if place == number else other for place, other in enumerate(others)]

            return take

        outputs, arrays = lax.switch(index, [taking(number) for number in range(len(branches))], *operands)
        for inner, own in zip(inners, arrays):
            caught = [Caught(event, each) for (event, _), each in zip(inner.caught, own)]
            self._adopt(caught, equation, inner.moment)
        return list(outputs)

    def _shard_map(self, equation: JaxprEqn, arguments: list[Any]) -> list[Any]:
        parameters = equation.params
        axes = internals.shard_map_axes(parameters)
        inner = self._inner()

        def body(*arguments: Any) -> tuple[tuple[Any, ...], list[Any]]:
            inner.caught, inner.moment = [], 0
            outputs = inner.closed(parameters["jaxpr"], arguments)
            return tuple(outputs), jax.tree.map(lambda each: each[None], [arrays for _, arrays in inner.caught])

        outputs, arrays = jax.shard_map(
            body,
            mesh=parameters["mesh"],
            in_specs=tuple(parameters["in_specs"]),
            out_specs=(tuple(parameters["out_specs"]), PartitionSpec(axes)),
            axis_names=set(axes),
            # What the extra outputs vary over is not JAX's business.
            check_vma=False,
        )(*arguments)
        size = math.prod(parameters["mesh"].shape[name] for name in axes)
        caught = [
            Caught(replace(event, leading=(("device", size), *event.leading), strides=(0, *event.strides)), each)
            for (event, _), each in zip(inner.caught, arrays)
        ]
        self._adopt(caught, equation, inner.moment)
        return list(outputs)


_CALLS = {
    "closed_call": "call_jaxpr",
    "core_call": "call_jaxpr",
    "custom_jvp_call": "call_jaxpr",
    "custom_vjp_call": "call_jaxpr",
    "custom_vmap_call": "call",
}
"""Operations that just evaluate a jaxpr once derivatives are taken, and the parameter that holds it."""


# -- loops and branches -----------------------------------------------------------------------


class _While:
    """A while loop whose rounds write their events into buffers; rounds past the capacity write into one spare."""

    def __init__(self, catcher: Callable[[], _Catcher], parameters: dict[str, Any], arguments: list[Any]) -> None:
        conditions, bodies = parameters["cond_nconsts"], parameters["body_nconsts"]
        self._condition = parameters["cond_jaxpr"], arguments[:conditions]
        self._body = parameters["body_jaxpr"], arguments[conditions:][:bodies]
        self._initial = arguments[conditions + bodies :]
        self._catcher = catcher
        self._round = catcher()
        self.length = 0
        """How long one round lasts."""

    def run(self, capacity: int) -> tuple[list[Any], _Catcher, list[Caught]]:
        """Return the outputs, what the first look at the condition did, and what the rounds did."""
        before = self._catcher()
        predicate = self._goes_on(before, self._initial)
        shapes = jax.eval_shape(self._one_round, predicate, self._initial)[2]
        buffers = jax.tree.map(lambda each: jnp.zeros((capacity + 1, *each.shape), each.dtype), shapes)

        def body(state: Any) -> Any:
            count, predicate, carry, buffers = state
            predicate, carry, arrays = self._one_round(predicate, carry)
            slot = jnp.minimum(count, capacity)
            buffers = jax.tree.map(lambda all_, one: lax.dynamic_update_index_in_dim(all_, one, slot, 0), buffers, arrays)
            return count + 1, predicate, carry, buffers

        state = jnp.uint32(0), predicate, self._initial, buffers
        count, _, carry, buffers = lax.while_loop(lambda state: jnp.any(state[1]), body, state)
        self.length = self._round.moment
        buffers = jax.tree.map(lambda each: each[:capacity], buffers)
        happened = jnp.arange(capacity, dtype=jnp.uint32) < count
        caught = [_masked(each, happened, leading=0) for each in _in_loop(self._round, buffers, capacity)]
        caught.append(Caught(Event("rounds", (), Source()), {"rounds": count}))
        return list(carry), before, caught

    def _goes_on(self, catcher: _Catcher, carry: Sequence[Any]) -> Any:
        jaxpr, constants = self._condition
        return catcher.closed(jaxpr, [*constants, *carry])[0]

    def _one_round(self, predicate: Any, carry: list[Any]) -> tuple[Any, list[Any], list[Any]]:
        """Return the next predicate, the next carry and the arrays of the round's events.

        Under vmap the predicate has an axis: examples that are done keep their values while others go on.
        """
        jaxpr, constants = self._body
        inner = self._round
        inner.caught, inner.moment = [], 0
        following = inner.closed(jaxpr, [*constants, *carry])
        if predicate.ndim:
            following = [_where(predicate, new, old) for new, old in zip(following, carry)]
        following_predicate = self._goes_on(inner, following)
        if predicate.ndim:
            inner.caught = [_masked(each, predicate) for each in inner.caught]
        return following_predicate, following, [arrays for _, arrays in inner.caught]


def _where(predicate: Any, new: Any, old: Any) -> Any:
    return lax.select(lax.broadcast_in_dim(predicate, new.shape, tuple(range(predicate.ndim))), new, old)


def _in_loop(inner: _Catcher, arrays: list[dict[str, Any]], rounds: int) -> list[Caught]:
    """Return what `inner` caught in one round as what `rounds` of them did; `arrays` have the rounds in front."""
    return [
        Caught(
            replace(event, leading=(("loop", rounds), *event.leading), strides=(inner.moment, *event.strides)), stacked
        )
        for (event, _), stacked in zip(inner.caught, arrays)
    ]


def _branch(inner: _Catcher, jaxpr: ClosedJaxpr, operands: Sequence[Any]) -> tuple[list[Any], list[Any]]:
    """Return the outputs of a branch, and the arrays of its events, all with a mask that says they happened."""
    inner.caught, inner.moment = [], 0
    outputs = inner.closed(jaxpr, operands)
    inner.caught = [each if "mask" in each.arrays else _masked(each, jnp.bool_(True)) for each in inner.caught]
    return outputs, [arrays for _, arrays in inner.caught]


# -- masks ------------------------------------------------------------------------------------


def _masked(caught: Caught, mask: Any, leading: int | None = None) -> Caught:
    """Return `caught` as having happened only where `mask` is true.

    `mask` stands behind the first `leading` axes of the arrays (all leading axes if None). Its own axes are those
    of examples; an axis that the keys are not mapped over counts as true if any of its entries is.
    """
    event, arrays = caught
    if event.operation == "rounds":
        return caught
    front = len(event.leading) if leading is None else leading
    keys = arrays["keys"] if "keys" in arrays else arrays["made"]
    if leading is None:
        mask = _fitted(mask, keys.shape[front:-1])
    mask = mask.reshape((1,) * front + mask.shape)
    known = arrays.get("mask")
    if known is not None:
        rank = max(mask.ndim, known.ndim)
        mask = _padded(mask, rank) & _padded(known, rank)
    return Caught(event, {**arrays, "mask": mask})


def _padded(mask: Any, rank: int) -> Any:
    return mask.reshape(mask.shape + (1,) * (rank - mask.ndim))


def _fitted(mask: Any, shape: tuple[int, ...]) -> Any:
    """Return `mask` with its axes moved under the axes of `shape` of the same size, in order."""
    place, fitted, spare = 0, [], []
    for axis, size in enumerate(mask.shape):
        found = next((at for at in range(place, len(shape)) if shape[at] == size), None)
        if found is None:
            spare.append(axis)
        else:
            fitted += [1] * (found - place) + [size]
            place = found + 1
    return (jnp.any(mask, axis=tuple(spare)) if spare else mask).reshape(fitted)


# -- single operations ------------------------------------------------------------------------


def key_event(
    name: str, parameters: dict[str, Any], arguments: Sequence[Any], outputs: Sequence[Any], source: Source
) -> Caught:
    """Return the event of one operation on keys, called `name` in JAX, that has just been carried out."""
    operation = internals.KEY_OPERATIONS[name]
    arrays: dict[str, Any] = {}
    shape: tuple[int, ...] = tuple(parameters.get("shape", ()))
    dtype = ""
    keys = outputs[0] if operation == "seed" else arguments[0]
    if operation == "seed":
        arrays = {"made": _words(outputs[0]), "data": jnp.asarray(arguments[0])}
    elif operation == "fold_in":
        folded = jnp.broadcast_to(arguments[1], outputs[0].shape)
        operands = jnp.broadcast_to(_words(keys), _words(outputs[0]).shape) if keys.shape != outputs[0].shape else _words(keys)
        arrays = {"keys": operands, "made": _words(outputs[0]), "data": folded}
    else:
        arrays = {"keys": _words(keys)}
        if operation == "split":
            arrays["made"] = _words(outputs[0])
        elif operation == "draw":
            shape = outputs[0].shape[keys.ndim :]
            # Bits are not yet what the sampler makes of them.
            dtype = outputs[0].dtype.name if name == "random_gamma" else ""
    event = Event(operation, tuple(arrays), source, internals.implementation_name(keys), shape, dtype)  # type: ignore[arg-type]
    return Caught(event, arrays)


def _words(keys: Any) -> Any:
    """Return the words of `keys`: uint32 of their shape and one more axis."""
    return jax.random.key_data(keys).reshape(*keys.shape, -1)
