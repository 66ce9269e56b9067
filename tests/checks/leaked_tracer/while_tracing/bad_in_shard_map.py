import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh
from jax.sharding import PartitionSpec as P

mesh = Mesh(np.array(jax.devices()[:1]), ("d",))
shards = []


def body(x):
    shards.append(x)  # bug: leaked-tracer
    return x * 2


def run():
    return jax.jit(jax.shard_map(body, mesh=mesh, in_specs=P("d"), out_specs=P("d")))(jnp.ones(2))
