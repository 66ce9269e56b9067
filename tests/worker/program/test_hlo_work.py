"""The work of a compiled program: counted by hand, and compared with XLA's own figure where no loop runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import pytest

from explorer.worker.internals.compiled import cost
from explorer.worker.internals.hlo_work import work

N = 32
PRODUCT = 2 * N**3
SQUARE, STACK, ROW = jnp.ones((N, N)), jnp.ones((12, N, N)), jnp.ones(N)


def scanned(x: Any, ws: Any) -> Any:
    return jax.lax.scan(lambda h, w: (h @ w, None), x, ws)[0]


def nested(x: Any, ws: Any) -> Any:
    return jax.lax.fori_loop(0, 5, lambda _, h: scanned(h, ws), x)


def twice(x: Any, ws: Any) -> Any:
    return scanned(x, ws) + scanned(x.T, ws[:7])


def shared(x: Any) -> Any:
    @jax.jit
    def inner(h: Any) -> Any:
        return jax.lax.fori_loop(0, 10, lambda _, h: h @ x, h)

    return inner(x) + inner(2 * x) + inner(3 * x)


def branched(which: Any, x: Any, ws: Any) -> Any:
    return jax.lax.cond(which > 0, lambda: scanned(x, ws), lambda: x @ x)


def gradient(x: Any, ws: Any) -> Any:
    return jax.grad(lambda ws: scanned(x, ws).sum())(ws)


def compiled(function: Callable[..., Any], *given: Any) -> jax.stages.Compiled:
    return jax.jit(function).lower(*given).compile()


@pytest.mark.parametrize(
    ("function", "given", "products"),
    [
        (jnp.matmul, (SQUARE, SQUARE), 1),
        (scanned, (SQUARE, STACK), 12),
        (nested, (SQUARE, STACK), 5 * 12),
        (twice, (SQUARE, STACK), 12 + 7),
        (shared, (SQUARE,), 3 * 10),
        (jax.vmap(scanned, in_axes=(0, None)), (jnp.ones((4, N, N)), STACK), 4 * 12),
        (jax.vmap(scanned, in_axes=(None, 0)), (SQUARE, jnp.ones((4, 12, N, N))), 4 * 12),
        # Forward once, and backward for what went in and for the weights; that of the first layer is not asked for.
        (gradient, (SQUARE, STACK), 3 * 12),
        (branched, (jnp.float32(1), SQUARE, STACK), 12),
        (jax.vmap(branched, in_axes=(0, None, None)), (jnp.ones(3), SQUARE, STACK), 3 * (12 + 1)),
        (lambda x: jnp.einsum("bij,bjk->bik", x, x), (STACK,), 12),
    ],
    ids=["matmul", "scan", "nested", "twice", "shared", "vmap", "vmap of weights", "grad", "cond", "select", "batched"],
)
def test_the_body_of_a_loop_counts_as_often_as_it_runs(
    function: Callable[..., Any], given: tuple[Any, ...], products: int
) -> None:
    program = compiled(function, *given)
    costs = cost(program, program.as_text() or "")
    assert costs.flops == pytest.approx(products * PRODUCT, rel=0.06)
    assert costs.uncounted == ""


@pytest.mark.parametrize(
    ("function", "given", "why"),
    [
        (lambda x: jax.lax.while_loop(lambda h: h.sum() < 9, lambda h: h * 2, x), (ROW,), "loop"),
        (lambda n, x: jax.lax.fori_loop(0, n, lambda _, h: h @ h, x), (3, SQUARE), "loop"),
        (lambda x: scanned(jax.lax.while_loop(lambda h: h.sum() < 9, lambda h: h * 2, x), STACK), (SQUARE,), "loop"),
        (jnp.linalg.cholesky, (SQUARE,), "library"),
        (lambda x: jnp.linalg.svd(x)[1], (SQUARE,), "library"),
    ],
    ids=["while", "as often as asked", "while before a scan", "cholesky", "svd"],
)
def test_uncountable_costs_are_reported_as_unknown(
    function: Callable[..., Any], given: tuple[Any, ...], why: str
) -> None:
    program = compiled(function, *given)
    costs = cost(program, program.as_text() or "")
    assert (costs.flops, costs.transcendentals, costs.uncounted) == (None, None, why)


@pytest.mark.parametrize(
    ("function", "given"),
    [
        (lambda x: jnp.tanh(x @ x).sum(), (SQUARE,)),
        (jax.grad(lambda x: jnp.tanh(x @ x).sum()), (SQUARE,)),
        (jax.nn.softmax, (SQUARE,)),
        (lambda x: (x - x.mean(1, keepdims=True)) / jnp.sqrt(x.var(1, keepdims=True) + 1), (SQUARE,)),
        (jnp.sort, (ROW,)),
        (jnp.cumsum, (ROW,)),
        (lambda x: x.at[:3].add(2.0), (ROW,)),
        (lambda x, k: jax.lax.conv(x, k, (1, 1), "SAME"), (jnp.ones((2, 3, 16, 16)), jnp.ones((8, 3, 3, 3)))),
        (lambda x, k: jax.lax.conv(x, k, (2, 2), "VALID"), (jnp.ones((2, 3, 16, 16)), jnp.ones((8, 3, 3, 3)))),
        (lambda x: jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, (2, 2), (2, 2), "VALID"), (SQUARE,)),
        (lambda x: (jax.debug.print("{}", x), x * 2)[1], (ROW,)),
    ],
    ids=["dense", "grad", "softmax", "norm", "sort", "cumsum", "scatter", "same", "valid", "pool", "print"],
)
def test_without_a_loop_it_is_xlas_own_figure(function: Callable[..., Any], given: tuple[Any, ...]) -> None:
    program = compiled(function, *given)
    costs: Any = program.cost_analysis()
    counted, why = work(program.as_text() or "")
    assert why == ""
    assert counted.flops == counted.flops_once
    assert counted.flops == pytest.approx(costs["flops"], rel=0.02, abs=2)
    assert counted.transcendentals == costs.get("transcendentals", 0)
    assert cost(program, program.as_text() or "").flops == costs["flops"]


def test_bytes_read_and_written_are_reported_only_without_a_loop() -> None:
    loop, none = compiled(scanned, SQUARE, STACK), compiled(jnp.matmul, SQUARE, SQUARE)
    assert cost(loop, loop.as_text() or "").accessed_bytes is None
    assert cost(none, none.as_text() or "").accessed_bytes == 3 * SQUARE.nbytes
