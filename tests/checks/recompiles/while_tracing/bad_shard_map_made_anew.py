import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh
from jax.sharding import PartitionSpec as P

mesh = Mesh(np.array(jax.devices()[:1]), ("d",))


def run():
    x = jnp.ones(4)
    for _ in range(4):

        def body(y):  # warning: recompiles
            return y * 2

        x = jax.jit(jax.shard_map(body, mesh=mesh, in_specs=P("d"), out_specs=P("d")))(x)
    return x
