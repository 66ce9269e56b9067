"""Updates of arrays whose result is thrown away, as they are met in public code, in our own words.

After https://github.com/reservoirpy/reservoirpy/issues/234 (features, delay buffers, predictions and signs are not
written), https://github.com/jax-ml/jax/issues/2287 (a trajectory), https://github.com/jax-ml/jax/pull/7783 (a jitted
function that returns nothing), and replay buffers, masks, boundaries and counters of simulations.

Sound ones: updates whose result is kept, methods of other classes of that name, and results that are meant to go.

After the fixes of https://github.com/reservoirpy/reservoirpy/issues/234 and the in-place updates of JAX's sharp bits
(https://docs.jax.dev/en/latest/notebooks/Common_Gotchas_in_JAX.html#in-place-updates).
"""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

X = jnp.zeros((4, 3))


# -- programs -------------------------------------------------------------------------------------


def every_second():
    x = X
    x.at[::2].multiply(3.0)  # bug: discarded-update
    return x


def twice():
    x = jnp.zeros(3)
    x.at[0].set(1.0)  # bug: discarded-update
    x.at[1].set(2.0)  # bug: discarded-update
    return x


def in_a_jitted_function_that_returns_nothing():
    @jax.jit
    def write(x, index, value):
        x.at[index].set(value)  # bug: discarded-update

    x = jnp.ones(3)
    write(x, 0, -1.0)
    return x


def in_vmap():
    def clipped(x):
        x.at[0].min(0.0)  # bug: discarded-update
        return x

    return jax.vmap(clipped)(X + 1)


def in_grad():
    def loss(w):
        w.at[0].set(0.0)  # bug: discarded-update
        return (w**2).sum()

    return jax.grad(loss)(jnp.ones(3))


def in_a_fori_loop():
    def body(index, x):
        x.at[index].set(1.0)  # bug: discarded-update
        return x

    return lax.fori_loop(0, 3, body, jnp.zeros(3))


def of_a_causal_mask():
    scores = jnp.zeros((3, 3))
    scores.at[jnp.triu_indices(3, 1)].set(-jnp.inf)  # bug: discarded-update
    return jax.nn.softmax(scores)


# -- sound ----------------------------------------------------------------------------------------


def in_an_expression():
    x = jnp.zeros(3)
    return x + x.at[0].set(1.0)


def in_an_assertion():
    x = jnp.zeros(3)
    assert x.at[0].set(1.0)[0] == 1
    return x


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


# -- fixed ----------------------------------------------------------------------------------------


def in_a_function():
    # fixed "x = x.at[0].set(9.0)"
    x = jnp.zeros(3)
    x.at[0].set(9.0)  # bug: discarded-update
    return 2 * x


def in_a_loop():
    # fixed "counted = counted.at[index].add(1)"
    counted = jnp.zeros(4, jnp.int32)
    for index in (0, 2, 2, 3):
        counted.at[index].add(1)  # bug: discarded-update
    return counted


def in_a_nested_function():
    # fixed 'state["seen"] = state["seen"].at[index].max(1.0)'
    def step(carry, index):
        state, total = carry
        state["seen"].at[index].max(1.0)  # bug: discarded-update
        return (state, total + index), index

    first = {"seen": jnp.zeros(3)}, jnp.int32(0)
    return jax.lax.scan(step, first, jnp.arange(3))[0]


def of_a_chain():
    # fixed "x = x.at[0].set(1.0).at[1].set(2.0)"
    x = jnp.zeros(3)
    # What the first one returns is used, and lost with the second.
    x.at[0].set(1.0).at[1].set(2.0)  # bug: discarded-update
    return 2 * x


# fmt: off
def clear(x):
    x.at[  # bug: discarded-update
        :
    ].set(0.0)

# fmt: on


def of_an_argument():
    # no fix
    x = jnp.ones(3)
    clear(x)
    return x


class Buffer:
    def __init__(self, size):
        self.values = jnp.zeros(size)
        self.next = 0

    def push(self, value):
        self.values.at[self.next].set(value)  # bug: discarded-update
        self.next += 1


def of_an_attribute():
    # fixed "self.values = self.values.at[self.next].set(value)"
    buffer = Buffer(3)
    buffer.push(1.0)
    buffer.push(2.0)
    return buffer.values


def fixable_of_keys():
    # fixed "keys = keys.at[0].set(jax.random.key(1))"
    keys = jax.random.split(jax.random.key(0), 3)
    keys.at[0].set(jax.random.key(1))  # bug: discarded-update
    return jax.vmap(jax.random.normal)(keys)


@jax.jit
def fixable_under_jit(x):
    # given jnp.array([1.0, -2.0])
    # fixed "x = x.at[0].multiply(0.0)"
    x.at[0].multiply(0.0)  # bug: discarded-update
    return 2 * x


def with_apply():
    # fixed "x = x.at[1].apply(jnp.cos)"
    x = jnp.arange(3.0)
    if x[1] > 0:
        x.at[1].apply(jnp.cos)  # bug: discarded-update
    return 2 * x


@jax.jit
def on_purpose(x):
    # given jnp.zeros(3)
    # in full
    _ = x.at[0].set(1.0)
    x.at[0].get()
    return x


class Place:
    def __init__(self, holder, index):
        self.holder, self.index = holder, index

    def set(self, value):
        self.holder.values = self.holder.values.at[self.index].set(value)
        return self.holder.values

    def add(self, value):
        return self.set(self.holder.values[self.index] + value)


class Places:
    def __init__(self, holder):
        self.holder = holder

    def __getitem__(self, index):
        return Place(self.holder, index)


class Holder:
    """Changes itself, as its method returns the new array."""

    def __init__(self, values):
        self.values = values

    @property
    def at(self):
        return Places(self)


class Table:
    """As those of pandas: what `at` gives is a NumPy array."""

    def __init__(self):
        self.at = {"a": {"b"}, "c": np.zeros(2)}


def own_class():
    # in full
    holder, table = Holder(jnp.zeros(3)), Table()
    holder.at[0].set(1.0)
    holder.at[1].add(2.0)
    table.at["a"].add("d")
    table.at["c"].fill(1.0)
    return holder.values, len(table.at["a"])


@jax.jit
def a_reference(x):
    # given jnp.zeros(3)
    # in full
    reference = jax.new_ref(x)
    reference.at[0][...] = 9.0
    reference[1] = 8.0
    return reference[...]


def refused():
    # in full
    x = jnp.zeros(3)
    try:
        x.at[0].set(jnp.ones(2))
    except (TypeError, ValueError):
        return x


def written(x):
    """Return a changed copy.

    x.at[0].set(9.0)
    """
    return x.at[0].set(9.0)


def apply(function, x):
    return function(x)


def result_used():
    # in full
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
