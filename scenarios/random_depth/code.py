"""A random depth: each example goes through its own random number of layers."""

import jax
import jax.numpy as jnp

DEEPEST = 6


def inputs(examples=300, features=32, seed=0):
    """Examples of shape (300, 32), one layer's weights, and a key for each example."""
    x_key, weights_key, depth_key = jax.random.split(jax.random.key(seed), 3)
    x = jax.random.normal(x_key, (examples, features))
    weights = jax.random.normal(weights_key, (features, features)) / features**0.5
    return {"x": x, "weights": weights, "keys": jax.random.split(depth_key, examples)}


def layer(x, weights):
    """Return one example after one more layer, shape (features,)."""
    return jnp.tanh(x @ weights)


def random_depth(key):
    """Return how many layers an example goes through: 1 to DEEPEST."""
    return jax.random.randint(key, (), 1, DEEPEST + 1)


def arange_of_a_random_number(x, weights, keys):
    """Loop over an arange of the depth."""

    def forward(x, key):
        for _ in jnp.arange(random_depth(key)):
            x = layer(x, weights)
        return x

    return jax.vmap(forward)(x, keys)


def loop_to_a_traced_bound(x, weights, keys):
    """Loop up to the depth with `fori_loop`."""

    def forward(x, key):
        return jax.lax.fori_loop(0, random_depth(key), lambda _, x: layer(x, weights), x)

    return jax.vmap(forward)(x, keys)


def scan_with_a_mask(x, weights, keys):
    """Scan over all layers, and choose with `where`."""

    def forward(x, key):
        depth = random_depth(key)

        def step(x, i):
            return jnp.where(i < depth, layer(x, weights), x), None

        return jax.lax.scan(step, x, jnp.arange(DEEPEST))[0]

    return jax.vmap(forward)(x, keys)


if __name__ == "__main__":
    fixed = [variant(**inputs()) for variant in (loop_to_a_traced_bound, scan_with_a_mask)]
    print("the two agree:", jnp.allclose(*fixed, atol=1e-6))
    try:
        arange_of_a_random_number(**inputs())
    except jax.errors.ConcretizationTypeError as error:
        print("arange_of_a_random_number", type(error).__name__)
