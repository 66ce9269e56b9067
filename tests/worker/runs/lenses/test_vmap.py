"""The vmap lens on small programs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from explorer.worker.runs.lenses.batched import VmapEquation
from explorer.worker.runs.lenses.vmap import Vmaps, vmaps
from explorer.worker.runs.lenses.vmap import lens_of as lens_of_vmaps

KEY = jax.random.key(0)
X = jnp.ones((3, 4))


def lens_of(call: Callable[..., Any], **inputs: Any) -> Vmaps:
    return vmaps(call, inputs, lambda filename: filename == __file__)


def rows(call: Callable[..., Any], **inputs: Any) -> dict[str, VmapEquation]:
    """Return the equations of the lens by primitive, the last of each."""
    return {row.primitive: row for row in lens_of(call, **inputs).equations}


def test_an_equation_has_one_example_next_to_the_batch_and_says_where_it_stands() -> None:
    def call(x: Any) -> Any:
        return jax.vmap(lambda row: jnp.sin(row) * 2, in_axes=1, out_axes=1)(x)

    lens = lens_of(call, x=X)
    row = lens.equations[0]
    assert (row.primitive, row.one, row.batch, row.mapped) == ("sin", ("f32[3]",), ("f32[3,4]",), ((1,),))
    assert row.line == call.__code__.co_firstlineno + 1
    assert (lens.axes, lens.calls[0].size) == (("i",), 4)
    argument, output = lens.calls[0].arguments[0], lens.calls[0].outputs[0]
    assert (argument.one.shape, argument.batch.shape, argument.axis) == ((3,), (3, 4), 1)
    assert (output.one.shape, output.batch.shape, output.axis) == ((3,), (3, 4), 1)
    assert lens_of_vmaps(lens).table.rows[1].cells[0].text == "row f32[3]"


def test_a_key_that_vmap_does_not_map_is_the_same_for_all_down_to_its_draw() -> None:
    def call(x: Any, key: Any) -> Any:
        return jax.vmap(lambda row: row + jax.random.normal(jax.random.fold_in(key, 1), (4,)))(x)

    found = rows(call, x=X, key=KEY)
    folded, draw, added = found["random_fold_in"], found["random_bits"], found["add"]
    assert (folded.shared, str(folded.became)) == ((0,), "one key: the same for all 3")
    assert (draw.is_draw, draw.shared, draw.mapped) == (True, (0,), ((),))
    assert str(draw.became) == "all 3 draw the same"
    assert (added.mapped, str(added.became)) == (((0,),), "")


def test_each_example_with_a_key_of_its_own_shares_none() -> None:
    def call(x: Any, key: Any) -> Any:
        return jax.vmap(lambda row, key: row + jax.random.normal(key, (4,)))(x, jax.random.split(key, 3))

    draw = rows(call, x=X, key=KEY)["random_bits"]
    assert (draw.shared, draw.mapped, str(draw.became)) == ((), ((0,),), "a key for each of the 3")
    assert [each.name for each in lens_of(call, x=X, key=jax.random.key(0)).equations if each.name][:1] == ["_normal"]


def test_a_key_that_is_only_copied_into_a_branch_is_the_same_for_all() -> None:
    def call(x: Any) -> Any:
        def one(row: Any) -> Any:
            return jax.lax.cond(row.sum() > 0, lambda: row + jax.random.normal(KEY, (4,)), lambda: row)

        return jax.vmap(one)(x)

    draw = rows(call, x=X)["random_bits"]
    assert (draw.shared, draw.mapped, draw.copies) == ((0,), ((0,),), ((0,),))


def test_nested_vmaps_have_an_axis_each() -> None:
    def call(x: Any, y: Any) -> Any:
        return jax.vmap(lambda a: jax.vmap(lambda b: a * b + a.sum(), out_axes=1)(y))(x)

    lens = lens_of(call, x=X, y=jnp.ones((5, 4)))
    by_primitive = {row.primitive: row for row in lens.equations}
    assert (lens.letters, [each.size for each in lens.calls]) == (("i", "j"), [3, 5])
    assert (by_primitive["mul"].batch, by_primitive["mul"].mapped) == (("f32[3,5,4]",), ((0, 1),))
    assert (by_primitive["reduce_sum"].calls, by_primitive["reduce_sum"].along) == ((0, 1), ((0,),))


def test_two_vmaps_of_one_size_are_distinguished() -> None:
    def call(x: Any) -> Any:
        def one(row: Any) -> Any:
            return jax.lax.fori_loop(0, 2, lambda _, value: jnp.sin(value), row)

        return jax.vmap(one)(x), jax.vmap(lambda row: one(row) + 1)(x)

    assert [row.calls for row in lens_of(call, x=X).equations if row.primitive == "sin"] == [(0,), (1,)]


def _loop(row: Any) -> Any:
    return jax.lax.while_loop(lambda value: value.sum() < 9, lambda value: value + 1, row)


def _branches(row: Any) -> Any:
    return jax.lax.switch(row.sum().astype(int), [jnp.sin, jnp.cos, jnp.tan], row)


def _iterations(row: Any) -> Any:
    return jax.lax.scan(lambda total, each: (total + each, total), 0.0, row)[0]


def _fixed(row: Any) -> Any:
    return jax.lax.while_loop(lambda state: state[0] < 9, lambda state: (state[0] + 1, state[1] * 2), (0, row))[1]


BECAME: dict[str, tuple[Callable[[Any], Any], str, str]] = {
    "cond": (
        lambda row: jax.lax.cond(row.sum() > 0, jnp.sin, jnp.cos, row),
        "cond",
        "both branches run for all 3, then select_n takes one for each example",
    ),
    "cond of all": (lambda row: jax.lax.cond(X.sum() > 0, jnp.sin, jnp.cos, row), "cond", "one branch runs, for all 3"),
    "switch": (_branches, "cond", "all 3 branches run for all 3, then select_n takes one for each example"),
    "while": (_loop, "while", "runs until the last of the 3 examples is done"),
    "while of all": (_fixed, "while", "the same number of iterations for all 3"),
    "scan": (_iterations, "scan", "one loop: each iteration is for all 3"),
    "dot": (lambda row: jnp.dot(row, row), "dot_general", "one matrix product with a batch dimension"),
    "dot with all": (lambda row: row @ X.T, "dot_general", "one matrix product for the whole batch"),
    "reads": (
        lambda row: jax.lax.dynamic_index_in_dim(row, row[0].astype(int)),
        "dynamic_slice",
        "a gather: each example reads at its own index",
    ),
    "writes": (
        lambda row: jax.lax.dynamic_update_index_in_dim(row, 0.0, row[0].astype(int), 0),
        "dynamic_update_slice",
        "a scatter: each example writes at its own index",
    ),
    "callback": (
        lambda row: jax.pure_callback(np.sin, row, row, vmap_method="sequential"),
        "pure_callback",
        "calls Python on the host, as its own rule for vmap says",
    ),
    "constant": (lambda row: row + jnp.arange(4.0), "iota", "the same for all 3"),
    "one to one": (jnp.sin, "sin", ""),
}


@pytest.mark.parametrize(("function", "primitive", "words"), BECAME.values(), ids=BECAME)
def test_what_became_of_an_operation_is_reported(function: Callable[[Any], Any], primitive: str, words: str) -> None:
    def call(x: Any) -> Any:
        return jax.vmap(function)(x)

    assert str(rows(call, x=X)[primitive].became) == words


def test_a_sum_over_the_examples_is_the_same_for_all() -> None:
    def call(x: Any) -> Any:
        return jax.vmap(lambda row: row / jax.lax.psum(row, "batch"), axis_name="batch")(x)

    total = rows(call, x=X)["psum"]
    assert (total.mapped, str(total.became).startswith("over the examples")) == (((),), True)


def test_the_vmaps_of_jax_itself_are_not_shown() -> None:
    def derivative(x: Any) -> Any:
        return jax.jacfwd(jnp.sin)(x[0])

    def both(x: Any) -> Any:
        return jax.jacfwd(jax.vmap(lambda row: jnp.sin(row) * 2))(x)

    assert str(lens_of(derivative, x=X).sentence) == "No vmap maps anything in this variant."
    assert [each.function for each in lens_of(both, x=X).calls] == ["<lambda>"]
    assert rows(both, x=X)["sin"].one == ("f32[4]",)


def test_jit_of_a_vmap_of_a_function_of_jax_is_shown() -> None:
    assert [each.function for each in lens_of(lambda x: jax.jit(jax.vmap(jnp.sin))(x + 1), x=X).calls] == ["sin"]


def test_a_gradient_around_vmap_shows_the_forward_pass_and_says_so() -> None:
    def call(w: Any, x: Any) -> Any:
        return jax.grad(lambda w: jax.vmap(lambda row: jnp.tanh(row @ w))(x).sum())(w)

    lens = lens_of(call, w=jnp.ones(4), x=X)
    assert [row.primitive for row in lens.equations] == ["dot_general", "tanh"]
    assert str(lens.sentence).startswith("The backward pass of a gradient around vmap is not shown")


@pytest.mark.parametrize("size", [0, 1])
def test_no_example_and_one_example_share_nothing(size: int) -> None:
    def call(x: Any) -> Any:
        return jax.vmap(lambda row: row + jax.random.normal(KEY, (4,)))(x)

    found = rows(call, x=X[:size])
    assert (found["random_bits"].shared, found["add"].batch) == ((), (f"f32[{size},4]",))


def test_jax_is_as_it_was_afterwards() -> None:
    before = jax._src.interpreters.batching.BatchTrace.process_primitive, jax._src.core.eval_jaxpr
    with pytest.raises(AttributeError):
        lens_of(lambda x: jax.vmap(jnp.sin)(x) + jax.no_such_thing, x=X)
    assert before == (jax._src.interpreters.batching.BatchTrace.process_primitive, jax._src.core.eval_jaxpr)
