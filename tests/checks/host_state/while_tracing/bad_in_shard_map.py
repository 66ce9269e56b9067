import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh
from jax.sharding import PartitionSpec as P

mesh = Mesh(np.array(jax.devices()[:1]), ("d",))
calls = {"n": 0}


def body(x):
    calls["n"] += 1  # bug: host-state
    return x * calls["n"]


def run():
    f = jax.jit(jax.shard_map(body, mesh=mesh, in_specs=P("d"), out_specs=P("d")))
    return f(jnp.ones(2)), f(jnp.ones(2))
