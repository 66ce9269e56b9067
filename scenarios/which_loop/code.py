"""Running totals in five ways: which loop collects, stops early, has a gradient, runs in parallel."""

import jax
import jax.numpy as jnp


def inputs(n=16):
    """The numbers 1 to n."""
    return {"x": jnp.arange(1.0, n + 1)}


def with_scan(x):
    """Carry the total, and collect it."""
    _, totals = jax.lax.scan(lambda total, each: (total + each,) * 2, 0.0, x)
    return totals


def with_fori_loop(x):
    """Write each total into an array that is carried."""

    def body(i, totals):
        return totals.at[i].set(x[i] + jnp.where(i > 0, totals[i - 1], 0.0))

    return jax.lax.fori_loop(0, len(x), body, jnp.zeros_like(x))


def with_while_loop(x):
    """Add numbers until the total exceeds 10."""

    def goes_on(state):
        i, total = state
        return (total <= 10.0) & (i < len(x))

    def body(state):
        i, total = state
        return i + 1, total + x[i]

    return jax.lax.while_loop(goes_on, body, (0, 0.0))[1]


def with_associative_scan(x):
    """Add in a tree: pairs, pairs of pairs, and so on."""
    return jax.lax.associative_scan(jnp.add, x)


def gradient_of_scan(x):
    """Take the gradient of the last total of the scan."""
    return jax.grad(lambda x: with_scan(x)[-1])(x)


def gradient_of_while_loop(x):
    """Take the gradient of the total of the while_loop."""
    return jax.grad(with_while_loop)(x)


if __name__ == "__main__":
    for variant in (with_scan, with_fori_loop, with_while_loop, with_associative_scan, gradient_of_scan):
        print(variant.__name__, variant(**inputs()))
    try:
        gradient_of_while_loop(**inputs())
    except ValueError as error:
        print("gradient_of_while_loop", type(error).__name__)
