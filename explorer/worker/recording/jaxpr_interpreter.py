"""Evaluation of a jaxpr that catches its key operations: one rule per kind of operation.

Loops stack the events of their iterations, untaken branches return zeros, and a mask marks the valid entries.
Operations without keys run unchanged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
from jax import lax
from jax.extend.core import JaxprEqn

from explorer.text.text import Text, say
from explorer.worker.internals import jaxprs, patches
from explorer.worker.jaxpr import traced
from explorer.worker.jaxpr.interpreter import CALLS, evaluate, live, read_if_needed
from explorer.worker.recording.events import CallStack, Event, TracedEvent, key_count, key_event, masked
from explorer.worker.recording.rewritten_program import RewrittenJit

_LEAST_ITERATIONS = 16


class Interpreter:
    """Evaluator of a jaxpr under tracing that catches key operations; one method per kind of operation.

    `jitted` rewrites a nested jit, given its parameters; each ``while`` has room for `room` keys.
    """

    def __init__(self, jitted: Callable[[dict[str, Any]], RewrittenJit], room: int) -> None:
        self._jitted = jitted
        self._room = room
        self.caught: list[TracedEvent] = []
        self.notes: set[Text] = set()
        self.moment = 0
        self._latest = 0
        """Start of the last event."""
        self._live: set[int] = set()
        """The equations that outputs depend on, by identity."""

    def closed(self, jaxpr: Any, arguments: Sequence[Any]) -> list[Any]:
        """Return the outputs of `jaxpr`, open or closed."""
        inner = getattr(jaxpr, "jaxpr", jaxpr)
        self._live = set(map(id, live(inner, inner.outvars, _reads)[0]))
        return evaluate(jaxpr, arguments, self._equation)

    def body(self, jaxpr: Any, *, is_branch: bool = False) -> traced.Body:
        """Return `jaxpr` as a function that returns its outputs and the arrays of its events.

        In a branch, all events have a mask, which is true.
        """

        def run(arguments: Sequence[Any]) -> tuple[list[Any], list[Any]]:
            self.restart()
            outputs = self.closed(jaxpr, arguments)
            if is_branch:
                self.caught = [each if "mask" in each.arrays else masked(each, jnp.bool_(True)) for each in self.caught]
            return outputs, [arrays for _, arrays in self.caught]

        return run

    def _equation(self, equation: JaxprEqn, arguments: list[Any]) -> list[Any]:
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
        rule = {
            "jit": self._jit,
            "scan": self._scan,
            "while": self._while,
            "cond": self._cond,
            "remat2": self._remat,
            "custom_linear_solve": self._linear_solve,
            "shard_map": self._shard_map,
        }.get(name)
        if rule is None and name in CALLS:
            return self._inline(equation, equation.params[CALLS[name]], arguments)
        if rule is None or equation.params.get("branches_platforms"):
            self.notes.add(say("Keys used inside {name} could not be seen.", name=name))
            return jaxprs.bind(equation, arguments)
        return rule(equation, arguments)

    def _adopt(
        self,
        caught: Iterable[TracedEvent],
        equation: JaxprEqn,
        length: int,
        again: bool = False,
        parallel: bool = False,
    ) -> None:
        """Add the events of `equation`, which lasts `length`; `parallel`: it starts together with the previous one."""
        here = CallStack.of(equation)
        if not parallel:
            self._latest = self.moment
        unread = id(equation) not in self._live
        self.caught += [
            TracedEvent(event.within(here, self._latest, again, unread), arrays) for event, arrays in caught
        ]
        self.moment = max(self.moment, self._latest + length)

    def _inner(self) -> Interpreter:
        """Return an interpreter for a jaxpr nested in an equation."""
        inner = Interpreter(self._jitted, self._room)
        inner.notes = self.notes
        return inner

    def restart(self) -> None:
        """Drop the caught events: JAX traces some functions twice."""
        self.caught, self.moment = [], 0

    def _inline(self, equation: JaxprEqn, jaxpr: Any, arguments: Sequence[Any], again: bool = False) -> list[Any]:
        """Return the outputs of `jaxpr`, evaluated inline for `equation`."""
        inner = self._inner()
        outputs = inner.closed(jaxpr, arguments)
        self._adopt(inner.caught, equation, inner.moment, again)
        return outputs

    def _remat(self, equation: JaxprEqn, arguments: list[Any]) -> list[Any]:
        again = equation.params["differentiated"]
        prevent_cse = equation.params["prevent_cse"]
        if again and prevent_cse:
            # As in JAX's own lowering: the compiler must not merge the recomputation with the forward pass.
            guarded = [place for place, _ in enumerate(arguments) if prevent_cse is True or prevent_cse[place]]
            behind = lax.optimization_barrier([arguments[place] for place in guarded])
            for place, argument in zip(guarded, behind, strict=True):
                arguments[place] = argument
        return self._inline(equation, equation.params["jaxpr"], arguments, again)

    def _linear_solve(self, equation: JaxprEqn, arguments: list[Any]) -> list[Any]:
        # Without derivatives, only the solver runs, on its own constants and the right-hand sides.
        lengths, jaxprs = equation.params["const_lengths"], equation.params["jaxprs"]
        first = lengths.matvec + lengths.vecmat
        own = arguments[first:][: lengths.solve] + arguments[first + lengths.solve + lengths.transpose_solve :]
        return self._inline(equation, jaxprs.solve, own)

    def _jit(self, equation: JaxprEqn, arguments: list[Any]) -> list[Any]:
        inner = self._jitted(equation.params)
        outputs, arrays = inner.call(*arguments)
        self.notes |= inner.notes
        parallel = bool(patches.mapped_branch(equation.params["name"]))
        self._adopt(inner.caught(arrays), equation, inner.length, parallel=parallel)
        return outputs

    def _scan(self, equation: JaxprEqn, arguments: list[Any]) -> list[Any]:
        inner, length = self._inner(), equation.params["length"]
        outputs, arrays = traced.scan(equation.params, arguments, inner.body(equation.params["jaxpr"]))
        self._adopt(_in_loop(inner, arrays, length), equation, length * inner.moment)
        return outputs

    def _while(self, equation: JaxprEqn, arguments: list[Any]) -> list[Any]:
        parameters = equation.params
        of_test, of_body, start = jaxprs.while_parts(parameters, arguments)
        before, inner = self._inner(), self._inner()

        def one_iteration(predicate: Any, carry: list[Any]) -> tuple[Any, list[Any], list[Any]]:
            inner.restart()
            following = inner.closed(parameters["body_jaxpr"], [*of_body, *carry])
            following = traced.still_running(predicate, following, carry)
            following_predicate = inner.closed(parameters["cond_jaxpr"], [*of_test, *following])[0]
            if predicate.ndim:
                inner.caught = [masked(each, predicate) for each in inner.caught]
            return following_predicate, following, [arrays for _, arrays in inner.caught]

        predicate = before.closed(parameters["cond_jaxpr"], [*of_test, *start])[0]
        self._adopt(before.caught, equation, before.moment)
        shapes = jax.eval_shape(one_iteration, predicate, start)[2]
        per_iteration = sum(map(key_count, shapes))
        # Iterations beyond the capacity write into one spare slot.
        capacity = max(self._room // max(per_iteration, 1), _LEAST_ITERATIONS) if self._room else 0
        buffers = traced.zeros(shapes, leading=(capacity + 1,))

        def keep(buffers: Any, arrays: Any, count: Any) -> Any:
            slot = jnp.minimum(count, capacity)
            return jax.tree.map(lambda all_, one: lax.dynamic_update_index_in_dim(all_, one, slot, 0), buffers, arrays)

        outputs, buffers, count = traced.loop(predicate, start, one_iteration, buffers, keep)
        buffers = jax.tree.map(lambda each: each[:capacity], buffers)
        happened = jnp.arange(capacity, dtype=jnp.uint32) < count
        caught = [masked(each, happened, leading=0) for each in _in_loop(inner, buffers, capacity)]
        draws = sum(key_count(arrays) for event, arrays in inner.caught if event.operation == "draw")
        caught.append(
            TracedEvent(
                Event("iterations", (), CallStack(), shape=(draws, per_iteration, capacity)), {"iterations": count}
            )
        )
        self._adopt(caught, equation, inner.moment * capacity)
        return outputs

    def _cond(self, equation: JaxprEqn, arguments: list[Any]) -> list[Any]:
        branches = equation.params["branches"]
        inners = [self._inner() for _ in branches]
        bodies = (inner.body(branch, is_branch=True) for inner, branch in zip(inners, branches, strict=True))
        outputs, arrays = traced.switch(arguments, bodies)
        for inner, own in zip(inners, arrays, strict=True):
            caught = [TracedEvent(event, each) for (event, _), each in zip(inner.caught, own, strict=True)]
            self._adopt(caught, equation, inner.moment)
        return outputs

    def _shard_map(self, equation: JaxprEqn, arguments: list[Any]) -> list[Any]:
        parameters, inner = equation.params, self._inner()
        outputs, arrays = traced.shard_map(parameters, arguments, inner.body(parameters["jaxpr"]))
        caught = [
            TracedEvent(event.each("device", len(next(iter(each.values()))), 0), each)
            for (event, _), each in zip(inner.caught, arrays, strict=True)
        ]
        self._adopt(caught, equation, inner.moment)
        return outputs


def _reads(equation: JaxprEqn, needed: set[Any]) -> Iterable[Any] | None:
    return equation.invars if equation.effects else read_if_needed(equation, needed)


def _in_loop(inner: Interpreter, arrays: list[dict[str, Any]], iterations: int) -> list[TracedEvent]:
    """Return the events of one iteration of `inner` as events of `iterations` iterations; `arrays` are stacked."""
    return [
        TracedEvent(event.each("loop", iterations, inner.moment), stacked)
        for (event, _), stacked in zip(inner.caught, arrays, strict=True)
    ]
