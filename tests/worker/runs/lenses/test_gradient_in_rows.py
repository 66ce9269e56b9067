"""The gradient in rows, compared with jax.vmap(jax.grad(f)) and jax.jacrev."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from explorer.messages.lenses import Extra
from explorer.worker.runs.lenses.gradient.facts import Gradient
from explorer.worker.runs.lenses.gradient.rows import rows

X = jax.random.normal(jax.random.key(0), (5, 3))
W = jnp.arange(1.0, 4.0)


def rows_of(call: Callable[..., Any], **inputs: Any) -> Extra:
    gradient = Gradient.of(call, inputs, __file__.__eq__)
    assert isinstance(gradient, Gradient)
    return rows(gradient, call, inputs)


def shown(found: Extra) -> dict[str, Any]:
    return {str(each.name): each.values.numpy() for each in found.pictures}


def loss(x: Any, w: Any) -> Any:
    return jnp.tanh(x @ w) ** 2


def batch(x: Any, w: Any) -> Any:
    return jax.vmap(loss, (0, None))(x, w)


EXAMPLES: dict[str, Callable[..., Any]] = {
    "as vmap gives them": batch,
    "summed": lambda x, w: batch(x, w).sum(),
    "their mean": lambda x, w: batch(x, w).mean(),
    "their mean under jit": jax.jit(lambda x, w: batch(x, w).mean()),
    "of the other sign": lambda x, w: -(batch(x, w).sum() / 5),
    "jit inside": jax.vmap(jax.jit(loss), (0, None)),
}


@pytest.mark.parametrize("call", EXAMPLES.values(), ids=EXAMPLES)
def test_the_gradient_of_each_example_is_that_of_vmap_of_grad(call: Callable[..., Any]) -> None:
    found = rows_of(call, x=X, w=W)
    expected = jax.vmap(jax.grad(loss, (0, 1)), (0, None))(X, W)
    assert {each.mapped for each in found.pictures} == {(0,)}
    for name, slopes in zip(("x", "w"), expected, strict=True):
        np.testing.assert_allclose(shown(found)[f"gradient of {name}"], slopes, rtol=1e-6, atol=1e-6)


def test_a_vector_of_each_example_is_summed_and_its_axis_is_found() -> None:
    found = rows_of(jax.vmap(lambda x, w: jnp.sin(x) * w, (0, None), out_axes=1), x=X, w=W)
    expected = jax.vmap(jax.grad(lambda one, w: (jnp.sin(one) * w).sum(), (0, 1)), (0, None))(X, W)
    np.testing.assert_allclose(shown(found)["gradient of x"], expected[0], rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(shown(found)["gradient of w"], expected[1], rtol=1e-6, atol=1e-6)


def test_what_is_shared_and_has_as_many_elements_as_there_are_examples_stays_whole() -> None:
    found = rows_of(jax.vmap(lambda x, w: x * w.sum(), (0, None)), x=jnp.ones(3), w=W)
    assert {name: each.shape for name, each in shown(found).items()} == {"gradient of x": (3,), "gradient of w": (3, 3)}


@pytest.mark.parametrize(
    "call", [lambda w: jnp.sin(w) * w[0], lambda w: jnp.outer(w, w), lambda w: (w**2).sum()], ids=["1d", "2d", "scalar"]
)
def test_the_jacobian_is_that_of_jacrev_and_the_gradient_the_sum_of_its_rows(call: Callable[..., Any]) -> None:
    found = rows_of(call, w=W)
    matrix = shown(found)["Jacobian"]
    np.testing.assert_allclose(matrix, jnp.reshape(jax.jacrev(call)(W), (-1, 3)), rtol=1e-6)
    np.testing.assert_allclose(matrix.sum(axis=0), jax.grad(lambda w: call(w).sum())(W), rtol=1e-6)


def test_of_two_arguments_the_columns_stand_side_by_side() -> None:
    found = rows_of(lambda x, w: jnp.sin(x @ w), x=X, w=W)
    jacobian = jax.jacrev(lambda x, w: jnp.sin(x @ w), (0, 1))(X, W)
    expected = jnp.concatenate([each.reshape(5, -1) for each in jacobian], axis=1)
    np.testing.assert_allclose(shown(found)["Jacobian"], expected, rtol=1e-6)
    assert "x [15], w [3]" in str(found.sentence)


def acts(x: Any) -> Any:
    jax.experimental.io_callback(lambda: None, None)
    return x * 2


def mapped_once(x: Any) -> Any:
    return jax.vmap(lambda one: one * 2)(x)


@pytest.mark.parametrize(
    ("call", "x", "words"),
    [
        (lambda x: jnp.outer(x, jnp.ones(30)), W, "90 × 3 numbers; up to 64 × 64"),
        (lambda x: (x, x.sum()), W, "returns something else"),
        (acts, W, "not run again"),
        (mapped_once, jnp.ones((2000, 300)), "all 2,000 examples take 2,400,000,000 numbers"),
        (lambda x: x[:0], W, "0 × 3 numbers"),
    ],
    ids=["large", "two outputs", "acts", "many examples", "nothing"],
)
def test_why_there_are_no_rows_is_reported(call: Callable[..., Any], x: Any, words: str) -> None:
    found = rows_of(call, x=x)
    assert found.pictures == ()
    assert words in str(found.sentence)
