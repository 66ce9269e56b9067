"""log(1 + exp(x)): a gradient that overflows, and two ways to say what it should be."""

import jax
import jax.numpy as jnp


def inputs(x=100.0):
    """A large number."""
    return {"x": x}


def softplus(x):
    """Return log(1 + exp(x)), as it is written in books."""
    return jnp.log(1.0 + jnp.exp(x))


@jax.custom_jvp
def with_jvp(x):
    """Return x for large numbers, and log(1 + exp(x)) for others."""
    return jnp.where(x > 20.0, x, softplus(jnp.minimum(x, 20.0)))


@with_jvp.defjvp
def _with_jvp_rule(primals, tangents):
    (x,), (change,) = primals, tangents
    return with_jvp(x), jax.nn.sigmoid(x) * change


@jax.custom_vjp
def with_vjp(x):
    """Return the same."""
    return with_jvp(x)


def _forward(x):
    return with_vjp(x), x


def _backward(x, slope):
    return (jax.nn.sigmoid(x) * slope,)


with_vjp.defvjp(_forward, _backward)


def gradient_as_written(x):
    """Take the gradient of the formula."""
    return jax.grad(softplus)(x)


def gradient_by_jvp(x):
    """Take the gradient with the rule for the forward direction."""
    return jax.grad(with_jvp)(x)


def gradient_by_vjp(x):
    """Take the gradient with the rule for the backward pass."""
    return jax.grad(with_vjp)(x)


def forward_by_jvp(x):
    """Push a change forward through the first rule."""
    return jax.jvp(with_jvp, (x,), (1.0,))


def forward_by_vjp(x):
    """Push a change forward through the second rule."""
    return jax.jvp(with_vjp, (x,), (1.0,))


if __name__ == "__main__":
    for variant in (gradient_as_written, gradient_by_jvp, gradient_by_vjp, forward_by_jvp):
        print(variant.__name__, variant(**inputs()))
    try:
        forward_by_vjp(**inputs())
    except TypeError as error:
        print("forward_by_vjp", type(error).__name__)
