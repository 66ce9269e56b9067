"""Arrays that stay in memory, and the memory that a compiled program needs while it runs."""

import gc

import jax
import jax.numpy as jnp


def inputs(n=1_000_000, steps=5, points=512):
    """How many numbers an array has, how many steps a loop takes, and some points in a plane."""
    return {"n": n, "steps": steps, "points": jax.random.normal(jax.random.key(0), (points, 2))}


def alive():
    """Return the bytes of all arrays that JAX has in memory."""
    gc.collect()
    return sum(each.nbytes for each in jax.live_arrays())


def two_names(n):
    """Compute an array from another one, then delete the name of the first."""
    before = alive()
    x = jnp.ones(n)
    y = x + 1
    both = alive() - before
    del x
    one = alive() - before
    return {"both": jnp.array(both), "one": jnp.array(one), "first": y[0]}


def kept_slice(n):
    """Keep three numbers of an array, then delete its name."""
    before = alive()
    x = jnp.ones(n)
    first = x[:3]
    del x
    return {"bytes": jnp.array(alive() - before), "first": first}


def kept_losses(n, steps):
    """Keep the loss of each step."""
    x = jnp.ones(n)
    before = alive()
    losses = []
    for _ in range(steps):
        losses.append(jnp.mean(x**2))
        x = 0.9 * x
    return {"bytes": jnp.array(alive() - before), "losses": jnp.stack(losses)}


def kept_states(n, steps):
    """Keep the array of each step, and compute the losses at the end."""
    x = jnp.ones(n)
    before = alive()
    states = []
    for _ in range(steps):
        states.append(x)
        x = 0.9 * x
    return {"bytes": jnp.array(alive() - before), "losses": jnp.stack([jnp.mean(x**2) for x in states])}


def nearest(point, points):
    """Return the distance from a point to the nearest other one."""
    return jnp.sort(jnp.linalg.norm(points - point, axis=1))[1]


def measured(function, points):
    """Return the result, and the bytes that the program needs besides its arguments and its result."""
    compiled = jax.jit(function).lower(points).compile()
    return {"bytes": jnp.array(compiled.memory_analysis().temp_size_in_bytes), "nearest": function(points)}


def with_vmap(points):
    """Map over all points at once."""
    return measured(lambda points: jax.vmap(nearest, in_axes=(0, None))(points, points), points)


def with_batches(points):
    """Map over 16 points at a time."""
    return measured(lambda points: jax.lax.map(lambda each: nearest(each, points), points, batch_size=16), points)


if __name__ == "__main__":
    values = inputs()
    n, steps, points = values["n"], values["steps"], values["points"]
    print("two_names", two_names(n))
    print("kept_slice", kept_slice(n))
    print("bytes", kept_losses(n, steps)["bytes"], kept_states(n, steps)["bytes"])
    print("bytes", with_vmap(points)["bytes"], with_batches(points)["bytes"])
