"""Indices beyond the end as users write them: in classes, buffers, graphs, losses, loops and on devices."""

import jax
import jax.numpy as jnp
from jax import lax

V = jnp.arange(1.0, 6.0)


# -- broken --------------------------------------------------------------------------------------


def a_buffer_in_a_class():
    class Buffer:
        def __init__(self, n):
            self.data, self.n = jnp.zeros(n), 0

        def add(self, x):
            self.data = self.data.at[self.n].set(x)  # bug: out-of-bounds says "index 5"
            self.n += 1

    b = Buffer(5)
    for i in range(6):
        b.add(float(i))
    return b.data


def the_next_element():
    @jax.jit
    def diff(x):
        i = jnp.arange(x.size)
        return x[i + 1] - x[i]  # bug: out-of-bounds says "index 5"

    return diff(V)


def on_a_device_of_pmap():
    return jax.pmap(lambda i: V[i])(jnp.array([7]))  # bug: out-of-bounds


def dynamic_index_in_dim():
    return lax.fori_loop(0, 6, lambda i, s: s + lax.dynamic_index_in_dim(V, i)[0], 0.0)  # bug: out-of-bounds


def before_the_start_in_a_jit():
    @jax.jit
    def f(x, i):
        return x[i - 10]  # bug: out-of-bounds

    return f(V, 2)


# -- sound ---------------------------------------------------------------------------------------


def labels_that_are_masked():
    @jax.jit
    def loss(logits, labels):
        mask = labels >= 0
        logp = jnp.take_along_axis(jax.nn.log_softmax(logits), labels[:, None], 1)[:, 0]
        return -jnp.where(mask, logp, 0.0).sum()

    return loss(jnp.ones((2, 3)), jnp.array([1, -100]))


def one_hot():
    return jax.nn.one_hot(jnp.array([0, 7]), 3)


def from_the_end():
    @jax.jit
    def f(x, n):
        return x[n - 1], x[-1], x[::-1][0]

    return f(V, 5)


def counted():
    return jnp.bincount(jnp.array([0, 1, 7]), length=3), jnp.histogram(V, bins=3), jnp.percentile(V, 50), jnp.median(V)


def the_largest():
    return jax.vmap(lambda r: r[jnp.argmax(r)])(jnp.eye(3)), lax.top_k(V, 3), jnp.searchsorted(V, 100.0)


def in_another_order():
    i = jnp.argsort(-V)
    return V[i], V[i[:2]], jnp.lexsort((V, V))
