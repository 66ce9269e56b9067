"""Updates whose result is kept, methods of other classes with the same names, and results that are meant to go.

After the fixes of https://github.com/reservoirpy/reservoirpy/issues/234 and the in-place updates of JAX's sharp bits
(https://docs.jax.dev/en/latest/notebooks/Common_Gotchas_in_JAX.html#in-place-updates).
"""

import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

X = jnp.zeros((4, 3))


def assigned():
    x = jnp.zeros(3)
    x = x.at[0].set(1.0)
    return x


def returned():
    return jnp.zeros(3).at[0].set(1.0)


def given_another_name():
    x = jnp.zeros(3)
    y = x.at[0].set(1.0)
    return x, y


def marked_as_not_needed():
    x = jnp.zeros(3)
    _ = x.at[0].set(1.0)
    return x


def a_chain_that_is_assigned():
    x = jnp.zeros(3)
    x = x.at[0].set(1.0).at[1].add(2.0)
    return x


def only_read():
    x = jnp.arange(3.0)
    x.at[0].get()
    return x.at[7].get(mode="fill", fill_value=0.0)


def an_argument_of_a_call():
    x = jnp.zeros(3)
    return jnp.sum(x.at[0].set(1.0))


def in_an_expression():
    x = jnp.zeros(3)
    return x + x.at[0].set(1.0)


def waited_for():
    x = jnp.zeros(3)
    x.at[0].set(1.0).block_until_ready()
    jax.block_until_ready(x.at[1].set(1.0))
    return x


def shown():
    x = jnp.zeros(3)
    repr(x.at[0].set(1.0))
    return x


def in_an_assertion():
    x = jnp.zeros(3)
    assert x.at[0].set(1.0)[0] == 1
    return x


def in_a_condition():
    x = jnp.zeros(3)
    return 1 if x.at[0].set(1.0).sum() > 0 else 0


def given_to_an_item():
    state = {"x": jnp.zeros(3)}
    state["x"] = state["x"].at[0].set(1.0)
    return state


def given_to_an_attribute():
    class Reservoir:
        state = jnp.zeros(3)

    reservoir = Reservoir()
    reservoir.state = reservoir.state.at[0].set(1.0)
    return reservoir.state


def put_into_a_list():
    copies = []
    for index in range(3):
        copies.append(jnp.zeros(3).at[index].set(1.0))
    return copies


def in_a_comprehension():
    return [jnp.zeros(3).at[index].set(1.0) for index in range(3)]


def yielded():
    def copies():
        for index in range(2):
            yield jnp.zeros(3).at[index].set(1.0)

    return list(copies())


def with_a_walrus():
    x = jnp.zeros(3)
    if (y := x.at[0].set(1.0)).sum() > 0:
        return y
    return x


def of_a_lambda():
    write = lambda x, value: x.at[0].set(value)  # noqa: E731
    return write(jnp.zeros(3), 1.0)


def folded():
    return functools.reduce(lambda x, index: x.at[index].add(1.0), range(3), jnp.zeros(3))


def carried_by_a_scan():
    def step(carry, x):
        return carry.at[0].add(x), x

    return lax.scan(step, jnp.zeros(2), jnp.arange(3.0))[0]


def carried_by_a_fori_loop():
    return lax.fori_loop(0, 3, lambda index, x: x.at[index].set(1.0), jnp.zeros(3))


def in_a_branch_of_a_cond():
    return lax.cond(True, lambda x: x.at[0].set(1.0), lambda x: x, jnp.zeros(3))


def under_jit():
    return jax.jit(lambda x: x.at[0].set(1.0))(jnp.zeros(3))


def under_vmap():
    return jax.vmap(lambda row, value: row.at[0].set(value))(X, jnp.arange(4.0))


def under_grad():
    return jax.grad(lambda w: (w.at[0].set(0.0) ** 2).sum())(jnp.ones(3))


def donated():
    write = jax.jit(lambda x: x.at[0].set(1.0), donate_argnums=0)
    return write(jnp.zeros(3))


def the_method_itself():
    write = jnp.zeros(3).at[0].set
    return write(1.0)


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


def of_a_dict_called_at():
    class Log:
        at = {"a": set(), "b": [3, 1]}

    Log.at["a"].add("x")
    Log.at["b"].sort()
    return len(Log.at["a"])


def refused():
    x = jnp.zeros(3)
    try:
        x.at[0].set(jnp.ones(2))
    except (TypeError, ValueError):
        return x
    return None


def in_a_docstring():
    """Return a changed copy.

    x.at[0].set(1.0)
    """
    return jnp.zeros(3).at[0].set(1.0)
