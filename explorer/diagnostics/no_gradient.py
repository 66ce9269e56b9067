"""Documentation of the check no-gradient: a trained parameter has a gradient that is 0 whatever its value is."""

from __future__ import annotations

from explorer.diagnostics.check import Check

CHECK = Check(
    id="no-gradient",
    part="tracing",
    levels={"warning": ""},
    name="no gradient",
    summary="A gradient is 0 whatever the values are: the loss depends on the parameter only through flat operations.",
    what=(
        "`grad` or `value_and_grad` is asked for the gradient of a parameter, and the loss depends on it only through "
        "`round`, `floor`, `sign`, `argmax`, comparisons or integers. The same is found if `stop_gradient` stops all "
        "that the loss depends on. A parameter that the loss does not use, or that is in `stop_gradient` by itself, is "
        "left alone."
    ),
    why_silent=(
        "The slope of a step function is 0 wherever it has one. So 0 is the right gradient, and training goes on "
        "without the parameter ever changing."
    ),
    fix=(
        "Use a smooth function: softmax instead of `argmax`, a sigmoid instead of a comparison. Or let the gradient "
        "pass straight through: `x + jax.lax.stop_gradient(jnp.round(x) - x)`."
    ),
    bad="""
import jax
import jax.numpy as jnp


def quantized():
    def loss(scale):
        levels = jnp.arange(4.0) * scale
        return jnp.sum((jnp.round(levels) - 1.3) ** 2)

    return jax.grad(loss)(0.7)
""",
    good="""
import jax
import jax.numpy as jnp


def quantized():
    def loss(scale):
        levels = jnp.arange(4.0) * scale
        rounded = levels + jax.lax.stop_gradient(jnp.round(levels) - levels)
        return jnp.sum((rounded - 1.3) ** 2)

    return jax.grad(loss)(0.7)
""",
    allow="`jax.lax.stop_gradient(parameter)` says that it should not learn.",
    labels=("the gradient ends here",),
    lessons={"": "stop_gradient"},
)
