"""A NumPy array changed after an array of JAX took its memory (https://github.com/jax-ml/jax/issues/37830)."""

from __future__ import annotations

from explorer.diagnostics.check import Check

CHECK = Check(
    id="aliased-buffer",
    part="tracing",
    levels={"bug": ""},
    name="aliased buffer",
    summary="A NumPy array is changed after `jax.device_put` took its memory, so the array of JAX changes too.",
    what=(
        "`jax.device_put` on the CPU copies nothing if the memory of the NumPy array is aligned. Later the program "
        "changes that memory, and still uses the array of JAX. Many small and large NumPy arrays are aligned, others "
        "are copied: it depends on where NumPy finds memory."
    ),
    why_silent=(
        "An array of JAX cannot be changed, but JAX does not own this memory. NumPy does not know that anything else "
        "uses it."
    ),
    fix="Put a copy on the device, `jax.device_put(x.copy())`, or use `jnp.array(x)`, which copies.",
    bad="""
import jax
import numpy as np


def batches():
    memory = np.zeros(4 * 64 + 64, np.uint8)
    start = -memory.ctypes.data % 64
    buffer = memory[start : start + 4 * 64].view(np.float32)
    x = jax.device_put(buffer)
    buffer[:] = 1.0
    return x.sum()
""",
    good="""
import jax
import numpy as np


def batches():
    memory = np.zeros(4 * 64 + 64, np.uint8)
    start = -memory.ctypes.data % 64
    buffer = memory[start : start + 4 * 64].view(np.float32)
    x = jax.device_put(buffer.copy())
    buffer[:] = 1.0
    return x.sum()
""",
    labels=("JAX takes this memory", "changed here"),
    lessons={"": "written_in_place"},
)
