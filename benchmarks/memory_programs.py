"""Programs for the memory benchmark: each takes a few hundred MiB. They were written after the lens."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

Program = tuple[Callable[..., Any], Callable[[], dict[str, Any]]]


def normal(*shape: int) -> Any:
    """Return normal numbers that NumPy drew: JAX has computed nothing when the program runs."""
    return np.random.default_rng(len(shape)).standard_normal(shape, np.float32) * np.float32(0.05)


def programs() -> Iterator[tuple[str, Program]]:
    """Yield the name of each program, its function, and what makes its arguments."""
    yield from _networks()
    yield from _training()
    yield from _simulations()
    yield from _algebra()
    yield from _arrays()


def _networks() -> Iterator[tuple[str, Program]]:
    def mixer(weights: Any, x: Any) -> Any:
        for along, across in weights:
            x = x + jnp.swapaxes(jax.nn.relu(jnp.swapaxes(x, 1, 2) @ along), 1, 2)
            x = x + jax.nn.relu(x @ across)
        return (x**2).mean()

    yield (
        "mixer",
        (jax.grad(mixer), lambda: {"weights": [(normal(64, 64), normal(256, 256))] * 4, "x": normal(96, 64, 256)}),
    )

    def normalised(kernels: Any, x: Any, *, checkpoint: bool) -> Any:
        def layer(x: Any, kernel: Any) -> Any:
            x = lax.conv_general_dilated(x, kernel, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
            return jnp.tanh((x - x.mean((0, 1, 2))) / (x.std((0, 1, 2)) + 1e-3))

        layer = jax.checkpoint(layer) if checkpoint else layer
        for each in kernels:
            x = layer(x, each)
        return x.sum()

    images = lambda: {  # noqa: E731
        "kernels": [normal(3, 3, 16, 16)] * 4,
        "x": normal(16, 64, 64, 16),
    }
    yield "batch norm", (jax.grad(lambda kernels, x: normalised(kernels, x, checkpoint=False)), images)
    yield "batch norm, checkpoint", (jax.grad(lambda kernels, x: normalised(kernels, x, checkpoint=True)), images)

    def unrolled(w: Any, xs: Any) -> Any:
        def step(state: Any, x: Any) -> Any:
            state = jnp.tanh(state @ w + x)
            return state, state.mean()

        return lax.scan(step, xs[0], xs, unroll=4)[1].sum()

    yield "recurrent, unrolled by 4", (jax.grad(unrolled), lambda: {"w": normal(256, 256), "xs": normal(32, 2048, 256)})


def _training() -> Iterator[tuple[str, Program]]:
    def loss(params: Any, x: Any) -> Any:
        for each in params:
            x = jnp.sin(x @ each)
        return (x**2).mean()

    ensemble = jax.vmap(jax.value_and_grad(loss), in_axes=(0, None))
    yield "ensemble", (ensemble, lambda: {"params": [normal(8, 256, 256)] * 4, "x": normal(2048, 256)})

    def descent(params: Any, xs: Any) -> Any:
        def step(params: Any, x: Any) -> Any:
            value, slopes = jax.value_and_grad(loss)(params, x)
            return [p - 0.1 * g for p, g in zip(params, slopes, strict=True)], value

        return lax.scan(step, params, xs)

    batches = lambda: {  # noqa: E731
        "params": [normal(512, 512)] * 3,
        "xs": normal(4, 8192, 512),
    }
    yield "steps in a scan", (descent, batches)

    def momentum(params: Any, speeds: Any, x: Any) -> Any:
        slopes = jax.grad(loss)(params, x)
        speeds = [0.9 * v - 0.1 * g for v, g in zip(speeds, slopes, strict=True)]
        return [p + v for p, v in zip(params, speeds, strict=True)], speeds

    def arrays() -> dict[str, Any]:
        both = {name: [normal(2048, 2048) + each for each in range(4)] for name in ("params", "speeds")}
        return {**both, "x": normal(512, 2048)}

    yield "momentum", (momentum, arrays)
    yield "momentum, donated", (jax.jit(momentum, donate_argnums=(0, 1)), arrays)

    def half(w: Any, x: Any) -> Any:
        return (jnp.tanh((x @ w).astype(jnp.bfloat16)) * 2).astype(jnp.float32).mean()

    yield "half precision", (jax.grad(half), lambda: {"w": normal(1024, 2048), "x": normal(8192, 1024)})


def _simulations() -> Iterator[tuple[str, Program]]:
    def heat(field: Any) -> Any:
        around = sum(jnp.roll(field, shift, axis) for shift in (1, -1) for axis in (0, 1))
        return field + 0.2 * (around - 4 * field)

    yield (
        "heat",
        (lambda field: lax.fori_loop(0, 5, lambda _, f: heat(f), field), lambda: {"field": normal(5000, 5000)}),
    )

    def warmed(field: Any) -> Any:
        return lax.scan(lambda f, _: (jnp.tanh(heat(f)), None), field, None, length=30)[0].sum()

    yield "heat, gradient", (jax.grad(warmed), lambda: {"field": normal(1200, 1200)})

    def escape(c: Any) -> Any:
        def going(state: Any) -> Any:
            return (jnp.abs(state[0]) < 2) & (state[1] < 20)

        return jax.vmap(lambda c: lax.while_loop(going, lambda s: (s[0] ** 2 + c, s[1] + 1), (0 * c, 0)))(c)[1]

    yield "Mandelbrot", (escape, lambda: {"c": (normal(8_000_000) + 1j * normal(8_000_000)).astype(np.complex64)})

    def filtered(particles: Any, seen: Any) -> Any:
        def step(state: Any, y: Any) -> Any:
            places, key = state
            key, moves, again = jax.random.split(key, 3)
            places = places + jax.random.normal(moves, places.shape)
            chosen = jax.random.categorical(again, -((places[:, 0] - y) ** 2), shape=(len(places),), replace=True)
            return (places[chosen], key), places.mean()

        return lax.scan(step, (particles, jax.random.key(0)), seen)[1]

    yield "particles", (filtered, lambda: {"particles": normal(6000, 64), "seen": normal(3)})


def _algebra() -> Iterator[tuple[str, Program]]:
    def likelihood(x: Any, y: Any, scale: Any) -> Any:
        apart = ((x[:, None] - x[None]) ** 2).sum(-1)
        factor = jnp.linalg.cholesky(jnp.exp(-apart / scale) + jnp.eye(len(x)))
        solved = jax.scipy.linalg.solve_triangular(factor, y, lower=True)
        return (solved**2).sum() / 2 + jnp.log(jnp.diag(factor)).sum()

    points = lambda: {  # noqa: E731
        "x": normal(3000, 2),
        "y": normal(3000),
        "scale": np.ones((), np.float32),
    }
    yield "Gaussian process", (jax.grad(likelihood, argnums=2), points)
    yield "QR", (jnp.linalg.qr, lambda: {"a": normal(6000, 2000)})
    yield "singular values", (lambda x: jnp.linalg.svd(x, full_matrices=False), lambda: {"x": normal(400, 256, 128)})
    power = lambda x, v: lax.fori_loop(0, 10, lambda _, v: x.T @ (x @ v) / 100, v)  # noqa: E731
    yield "power iteration", (power, lambda: {"x": normal(3000, 3000), "v": normal(3000, 3000)})


def _arrays() -> Iterator[tuple[str, Program]]:
    totals = lambda x: (jnp.cumsum(x, 0), jnp.cumprod(1 + x, 1))  # noqa: E731
    yield "running totals", (totals, lambda: {"x": normal(5000, 5000)})

    def grouped(x: Any, group: Any) -> Any:
        means = jax.ops.segment_sum(x, group, 1000) / (jax.ops.segment_sum(jnp.ones(len(x)), group, 1000)[:, None] + 1)
        return jnp.where(x > means[group], x, means[group])

    yield "groups", (grouped, lambda: {"x": normal(300_000, 128), "group": np.arange(300_000, dtype=np.int32) % 1000})

    def kept(x: Any) -> Any:
        best, places = lax.top_k(x, 1000)
        return jnp.zeros_like(x).at[jnp.arange(len(x))[:, None], places].set(best)

    yield "largest kept", (kept, lambda: {"x": normal(4000, 10_000)})
