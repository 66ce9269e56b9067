"""Updates whose result is kept, methods of other classes with the same names, and results that are meant to go.

After the fixes of https://github.com/reservoirpy/reservoirpy/issues/234 and the in-place updates of JAX's sharp bits
(https://docs.jax.dev/en/latest/notebooks/Common_Gotchas_in_JAX.html#in-place-updates).
"""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

X = jnp.zeros((4, 3))


def in_an_expression():
    x = jnp.zeros(3)
    return x + x.at[0].set(1.0)


def waited_for():
    x = jnp.zeros(3)
    x.at[0].set(1.0).block_until_ready()
    jax.block_until_ready(x.at[1].set(1.0))
    return x


def in_an_assertion():
    x = jnp.zeros(3)
    assert x.at[0].set(1.0)[0] == 1
    return x


def put_into_a_list():
    copies = []
    for index in range(3):
        copies.append(jnp.zeros(3).at[index].set(1.0))
    return copies


def carried_by_a_scan():
    def step(carry, x):
        return carry.at[0].add(x), x

    return lax.scan(step, jnp.zeros(2), jnp.arange(3.0))[0]


def under_jit():
    return jax.jit(lambda x: x.at[0].set(1.0))(jnp.zeros(3))


def under_vmap():
    return jax.vmap(lambda row, value: row.at[0].set(value))(X, jnp.arange(4.0))


def under_grad():
    return jax.grad(lambda w: (w.at[0].set(0.0) ** 2).sum())(jnp.ones(3))


def donated():
    write = jax.jit(lambda x: x.at[0].set(1.0), donate_argnums=0)
    return write(jnp.zeros(3))


def a_mutable_reference():
    @jax.jit
    def written(x):
        reference = jax.new_ref(x)
        reference[0] = 1.0
        return reference[...]

    return written(jnp.zeros(3))


def of_an_own_class():
    class Cell:
        def __init__(self, values, place):
            self.values, self.place = values, place

        def set(self, value):
            self.values[self.place] = value
            return self.values

    class Table:
        def __init__(self):
            self.values = np.zeros(3)

        @property
        def at(self):
            values = self.values

            class Places:
                def __getitem__(self, place):
                    return Cell(values, place)

            return Places()

    table = Table()
    table.at[0].set(1.0)
    return table.values
