"""A layer as a class: unknown to JAX, registered, and with a field that is not an array."""

from dataclasses import dataclass, field

import jax
import jax.numpy as jnp


def inputs(scale=3.0):
    """Three numbers, and the scale of a layer."""
    return {"x": jnp.arange(3.0), "scale": scale}


@dataclass
class Plain:
    """A layer that JAX knows nothing about."""

    scale: jax.Array
    shift: jax.Array


@jax.tree_util.register_dataclass
@dataclass
class Registered:
    """A layer that JAX takes apart."""

    scale: jax.Array
    shift: jax.Array


@jax.tree_util.register_dataclass
@dataclass
class Named:
    """A layer with the name of its activation, which is no array."""

    scale: jax.Array
    activation: str = field(metadata={"static": True})


@jax.jit
def apply(layer, x):
    """Return the output of a layer."""
    return layer.scale * x + layer.shift


@jax.jit
def apply_named(layer, x):
    """Return the output of a layer with an activation."""
    return getattr(jnp, layer.activation)(layer.scale * x)


def plain_class(x, scale):
    """Pass a plain dataclass to a jitted function."""
    return apply(Plain(scale, 1.0), x)


def registered_class(x, scale):
    """Pass a registered one."""
    return apply(Registered(scale, 1.0), x)


def gradient(x, scale):
    """Take the gradient in a registered one."""
    return jax.grad(lambda layer: apply(layer, x).sum())(Registered(scale, 1.0))


def static_field(x, scale):
    """Call a layer three times: twice with one activation, once with another."""
    layers = [Named(scale, "sin"), Named(2 * scale, "sin"), Named(scale, "cos")]
    return [apply_named(layer, x) for layer in layers]


if __name__ == "__main__":
    for variant in (registered_class, gradient, static_field):
        print(variant.__name__, variant(**inputs()))
    try:
        plain_class(**inputs())
    except TypeError as error:
        print("plain_class", type(error).__name__)
