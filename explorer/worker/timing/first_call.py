"""A function under its transforms, ready for repeated calls; the time of its first call, stage by stage.

Stages: https://docs.jax.dev/en/latest/aot.html.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import Any

import jax
import msgspec
import numpy as np
from msgspec.structs import replace

from explorer.messages import Transform
from explorer.worker.code import calls
from explorer.worker.process import devices
from explorer.worker.timing.mapped import MappedFunction
from explorer.worker.timing.sampling import Instruments

STEPS: dict[Transform, tuple[Transform, ...]] = {
    "eager": (),
    "jit": ("jit",),
    "vmap": ("vmap",),
    "jit(vmap)": ("vmap", "jit"),
    "loop": (),
}


class PreparedCall(msgspec.Struct, frozen=True):
    """A transformed function with its arguments, ready for repeated calls.

    Under jit, arrays are arguments and not constants, which the compiler could fold. All other inputs (numbers,
    strings, functions) are bound to the function.
    """

    run: Callable[[], Any]
    """Called directly by the clock, without a layer of ours in Python."""
    trace: Callable[[], jax.stages.Traced] | None = None
    """Starts the compilation ahead of time; None if it is not compiled as one program."""


class FirstCall(msgspec.Struct, frozen=True):
    """Seconds of a first call and of its stages, the devices of its outputs, and the compiled program."""

    seconds: float = 0.0
    ran_on: tuple[str, ...] = ()
    trace_s: float | None = None
    lower_s: float | None = None
    compile_s: float | None = None
    compiled: jax.stages.Compiled | None = None
    outputs: Any = None


def transformed(
    function: Callable[..., Any], arguments: Mapping[str, Any], transforms: tuple[Transform, ...]
) -> PreparedCall:
    """Return `function` with the named `arguments` under `transforms`, innermost first.

    ``eager`` is the function as written, ``jit`` a new jax.jit of it, ``vmap`` maps the leading axis of every array,
    ``jit(vmap)`` combines both, and ``loop`` calls a `MappedFunction` for one example after the other, under jit.
    Each is made anew, so that no earlier cache serves it.
    """
    if "loop" in transforms and isinstance(function, MappedFunction):
        return PreparedCall(function.in_a_loop(**arguments))
    steps = [step for transform in transforms for step in STEPS[transform]]
    if isinstance(function, MappedFunction):
        # It maps its own axes.
        steps.remove("vmap")
    by_position, by_name = calls.placed(function, arguments)
    if not steps:
        return PreparedCall(functools.partial(function, *by_position, **by_name))
    leaves, structure = jax.tree.flatten((by_position, by_name))

    def of_arrays(arrays: list[Any]) -> Any:
        given = iter(arrays)
        filled = [next(given) if _is_array(leaf) else leaf for leaf in leaves]
        by_position, by_name = jax.tree.unflatten(structure, filled)
        return function(*by_position, **by_name)

    of_arrays.__name__ = getattr(function, "__name__", "function")
    made: Callable[..., Any] = of_arrays
    for step in steps:
        made = jax.jit(made) if step == "jit" else jax.vmap(made)
    arrays = [leaf for leaf in leaves if _is_array(leaf)]
    trace = functools.partial(made.trace, arrays) if isinstance(made, jax.stages.Wrapped) else None
    return PreparedCall(functools.partial(made, arrays), trace)


def time_first_call(call: PreparedCall, instruments: Instruments, *, cold: bool) -> FirstCall:
    """Make the first call of `call` and return its cost; with `cold`, from empty caches. Raises exceptions of `call`.

    With stages, the first call is their sum plus the first run of the compiled program. A plain first call takes the
    same time within a few per cent, and this way the parts add up.
    """
    if cold:
        jax.clear_caches()
    clock = instruments.clock
    start = clock()
    stages = _time_stages(call, clock)
    outputs = call.run()
    instruments.wait(outputs)
    seconds = clock() - start
    return replace(stages, seconds=seconds, ran_on=devices.used_by(outputs), outputs=outputs)


def _time_stages(call: PreparedCall, clock: Callable[[], float]) -> FirstCall:
    """Compile `call` ahead of time, which fills the cache for the call itself."""
    if call.trace is None:
        return FirstCall()
    start = clock()
    traced = call.trace()
    traced_at = clock()
    lowered = traced.lower()
    lowered_at = clock()
    compiled = lowered.compile()
    return FirstCall(
        trace_s=traced_at - start, lower_s=lowered_at - traced_at, compile_s=clock() - lowered_at, compiled=compiled
    )


def _is_array(leaf: object) -> bool:
    return isinstance(leaf, jax.Array | np.ndarray)
