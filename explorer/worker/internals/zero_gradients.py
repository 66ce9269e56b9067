"""Watches the gradients that a run takes, for inputs that reach the output only through zero-derivative operations."""

from __future__ import annotations

import functools
import sys
import threading
import weakref
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from types import CodeType, FrameType, FunctionType
from typing import Any, NamedTuple

import jax
import msgspec
import numpy as np
from jax._src import api, core, source_info_util, traceback_util
from jax._src.interpreters import ad, partial_eval
from jax.extend.core import Jaxpr, Literal, jaxprs_in_params

from explorer.worker.internals import jaxprs, sources
from explorer.worker.internals.guard import Guard, replaced
from explorer.worker.internals.sources import JAX_FILES, Traceback

FLAT = {"round", "floor", "ceil", "sign"}
"""Operations on floats that have the slope 0 wherever they have one."""
MOST_LOOKS = 2
"""Maximum number of checked gradients of one function at one place."""
MOST_CALLERS = 8
"""A place is told from others by so many calls around it: a library may take all gradients in one line."""
_CALLS = ("jit", "closed_call", "core_call", "remat2", "checkpoint", "remat")
_METHODS = ("process_primitive", "process_custom_jvp_call", "process_custom_vjp_call", "process_call")

Source = tuple[Traceback, ...]

source_info_util.register_exclusion(__file__)
traceback_util.register_exclusion(__file__)


class GradientEnd(NamedTuple):
    """A place where inputs lose their slope."""

    inputs: int
    source: Source
    is_stop: bool
    """Whether it is a ``stop_gradient``."""


class InputReach(NamedTuple):
    """How the inputs of a gradient get to a value. Each set of inputs is a number, with a bit for each."""

    alive: int = 0
    """With a slope."""
    frozen: int = 0
    """Through ``stop_gradient`` of the input itself."""
    ends: frozenset[GradientEnd] = frozenset()
    is_input: bool = False

    @classmethod
    def of_all(cls, several: Sequence[InputReach]) -> InputReach:
        """Return how they get to what is computed of `several` values."""
        alive = frozen = 0
        ends: frozenset[GradientEnd] = frozenset()
        for each in several:
            alive, frozen = alive | each.alive, frozen | each.frozen
            ends = ends | each.ends if each.ends else ends
        return cls(alive, frozen, ends)

    def lost(self, *, by_stops: bool | None = None) -> int:
        """Return the inputs whose gradient ends on the way: by ``stop_gradient`` or not, or by either."""
        inputs = 0
        for each in self.ends:
            inputs |= each.inputs if by_stops in (None, each.is_stop) else 0
        return inputs


NOTHING = InputReach()


class ZeroGradient(msgspec.Struct, frozen=True):
    """Inputs of a gradient that is 0 whatever their values are."""

    inputs: tuple[str, ...]
    """Their names: ``params['w']``."""
    source: Source
    """Where they lose their slope, innermost first."""
    is_stopped: bool
    """Whether ``stop_gradient`` does that, and to all inputs."""


def _may_end(equation: Any) -> bool:
    outputs = (getattr(each.aval, "dtype", np.dtype(bool)) for each in equation.outvars)
    return equation.primitive.name in FLAT | {"stop_gradient"} or not all(map(_is_float, outputs))


_ends_inside = jaxprs.anywhere(_may_end)


def _is_float(dtype: Any) -> bool:
    return bool(jax.numpy.issubdtype(dtype, np.inexact))


