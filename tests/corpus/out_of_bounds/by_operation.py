"""Indices beyond the end, which JAX accepts silently: where they are reported, with their values, and where not."""

import threading
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import Mesh
from jax.sharding import PartitionSpec as P

X = jnp.arange(1.0, 6.0)
GRID = jnp.arange(12.0).reshape(3, 4)


# -- broken: eager ----------------------------------------------------------------------------


def a_number():
    return X[9]  # bug: out-of-bounds says "`X[9]`", "index 9", "length 5", "index 4 instead"


def one_past_the_end_in_python():
    total = 0.0
    for i in range(6):
        total += X[i]  # bug: out-of-bounds says "index 5", "it takes index"
    return total


def too_far_from_the_end():
    return X[-6]  # bug: out-of-bounds says "index -6", "length 5", "index 0 instead"


def an_array_of_indices():
    return X[jnp.array([0, 7, 1])]  # bug: out-of-bounds says "index 7", "1 of 3 indices"


def taken():
    return jnp.take(X, jnp.array([0, 9]))  # bug: out-of-bounds says "index 9", "NaN"


def the_second_axis():
    return GRID[0, 4]  # bug: out-of-bounds says "index 4", "length 4"


def written():
    return X.at[5].set(0.0)  # bug: out-of-bounds says "writes to index 5", "drops the value", 'mode="drop"'


def added():
    return (
        X.at[jnp.array([1, 8])]
        # A method called below its object.
        .add(1.0)  # bug: out-of-bounds says "`.add(1.0)` on line L writes to index 8", "drops the value"
    )


def segments():
    # says "index 6", "length 4"
    return jax.ops.segment_sum(X, jnp.array([0, 0, 1, 6, 3]), num_segments=4)  # bug: out-of-bounds


def a_segment_below_the_first():
    rows = jnp.array([0, 0, 1, -2, 3])
    return jax.ops.segment_sum(X, rows, 4)  # bug: out-of-bounds says "index -2 of", "length 4"


def along_an_axis():
    # says "index 4", "length 4"
    return jnp.take_along_axis(GRID, jnp.array([[0], [4], [1]]), axis=1)  # bug: out-of-bounds


def a_slice_that_moves():
    # says "reads 3 elements from index 4", "begins at index 2"
    return lax.dynamic_slice(X, (4,), (3,))  # bug: out-of-bounds


def whole_numbers_are_filled():
    return jnp.take(jnp.arange(5), jnp.array([9]))  # bug: out-of-bounds says "a fill value"


# -- broken: jit, loops, vmap, gradients ------------------------------------------------------


def jitted():
    @jax.jit
    def pick(x, i):
        return x[i] * 2.0  # bug: out-of-bounds says "index 7"

    return pick(X, 7)


def in_a_scan():
    def add(total, i):
        x = X
        return total + x[i], None  # bug: out-of-bounds says "`x[i]`", "index 5", "length 5"

    return lax.scan(add, 0.0, jnp.arange(6))[0]


def in_a_fori_loop():
    return lax.fori_loop(0, 6, lambda i, total: total + X[i], 0.0)  # bug: out-of-bounds says "index 5"


def in_a_while_loop():
    def body(state):
        i, total = state
        return i + 1, total + X[i]  # bug: out-of-bounds says "index 5"

    return lax.while_loop(lambda state: state[0] <= 5, body, (0, 0.0))


def mapped():
    return jax.vmap(lambda i: X[i])(jnp.array([0, 6, 2]))  # bug: out-of-bounds says "index 6", "1 of 3 examples"


def a_window_for_each_example():
    # says "index 5", "examples"
    return jax.vmap(lambda i: lax.dynamic_slice(X, (i,), (2,)))(jnp.array([0, 3, 5]))  # bug: out-of-bounds


def in_a_mapped_while_loop():
    def first(n):
        def body(state):
            i, total = state
            return i + 1, total + X[i]  # bug: out-of-bounds says "index 5"

        return lax.while_loop(lambda state: state[0] < n, body, (0, 0.0))[1]

    return jax.vmap(first)(jnp.array([2, 6]))


def in_a_branch():
    @jax.jit
    def pick(i):
        return lax.cond(
            i > 2,
            lambda: X[i],  # bug: out-of-bounds says "index 8"
            lambda: 0.0,
        )

    return pick(8)


def under_a_gradient():
    def loss(x):
        return x[5] ** 2  # bug: out-of-bounds says "index 5"

    return jax.grad(loss)(X)


def a_block_written_too_late():
    # says "writes 2 elements from index 4"
    @jax.jit
    def put(x, i):
        return lax.dynamic_update_slice(x, jnp.zeros(2), (i,))  # bug: out-of-bounds

    return put(X, 4)


