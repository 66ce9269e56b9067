"""Four lines on the same numbers, and how long each of them takes."""

import jax
import jax.numpy as jnp


def inputs(n=200_000, seed=0):
    """Numbers, and a matrix of 100 by 100."""
    x_key, w_key = jax.random.split(jax.random.key(seed))
    return {"x": jax.random.normal(x_key, (n,)), "w": jax.random.normal(w_key, (100, 100))}


def product(x, w):
    """Multiply rows of 100 numbers by a matrix."""
    return x.reshape(-1, 100) @ w


def chain(x):
    """Add and multiply twenty times."""
    return ((((((((((x + 1) * 2 - 3) * 4 + 5) * 6 - 7) * 8 + 9) * 10 - 8) * 7 + 6) * 5 - 4) * 3 + 2) * 1.5 - 1) * 0.5


def wave(x):
    """Take one tangent."""
    return jnp.tan(x)


def middle(x):
    """Sort the numbers, and take the one in the middle."""
    return jnp.sort(x)[len(x) // 2]


def middle_by_counting(x):
    """Halve an interval 30 times: count the numbers below its middle."""

    def halve(_, ends):
        low, high = ends
        guess = (low + high) / 2
        is_low = jnp.sum(x <= guess) <= len(x) // 2
        return jnp.where(is_low, guess, low), jnp.where(is_low, high, guess)

    return jax.lax.fori_loop(0, 30, halve, (x.min(), x.max()))[1]


def report(x, w):
    """Compute all four."""
    return product(x, w), chain(x), wave(x), middle(x)


def report_by_counting(x, w):
    """Compute all four, with the other median."""
    return product(x, w), chain(x), wave(x), middle_by_counting(x)


if __name__ == "__main__":
    given = inputs()
    print(middle(given["x"]), middle_by_counting(given["x"]))
