"""Indices beyond the end as users write them: in classes, buffers, graphs, losses, loops and on devices."""

from __future__ import annotations

import dataclasses
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import Mesh
from jax.sharding import PartitionSpec as P

from tests.worker.checks.value_cases import Table

table = Table()
broken, sound = table.broken, table.sound

MESH = Mesh(np.array(jax.devices()[:1]), ("d",))
V = jnp.arange(1.0, 6.0)


# -- broken --------------------------------------------------------------------------------------


@broken("index 5")
def a_buffer_in_a_class() -> Any:
    class Buffer:
        def __init__(self, n):
            self.data, self.n = jnp.zeros(n), 0

        def add(self, x):
            self.data = self.data.at[self.n].set(x)  # here
            self.n += 1

    b = Buffer(5)
    for i in range(6):
        b.add(float(i))
    return b.data


@broken("index 5")
def a_replay_buffer_that_never_wraps() -> Any:
    @jax.tree_util.register_dataclass
    @dataclasses.dataclass
    class Buf:
        data: Any
        pos: Any

    @jax.jit
    def add(b, x):
        return Buf(b.data.at[b.pos].set(x), b.pos + 1)  # here

    b = Buf(jnp.zeros(5), 0)
    for i in range(7):
        b = add(b, float(i))
    return b.data


@broken("index 5")
def the_next_element() -> Any:
    @jax.jit
    def diff(x):
        i = jnp.arange(x.size)
        return x[i + 1] - x[i]  # here

    return diff(V)


@broken()
def on_a_device_of_pmap() -> Any:
    return jax.pmap(lambda i: V[i])(jnp.array([7]))  # here


@broken()
def states_that_count_from_one() -> Any:
    table = jnp.array([1.0, 2.0])
    return jax.vmap(lambda s: table[s + 1])(jnp.array([0, 1]))  # here


@broken()
def one_hot_by_hand() -> Any:
    @jax.jit
    def onehot(y):
        return jnp.zeros((2, 3)).at[jnp.arange(2), y].set(1.0)  # here

    return onehot(jnp.array([1, 3]))


@broken()
def a_cache_that_is_full() -> Any:
    @jax.jit
    def cache(c, k, t):
        return lax.dynamic_update_slice_in_dim(c, k, t, axis=0)  # here

    c = jnp.zeros((4, 2))
    for t in range(5):
        c = cache(c, jnp.full((1, 2), t + 1.0), t)
    return c


@broken()
def dynamic_index_in_dim() -> Any:
    return lax.fori_loop(0, 6, lambda i, s: s + lax.dynamic_index_in_dim(V, i, keepdims=False), 0.0)  # here


@broken()
def rows_and_columns_exchanged() -> Any:
    @jax.jit
    def at(grid, p):
        return grid[p[0], p[1]]  # here

    return at(jnp.ones((3, 4)).at[2, 3].set(5.0), jnp.array([3, 2]))


@broken()
def before_the_start_in_a_jit() -> Any:
    @jax.jit
    def f(x, i):
        return x[i - 10]  # here

    return f(V, 2)


@broken()
def one_segment_too_few() -> Any:
    @jax.jit
    def pool(x, ids):
        return jax.ops.segment_sum(x, ids, num_segments=3)  # here

    return pool(V, jnp.array([0, 1, 2, 3, 3]))


@broken()
def a_token_that_is_not_in_the_table() -> Any:
    def embed(table, ids):
        return table[ids]  # here

    table = jnp.arange(10.0).reshape(5, 2)
    return jax.jit(partial(embed, table))(jnp.array([[0, 5]]))


@broken()
def the_gradient_of_an_embedding() -> Any:
    def loss(t, i):
        return jnp.take(t, i, axis=0).sum()  # here

    return jax.jit(jax.grad(loss))(jnp.ones((3, 2)), jnp.array([0, 3]))


@broken()
def on_each_device_of_shard_map() -> Any:
    f = jax.shard_map(lambda x, i: x[i], mesh=MESH, in_specs=(P(), P()), out_specs=P())  # here
    return jax.jit(f)(V, jnp.array([6]))