def _outputs(
    name: str, parameters: dict[str, Any], given: list[InputReach], dtypes: Sequence[Any], source: Callable[[], Source]
) -> list[InputReach]:
    """Return how inputs get to the outputs, of `dtypes`, of an operation that is `given` what they got to."""
    inner = [each for each in jaxprs_in_params(parameters) if _ends_inside(each)]
    if name in _CALLS and len(inner) == 1 and len(inner[0].invars) == len(given):
        return _through(inner[0], given, source)
    together = InputReach.of_all(given)
    if name == "stop_gradient":
        # It says the same of what has lost its slope before: on this path that is meant.
        stop = GradientEnd(together.alive | together.lost(), source(), is_stop=True)
        frozen = together.frozen | (together.alive if given[0].is_input else 0)
        return [InputReach(0, frozen, frozenset(each for each in together.ends if each.is_stop) | {stop})]
    if not together.alive:
        return [together] * len(dtypes)
    if name == "scan" and inner:
        return _of_scan(inner[0], parameters, given, source)
    if name == "cond" and inner:
        found = [_through(each, given[1:], source) for each in jaxprs_in_params(parameters)]
        return [InputReach.of_all([*each, given[0]]) for each in zip(*found, strict=True)]
    if any(True for _ in jaxprs_in_params(parameters)):
        return [together] * len(dtypes)
    outputs = []
    for dtype in dtypes:
        is_end = name in FLAT or not _is_float(dtype)
        ends = together.ends | {GradientEnd(together.alive, source(), is_stop=False)}
        outputs.append(InputReach(0, together.frozen, ends) if is_end else together)
    return outputs


def _through(jaxpr: Jaxpr, given: Sequence[InputReach], outer: Callable[[], Source]) -> list[InputReach]:
    known: dict[Any, InputReach] = dict(zip(jaxpr.invars, given, strict=True))
    for equation in jaxpr.eqns:
        inputs = [NOTHING if isinstance(each, Literal) else known.get(each, NOTHING) for each in equation.invars]
        if any(each != NOTHING for each in inputs):

            def source(equation: Any = equation) -> Source:
                traceback, _ = sources.equation_source(equation)
                return (*((traceback,) if traceback is not None else ()), *outer())

            dtypes = [getattr(each.aval, "dtype", None) for each in equation.outvars]
            outputs = _outputs(equation.primitive.name, equation.params, inputs, dtypes, source)
            known.update(zip(equation.outvars, outputs, strict=True))
    return [NOTHING if isinstance(each, Literal) else known.get(each, NOTHING) for each in jaxpr.outvars]


def _of_scan(
    jaxpr: Jaxpr, parameters: dict[str, Any], given: list[InputReach], source: Callable[[], Source]
) -> list[InputReach]:
    fixed, carry, slices = jaxprs.scan_parts(parameters, given)
    while True:
        outputs = _through(jaxpr, [*fixed, *carry, *slices], source)
        following = [InputReach.of_all(each) for each in zip(carry, outputs, strict=False)]
        if following == carry:
            return outputs
        carry = following


class _Record(msgspec.Struct):
    """One gradient that is being taken."""

    parent: Any
    """The trace around it."""
    known: dict[int, tuple[Any, InputReach]] = {}
    """By identity of the value, with a reference to it that does not keep it."""
    primals: dict[int, tuple[Any, InputReach]] = {}
    """The same for what tracers stand for."""
    numbers: dict[int, int] | None = None
    """Numbers of the inputs, by the variable of their tangents."""

    def note(self, trace: Any, operation: Any, given: Sequence[Any], made: Any, *, is_plain: bool) -> None:
        """Record how the inputs get to what `operation` has `made`, called with what is `given`.

        Unless it `is_plain`, the program says itself what its slope is.
        """
        if trace.parent_trace is not self.parent:
            return
        values = next(each for each in given if isinstance(each, list | tuple))
        reach = [self._reach(trace, each) for each in values]
        if all(each == NOTHING for each in reach):
            return
        outputs = list(made) if isinstance(made, list | tuple) else [made]
        if is_plain:
            dtypes = [getattr(each, "dtype", None) for each in outputs]
            here = functools.cache(lambda: sources.current_source()[0])
            found = _outputs(operation.name, given[1], reach, dtypes, here)
        else:
            found = [InputReach.of_all(reach)] * len(outputs)
        for value, each in zip(outputs, found, strict=False):
            _remember(self.known, value, each)
            if isinstance(value, ad.LinearizeTracer):
                _remember(self.primals, value.primal, each)

    def _reach(self, trace: Any, value: Any) -> InputReach:
        known = _recalled(self.known, value)
        if known is not None or not isinstance(value, ad.LinearizeTracer):
            return known or NOTHING
        if self.numbers is None:
            inputs = trace.tangent_trace.frame.invars
            self.numbers = {id(each): number for number, each in enumerate(inputs)}
        number = self.numbers.get(id(getattr(value.tangent, "val", None)))
        return NOTHING if number is None else InputReach(1 << number, is_input=True)

    def found(
        self, outputs: Sequence[Any], jaxpr: Jaxpr, constants: int, names: Sequence[str], each_counts: bool
    ) -> Iterator[ZeroGradient]:
        """Yield the inputs that get to `outputs` only without a slope, by the place where they lose it.

        Their linear `jaxpr` says which have one; it takes so many `constants` and then a tangent of each input. Unless
        `each_counts` there is nothing to tell where one has.
        """
        known = [_recalled(each, value) for value in outputs for each in (self.primals, self.known)]
        reach = InputReach.of_all([each for each in known if each is not None])
        if not reach.ends or len(names) > len(jaxpr.invars) - constants:
            return
        _, used = partial_eval.dce_jaxpr(jaxpr, [True] * len(jaxpr.outvars), instantiate=False)
        alive = sum(1 << number for number, each in enumerate(used[constants:][: len(names)]) if each)
        ends = sorted(reach.ends, key=lambda end: (end.inputs & -end.inputs, end.inputs, end.is_stop))
        for end in ends if each_counts or not alive else ():
            # To stop some of several gradients is usual; to stop all of them leaves nothing to do. Where nothing is
            # left, the path that is not stopped is the one that should learn: a target is stopped on purpose.
            if end.is_stop:
                meant = ~0 if alive else reach.frozen | reach.lost(by_stops=False)
            else:
                meant = alive | reach.lost(by_stops=True) if alive else reach.frozen
            lost = end.inputs & ~meant
            here = [name for number, name in enumerate(names) if lost >> number & 1]
            if here:
                yield ZeroGradient(tuple(here), end.source, end.is_stop)


