"""Evaluates a jaxpr so that the operations on keys in it are caught: one rule for each kind of operation.

Loops stack what their rounds do, branches give zeros for the ones not taken, and a mask tells which entries really
happened. What is not random is carried out as it stands.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
from jax import lax
from jax.extend.core import ClosedJaxpr, Jaxpr, JaxprEqn
from jax.extend.core import Literal as JaxprLiteral
from jax.sharding import PartitionSpec

from explorer.text.text import Text, say
from explorer.worker.internals import jaxprs, patches, sources
from explorer.worker.recording.events import CallStack, Caught, Event, key_count, key_event, masked
from explorer.worker.recording.rewritten_program import RewrittenJit

_LEAST_ROUNDS = 16


class Interpreter:
    """Evaluates a jaxpr under tracing and catches the operations on keys in it; a method for each kind of operation.

    `jitted` rewrites a jit inside the jaxpr, given its parameters; each ``while`` has room for `room` keys.
    """

    def __init__(self, jitted: Callable[[dict[str, Any]], RewrittenJit], room: int) -> None:
        self._jitted = jitted
        self._room = room
        self.caught: list[Caught] = []
        self.notes: set[Text] = set()
        self.moment = 0
        self._latest = 0
        """When what was caught last began."""

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
        if name in jaxprs.KEY_OPERATIONS:
            outputs = jaxprs.bind(equation, arguments)
            output = outputs if equation.primitive.multiple_results else outputs[0]
            caught = key_event(name, equation.params, arguments, output)
            self._adopt([caught], equation, 1)
            return outputs
        if jaxprs.is_opaque(name, equation.params):
            self.notes.add(jaxprs.EXPORTED_UNSEEN)
        if not jaxprs.carries_random(equation.params):
            return jaxprs.bind(equation, arguments)
        if name in jaxprs.CALLS:
            return self._inline(equation, equation.params[jaxprs.CALLS[name]], arguments)
        rule = {
            "jit": self._jit,
            "scan": self._scan,
            "while": self._while,
            "cond": self._cond,
            "remat2": self._remat,
            "custom_linear_solve": self._linear_solve,
            "shard_map": self._shard_map,
        }.get(name)
        if rule is None or (name == "cond" and equation.params.get("branches_platforms")):
            self.notes.add(say("Keys used inside {name} could not be seen.", name=name))
            return jaxprs.bind(equation, arguments)
        return rule(equation, arguments)

    def _adopt(
        self, caught: Iterable[Caught], equation: JaxprEqn, length: int, again: bool = False, beside: bool = False
    ) -> None:
        """Take over what was caught inside `equation`, which lasts `length` and runs beside the one before or after."""
        traceback, stack = sources.equation_source(equation)
        here = CallStack((traceback,) if traceback is not None else (), stack)
        if not beside:
            self._latest = self.moment
        self.caught += [Caught(event.within(here, self._latest, again), arrays) for event, arrays in caught]
        self.moment = max(self.moment, self._latest + length)

    def _inner(self) -> Interpreter:
        """Return an interpreter for a jaxpr inside an equation of this one's."""
        inner = Interpreter(self._jitted, self._room)
        inner.notes = self.notes
        return inner

    def restart(self) -> None:
        """Forget what was caught: JAX traces some functions twice."""
        self.caught, self.moment = [], 0

    def _inline(self, equation: JaxprEqn, jaxpr: Any, arguments: Sequence[Any], again: bool = False) -> list[Any]:
        """Return the outputs of `jaxpr`, which stands for `equation` on these `arguments`."""
        inner = self._inner()
        outputs = inner.closed(jaxpr, arguments)
        self._adopt(inner.caught, equation, inner.moment, again)
        return outputs

    def _remat(self, equation: JaxprEqn, arguments: list[Any]) -> list[Any]:
        again = equation.params["differentiated"]
        prevent_cse = equation.params["prevent_cse"]
        if again and prevent_cse:
            # As in JAX's own lowering: the compiler must not merge the second computation with the first.
            guarded = [place for place, _ in enumerate(arguments) if prevent_cse is True or prevent_cse[place]]
            behind = lax.optimization_barrier([arguments[place] for place in guarded])
            for place, argument in zip(guarded, behind, strict=True):
                arguments[place] = argument
        return self._inline(equation, equation.params["jaxpr"], arguments, again)

    def _linear_solve(self, equation: JaxprEqn, arguments: list[Any]) -> list[Any]:
        # Once derivatives are taken only the solver runs, on its own constants and the right-hand sides.
        lengths, jaxprs = equation.params["const_lengths"], equation.params["jaxprs"]
        first = lengths.matvec + lengths.vecmat
        own = arguments[first:][: lengths.solve] + arguments[first + lengths.solve + lengths.transpose_solve :]
        return self._inline(equation, jaxprs.solve, own)

    def _jit(self, equation: JaxprEqn, arguments: list[Any]) -> list[Any]:
        inner = self._jitted(equation.params)
        outputs, arrays = inner.call(*arguments)
        self.notes |= inner.notes
        beside = bool(patches.mapped_branch(equation.params["name"]))
        self._adopt(inner.caught(arrays), equation, inner.length, beside=beside)
        return outputs

    def _scan(self, equation: JaxprEqn, arguments: list[Any]) -> list[Any]:
        parameters = equation.params
        constants, carried = jaxprs.scan_counts(parameters, arguments)
        fixed, carry, slices = arguments[:constants], arguments[constants:][:carried], arguments[constants + carried :]
        inner = self._inner()

        def body(carry: list[Any], slices: list[Any]) -> tuple[list[Any], tuple[list[Any], list[Any]]]:
            inner.restart()
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
        outputs, before, after = loop.run(self._room)
        self._adopt(before.caught, equation, before.moment)
        self._adopt(after, equation, loop.length)
        return outputs

    def _cond(self, equation: JaxprEqn, arguments: list[Any]) -> list[Any]:
        index, *operands = arguments
        branches = equation.params["branches"]
        inners = [self._inner() for _ in branches]
        shapes = [
            jax.eval_shape(lambda *each, b=b, i=i: _branch(i, b, each)[1], *operands)
            for b, i in zip(branches, inners, strict=True)
        ]

        def taking(number: int) -> Callable[..., Any]:
            def take(*operands: Any) -> tuple[list[Any], list[Any]]:
                outputs, arrays = _branch(inners[number], branches[number], operands)
                others = jax.tree.map(lambda each: jnp.zeros(each.shape, each.dtype), shapes)
                return outputs, [arrays if place == number else other for place, other in enumerate(others)]

            return take

        outputs, arrays = lax.switch(index, [taking(number) for number in range(len(branches))], *operands)
        for inner, own in zip(inners, arrays, strict=True):
            caught = [Caught(event, each) for (event, _), each in zip(inner.caught, own, strict=True)]
            self._adopt(caught, equation, inner.moment)
        return list(outputs)

    def _shard_map(self, equation: JaxprEqn, arguments: list[Any]) -> list[Any]:
        parameters = equation.params
        axes = jaxprs.shard_map_axes(parameters)
        inner = self._inner()

        def body(*arguments: Any) -> tuple[tuple[Any, ...], list[Any]]:
            inner.restart()
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
            Caught(event.each("device", size, 0), each) for (event, _), each in zip(inner.caught, arrays, strict=True)
        ]
        self._adopt(caught, equation, inner.moment)
        return list(outputs)


