"""Documentation of the check silent-promotion (https://docs.jax.dev/en/latest/type_promotion.html)."""

from __future__ import annotations

from explorer.diagnostics.check import Check

CHECK = Check(
    id="silent-promotion",
    part="tracing",
    levels={"warning": ""},
    name="silent promotion",
    summary="A NumPy number or array makes float32 of bfloat16 or float16, and everything after it runs in float32.",
    what=(
        "An array of bfloat16 or float16 meets a NumPy float, a NumPy array of floats, or a constant of JAX in "
        "float32. The result has the wider dtype. With 64 bits turned on, the same goes for float32 and float64. The "
        "check says nothing if the result is converted, compared or reduced, or meets a wide array anyway."
    ),
    why_silent=(
        "A Python number takes the dtype of the array that it meets. A NumPy number such as `np.sqrt(64)` has a dtype "
        "of its own, and JAX gives the wider one of both. The numbers are right; they take twice the memory and time."
    ),
    fix="Use a Python number, `float(np.sqrt(64))`, or convert the array to the narrow dtype.",
    bad="""
import jax
import jax.numpy as jnp
import numpy as np


def scores():
    @jax.jit
    def attend(q, k):
        return q @ k.T / np.sqrt(4)

    q = jnp.ones((3, 4), jnp.bfloat16)
    return attend(q, q)
""",
    good="""
import jax
import jax.numpy as jnp
import numpy as np


def scores():
    @jax.jit
    def attend(q, k):
        return q @ k.T / float(np.sqrt(4))

    q = jnp.ones((3, 4), jnp.bfloat16)
    return attend(q, q)
""",
    allow="`.astype(jnp.float32)` before the operation, or on its result, says that the wider dtype is meant.",
    fix_changes_types=True,
    labels=("wider from here on", "this has a dtype of its own"),
    lessons={"": "thirty_two_bits"},
)
