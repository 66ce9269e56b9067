"""Documentation of the check rank-broadcast: a column and a row are combined to all pairs, and reduced."""

from __future__ import annotations

from explorer.diagnostics.check import Check

CHECK = Check(
    id="rank-broadcast",
    part="tracing",
    levels={"warning": ""},
    name="rank broadcast",
    summary="Arrays of shapes `(n, 1)` and `(n,)` are combined to all `(n, n)` pairs, and a reduction takes them all.",
    what=(
        "An operator combines two arrays with as many elements and not as many axes, such as `(n, 1)` and `(n,)`. The "
        "result has all `(n, n)` pairs, and `mean`, `sum` or another reduction takes them to one number. Arrays that "
        "get an axis in the code by `None`, `reshape` or `keepdims` are meant to be combined like this."
    ),
    why_silent=(
        "JAX broadcasts as NumPy does: it puts axes of length 1 in front of the array with fewer axes. The loss "
        "has the right shape and a gradient, and training seems to work. `jax_numpy_rank_promotion` can forbid it."
    ),
    fix="Give both the same shape, as with `predictions.squeeze(-1)`.",
    bad="""
import jax
import jax.numpy as jnp


def loss():
    predictions = jax.random.normal(jax.random.key(0), (8, 1))
    targets = jnp.arange(8.0)
    return jnp.mean((predictions - targets) ** 2)
""",
    good="""
import jax
import jax.numpy as jnp


def loss():
    predictions = jax.random.normal(jax.random.key(0), (8, 1))
    targets = jnp.arange(8.0)
    return jnp.mean((predictions.squeeze(-1) - targets) ** 2)
""",
    allow="`predictions - targets[None, :]` says that all pairs are meant.",
    labels=("combines all pairs here",),
    lessons={"": "gradient_of_each"},
)