def _remember(known: dict[int, tuple[Any, InputReach]], value: Any, reach: InputReach) -> None:
    if isinstance(value, jax.Array):
        known[id(value)] = weakref.ref(value), reach


def _recalled(known: dict[int, tuple[Any, InputReach]], value: Any) -> InputReach | None:
    found = known.get(id(value))
    return found[1] if found is not None and found[0]() is value else None


class _ThreadState(threading.local):
    record: _Record | None = None


class _Gradients:
    def __init__(self, tell: Callable[[list[ZeroGradient]], None]) -> None:
        self._tell, self.guard, self._thread = tell, Guard(), _ThreadState()
        self._looks: Counter[tuple[int, ...]] = Counter()
        self._held: dict[tuple[int, ...], object] = {}
        """Counted objects, kept alive so that their ids stay valid."""

    def linearized(self, genuine: Callable[..., Any]) -> Callable[..., Any]:
        """Return the replacement for JAX's function that begins a gradient."""

        def linearize(*given: Any, **options: Any) -> Any:
            frame = sys._getframe(1)
            record = self.guard.call_or(self._begun, frame, instead=None) if options.get("is_vjp") else None
            if record is None:
                return genuine(*given, **options)
            self._thread.record = record
            try:
                result = genuine(*given, **options)
            finally:
                self._thread.record = None
            self.guard(self._end, record, frame, given, result)
            return result

        return linearize

    def processed(self, name: str, genuine: Callable[..., Any]) -> Callable[..., Any]:
        """Return the replacement for the method `name` of JAX's trace, which runs an operation."""

        def process(trace: Any, operation: Any, *given: Any, **named: Any) -> Any:
            made = genuine(trace, operation, *given, **named)
            record = self._thread.record
            if record is not None:
                self.guard(record.note, trace, operation, given, made, is_plain=name == "process_primitive")
            return made

        return process

    def _begun(self, frame: FrameType) -> _Record | None:
        around = core.trace_ctx.trace
        if self._thread.record is not None or _is_differentiated(around):
            return None
        place, self._held[place] = _place(frame)
        self._looks[place] += 1
        return _Record(around) if self._looks[place] <= MOST_LOOKS else None

    def _end(self, record: _Record, frame: FrameType, given: Any, result: Any) -> None:
        function, numbers = _asked(frame)
        outputs, _, jaxpr, constants, *_ = result
        # In JAX 0.10 they are no arguments of the jaxpr.
        count = 0 if getattr(jaxpr, "constvars", ()) else len(constants)
        names = _names(given[1].tree, function, numbers)
        found = list(record.found(list(outputs), jaxpr, count, names, numbers is not None))
        if found:
            self._tell(found)