def under_remat():
    @jax.checkpoint
    def loss(x, i):
        return jnp.sin(x[i])  # bug: out-of-bounds says "index 5"

    return jax.jit(jax.value_and_grad(loss))(X, 5)


def compiled_ahead_of_time():
    pick = jax.jit(lambda i: X[i]).lower(3).compile()  # bug: out-of-bounds says "index 9"
    return pick(9)


def on_each_device():
    mesh = Mesh(np.array(jax.devices()[:1]), ("d",))

    def double(x, i):
        return x[i[0]][None] * 2.0  # bug: out-of-bounds says "index 9"

    return jax.jit(jax.shard_map(double, mesh=mesh, in_specs=(P("d"), P()), out_specs=P("d")))(X, jnp.array([9]))


def next_to_printed_values():
    @jax.jit
    def pick(i):
        jax.debug.callback(lambda _: None, i)
        return X[i]  # bug: out-of-bounds says "index 9"

    return pick(9)


def in_a_thread():
    found: list[Any] = []

    def pick():
        found.append(X[9])  # bug: out-of-bounds says "index 9"

    thread = threading.Thread(target=pick)
    thread.start()
    thread.join()
    return found


# -- sound ------------------------------------------------------------------------------------


def inside():
    return X[4], X[-5], X[jnp.array([0, 4])], GRID[2, 3]


def slices_are_cut_off_as_in_python():
    return X[2:99], X[9:]


def clip_mode():
    return jnp.take(X, jnp.array([0, 9]), mode="clip"), X.at[9].get(mode="clip")


def fill_mode():
    return jnp.take(X, jnp.array([0, 9]), mode="fill", fill_value=0.0), X.at[9].get(mode="fill", fill_value=-1.0)


def drop_mode():
    return X.at[9].set(1.0, mode="drop"), jax.jit(lambda x, i: x.at[i].add(1.0, mode="drop"))(X, 9)


def wrap_mode():
    return jnp.take(X, jnp.array([7]), mode="wrap")


def chosen_by_where():
    @jax.jit
    def pick(x, i):
        return jnp.where(i < 5, x[i], 0.0)

    return pick(X, 7)


def chosen_by_where_eagerly():
    i = jnp.int32(7)
    return jnp.where(i < 5, X[i], 0.0)


def masked_by_a_product():
    @jax.jit
    def total(x, indices, mask):
        return (x[indices] * mask).sum()

    return total(X, jnp.array([1, 2, 9]), jnp.array([1.0, 1.0, 0.0]))


def a_mapped_branch_that_is_not_taken():
    return jax.jit(jax.vmap(lambda i: lax.cond(i < 5, lambda: X[i], lambda: 0.0)))(jnp.array([2, 6]))


def a_mapped_write_that_is_not_taken():
    def put(i):
        return lax.cond(i < 5, lambda: X.at[i].set(0.0), lambda: X)

    return jax.jit(jax.vmap(put))(jnp.array([2, 6]))


def examples_that_are_done_in_a_mapped_loop():
    def first(n):
        return lax.while_loop(lambda s: s[0] < n, lambda s: (s[0] + 1, s[1] + X[s[0]]), (0, 0.0))[1]

    return jax.vmap(first)(jnp.array([2, 5]))


def unique_of_a_given_size():
    return jnp.unique(jnp.array([1, 1, 2]), size=5, fill_value=0)


def nonzero_of_a_given_size():
    return jax.jit(lambda x: jnp.nonzero(x > 3.0, size=5, fill_value=0))(X)


def sorted_and_ranked():
    return jnp.sort(X), jnp.argsort(X)[::-1], lax.top_k(X, 2), jnp.searchsorted(X, 99.0)


def interpolated():
    return jnp.interp(jnp.array([-1.0, 2.5, 99.0]), X, X), jnp.digitize(X, X), jnp.histogram(X)


def permuted_and_chosen():
    key = jax.random.key(0)
    return jax.random.permutation(key, X), jax.random.choice(key, X, (3,)), jax.random.categorical(key, X)


def clipped_by_hand():
    return jax.jit(lambda x, i: x[jnp.clip(i, 0, 4)])(X, 9)


def nothing_to_index():
    return jnp.zeros((0, 3))[:, 1], X[jnp.zeros(0, int)]


def booleans():
    return X[X > 3.0], X[np.array([True, False, True, False, True])]


def rolled_and_convolved():
    return jnp.roll(X, 7), jnp.convolve(X, X), jnp.linalg.cholesky(jnp.eye(3)), jnp.cumsum(X)


# -- fixed ----------------------------------------------------------------------------------------


def read():
    # fixed 'return x.at[i].get(mode="clip")'
    x = jnp.arange(5.0)
    i = jnp.array([1, 7])
    return x[i]  # bug: out-of-bounds


def clip_is_said():
    # in full
    x = jnp.arange(5.0)
    i = jnp.array([1, 7])
    return x.at[i].get(mode="clip")
