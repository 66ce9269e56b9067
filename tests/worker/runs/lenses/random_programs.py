"""Random programs with a gradient: jit, scan, checkpoint, cond, vmap and custom rules, nested, from a seed."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

SIZE = 3
Step = Callable[[Any, Any], Any]
"""From a state and a parameter, both f[3], to the next state. All of them are smooth, and none explodes."""


@jax.custom_vjp
def with_vjp(x: Any) -> Any:
    return jnp.sin(x) * 0.5


with_vjp.defvjp(lambda x: (jnp.sin(x) * 0.5, (x,)), lambda inner_call, ct: (ct * jnp.cos(inner_call[0]) * 0.5,))


@jax.custom_jvp
def with_jvp(x: Any) -> Any:
    return jnp.tanh(x) + x


@with_jvp.defjvp
def _with_jvp(primals: Any, tangents: Any) -> Any:
    (x,), (t,) = primals, tangents
    return with_jvp(x), t * (2 - jnp.tanh(x) ** 2)


_PLAIN: list[Step] = [
    lambda x, w: jnp.sin(x * w),
    lambda x, w: jnp.tanh(x) * w,
    lambda x, w: x + jnp.cos(w) * 0.3,
    lambda x, w: x / (2 + w**2),
    lambda x, w: jnp.exp(-(x**2)) + w,
    lambda x, w: jnp.where(w > 0.5, jnp.sin(x), x * x),
    lambda x, w: jnp.outer(x, w) @ jnp.cos(x) * 0.3,
    lambda x, w: jnp.concatenate([x[1:], w[:1]]),
    lambda x, w: jnp.log1p(x**2) - w.sum(),
    lambda x, w: jax.nn.softplus(x) * jax.nn.sigmoid(w),
    lambda x, w: x * jax.lax.stop_gradient(jnp.sin(w)),
    lambda x, w: with_vjp(x) + w,
    lambda x, w: with_jvp(x * 0.5) - w,
    lambda x, w: x * jnp.array([1.0, 2.0, 0.5], x.dtype) - w,
]


def program(seed: int) -> Callable[[Any, Any], Any]:
    """Return a program of x and w, both f[3], that returns one number."""
    choice = random.Random(seed)
    step = _sequence(choice, depth=2)

    def loss(x: Any, w: Any) -> Any:
        return (step(x, w) ** 2).sum()

    return jax.jit(loss) if choice.random() < 0.2 else loss


def inputs(seed: int, dtype: str = "float32") -> dict[str, Any]:
    """Return arguments for the program of that seed."""
    first, second = jax.random.split(jax.random.key(seed))
    return {
        "x": jax.random.uniform(first, (SIZE,), dtype, 0.1, 1.0),
        "w": jax.random.uniform(second, (SIZE,), dtype, 0.1, 1.0),
    }


def _sequence(choice: random.Random, depth: int) -> Step:
    steps = [_step(choice, depth) for _ in range(choice.randint(1, 4))]

    def run(x: Any, w: Any) -> Any:
        for step in steps:
            x = step(x, w)
        return x

    return run


def _step(choice: random.Random, depth: int) -> Step:
    if depth == 0 or choice.random() < 0.4:
        return choice.choice(_PLAIN)
    inner = _sequence(choice, depth - 1)
    return choice.choice(_AROUND)(inner)


def _scanned(inner: Step) -> Step:
    return lambda x, w: jax.lax.scan(lambda c, e: (inner(c, w) * 0.5 + e, c * e), x, jnp.stack([w, x]))[0]


def _mapped(inner: Step) -> Step:
    return lambda x, w: jax.vmap(inner, (0, None))(jnp.stack([x, w]), w).sum(0)


def _chosen(inner: Step) -> Step:
    return lambda x, w: jax.lax.cond(w[0] > 0.5, inner, lambda x, w: x * w, x, w)


def _looped(inner: Step) -> Step:
    return lambda x, w: jax.lax.fori_loop(0, 3, lambda _, c: inner(c, w) * 0.5, x)


def _checkpointed(inner: Step) -> Step:
    policy = jax.checkpoint_policies.dots_saveable
    return jax.checkpoint(inner, policy=policy)


def _twice(inner: Step) -> Step:
    called = jax.jit(inner)
    return lambda x, w: called(called(x, w), w)


_AROUND: list[Callable[[Step], Step]] = [
    jax.jit,
    jax.checkpoint,
    _scanned,
    _mapped,
    _chosen,
    _looped,
    _checkpointed,
    _twice,
]
