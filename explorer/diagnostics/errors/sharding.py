"""Explanations of errors on layouts over an explicit mesh that do not fit together.

With explicit mesh axes the sharding is part of an array's type: https://docs.jax.dev/en/latest/notebooks/explicit-sharding.html
"""

from __future__ import annotations

from explorer.diagnostics.check import Explanation

EXPLANATIONS = (
    Explanation(
        "ShardingTypeError",
        r"requires contracting dimensions to have consistent sharding, got (?P<left>\(.*?\)) and (?P<right>\(.*?\))",
        text=(
            "The axes that a product sums over must be cut over the same mesh axis; here they are cut over {left} and "
            "{right}. Move one operand to the layout of the other with jax.sharding.reshard(x, jax.P(...))."
        ),
        lesson="many_devices",
    ),
    Explanation(
        "ShardingTypeError",
        r"incompatible shardings|should have the same sharding|must have the same sharding",
        text=(
            "On a mesh with explicit axes the sharding is part of an array's type, and these arrays have different "
            "ones. Move one of them to the layout of the other with jax.sharding.reshard(x, jax.P(...))."
        ),
        lesson="many_devices",
    ),
    Explanation(
        "ShardingTypeError",
        r"must be unsharded",
        text=(
            "This operation needs a whole axis on each device, and here the axis is cut over the mesh. Gather it "
            "first with jax.sharding.reshard(x, jax.P(None)); or work along an axis that is not cut."
        ),
        lesson="many_devices",
    ),
    Explanation(
        "ShardingTypeError",
        r"out_?[ _]?sharding",
        text=(
            "JAX cannot work out how the result is laid out over the mesh. Say it with out_sharding=jax.P(...): "
            "jnp.matmul(a, b, out_sharding=...), x.at[i].get(out_sharding=...); or gather x first with "
            "jax.sharding.reshard."
        ),
        lesson="many_devices",
    ),
)
