"""Indices beyond the end as users write them: in classes, buffers, graphs, losses, loops and on devices."""

import dataclasses
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import Mesh
from jax.sharding import PartitionSpec as P

MESH = Mesh(np.array(jax.devices()[:1]), ("d",))
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


def a_replay_buffer_that_never_wraps():
    @jax.tree_util.register_dataclass
    @dataclasses.dataclass
    class Buf:
        data: Any
        pos: Any

    @jax.jit
    def add(b, x):
        return Buf(b.data.at[b.pos].set(x), b.pos + 1)  # bug: out-of-bounds says "index 5"

    b = Buf(jnp.zeros(5), 0)
    for i in range(7):
        b = add(b, float(i))
    return b.data


def the_next_element():
    @jax.jit
    def diff(x):
        i = jnp.arange(x.size)
        return x[i + 1] - x[i]  # bug: out-of-bounds says "index 5"

    return diff(V)


def on_a_device_of_pmap():
    return jax.pmap(lambda i: V[i])(jnp.array([7]))  # bug: out-of-bounds


def states_that_count_from_one():
    table = jnp.array([1.0, 2.0])
    return jax.vmap(lambda s: table[s + 1])(jnp.array([0, 1]))  # bug: out-of-bounds


def one_hot_by_hand():
    @jax.jit
    def onehot(y):
        return jnp.zeros((2, 3)).at[jnp.arange(2), y].set(1.0)  # bug: out-of-bounds

    return onehot(jnp.array([1, 3]))


def a_cache_that_is_full():
    @jax.jit
    def cache(c, k, t):
        return lax.dynamic_update_slice_in_dim(c, k, t, axis=0)  # bug: out-of-bounds

    c = jnp.zeros((4, 2))
    for t in range(5):
        c = cache(c, jnp.full((1, 2), t + 1.0), t)
    return c


def dynamic_index_in_dim():
    return lax.fori_loop(0, 6, lambda i, s: s + lax.dynamic_index_in_dim(V, i)[0], 0.0)  # bug: out-of-bounds


def rows_and_columns_exchanged():
    @jax.jit
    def at(grid, p):
        return grid[p[0], p[1]]  # bug: out-of-bounds

    return at(jnp.ones((3, 4)).at[2, 3].set(5.0), jnp.array([3, 2]))


def before_the_start_in_a_jit():
    @jax.jit
    def f(x, i):
        return x[i - 10]  # bug: out-of-bounds

    return f(V, 2)


def one_segment_too_few():
    @jax.jit
    def pool(x, ids):
        return jax.ops.segment_sum(x, ids, num_segments=3)  # bug: out-of-bounds

    return pool(V, jnp.array([0, 1, 2, 3, 3]))


def a_token_that_is_not_in_the_table():
    def embed(table, ids):
        return table[ids]  # bug: out-of-bounds

    table = jnp.arange(10.0).reshape(5, 2)
    return jax.jit(partial(embed, table))(jnp.array([[0, 5]]))


def the_gradient_of_an_embedding():
    def loss(t, i):
        return jnp.take(t, i, axis=0).sum()  # bug: out-of-bounds

    return jax.jit(jax.grad(loss))(jnp.ones((3, 2)), jnp.array([0, 3]))


def on_each_device_of_shard_map():
    f = jax.shard_map(lambda x, i: x[i], mesh=MESH, in_specs=(P(), P()), out_specs=P())  # bug: out-of-bounds
    return jax.jit(f)(V, jnp.array([6]))


def edges_of_a_graph():
    class Graph:
        def __init__(self):
            self.nodes = V

        def edge(self, i, j):
            return self.nodes[i] * self.nodes[j]  # bug: out-of-bounds

    g = Graph()
    return [jax.jit(g.edge)(i, i + 2) for i in range(4)]


def a_histogram_in_a_scan():
    def step(h, x):
        return h.at[x].add(1), None  # bug: out-of-bounds

    return lax.scan(step, jnp.zeros(4, int), jnp.array([0, 3, 4]))[0]


def an_action_that_there_is_not():
    @jax.jit
    def q(values, actions):
        return jnp.take_along_axis(values, actions[:, None], axis=1)[:, 0]  # bug: out-of-bounds

    return q(jnp.ones((2, 3)), jnp.array([0, 3]))


def a_window_at_the_end():
    @jax.jit
    def window(x, t):
        return lax.dynamic_slice_in_dim(x, t, 3)  # bug: out-of-bounds

    return window(V, 3)


# -- sound ---------------------------------------------------------------------------------------


def a_ring():
    @jax.jit
    def add(d, i, x):
        return d.at[i % 5].set(x)

    d = V
    for i in range(7):
        d = add(d, i, 0.0)
    return d


def the_next_element_by_where():
    @jax.jit
    def f(x):
        i = jnp.arange(5)
        return jnp.where(i + 1 < 5, x[i + 1], 0.0).sum()

    return f(V)


def edges_to_a_padding_node():
    senders = jnp.array([0, 1, 5, 5])
    x = jnp.concatenate([V, jnp.zeros(1)])
    return jax.ops.segment_sum(x[senders], senders, num_segments=6)


def labels_made_safe():
    @jax.jit
    def loss(logits, labels):
        mask = labels >= 0
        safe = jnp.where(mask, labels, 0)
        return -(jnp.take_along_axis(jax.nn.log_softmax(logits), safe[:, None], 1)[:, 0] * mask).sum()

    return loss(jnp.ones((2, 3)), jnp.array([1, -100]))


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


def a_cache_that_is_long_enough():
    @jax.jit
    def cache(c, k, t):
        return lax.dynamic_update_slice_in_dim(c, k, t, axis=0)

    c = jnp.zeros((4, 2))
    for t in range(4):
        c = cache(c, jnp.ones((1, 2)), t)
    return c


def counted():
    return jnp.bincount(jnp.array([0, 1, 7]), length=3), jnp.histogram(V, bins=3), jnp.percentile(V, 50), jnp.median(V)


def smoothed():
    return jax.scipy.signal.convolve(V, jnp.ones(3)), jnp.gradient(V), jnp.interp(2.5, V, V)


def the_largest():
    return jax.vmap(lambda r: r[jnp.argmax(r)])(jnp.eye(3)), lax.top_k(V, 3), jnp.searchsorted(V, 100.0)


def in_another_order():
    i = jnp.argsort(-V)
    return V[i], V[i[:2]], jnp.lexsort((V, V))