# -- loops and branches -----------------------------------------------------------------------


class _While:
    """A while loop whose rounds write their events into buffers; rounds past the capacity write into one spare."""

    def __init__(
        self, interpreter: Callable[[], Interpreter], parameters: dict[str, Any], arguments: list[Any]
    ) -> None:
        conditions, bodies = parameters["cond_nconsts"], parameters["body_nconsts"]
        self._condition = parameters["cond_jaxpr"], arguments[:conditions]
        self._body = parameters["body_jaxpr"], arguments[conditions:][:bodies]
        self._initial = arguments[conditions + bodies :]
        self._interpreter = interpreter
        self._round = interpreter()
        self.length = 0
        """How long all rounds last that there is room for."""

    def run(self, room: int) -> tuple[list[Any], Interpreter, list[Caught]]:
        """Return the outputs, what the first look at the condition did, and what the rounds did."""
        before = self._interpreter()
        predicate = self._goes_on(before, self._initial)
        shapes = jax.eval_shape(self._one_round, predicate, self._initial)[2]
        per_round = sum(key_count(arrays) for arrays in shapes)
        capacity = max(room // max(per_round, 1), _LEAST_ROUNDS) if room else 0
        buffers = jax.tree.map(lambda each: jnp.zeros((capacity + 1, *each.shape), each.dtype), shapes)

        def body(state: Any) -> Any:
            count, predicate, carry, buffers = state
            predicate, carry, arrays = self._one_round(predicate, carry)
            slot = jnp.minimum(count, capacity)
            buffers = jax.tree.map(
                lambda all_, one: lax.dynamic_update_index_in_dim(all_, one, slot, 0), buffers, arrays
            )
            return count + 1, predicate, carry, buffers

        state = jnp.uint32(0), predicate, self._initial, buffers
        count, _, carry, buffers = lax.while_loop(lambda state: jnp.any(state[1]), body, state)
        self.length = self._round.moment * capacity
        buffers = jax.tree.map(lambda each: each[:capacity], buffers)
        happened = jnp.arange(capacity, dtype=jnp.uint32) < count
        caught = [masked(each, happened, leading=0) for each in _in_loop(self._round, buffers, capacity)]
        draws = sum(key_count(arrays) for event, arrays in self._round.caught if event.operation == "draw")
        caught.append(Caught(Event("rounds", (), CallStack(), shape=(draws, per_round, capacity)), {"rounds": count}))
        return list(carry), before, caught

    def _goes_on(self, interpreter: Interpreter, carry: Sequence[Any]) -> Any:
        jaxpr, constants = self._condition
        return interpreter.closed(jaxpr, [*constants, *carry])[0]

    def _one_round(self, predicate: Any, carry: list[Any]) -> tuple[Any, list[Any], list[Any]]:
        """Return the next predicate, the next carry and the arrays of the round's events.

        Under vmap the predicate has an axis: examples that are done keep their values while others go on.
        """
        jaxpr, constants = self._body
        inner = self._round
        inner.restart()
        following = inner.closed(jaxpr, [*constants, *carry])
        if predicate.ndim:
            following = [_where(predicate, new, old) for new, old in zip(following, carry, strict=True)]
        following_predicate = self._goes_on(inner, following)
        if predicate.ndim:
            inner.caught = [masked(each, predicate) for each in inner.caught]
        return following_predicate, following, [arrays for _, arrays in inner.caught]


def _where(predicate: Any, new: Any, old: Any) -> Any:
    return lax.select(lax.broadcast_in_dim(predicate, new.shape, tuple(range(predicate.ndim))), new, old)


def _in_loop(inner: Interpreter, arrays: list[dict[str, Any]], rounds: int) -> list[Caught]:
    """Return what `inner` caught in one round as what `rounds` of them did; `arrays` have the rounds in front."""
    return [
        Caught(event.each("loop", rounds, inner.moment), stacked)
        for (event, _), stacked in zip(inner.caught, arrays, strict=True)
    ]


def _branch(inner: Interpreter, jaxpr: ClosedJaxpr, operands: Sequence[Any]) -> tuple[list[Any], list[Any]]:
    """Return the outputs of a branch, and the arrays of its events, all with a mask that says they happened."""
    inner.restart()
    outputs = inner.closed(jaxpr, operands)
    inner.caught = [each if "mask" in each.arrays else masked(each, jnp.bool_(True)) for each in inner.caught]
    return outputs, [arrays for _, arrays in inner.caught]
