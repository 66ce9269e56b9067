"""Facts on a compiled program: text, cost, buffers, the program that a jit runs; its operations (`parsed`)."""

from __future__ import annotations

import re
import weakref
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec
from jax._src import pjit
from jax._src.interpreters import mlir

from explorer.messages import Cost

_HEADER = re.compile(r"^(?P<entry>ENTRY )?%?(?P<name>[\w.\-]+) \(.*\{$")
_INSTRUCTION = re.compile(r"^\s+(?P<root>ROOT )?%?(?P<name>[\w.\-]+) = (?P<rest>.*)$")
_NAME = re.compile(r"%([\w.\-]+)")
_CALLED = re.compile(r"\b(calls|to_apply|body|condition|true_computation|false_computation)=%?([\w.\-]+)")
EXCHANGE = re.compile(
    r"(all-gather|all-reduce|reduce-scatter|(?:ragged-)?all-to-all|collective-(?:permute|broadcast))(?:-start)?"
)
"""The opcode of an operation between devices, or of its start; its end, ``-done``, is the same operation."""
_BRANCHES = re.compile(r"\b(?:branch_computations|called_computations)=\{([^}]*)\}")


class HloOperation(msgspec.Struct, frozen=True):
    """One operation of a compiled program."""

    type: str
    opcode: str
    operands: tuple[str, ...]
    attributes: str
    row: int
    """The line of the text, from 0."""
    is_root: bool = False
    """Whether it is the result of its computation."""

    @property
    def called(self) -> dict[str, str]:
        """The computations that it runs, by their role."""
        return dict(_CALLED.findall(self.attributes))

    @property
    def branches(self) -> list[str]:
        """The computations that it lists, of which it may run one."""
        return [name for listed in _BRANCHES.findall(self.attributes) for name in _NAME.findall(listed)]


Computation = dict[str, HloOperation]
"""Instructions by name."""


def parsed(text: str) -> tuple[dict[str, Computation], str]:
    """Return the computations of an optimised HLO module by name, and the name of the first one that runs."""
    computations: dict[str, Computation] = {}
    entry, current = "", None
    for row, line in enumerate(text.splitlines()):
        header = _HEADER.match(line)
        if header:
            current = computations[header["name"]] = {}
            entry = header["name"] if header["entry"] else entry
        elif line.startswith("}"):
            current = None
        elif current is not None:
            found = _INSTRUCTION.match(line)
            if found:
                made = _instruction(found["rest"], row, is_root=bool(found["root"]))
                if made is not None:
                    current[found["name"]] = made
    return computations, entry


def _instruction(rest: str, row: int, *, is_root: bool) -> HloOperation | None:
    end = _closing(rest, 0) + 1 if rest.startswith("(") else rest.find(" ")
    found = re.match(r" ([a-z][\w\-]*)\(", rest[end:])
    if found is None:
        return None
    start = end + found.end()
    stop = _closing(rest, start - 1)
    return HloOperation(rest[:end], found[1], tuple(_NAME.findall(rest[start:stop])), rest[stop:], row, is_root)


def _closing(text: str, start: int) -> int:
    """Return the index of the parenthesis that closes the one at `start`."""
    depth = 0
    for place in range(start, len(text)):
        depth += (text[place] == "(") - (text[place] == ")")
        if not depth:
            return place
    return len(text)


_PARTITIONS = re.compile(r"^HloModule .*\b(?:num_partitions|replica_count)=(\d+)")
_LIBRARY = ("custom-call", "cholesky", "triangular-solve", "fft")
_CALLBACK = re.compile(r'custom_call_target="[^"]*(?:callback|[Ss]harding|AllocateBuffer|annotate)[^"]*"')
"""Custom calls that compute nothing, or nothing inside XLA's program."""