@contextmanager
def watching(tell: Callable[[list[ZeroGradient]], None]) -> Iterator[Guard]:
    """Call `tell` after each gradient in the block that has inputs which get to its output, and only without a slope.

    What that raises does not reach the program: the guard that is yielded has it.
    """
    methods, watch = vars(ad.LinearizeTrace), _Gradients(tell)
    with ExitStack() as stack:
        for name in filter(methods.get, _METHODS):
            stack.enter_context(replaced(ad.LinearizeTrace, name, watch.processed(name, methods[name])))
        stack.enter_context(replaced(ad, "linearize", watch.linearized(ad.linearize)))
        yield watch.guard


def _is_differentiated(trace: Any) -> bool:
    """Return whether `trace` is inside of a derivative: a slope of a slope is 0 in many a sound program."""
    while trace is not None:
        if isinstance(trace, ad.JVPTrace | ad.LinearizeTrace):
            return True
        trace = getattr(trace, "parent_trace", None)
    return False


def _place(frame: FrameType) -> tuple[tuple[int, ...], list[CodeType]]:
    """Return an identifier of the gradient's call and function, and the code objects to keep alive for it."""
    code = _code(_asked(frame)[0])
    codes = [code] if code is not None else []
    place = list(map(id, codes))
    each: FrameType | None = frame
    while each is not None and len(codes) < MOST_CALLERS:
        if not each.f_code.co_filename.startswith(JAX_FILES):
            codes.append(each.f_code)
            place += [id(each.f_code), each.f_lasti]
        each = each.f_back
    return tuple(place), codes


def _asked(frame: FrameType) -> tuple[Any, tuple[int, ...] | None]:
    """Return the function whose gradient is taken, and for which arguments; None as those where vjp takes all."""
    outer = frame.f_back
    while outer is not None and outer.f_code.co_filename.startswith(JAX_FILES):
        if outer.f_code.co_filename == api.__file__ and outer.f_code.co_name == "value_and_grad_f":
            numbers = outer.f_locals.get("argnums", 0)
            return outer.f_locals.get("fun"), (numbers,) if isinstance(numbers, int) else tuple(numbers)
        outer = outer.f_back
    return frame.f_locals.get("fun"), None


def _code(function: Any) -> CodeType | None:
    """Return the code of `function`, or of what JAX has wrapped in it; None of what is no function."""
    for _ in range(MOST_CALLERS):
        if type(function) is FunctionType:
            inner = vars(function).get("__wrapped__") if function.__code__.co_filename.startswith(JAX_FILES) else None
            if inner is None:
                return function.__code__
            function = inner
        elif type(function) is type(_jitted):
            function = function.__wrapped__
    return None


_jitted: Any = jax.jit(lambda: None)


def _names(tree: Any, function: Any, numbers: tuple[int, ...] | None) -> list[str]:
    """Return the names of the inputs in `tree`. No class of the user's is asked for anything."""
    code = _code(function)
    found: list[str] = []
    for place, each in enumerate(tree.children()):
        number = place if numbers is None else numbers[place]
        known = code is not None and 0 <= number < code.co_argcount
        name = code.co_varnames[number] if code is not None and known else f"argument {number}"
        found += [name + path for path in _paths(each)]
    return found


def _paths(tree: Any) -> Iterator[str]:
    data, children = tree.node_data(), tree.children()
    if data is None:
        yield from [""] * tree.num_leaves
        return
    kind, about = data
    fields = getattr(kind, "_fields", ()) if issubclass(kind, tuple) else ()
    if kind not in (dict, list, tuple) and len(fields) != len(children):
        # A class of the user's, maybe a named tuple: what its parts are called it alone knows.
        yield from ["[...]"] * tree.num_leaves
        return
    for place, each in enumerate(children):
        step = f"[{about[place]!r}]" if kind is dict else f".{fields[place]}" if fields else f"[{place}]"
        yield from (step + path for path in _paths(each))
