"""Memory of one call: as reported by the compiler, and as observed by the operating system."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from explorer.messages import Memory
from explorer.worker.internals.compiled import peak_bytes

_FORGET_PEAK, _STATUS = Path("/proc/self/clear_refs"), Path("/proc/self/status")


def memory(compiled: Any, process_bytes: int | None) -> Memory | None:
    """Return the memory of one call of `compiled` (a jax.stages.Compiled, or None) and the measured rise, in bytes."""
    try:
        analysis = compiled.memory_analysis() if compiled is not None else None
    except Exception:  # A backend may raise any exception; the figure is then unknown.
        analysis = None
    if analysis is None:
        return None if process_bytes is None else Memory(process_bytes=process_bytes)
    return Memory(
        argument_bytes=getattr(analysis, "argument_size_in_bytes", None),
        output_bytes=getattr(analysis, "output_size_in_bytes", None),
        temporary_bytes=getattr(analysis, "temp_size_in_bytes", None),
        # The CPU backend reports 0 for every program, because it does not know.
        code_bytes=getattr(analysis, "generated_code_size_in_bytes", None) or None,
        peak_bytes=peak_bytes(compiled, analysis),
        process_bytes=process_bytes,
    )


def rise_during(call: Callable[[], object]) -> int | None:
    """Make one `call` and return the peak rise of this process's memory in bytes; None outside Linux.

    Writing 5 to ``clear_refs`` resets the peak (https://man7.org/linux/man-pages/man5/proc_pid_clear_refs.5.html).
    Memory that was freed before, but is still held by the allocator, makes the figure too small.
    """
    try:
        _FORGET_PEAK.write_text("5", encoding="ascii")
        before = _kibibytes("VmRSS")
    except (OSError, ValueError, IndexError):
        call()
        return None
    call()
    return max(0, _kibibytes("VmHWM") - before) * 1024


def _kibibytes(name: str) -> int:
    lines = _STATUS.read_text(encoding="ascii").splitlines()
    return int(next(line for line in lines if line.startswith(f"{name}:")).split()[1])
