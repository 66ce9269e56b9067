"""A training loop that passes the same state in again (https://docs.jax.dev/en/latest/stateful-computations.html)."""

from __future__ import annotations

from explorer.diagnostics.check import Check

CHECK = Check(
    id="state-not-carried",
    part="tracing",
    levels={"warning": ""},
    name="state not carried",
    summary="Each iteration of a training loop passes the same optimizer state, and drops the next one.",
    what=(
        "A compiled step is called in a loop. Its parameters go into the next iteration. Its optimizer state or its "
        "batch statistics do not: `params, _ = step(params, opt_state, batch)`. A step that makes a new state and does "
        "not return it is reported, too."
    ),
    why_silent=(
        "A JAX function changes nothing in place: it returns the next state. A program may drop any result. The "
        "training still runs, only without its momentum, its averages and its count of steps."
    ),
    fix="Assign what the step returns: `params, opt_state = step(params, opt_state, batch)`.",
    bad="""
import jax
import jax.numpy as jnp


def train():
    @jax.jit
    def step(params, state, x):
        grad = jax.grad(lambda w: jnp.sum((w * x - 1) ** 2))(params["w"])
        velocity = 0.9 * state["velocity"]["w"] + grad
        new = {"w": params["w"] - 0.1 * velocity}
        return new, {"velocity": {"w": velocity}, "count": state["count"] + 1}

    params = {"w": jnp.zeros(3)}
    state = {"velocity": {"w": jnp.zeros(3)}, "count": jnp.int32(0)}
    for x in jnp.linspace(0.5, 1.5, 5):
        params, _ = step(params, state, x)
    return params
""",
    good="""
import jax
import jax.numpy as jnp


def train():
    @jax.jit
    def step(params, state, x):
        grad = jax.grad(lambda w: jnp.sum((w * x - 1) ** 2))(params["w"])
        velocity = 0.9 * state["velocity"]["w"] + grad
        new = {"w": params["w"] - 0.1 * velocity}
        return new, {"velocity": {"w": velocity}, "count": state["count"] + 1}

    params = {"w": jnp.zeros(3)}
    state = {"velocity": {"w": jnp.zeros(3)}, "count": jnp.int32(0)}
    for x in jnp.linspace(0.5, 1.5, 5):
        params, state = step(params, state, x)
    return params
""",
    allow="A name such as `fresh_state` or `init_state` says that each iteration should begin with it.",
    labels=("called with the same state in each iteration", "the next state ends here"),
    lessons={"": "a_training_step"},
)
