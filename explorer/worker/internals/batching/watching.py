"""Recording of the steps of a batched program while this thread traces it."""

from __future__ import annotations

import sys
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from typing import Any

from jax._src import api_util, core, linear_util, traceback_util
from jax._src.interpreters import ad, batching, partial_eval
from jax.extend.core import ClosedJaxpr, JaxprEqn, Var, jaxprs_in_params

from explorer.worker.internals.batching.levels import Genuine, IsolatedTraces, instead, seen_through
from explorer.worker.internals.batching.steps import (
    Axes,
    AxisMove,
    BatchingStep,
    BatchingSteps,
    Chain,
    CurrentEquation,
    ExampleValue,
    MappedArray,
    VmapCall,
    key_of,
)
from explorer.worker.internals.sources import JAX_FILES
from explorer.worker.internals.spans import Position


class ObservedJaxpr:
    """Jaxpr whose equations come from the iterator `each`."""

    def __init__(self, jaxpr: Any, each: Callable[[], Iterator[JaxprEqn]]) -> None:
        self._jaxpr = jaxpr
        self.eqns = _Equations(jaxpr.eqns)
        self.eqns.each = each

    def __getattr__(self, name: str) -> Any:
        return getattr(self._jaxpr, name)


class _Equations(list[JaxprEqn]):
    each: Callable[[], Iterator[JaxprEqn]]

    def __iter__(self) -> Iterator[JaxprEqn]:
        return self.each()


_OPERATIONS = {"process_primitive": 1, "process_call": 2, "process_custom_jvp_call": 3, "process_custom_vjp_call": 4}
"""Methods by which vmap tracers receive operations, with the index of the operands argument; versions differ."""
_EVALUATIONS = ((core, "eval_jaxpr", 0), (partial_eval, "inline_jaxpr_into_trace", 2))
"""Functions that evaluate a jaxpr equation by equation, with the index of the jaxpr argument."""
_TRANSFORMS = tuple(each.__file__ for each in (ad, api_util, batching, linear_util, partial_eval))
"""Files that call any transformed function, such as the vmap in ``jit(vmap(f))``."""


@contextmanager
def steps_noted() -> Iterator[BatchingSteps]:
    """Record all batching steps of everything that this thread traces in the block."""
    watch, isolated = _Watch(), IsolatedTraces()
    with ExitStack() as stack:
        stack.enter_context(isolated.of_user_code())
        for name, place in _OPERATIONS.items():
            if hasattr(batching.BatchTrace, name):
                stack.enter_context(instead(batching.BatchTrace, name, watch.operation(place, isolated)))
        for module, name, place in _EVALUATIONS:
            stack.enter_context(instead(module, name, watch.evaluation(place)))
        stack.enter_context(instead(partial_eval.JaxprStackFrame, "add_eqn", watch.added))
        stack.enter_context(instead(batching, "batch", watch.vmap))
        stack.enter_context(instead(batching, "to_elt", watch.argument))
        stack.enter_context(instead(batching, "from_elt", watch.output))
        stack.enter_context(instead(batching, "matchaxis", watch.moved))
        yield watch.steps