@broken()
def edges_of_a_graph() -> Any:
    class Graph:
        def __init__(self):
            self.nodes = V

        def edge(self, i, j):
            return self.nodes[i] * self.nodes[j]  # here

    g = Graph()
    return [jax.jit(g.edge)(i, i + 2) for i in range(4)]


@broken()
def a_histogram_in_a_scan() -> Any:
    def step(h, x):
        return h.at[x].add(1), None  # here

    return lax.scan(step, jnp.zeros(4, int), jnp.array([0, 3, 4]))[0]


@broken()
def an_action_that_there_is_not() -> Any:
    @jax.jit
    def q(values, actions):
        return jnp.take_along_axis(values, actions[:, None], axis=1)[:, 0]  # here

    return q(jnp.ones((2, 3)), jnp.array([0, 3]))


@broken()
def a_window_at_the_end() -> Any:
    @jax.jit
    def window(x, t):
        return lax.dynamic_slice_in_dim(x, t, 3)  # here

    return window(V, 3)


# -- sound ---------------------------------------------------------------------------------------


@sound
def a_ring() -> Any:
    @jax.jit
    def add(d, i, x):
        return d.at[i % 5].set(x)

    d = V
    for i in range(7):
        d = add(d, i, 0.0)
    return d


@sound
def the_next_element_by_where() -> Any:
    @jax.jit
    def f(x):
        i = jnp.arange(5)
        return jnp.where(i + 1 < 5, x[i + 1], 0.0).sum()

    return f(V)


@sound
def edges_to_a_padding_node() -> Any:
    senders = jnp.array([0, 1, 5, 5])
    x = jnp.concatenate([V, jnp.zeros(1)])
    return jax.ops.segment_sum(x[senders], senders, num_segments=6)


@sound
def labels_made_safe() -> Any:
    @jax.jit
    def loss(logits, labels):
        mask = labels >= 0
        safe = jnp.where(mask, labels, 0)
        return -(jnp.take_along_axis(jax.nn.log_softmax(logits), safe[:, None], 1)[:, 0] * mask).sum()

    return loss(jnp.ones((2, 3)), jnp.array([1, -100]))


@sound
def labels_that_are_masked() -> Any:
    @jax.jit
    def loss(logits, labels):
        mask = labels >= 0
        logp = jnp.take_along_axis(jax.nn.log_softmax(logits), labels[:, None], 1)[:, 0]
        return -jnp.where(mask, logp, 0.0).sum()

    return loss(jnp.ones((2, 3)), jnp.array([1, -100]))


@sound
def one_hot() -> Any:
    return jax.nn.one_hot(jnp.array([0, 7]), 3)


@sound
def from_the_end() -> Any:
    @jax.jit
    def f(x, n):
        return x[n - 1], x[-1], x[::-1][0]

    return f(V, 5)


@sound
def a_cache_that_is_long_enough() -> Any:
    @jax.jit
    def cache(c, k, t):
        return lax.dynamic_update_slice_in_dim(c, k, t, axis=0)

    c = jnp.zeros((4, 2))
    for t in range(4):
        c = cache(c, jnp.ones((1, 2)), t)
    return c


@sound
def counted() -> Any:
    return jnp.bincount(jnp.array([0, 1, 7]), length=3), jnp.histogram(V, bins=3), jnp.percentile(V, 50), jnp.median(V)


@sound
def smoothed() -> Any:
    return jax.scipy.signal.convolve(V, jnp.ones(3)), jnp.gradient(V), jnp.interp(2.5, V, V)


@sound
def the_largest() -> Any:
    return jax.vmap(lambda r: r[jnp.argmax(r)])(jnp.eye(3)), lax.top_k(V, 3), jnp.searchsorted(V, 100.0)


@sound
def in_another_order() -> Any:
    i = jnp.argsort(-V)
    return V[i], V[i[:2]], jnp.lexsort((V, V))
