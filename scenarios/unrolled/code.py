"""The same steps as a Python loop, a scan and a fori_loop."""

import jax
import jax.numpy as jnp


def inputs(steps=10):
    """One number, and how many steps to take with it."""
    return {"x": jnp.float32(0.5), "steps": steps}


def step(x):
    """Return one step of the logistic map."""
    return 3.7 * x * (1.0 - x)


def python_loop(x, steps):
    """Take the steps in a Python loop."""
    for _ in range(steps):
        x = step(x)
    return x


def scan(x, steps):
    """Take the steps in a scan."""
    x, _ = jax.lax.scan(lambda x, _: (step(x), None), x, length=steps)
    return x


def fori_loop(x, steps):
    """Take the steps in a fori_loop."""
    return jax.lax.fori_loop(0, steps, lambda _, x: step(x), x)


if __name__ == "__main__":
    for variant in (python_loop, scan, fori_loop):
        print(variant.__name__, variant(**inputs()))
