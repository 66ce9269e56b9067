"""Indices beyond the end, which JAX accepts silently: where they are reported, with their values, and where not."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax
from jax.sharding import Mesh
from jax.sharding import PartitionSpec as P

from tests.worker.checks import out_of_bounds_forms
from tests.worker.checks.value_cases import Broken, Table, alarms, assert_found, found

table = Table()
broken, sound = table.broken, table.sound

X = jnp.arange(1.0, 6.0)
"""Five numbers."""
GRID = jnp.arange(12.0).reshape(3, 4)
CLAMPED = "it takes index"
DROPPED = "drops the value"


# -- broken: eager ----------------------------------------------------------------------------


@broken("`X[9]`", "index 9", "length 5", "index 4 instead")
def a_number() -> Any:
    return X[9]  # here


@broken("index 5", CLAMPED)
def one_past_the_end_in_python() -> Any:
    total = 0.0
    for i in range(6):
        total += X[i]  # here
    return total


@broken("index -6", "length 5", "index 0 instead")
def too_far_from_the_end() -> Any:
    return X[-6]  # here


@broken("index 7", "1 of 3 indices")
def an_array_of_indices() -> Any:
    return X[jnp.array([0, 7, 1])]  # here


@broken("index 9", "NaN")
def taken() -> Any:
    return jnp.take(X, jnp.array([0, 9]))  # here


@broken("index 4", "length 4")
def the_second_axis() -> Any:
    return GRID[0, 4]  # here


@broken("writes to index 5", DROPPED, 'mode="drop"')
def written() -> Any:
    return X.at[5].set(0.0)  # here


@broken("writes to index 8", DROPPED)
def added() -> Any:
    return X.at[jnp.array([1, 8])].add(1.0)  # here


@broken("index 6", "length 4")
def segments() -> Any:
    return jax.ops.segment_sum(X, jnp.array([0, 0, 1, 6, 3]), num_segments=4)  # here


@broken("index 4", "length 4")
def along_an_axis() -> Any:
    return jnp.take_along_axis(GRID, jnp.array([[0], [4], [1]]), axis=1)  # here


@broken("reads 3 elements from index 4", "begins at index 2")
def a_slice_that_moves() -> Any:
    return lax.dynamic_slice(X, (4,), (3,))  # here


@broken("a fill value")
def whole_numbers_are_filled() -> Any:
    return jnp.take(jnp.arange(5), jnp.array([9]))  # here


# -- broken: jit, loops, vmap, gradients ------------------------------------------------------


@broken("index 7")
def jitted() -> Any:
    @jax.jit
    def pick(x: Any, i: Any) -> Any:
        return x[i] * 2.0  # here

    return pick(X, 7)


@broken("`x[i]`", "index 5", "length 5")
def in_a_scan() -> Any:
    def add(total: Any, i: Any) -> Any:
        x = X
        return total + x[i], None  # here

    return lax.scan(add, 0.0, jnp.arange(6))[0]


@broken("index 5")
def in_a_fori_loop() -> Any:
    return lax.fori_loop(0, 6, lambda i, total: total + X[i], 0.0)  # here


@broken("index 5")
def in_a_while_loop() -> Any:
    def body(state: Any) -> Any:
        i, total = state
        return i + 1, total + X[i]  # here

    return lax.while_loop(lambda state: state[0] <= 5, body, (0, 0.0))


@broken("index 6", "1 of 3 examples")
def mapped() -> Any:
    return jax.vmap(lambda i: X[i])(jnp.array([0, 6, 2]))  # here


@broken("index 5", "examples")
def a_window_for_each_example() -> Any:
    return jax.vmap(lambda i: lax.dynamic_slice(X, (i,), (2,)))(jnp.array([0, 3, 5]))  # here


@broken("index 5")
def in_a_mapped_while_loop() -> Any:
    def first(n: Any) -> Any:
        def body(state: Any) -> Any:
            i, total = state
            return i + 1, total + X[i]  # here

        return lax.while_loop(lambda state: state[0] < n, body, (0, 0.0))[1]

    return jax.vmap(first)(jnp.array([2, 6]))


@broken("index 8")
def in_a_branch() -> Any:
    @jax.jit
    def pick(i: Any) -> Any:
        return lax.cond(
            i > 2,
            lambda: X[i],  # here
            lambda: 0.0,
        )

    return pick(8)


@broken("index 5")
def under_a_gradient() -> Any:
    def loss(x: Any) -> Any:
        return x[5] ** 2  # here

    return jax.grad(loss)(X)


@broken("index 5")
def under_a_jitted_gradient() -> Any:
    @jax.jit
    def loss(x: Any, i: Any) -> Any:
        return x[i] ** 2  # here

    return jax.value_and_grad(loss)(X, 5)


@broken("index 10", DROPPED)
def written_in_a_jit() -> Any:
    @jax.jit
    def put(x: Any, i: Any) -> Any:
        return x.at[i].set(1.0)  # here

    return put(X, 10)


@broken("writes 2 elements from index 4")
def a_block_written_too_late() -> Any:
    @jax.jit
    def put(x: Any, i: Any) -> Any:
        return lax.dynamic_update_slice(x, jnp.zeros(2), (i,))  # here

    return put(X, 4)


@broken("index 100", "NaN")
def an_embedding() -> Any:
    table = jnp.ones((10, 4))

    @jax.jit
    def embed(tokens: Any) -> Any:
        return jnp.take(table, tokens, axis=0).sum()  # here

    return embed(jnp.array([1, 100]))


@broken("index 3", "length 3")
def labels_that_count_from_one() -> Any:
    @jax.jit
    def loss(logits: Any, labels: Any) -> Any:
        logs = jax.nn.log_softmax(logits)
        return -logs[jnp.arange(2), labels].mean()  # here

    return loss(jnp.ones((2, 3)), jnp.array([1, 3]))


@broken("index 5")
def a_jit_in_a_jit_in_a_scan() -> Any:
    @jax.jit
    def pick(x: Any, i: Any) -> Any:
        return x[i]  # here

    @jax.jit
    def run(x: Any) -> Any:
        return lax.scan(lambda total, i: (total + pick(x, i), None), 0.0, jnp.arange(6))[0]

    return run(X)


@broken("index 5")
def under_remat() -> Any:
    @jax.checkpoint
    def loss(x: Any, i: Any) -> Any:
        return jnp.sin(x[i])  # here

    return jax.jit(jax.value_and_grad(loss))(X, 5)


@broken("index 6")
def a_method_of_a_partial() -> Any:
    def pick(x: Any, i: Any) -> Any:
        return x.at[i].get()  # here

    return jax.jit(partial(pick, X))(6)


@broken("index 9")
def compiled_ahead_of_time() -> Any:
    pick = jax.jit(lambda i: X[i]).lower(3).compile()  # here
    return pick(9)


@broken("index 9")
def on_each_device() -> Any:
    mesh = Mesh(np.array(jax.devices()[:1]), ("d",))

    def double(x: Any, i: Any) -> Any:
        return x[i[0]][None] * 2.0  # here

    return jax.jit(jax.shard_map(double, mesh=mesh, in_specs=(P("d"), P()), out_specs=P("d")))(X, jnp.array([9]))


@broken("index 9")
def next_to_printed_values() -> Any:
    @jax.jit
    def pick(i: Any) -> Any:
        jax.debug.callback(lambda _: None, i)
        return X[i]  # here

    return pick(9)


@broken("index 9")
def in_a_thread() -> Any:
    found: list[Any] = []

    def pick() -> None:
        found.append(X[9])  # here

    thread = threading.Thread(target=pick)
    thread.start()
    thread.join()
    return found


@broken("index 9")
def in_one_branch_of_a_switch() -> Any:
    @jax.jit
    def pick(which: Any, i: Any) -> Any:
        return lax.switch(
            which,
            [
                lambda i: X[i],  # here
                lambda i: X[i - 9],
            ],
            i,
        )

    return pick(0, 9), pick(1, 9)


# -- sound ------------------------------------------------------------------------------------


@sound
def inside() -> Any:
    return X[4], X[-5], X[jnp.array([0, 4])], GRID[2, 3]


@sound
def slices_are_cut_off_as_in_python() -> Any:
    return X[2:99], X[9:]


@sound
def clip_mode() -> Any:
    return jnp.take(X, jnp.array([0, 9]), mode="clip"), X.at[9].get(mode="clip")


@sound
def fill_mode() -> Any:
    return jnp.take(X, jnp.array([0, 9]), mode="fill", fill_value=0.0), X.at[9].get(mode="fill", fill_value=-1.0)


@sound
def drop_mode() -> Any:
    return X.at[9].set(1.0, mode="drop"), jax.jit(lambda x, i: x.at[i].add(1.0, mode="drop"))(X, 9)


@sound
def wrap_mode() -> Any:
    return jnp.take(X, jnp.array([7]), mode="wrap")


@sound
def chosen_by_where() -> Any:
    @jax.jit
    def pick(x: Any, i: Any) -> Any:
        return jnp.where(i < 5, x[i], 0.0)

    return pick(X, 7)


@sound
def chosen_by_where_eagerly() -> Any:
    i = jnp.int32(7)
    return jnp.where(i < 5, X[i], 0.0)


@sound
def masked_by_a_product() -> Any:
    @jax.jit
    def total(x: Any, indices: Any, mask: Any) -> Any:
        return (x[indices] * mask).sum()

    return total(X, jnp.array([1, 2, 9]), jnp.array([1.0, 1.0, 0.0]))


@sound
def a_mapped_branch_that_is_not_taken() -> Any:
    return jax.jit(jax.vmap(lambda i: lax.cond(i < 5, lambda: X[i], lambda: 0.0)))(jnp.array([2, 6]))


@sound
def a_mapped_write_that_is_not_taken() -> Any:
    def put(i: Any) -> Any:
        return lax.cond(i < 5, lambda: X.at[i].set(0.0), lambda: X)

    return jax.jit(jax.vmap(put))(jnp.array([2, 6]))


@sound
def examples_that_are_done_in_a_mapped_loop() -> Any:
    def first(n: Any) -> Any:
        return lax.while_loop(lambda s: s[0] < n, lambda s: (s[0] + 1, s[1] + X[s[0]]), (0, 0.0))[1]

    return jax.vmap(first)(jnp.array([2, 5]))


@sound
def unique_of_a_given_size() -> Any:
    return jnp.unique(jnp.array([1, 1, 2]), size=5, fill_value=0)


@sound
def nonzero_of_a_given_size() -> Any:
    return jax.jit(lambda x: jnp.nonzero(x > 3.0, size=5, fill_value=0))(X)


@sound
def sorted_and_ranked() -> Any:
    return jnp.sort(X), jnp.argsort(X)[::-1], lax.top_k(X, 2), jnp.searchsorted(X, 99.0)


@sound
def interpolated() -> Any:
    return jnp.interp(jnp.array([-1.0, 2.5, 99.0]), X, X), jnp.digitize(X, X), jnp.histogram(X)


@sound
def permuted_and_chosen() -> Any:
    key = jax.random.key(0)
    return jax.random.permutation(key, X), jax.random.choice(key, X, (3,)), jax.random.categorical(key, X)


@sound
def scanned_rows() -> Any:
    return lax.scan(lambda total, row: (total + row.sum(), None), 0.0, GRID)[0]


@sound
def a_scatter_with_good_indices() -> Any:
    return X.at[jnp.array([0, 4])].add(1.0), jax.ops.segment_sum(X, jnp.array([0, 0, 1, 1, 2]), num_segments=3)


@sound
def clipped_by_hand() -> Any:
    return jax.jit(lambda x, i: x[jnp.clip(i, 0, 4)])(X, 9)


@sound
def wrapped_by_hand() -> Any:
    return lax.fori_loop(0, 12, lambda i, total: total + X[i % 5], 0.0)


@sound
def a_window_that_fits() -> Any:
    return jax.vmap(lambda i: lax.dynamic_slice(X, (i,), (2,)))(jnp.arange(4))


@sound
def differentiated() -> Any:
    return jax.grad(lambda x: (x[jnp.array([0, 4])] ** 2).sum())(X), jax.hessian(lambda x: x[4] ** 3)(X)


@sound
def nothing_to_index() -> Any:
    return jnp.zeros((0, 3))[:, 1], X[jnp.zeros(0, int)]


@sound
def booleans() -> Any:
    return X[X > 3.0], X[np.array([True, False, True, False, True])]


@sound
def rolled_and_convolved() -> Any:
    return jnp.roll(X, 7), jnp.convolve(X, X), jnp.linalg.cholesky(jnp.eye(3)), jnp.cumsum(X)


table.add(out_of_bounds_forms.table)


@pytest.mark.parametrize("case", table.all_broken, ids=lambda case: case.program.__name__)
def test_an_index_beyond_the_end_is_reported_with_its_line_and_its_values(case: Broken) -> None:
    assert_found(case, "out-of-bounds", "bug")


@pytest.mark.parametrize("program", table.all_sound, ids=lambda program: program.__name__)
def test_nothing_is_reported_for_a_sound_program(program: Callable[[], Any]) -> None:
    assert alarms(program) == []


def test_two_places_are_two_findings() -> None:
    def both() -> Any:
        return jax.jit(lambda x, i: x[i] + x[i + 1])(X, 5)

    assert len({(each.spans[0].column) for each in found(both)}) == 2


def test_a_place_in_a_python_loop_is_one_finding_and_counted() -> None:
    def often() -> Any:
        return [X[i] for i in range(8)]

    (finding,) = found(often)
    assert finding.count == 3