def cost(compiled: Any, text: str = "") -> Cost:
    """Return the cost of one call of `compiled` (a jax.stages.Compiled), as estimated by XLA; sizes are in bytes.

    Collectives are read from `text`, its optimised HLO. Backends differ, and some raise: unavailable figures are None.
    XLA counts the body of a loop once: https://github.com/openxla/xla/issues/10479.
    """
    analysis = _asked(compiled.cost_analysis)
    memory = _asked(compiled.memory_analysis)
    if isinstance(analysis, list | tuple) and analysis:
        analysis = analysis[0]  # Some backends return one analysis per partition of the program.
    analysis = analysis if isinstance(analysis, Mapping) else {}
    partitions = _PARTITIONS.match(text)
    flops, transcendentals, accessed = (analysis.get(each) for each in ("flops", "transcendentals", "bytes accessed"))
    operations = [each for computation in parsed(text)[0].values() for each in computation.values()]
    has_loop = any(each.opcode == "while" for each in operations)
    in_library = any(each.opcode in _LIBRARY and not _CALLBACK.search(each.attributes) for each in operations)
    if not text or in_library:
        flops = transcendentals = None
    return Cost(
        flops=flops,
        transcendentals=transcendentals,
        accessed_bytes=None if has_loop else accessed,
        peak_bytes=_peak_bytes(compiled, memory),
        argument_bytes=getattr(memory, "argument_size_in_bytes", None),
        output_bytes=getattr(memory, "output_size_in_bytes", None),
        temporary_bytes=getattr(memory, "temp_size_in_bytes", None),
        devices=int(partitions[1]) if partitions else 1,
        exchanges=dict(Counter(sorted(found[1] for each in operations if (found := EXCHANGE.fullmatch(each.opcode))))),
        uncounted="library" if in_library else "loop" if has_loop else "",
    )


def _peak_bytes(compiled: Any, memory: Any) -> int | None:
    """Return the peak memory of `compiled` in bytes, from its `memory` analysis, or None.

    The CPU compiler reports only arguments and outputs there, without the values in between: that is no peak.
    """
    platforms = {each.platform for each in devices_of(compiled)}
    return getattr(memory, "peak_memory_in_bytes", None) if platforms and "cpu" not in platforms else None


def compiled_text(compiled: Any) -> str:
    """Return the optimised HLO of `compiled`; empty for a backend that does not print it."""
    return _asked(compiled.as_text) or ""


def serialized_module(compiled: Any) -> bytes:
    """Return the optimised module of `compiled` as a serialized protocol buffer, empty on devices other than a CPU.

    On those nothing that we read from it was ever compared with the device.
    """
    if {each.platform for each in devices_of(compiled)} != {"cpu"}:
        return b""
    modules = _asked(lambda: compiled.runtime_executable().hlo_modules())
    return modules[0].as_serialized_hlo_module_proto() if modules else b""


def assigned_buffers(compiled: Any) -> tuple[bytes, bytes] | None:
    """Return module and buffer assignment of `compiled` as serialized protocol buffers; None without, as on a TPU."""
    module = serialized_module(compiled)
    assignment = getattr(_asked(compiled.memory_analysis), "serialized_buffer_assignment_proto", b"")
    return (module, assignment) if module and assignment else None


def what_runs(arguments: Sequence[Any], parameters: Mapping[str, Any]) -> Callable[[], Any]:
    """Return a function that compiles, or finds, the program that a jit with these `parameters` runs for `arguments`.

    It is the program in JAX's own cache. The placement of the arrays is read now, so they may be donated afterwards.
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
"""Number of constants that a program takes before its arguments."""


def shardings_taken(compiled: Any) -> dict[int, Any]:
    """Return the known shardings of the used inputs of `compiled`, which comes from `what_runs`, by argument number."""
    first = _constants.get(compiled, 0)
    used = sorted(getattr(compiled, "_kept_var_idx", ()))
    shardings = list(getattr(compiled, "_in_shardings", ()))
    return {place - first: each for place, each in zip(used, shardings, strict=False) if place >= first}


def devices_of(compiled: Any) -> list[Any]:
    """Return the devices of `compiled` that belong to this process, in the program's order."""
    return list(_asked(lambda: compiled.runtime_executable().local_devices()) or [])


def _asked(question: Callable[[], Any]) -> Any:
    try:
        return question()
    except Exception:  # A backend may raise any exception; the figure is then unknown.
        return None