class _Watch:
    """Replacements for parts of JAX; each method receives the genuine part first."""

    def __init__(self) -> None:
        self.steps = BatchingSteps()
        self._maps: dict[int, VmapCall] = {}
        """By identity of JAX's axis data."""
        self._of_functions: weakref.WeakKeyDictionary[Any, VmapCall] = weakref.WeakKeyDictionary()
        """By trace, the running vmaps of Python functions."""
        self._references: list[object] = []
        """Objects kept alive, because they are identified by id."""
        self._now: list[tuple[Any, Chain]] = []
        """The jaxprs under trace and the chain for their new equations; innermost last."""
        self._in_one = False
        """Whether the whole trace belongs to one operation that is already recorded."""

    def vmap(self, genuine: Genuine, function: Any, axis: Any, *rest: Any, **named: Any) -> Any:
        about = function.debug_info
        called = _called_from(about.func_filename or "")
        self._maps[id(axis)] = VmapCall(axis.size, about.func_name, called, about.arg_names)
        self._references.append(axis)
        return genuine(function, axis, *rest, **named)

    def argument(self, genuine: Genuine, trace: Any, index: Any, value: Any, axis: Any) -> Any:
        """Record an argument of a vmap."""
        known = self._maps.get(id(trace.axis_data))
        result = genuine(trace, index, value, axis)
        if known is not None:
            self._of_functions[trace] = known
            type_ = core.typeof(value)
            known.arguments.append(MappedArray(core.typeof(result), type_, _from_front(axis, type_)))
        return result

    def output(self, genuine: Genuine, trace: Any, *arguments: Any) -> Any:
        """Record an output of a vmap."""
        known = self._of_functions.get(trace)
        result = genuine(trace, *arguments)
        if known is not None:
            type_ = core.typeof(result[0])
            known.outputs.append(MappedArray(core.typeof(arguments[-2]), type_, _from_front(arguments[-1], type_)))
        return result

    def moved(self, genuine: Genuine, *arguments: Any, **named: Any) -> Any:
        """Record the move of an axis."""
        depth = len(self._now)
        self._push(_frame(core.trace_ctx.trace), AxisMove())
        try:
            return genuine(*arguments, **named)
        finally:
            del self._now[depth:]

    def operation(self, place: int, isolated: IsolatedTraces) -> Genuine:
        """Return the replacement for an operation method whose operands are argument number `place`."""

        def operation(genuine: Genuine, trace: Any, primitive: Any, *rest: Any, **named: Any) -> Any:
            if self._in_one:
                return genuine(trace, primitive, *rest, **named)
            frame = _frame(trace)
            chain = self._chain(frame)
            in_jaxpr = bool(chain) and trace not in self._of_functions
            known = self._map(trace)
            if (
                known is None
                or not (known.is_user_code or in_jaxpr)
                or (chain and not isinstance(chain[-1], CurrentEquation))
            ):
                # The latter: an operation's own effect on the vmaps around it.
                return genuine(trace, primitive, *rest, **named)
            enclosing = self._enclosing(trace)
            parameters = rest[-1] if place == 1 else {}
            operands = tuple([self._placed(each, enclosing) for each in rest[place - 1]])
            only = _only_equation(parameters)
            if only is None:
                step = BatchingStep(primitive.name, parameters, enclosing, operands)
            else:
                step = BatchingStep(
                    only.primitive.name, only.params, enclosing, _read_by(only, parameters["jaxpr"], operands)
                )
            depth = len(self._now)
            self._push(frame, step)
            try:
                with isolated.lifted() if only is not None else nullcontext():
                    self._in_one = only is not None
                    result = genuine(trace, primitive, *rest, **named)
            finally:
                self._in_one = False
                del self._now[depth:]
            outputs = result if isinstance(result, list | tuple) else [result]
            step.outputs = tuple([self._placed(each, enclosing, core.typeof(each)) for each in outputs])
            if chain and isinstance(chain[-1], CurrentEquation):
                self._note_images(chain[-1].equation.outvars, step.outputs)
            return result

        return operation

    def evaluation(self, place: int) -> Genuine:
        """Return the replacement for a function that evaluates the jaxpr in argument number `place`."""

        def evaluate(genuine: Genuine, *arguments: Any, **named: Any) -> Any:
            trace = arguments[0] if place else core.trace_ctx.trace
            frame = _frame(trace)
            if not self._maps or frame is None or self._in_one:
                return genuine(*arguments, **named)
            jaxpr, depth, enclosing = arguments[place], len(self._now), self._enclosing(trace)
            self._note_images(jaxpr.invars, [self._placed(each, enclosing) for each in arguments[place + 2 :]])
            noting = ObservedJaxpr(jaxpr, self._one_by_one(jaxpr.eqns, frame))
            try:
                return genuine(*arguments[:place], noting, *arguments[place + 1 :], **named)
            finally:
                del self._now[depth:]

        return evaluate

    def _one_by_one(self, equations: Sequence[JaxprEqn], frame: Any) -> Callable[[], Iterator[JaxprEqn]]:
        depth, before, evaluation = len(self._now), self._chain(frame), object()
        self._references.append(evaluation)

        def each() -> Iterator[JaxprEqn]:
            for equation in equations:
                del self._now[depth:]
                self._now.append((frame, (*before, CurrentEquation(equation, evaluation))))
                yield equation

        return each

    def added(self, genuine: Genuine, frame: Any, equation: Any) -> None:
        """Record the chain of an equation that is added to a jaxpr."""
        genuine(frame, equation)
        chain, key = self._chain(frame), key_of(equation)
        if not chain or (not equation.outvars and key in self.steps.chains):
            # The latter: evaluated inline, with the same parameters.
            return
        self.steps.chains[key] = chain
        if not equation.outvars:
            self._references.append(equation.params)
        last = chain[-1]
        if isinstance(last, CurrentEquation) and last.equation.primitive is equation.primitive:
            placed = [ExampleValue(each.aval, each, (), 0) for each in equation.outvars]
            self._note_images(last.equation.outvars, placed)

    def _chain(self, frame: Any) -> Chain:
        """Return the chain for new equations in the jaxpr of `frame`."""
        return self._now[-1][1] if self._now and self._now[-1][0] is frame else ()

    def _push(self, frame: Any, entry: BatchingStep | AxisMove) -> None:
        self._now.append((frame, (*self._chain(frame), entry)))

    def _note_images(self, variables: Sequence[Var], values: Sequence[ExampleValue]) -> None:
        if len(variables) == len(values):
            for variable, value in zip(variables, values, strict=True):
                self.steps.note_image(variable, value)

    def _map(self, trace: Any) -> VmapCall | None:
        """Return the vmap of `trace`; inside a jaxpr, any vmap of its size."""
        return self._of_functions.get(trace) or self._maps.get(id(trace.axis_data))

    def _enclosing(self, trace: Any) -> tuple[VmapCall, ...]:
        """Return the vmaps around the operands of `trace`, outermost first; the last one belongs to user code."""
        found: list[VmapCall] = []
        while trace is not None and not isinstance(trace, partial_eval.DynamicJaxprTrace):
            known = self._map(trace) if isinstance(trace, batching.BatchTrace) else None
            if known is not None and (found or known.is_user_code or trace not in self._of_functions):
                found.insert(0, known)
            trace = getattr(trace, "parent_trace", None)
        return tuple(found)

    def _placed(self, value: Any, enclosing: tuple[VmapCall, ...], one: Any = None) -> ExampleValue:
        axes: Axes = ()
        tracers, variable = seen_through(value)
        for each in tracers:
            axis = each.batch_dim
            if isinstance(axis, int):
                known = self._map(each._trace)
                number = len(enclosing) - enclosing.index(known) if known in enclosing else 0
                # For the inner vmaps this axis is removed.
                axes = ((number, axis), *[(inner, place + (place >= axis)) for inner, place in axes])
        return ExampleValue(one, variable, axes, len(enclosing))


