"""Programs that call jitted functions at random: with a few shapes, dtypes, static values and structures."""

from __future__ import annotations

import random

HEAD = """
from functools import partial
import jax, jax.numpy as jnp

def inputs(): return dict(x=jnp.ones(3))

@jax.jit
def plain(x):
    print("trace")
    return jnp.sin(x) + 1

@partial(jax.jit, static_argnames=("n", "how"))
def static(x, n=1, how="up"):
    print("trace")
    return x * n if how == "up" else x / n

@jax.jit
def tree(parts):
    print("trace")
    return jax.tree.map(lambda each: each * 2.0, parts)

@jax.jit
def outer(x):
    print("trace")
    return plain(x) + plain(x * 2.0)

class Model:
    def __init__(self, weight): self.weight = weight
    def __repr__(self): return f"Model({self.weight})"
    @partial(jax.jit, static_argnums=0)
    def __call__(self, x):
        print("trace")
        return x * self.weight

model, other = Model(2.0), Model(3.0)

def bare(x):
    print("trace")
    return x - 1.0

def run(x):
"""
ARRAYS = ("x", "x + 1.0", "jnp.ones(5)", "jnp.ones((2, 3))", "jnp.arange(3)", "jnp.float32(2)", "2.0", "3", "3.0")
CALLS = (
    "plain({a})",
    "plain({a})",
    "outer({a})",
    "static({a}, n={n})",
    "static({a}, {n}, how='{how}')",
    "tree(({a}, {b}))",
    "tree(dict(a={a}))",
    "tree([{a}])",
    "model({a})",
    "other({a})",
    "jax.jit(bare)({a})",
    "jax.jit(lambda x: bare(x))({a})",
    "jax.jit(jax.vmap(bare))(jnp.stack([jnp.asarray({a})] * 2))",
)
IN_DERIVATIVES = ("jax.grad(lambda x: plain(x).sum())(jnp.ones(3))", "jax.vmap(plain)(jnp.ones((2, 3)))")
"""Calls in derivatives and vmap, whose traces JAX does not log."""


def program(seed: int, length: int = 9, calls_of: tuple[str, ...] = CALLS) -> str:
    """Return the source of a program whose ``run`` makes `length` of these calls."""
    choose = random.Random(seed)
    calls = [
        choose.choice(calls_of).format(
            a=choose.choice(ARRAYS), b=choose.choice(ARRAYS), n=choose.choice((1, 2)), how=choose.choice(("up", "down"))
        )
        for _ in range(length)
    ]
    return HEAD + "".join(f"    {each}\n" for each in calls)
