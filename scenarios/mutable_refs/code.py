"""Counting in an array that is returned each time, and in a ref that changes."""

import jax
import jax.numpy as jnp


def inputs(size=4):
    """Which counters to raise, one after the other; one of them comes twice."""
    return {"events": jnp.array([0, 2, 1, 2]), "size": size}


@jax.jit
def raised(counts, i):
    """Return the counts with one of them raised."""
    return counts.at[i].add(1)


@jax.jit
def raise_in(counts, i):
    """Raise one of the counts in a ref; return nothing."""
    counts[i] += 1


def returned_each_time(events, size):
    """Count in an array: take what comes back."""
    counts = jnp.zeros(size, int)
    for i in events:
        counts = raised(counts, i)
    return counts


def changed_in_a_ref(events, size):
    """Count in a ref: nothing comes back."""
    counts = jax.new_ref(jnp.zeros(size, int))
    for i in events:
        raise_in(counts, i)
    return counts[...]


def two_names(events, size):
    """Keep the counts before the events, and after them."""
    counts = jax.new_ref(jnp.zeros(size, int))
    before = counts
    for i in events:
        raise_in(counts, i)
    return {"before": before[...], "after": counts[...]}


def with_a_ref_inside(x):
    """Add up the powers of x in a ref that nobody outside sees."""
    total = jax.new_ref(jnp.zeros_like(x))
    for power in range(1, 4):
        total[...] += x**power
    return total[...]


def gradient_through_a_ref(size):
    """Differentiate it at 1 to n."""
    return jax.vmap(jax.grad(with_a_ref_inside))(jnp.arange(1.0, size + 1))


def returned_from_jit(size):
    """Make a ref under jit, and return it."""
    return jax.jit(lambda x: jax.new_ref(x))(jnp.zeros(size))[...]


if __name__ == "__main__":
    events, size = inputs().values()
    for variant in (returned_each_time, changed_in_a_ref, two_names):
        print(variant.__name__, variant(events, size))
    print("gradient_through_a_ref", gradient_through_a_ref(size))
    try:
        returned_from_jit(size)
    except ValueError as error:
        print("returned_from_jit", type(error).__name__)
