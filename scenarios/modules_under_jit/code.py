"""A layer that counts its calls, under jit: in Flax, where it changes, and in Equinox, where it does not."""

from collections.abc import Callable

import equinox as eqx
import jax
import jax.numpy as jnp
from flax import nnx


def inputs(x=1.0, calls=3):
    """A number, and how often to call a layer with it."""
    return {"x": x, "calls": calls}


class Scale(nnx.Module):
    """A layer of Flax: one object, and its weight and its count change in it."""

    def __init__(self):
        self.weight = nnx.Param(jnp.float32(2.0))
        self.count = nnx.Variable(jnp.int32(0))

    def __call__(self, x):
        self.count[...] += 1
        return self.weight * x


def read_by_closure(x):
    """Flax: a function under jax.jit uses a weight from outside, which changes between two calls."""
    model = Scale()
    predict = jax.jit(lambda x: model.weight * x)
    before = predict(x)
    model.weight[...] = 5.0
    return {"before": before, "after": predict(x)}


def counted_by_closure(x, calls):
    """Flax: a function under jax.jit calls a layer from outside, which counts."""
    model = Scale()
    predict = jax.jit(lambda x: model(x))
    for _ in range(calls):
        predict(x)
    return model.count[...]


def passed_to_nnx_jit(x, calls):
    """Flax: the layer is an argument of a function under nnx.jit."""
    model = Scale()
    predict = nnx.jit(lambda model, x: model(x))
    for _ in range(calls):
        predict(model, x)
    return model.count[...]


class Layer(eqx.Module):
    """A layer of Equinox: a pytree of its fields, which never change."""

    weight: jax.Array
    count: jax.Array
    activation: Callable

    def __call__(self, x):
        return self.activation(self.weight * x)


def new_layer(weight=2.0, activation=jnp.tanh):
    """Return a layer that has not been called."""
    return Layer(jnp.float32(weight), jnp.int32(0), activation)


def passed_to_jax_jit(x):
    """Equinox: the layer is an argument of a function under jax.jit."""
    predict = jax.jit(lambda layer, x: layer(x))
    return predict(new_layer(), x)


def passed_to_filter_jit(x):
    """Equinox: three layers, one after the other, are the argument of a function under filter_jit."""

    @eqx.filter_jit
    def predict(layer, x):
        print("Python runs predict")
        return layer(x)

    layers = [new_layer(), new_layer(weight=5.0), new_layer(activation=jnp.sin)]
    return jnp.stack([predict(layer, x) for layer in layers])


@eqx.filter_jit
def step(layer, x):
    """Return the result, and a layer that has counted this call."""
    return layer(x), eqx.tree_at(lambda each: each.count, layer, layer.count + 1)


def returned(x, calls):
    """Equinox: a function under filter_jit returns the layer that has counted."""
    layer = first = new_layer()
    for _ in range(calls):
        _, layer = step(layer, x)
    return {"first": first.count, "last": layer.count}


if __name__ == "__main__":
    values = inputs()
    x, calls = values["x"], values["calls"]
    print("read_by_closure", read_by_closure(x))
    print("passed_to_nnx_jit", passed_to_nnx_jit(x, calls))
    print("passed_to_filter_jit", passed_to_filter_jit(x))
    print("returned", returned(x, calls))
    for failing in (lambda: counted_by_closure(x, calls), lambda: passed_to_jax_jit(x)):
        try:
            failing()
        except Exception as error:
            print(type(error).__name__)
