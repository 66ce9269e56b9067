"""Documentation of the check timed-too-early (https://docs.jax.dev/en/latest/async_dispatch.html)."""

from __future__ import annotations

from explorer.diagnostics.check import Check

CHECK = Check(
    id="timed-too-early",
    part="tracing",
    levels={"warning": ""},
    name="reading of a clock too early",
    summary="A clock is read while JAX still computes, so the measured time is too short.",
    what=(
        "A function reads a clock of `time`, calls JAX, and reads the clock again. An array is not ready at the "
        "second reading, and the difference of both readings is used. The check says nothing if the code waits in "
        "between, or measures the rest as well."
    ),
    why_silent=(
        "JAX computes in the background: a call returns an array before its numbers are there. Python waits only when "
        "it needs them, as in `print(x)` or `float(x)`. A clock needs none."
    ),
    fix="Wait for the result: `jax.block_until_ready(x)` before the second reading.",
    bad="""
import time

import jax
import jax.numpy as jnp


def seconds():
    @jax.jit
    def work(x):
        return jax.lax.fori_loop(0, 40, lambda _, x: jnp.tanh(x @ x), x)

    x = jax.block_until_ready(jnp.ones((600, 600)))
    start = time.perf_counter()
    y = work(x)
    return y, time.perf_counter() - start
""",
    good="""
import time

import jax
import jax.numpy as jnp


def seconds():
    @jax.jit
    def work(x):
        return jax.lax.fori_loop(0, 40, lambda _, x: jnp.tanh(x @ x), x)

    x = jax.block_until_ready(jnp.ones((600, 600)))
    start = time.perf_counter()
    y = jax.block_until_ready(work(x))
    return y, time.perf_counter() - start
""",
    labels=("JAX still computes here", "the time begins here"),
    lessons={"": "waiting_for_the_device"},
)
