"""Documentation of the check silent-cast.

https://docs.jax.dev/en/latest/notebooks/Common_Gotchas_in_JAX.html#double-64bit-precision
"""

from __future__ import annotations

from explorer.diagnostics.check import Check

CHECK = Check(
    id="silent-cast",
    part="values",
    levels={"warning": ""},
    name="silent cast",
    summary="Numbers are narrowed, or wrap around, without a warning.",
    what=(
        "The code asks for 64 bits and gets 32; integers overflow their dtype and wrap around; or values of a NumPy "
        "array do not fit the dtype that JAX gives them."
    ),
    why_silent=(
        "JAX computes with 32 bits unless `jax_enable_x64` is on. It warns once if you name a 64-bit dtype, but not "
        "when it takes a NumPy array, or when numbers wrap around."
    ),
    fix="Turn on `jax_enable_x64`, ask for the dtype that you get, or convert to a wider dtype before numbers grow.",
    bad="""
import jax.numpy as jnp


def pixels():
    image = jnp.full((3,), 200, jnp.uint8)
    return image + image
""",
    good="""
import jax.numpy as jnp


def pixels():
    image = jnp.full((3,), 200, jnp.uint8).astype(jnp.int32)
    return image + image
""",
    fix_changes_types=True,
    labels=("narrowed here",),
    lessons={"": "thirty_two_bits"},
)
