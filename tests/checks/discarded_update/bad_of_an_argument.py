import jax.numpy as jnp


# fmt: off
def clear(x):
    x.at[  # bug: discarded-update
        :
    ].set(0.0)
# fmt: on


def cleared():
    x = jnp.ones(3)
    clear(x)
    return x
