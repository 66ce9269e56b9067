"""The compiler's facts on a compiled program: its text, and the cost of one call."""

from __future__ import annotations

import re
import weakref
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from jax._src import pjit
from jax._src.interpreters import mlir

from explorer.messages import Cost
from explorer.worker.internals import hlo_work

_PARTITIONS = re.compile(r"^HloModule .*\b(?:num_partitions|replica_count)=(\d+)")
_EXCHANGE = re.compile(
    r" (all-gather|all-reduce|reduce-scatter|(?:ragged-)?all-to-all|collective-(?:permute|broadcast))(?:-start)?\("
)
"""Where an operation between devices begins; ``-done``, where it ends, is the same one."""


def cost(compiled: Any, text: str = "") -> Cost:
    """Return the cost of one call of `compiled` (a jax.stages.Compiled), as XLA itself estimates it.

    What devices say to each other, and how often loops run, is read off `text`, its optimised HLO.

    Backends differ in what they say, and some raise when asked: what they do not say is None.
    """
    analysis = _asked(compiled.cost_analysis)
    memory = _asked(compiled.memory_analysis)
    if isinstance(analysis, list | tuple) and analysis:
        analysis = analysis[0]  # Some backends answer for each partition of the program.
    analysis = analysis if isinstance(analysis, Mapping) else {}
    partitions = _PARTITIONS.match(text)
    flops, transcendentals, accessed = (analysis.get(each) for each in ("flops", "transcendentals", "bytes accessed"))
    work, unknown = hlo_work.work(text)
    if not text or unknown:
        flops = transcendentals = None
    if unknown == "loop" or work.loops:
        # XLA counts the body of a loop once, here too.
        accessed = None
    return Cost(
        flops=None if flops is None else flops + work.flops - work.flops_once,
        transcendentals=None
        if transcendentals is None
        else transcendentals + work.transcendentals - work.transcendentals_once,
        accessed_bytes=accessed,
        peak_bytes=peak_bytes(compiled, memory),
        argument_bytes=getattr(memory, "argument_size_in_bytes", None),
        output_bytes=getattr(memory, "output_size_in_bytes", None),
        temporary_bytes=getattr(memory, "temp_size_in_bytes", None),
        devices=int(partitions[1]) if partitions else 1,
        exchanges=dict(Counter(sorted(_EXCHANGE.findall(text)))),
        uncounted=unknown,
    )


def peak_bytes(compiled: Any, memory: Any) -> int | None:
    """Return the most memory that `compiled` has in use at one time, as its `memory` analysis says.

    The CPU's compiler gives arguments and outputs there, whatever lies between them: that is no peak.
    """
    platforms = {each.platform for each in devices_of(compiled)}
    return getattr(memory, "peak_memory_in_bytes", None) if platforms and "cpu" not in platforms else None


def compiled_text(compiled: Any) -> str:
    """Return the optimised HLO of `compiled`; empty for a backend that does not print it."""
    return _asked(compiled.as_text) or ""


def what_runs(arguments: Sequence[Any], parameters: Mapping[str, Any]) -> Callable[[], Any]:
    """Return what gives the compiled program that a jit with these `parameters` runs for `arguments`, to ask it more.

    It is the one that JAX itself has compiled, or compiles then. The arrays are asked now where they are, and may be
    given away after that. Raises AttributeError where this version of JAX keeps these things elsewhere.
    """
    types = tuple(map(pjit.convert_to_metaty, arguments))

    def compiled() -> Any:
        lowered = pjit._resolve_and_lower(
            types,
            **parameters,
            lowering_platforms=None,
            lowering_parameters=mlir.LoweringParameters(),
            pgle_profiler=None,
        )
        made = lowered.compile()
        _constants[made] = len(getattr(lowered, "const_args", ()))
        return made

    return compiled


_constants: weakref.WeakKeyDictionary[Any, int] = weakref.WeakKeyDictionary()
"""How many constants a program takes before its arguments."""


def shardings_taken(compiled: Any) -> dict[int, Any]:
    """Return how `compiled`, from `what_runs`, takes each of its arguments, by their number.

    What it does not use, and what is not known, is left out.
    """
    first = _constants.get(compiled, 0)
    used = sorted(getattr(compiled, "_kept_var_idx", ()))
    shardings = list(getattr(compiled, "_in_shardings", ()))
    return {place - first: each for place, each in zip(used, shardings, strict=False) if place >= first}


def devices_of(compiled: Any) -> list[Any]:
    """Return the devices of `compiled` in the order of its places, as far as they are this process's own."""
    return list(_asked(lambda: compiled.runtime_executable().local_devices()) or [])


def _asked(question: Callable[[], Any]) -> Any:
    try:
        return question()
    except Exception:  # A backend may raise whatever it likes; what it does not say is not known.
        return None
