"""A count, and a random number, in a function under jit."""

import jax
import jax.numpy as jnp
import numpy as np

count = 0


def inputs(calls=3):
    """The number 1, how often to call a function with it, and a key."""
    return {"x": 1.0, "calls": calls, "key": jax.random.key(0)}


@jax.jit
def add_count(x):
    """Count up, and return `x` with the count added."""
    global count
    count += 1
    return x + count


@jax.jit
def add_noise(x):
    """Return `x` with a random number of NumPy added."""
    return x + np.random.normal()


@jax.jit
def add_both(x, count, key):
    """Return `x` with the count and with noise, and the count and the key for the next call."""
    count = count + 1
    key, noise_key = jax.random.split(key)
    return x + count, x + jax.random.normal(noise_key), count, key


def global_count(x, calls):
    """Call the function that counts."""
    return jnp.stack([add_count(x) for _ in range(calls)])


def numpy_noise(x, calls):
    """Call the function with NumPy's noise."""
    return jnp.stack([add_noise(x) for _ in range(calls)])


def handed_through(x, calls, key):
    """Pass the count and the key in, and return them again."""
    counted, noisy = [], []
    count = jnp.int32(0)
    for _ in range(calls):
        one, other, count, key = add_both(x, count, key)
        counted.append(one)
        noisy.append(other)
    return {"counted": jnp.stack(counted), "noisy": jnp.stack(noisy)}


if __name__ == "__main__":
    values = inputs()
    print("global_count", global_count(values["x"], values["calls"]))
    print("numpy_noise", numpy_noise(values["x"], values["calls"]))
    print("handed_through", handed_through(**values))
