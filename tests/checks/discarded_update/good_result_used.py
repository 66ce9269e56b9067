import jax
import jax.numpy as jnp


def written(x):
    """Return a changed copy.

    x.at[0].set(9.0)
    """
    return x.at[0].set(9.0)


def apply(function, x):
    return function(x)


def run():
    x = jnp.zeros(3)
    x = x.at[0].set(1.0)
    copies = [x.at[index].add(1.0) for index in range(3)]
    copies.append(x.at[1].min(-1.0))
    copies.extend(map(x.at[2].max, (1.0, 2.0)))
    jax.block_until_ready(x.at[0].multiply(2.0))
    x.at[0].multiply(2.0).block_until_ready()
    apply(lambda x: x.at[0].power(2.0), x)
    while x.at[0].set(2.0)[0] < 0:
        pass
    return written(x), copies