def _only_equation(parameters: Mapping[str, Any]) -> JaxprEqn | None:
    """Return the single equation inside a call with these `parameters`, or None if there are more.

    ``x * y`` of arrays calls such a jitted function. JAX has most of them in its caches and batches them only once.
    """
    inline = parameters.get("inline")
    # A bool before JAX 0.11.
    if inline is not True and getattr(inline, "name", "") != "JAX_EARLY":
        return None
    jaxpr = parameters["jaxpr"].jaxpr
    is_one = len(jaxpr.eqns) == 1 and not jaxpr.constvars and jaxpr.outvars == jaxpr.eqns[0].outvars
    return jaxpr.eqns[0] if is_one and not any(True for _ in jaxprs_in_params(jaxpr.eqns[0].params)) else None


def _read_by(equation: JaxprEqn, jaxpr: ClosedJaxpr, operands: Sequence[ExampleValue]) -> tuple[ExampleValue, ...]:
    """Return the operands read by `equation`, the only one of `jaxpr`, which is called with `operands`."""
    given = dict(zip(jaxpr.jaxpr.invars, operands, strict=True))
    constant = ExampleValue(None, None, (), 0)
    return tuple([given[each] if isinstance(each, Var) else constant for each in equation.invars])


def _frame(trace: Any) -> Any:
    """Return the frame of the jaxpr that receives the operations of `trace`, or None if they run at once."""
    while trace is not None and not isinstance(trace, partial_eval.DynamicJaxprTrace):
        trace = getattr(trace, "parent_trace", None)
    return None if trace is None else trace.frame


def _from_front(axis: Any, type_: Any) -> int | None:
    return axis % len(type_.shape) if isinstance(axis, int) and type_.shape else None


def _called_from(function: str) -> list[Position]:
    """Return the calling positions of the current vmap, innermost first; empty if JAX maps its own `function`."""
    frame: Any = sys._getframe(4)
    while frame is not None and frame.f_code.co_filename == traceback_util.__file__:
        frame = frame.f_back
    caller = "" if frame is None else frame.f_code.co_filename
    if function.startswith(JAX_FILES) and caller.startswith(JAX_FILES) and caller not in _TRANSFORMS:
        return []
    found = []
    while frame is not None:
        found.append((frame.f_code, frame.f_lasti))
        frame = frame.f_back
    return found
