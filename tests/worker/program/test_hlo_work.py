"""The work of a compiled program: counted by hand, and compared with XLA's own figure where no loop runs."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
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


def layers(x: Any, ws: Any, *, again: bool) -> Any:
    """Return the gradient for `x` of layers with a sine; with `again`, the backward pass computes them again."""
    layer = jax.checkpoint(lambda h, w: jnp.sin(h @ w)) if again else lambda h, w: jnp.sin(h @ w)
    return jax.grad(lambda x: jax.lax.scan(lambda h, w: (layer(h, w), None), x, ws)[0].sum())(x)


def loops_in_loops(x: Any) -> Any:
    def outer(_: Any, h: Any) -> Any:
        six = jax.lax.fori_loop(0, 6, lambda _, h: h @ x, h)
        return six + jax.lax.fori_loop(0, 3, lambda _, h: x @ h, h)

    return jax.lax.fori_loop(0, 4, outer, x)


def counted_by_hand(x: Any) -> Any:
    return jax.lax.while_loop(lambda s: s[0] < 10, lambda s: (s[0] + 3, s[1] @ s[1]), (0, x))[1]


def convolved(x: Any, kernel: Any, stride: int = 1, padding: str = "VALID") -> Any:
    return jax.lax.conv(x, kernel, (stride, stride), padding)


def of_each_channel(x: Any, kernel: Any) -> Any:
    return jax.lax.conv_general_dilated(x, kernel, (1, 1), "VALID", feature_group_count=3)


IMAGES, KERNEL = jnp.ones((2, 3, 16, 16)), jnp.ones((8, 3, 3, 3))
BY_HAND: dict[str, tuple[Callable[..., Any], tuple[Any, ...], int]] = {
    # Products of matrices: a multiplication and an addition for each element of the output and each contracted index.
    "matmul": (jnp.matmul, (SQUARE, SQUARE), PRODUCT),
    "matrix and vector": (jnp.matmul, (SQUARE, ROW), 2 * N * N),
    "outer": (jnp.outer, (ROW, ROW), N * N),
    "a batch of products": (lambda x: jnp.einsum("bij,bjk->bik", x, x), (STACK,), 12 * PRODUCT),
    "two batch axes": (
        lambda x, y: jnp.einsum("abij,abjk->abik", x, y),
        (jnp.ones((3, 5, 8, 16)), jnp.ones((3, 5, 16, 4))),
        3 * 5 * (2 * 8 * 4 * 16),
    ),
    "two contracted axes": (
        lambda x, y: jnp.tensordot(x, y, 2),
        (jnp.ones((6, 4, 8)), jnp.ones((4, 8, 3))),
        2 * 6 * 3 * (4 * 8),
    ),
    # One for each element: 3 * x, x * x and their sum.
    "elementwise": (lambda x: 3 * x + x * x, (SQUARE,), 3 * N * N),
    # One less than there are elements to add; the mean divides once more.
    "sum": (jnp.sum, (SQUARE,), N * N - 1),
    "sum of rows": (lambda x: x.sum(1), (SQUARE,), N * (N - 1)),
    "mean": (jnp.mean, (SQUARE,), N * N - 1 + 1),
    # XLA adds in windows of 16 (15 additions for each element), then the sums of the windows (3), then both.
    "cumsum": (jnp.cumsum, (ROW,), N * 15 + 3 + N),
    # For each element of the output a product with a kernel of 3 x 3 over 3 channels.
    "convolution": (convolved, (IMAGES, KERNEL), 2 * (2 * 8 * 14 * 14) * (3 * 3 * 3)),
    "with a stride": (lambda x, k: convolved(x, k, 2), (IMAGES, KERNEL), 2 * (2 * 8 * 7 * 7) * (3 * 3 * 3)),
    # At the edge the kernel reads 2 of its 3 rows: 16 * 3 - 2 along each axis.
    "with padding": (
        lambda x, k: convolved(x, k, padding="SAME"),
        (IMAGES, KERNEL),
        2 * (2 * 8) * (16 * 3 - 2) ** 2 * 3,
    ),
    "in groups": (of_each_channel, (IMAGES, jnp.ones((6, 1, 3, 3))), 2 * (2 * 6 * 14 * 14) * (3 * 3)),
    "vmap of a convolution": (
        jax.vmap(convolved),
        (jnp.ones((4, *IMAGES.shape)), jnp.ones((4, *KERNEL.shape))),
        4 * 2 * (2 * 8 * 14 * 14) * (3 * 3 * 3),
    ),
    # A loop's body as often as it runs.
    "scan": (scanned, (SQUARE, STACK), 12 * PRODUCT),
    "scan, unrolled by 5": (
        lambda x, ws: jax.lax.scan(lambda h, w: (h @ w, None), x, ws, unroll=5)[0],
        (SQUARE, STACK),
        12 * PRODUCT,
    ),
    "map": (lambda xs: jax.lax.map(lambda x: x @ x, xs), (STACK,), 12 * PRODUCT),
    "while": (counted_by_hand, (SQUARE,), 4 * PRODUCT),
    "scan in fori_loop": (nested, (SQUARE, STACK), 5 * 12 * PRODUCT),
    "loops in a loop": (loops_in_loops, (SQUARE,), 4 * ((6 + 3) * PRODUCT + N * N)),
    # The sum of both.
    "two scans": (twice, (SQUARE, STACK), (12 + 7) * PRODUCT + N * N),
    # 2 * x and 3 * x, and two sums.
    "a function called three times": (shared, (SQUARE,), 3 * 10 * PRODUCT + 4 * N * N),
    "vmap of a scan": (jax.vmap(scanned, in_axes=(0, None)), (jnp.ones((4, N, N)), STACK), 4 * 12 * PRODUCT),
    "vmap of its weights": (jax.vmap(scanned, in_axes=(None, 0)), (SQUARE, jnp.ones((4, 12, N, N))), 4 * 12 * PRODUCT),
    # Forward once, and backward for what went in and for the weights; that of the first layer is not asked for.
    "gradient": (gradient, (SQUARE, STACK), 3 * 12 * PRODUCT),
    # Forward and backward, and the cosine times the gradient.
    "layers": (partial(layers, again=False), (SQUARE, STACK), 12 * (2 * PRODUCT + N * N)),
    "checkpoint": (partial(layers, again=True), (SQUARE, STACK), 12 * (3 * PRODUCT + N * N)),
    # The most expensive branch; under vmap both run, and a choice of each element.
    "cond": (branched, (jnp.float32(1), SQUARE, STACK), 12 * PRODUCT),
    "cond under vmap": (
        jax.vmap(branched, in_axes=(0, None, None)),
        (jnp.ones(3), SQUARE, STACK),
        3 * (12 + 1) * PRODUCT + 3 * N * N,
    ),
}


@pytest.mark.parametrize("name", BY_HAND)
def test_flops_are_those_counted_by_hand(name: str) -> None:
    function, given, flops = BY_HAND[name]
    program = compiled(function, *given)
    costs = cost(program, program.as_text() or "")
    # A loop also counts its iterations.
    assert costs.flops == pytest.approx(flops, rel=0.0001 if work(program.as_text() or "")[0].loops else 0)
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
        (lambda x: x.at[:3].add(2.0), (ROW,)),
        (lambda x: jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, (2, 2), (2, 2), "VALID"), (SQUARE,)),
        (lambda x: (jax.debug.print("{}", x), x * 2)[1], (ROW,)),
    ],
    ids=["dense", "grad", "softmax", "norm", "sort", "scatter", "pool", "print"],
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
