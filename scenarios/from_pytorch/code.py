"""Five habits from PyTorch, each as it would be written there and as JAX wants it."""

import jax
import jax.numpy as jnp


def inputs(seed=0):
    """Six numbers, a weight, and a seed."""
    return {"x": jnp.arange(1.0, 7.0), "w": 2.0, "seed": seed}


def in_place(x):
    """Set the first number: x[0] = 9."""
    x[0] = 9.0
    return x


def in_place_jax(x):
    """Make a new array with another first number."""
    return x.at[0].set(9.0)


class Model:
    """A model that keeps its mode in an attribute."""

    def __init__(self, w):
        self.w, self.training = w, True

    def __call__(self, x, key):
        if not self.training:
            return self.w * x
        return self.w * jnp.where(jax.random.bernoulli(key, 0.5, x.shape), 2 * x, 0.0)


def mode_in_an_attribute(x, w, seed):
    """Call the model under jit, switch it to evaluation, and call it again."""
    model = Model(w)
    forward = jax.jit(lambda x, key: model(x, key))
    first, second = jax.random.split(jax.random.key(seed))
    trained = forward(x, first)
    model.training = False
    return trained, forward(x, second)


def mode_as_an_argument(x, w, seed):
    """Pass the mode as a static argument."""

    def forward(x, key, training):
        if not training:
            return w * x
        return w * jnp.where(jax.random.bernoulli(key, 0.5, x.shape), 2 * x, 0.0)

    compiled = jax.jit(forward, static_argnames="training")
    first, second = jax.random.split(jax.random.key(seed))
    return compiled(x, first, training=True), compiled(x, second, training=False)


def gradient_twice(x, w):
    """Take the gradient two times, as in two steps without zero_grad."""

    def loss(w):
        return jnp.sum((w * x) ** 2)

    return jnp.stack([jax.grad(loss)(w), jax.grad(loss)(w)])


if __name__ == "__main__":
    given = inputs()
    print("in_place_jax", in_place_jax(given["x"]))
    print("mode_as_an_argument", mode_as_an_argument(**given))
    print("gradient_twice", gradient_twice(given["x"], given["w"]))
    try:
        in_place(given["x"])
    except TypeError as error:
        print("in_place", type(error).__name__)
