"""Keep a value that a function under jit computes on the way."""

import jax
import jax.numpy as jnp

kept = []


def inputs(calls=3):
    """Three numbers, and how often to call a layer."""
    return {"x": jnp.arange(1.0, 4.0), "calls": calls}


def append_and_count(x, calls):
    """Append the hidden value of the layer to a list, and return the length of the list."""
    kept.clear()

    @jax.jit
    def layer(x):
        hidden = jnp.sqrt(x)
        kept.append(hidden)
        return hidden.sum()

    for call in range(calls):
        layer(x + call)
    print("kept:", kept)
    return len(kept)


def append_and_use(x, calls):
    """Append the hidden value of the layer to a list, and compute with the list."""
    kept.clear()

    @jax.jit
    def layer(x):
        hidden = jnp.sqrt(x)
        kept.append(hidden)
        return hidden.sum()

    for call in range(calls):
        layer(x + call)
    print("kept:", kept)
    return jnp.stack(kept)


def return_and_use(x, calls):
    """Return the hidden value of the layer next to its result, and compute with that."""

    @jax.jit
    def layer(x):
        hidden = jnp.sqrt(x)
        return hidden.sum(), hidden

    returned = [layer(x + call)[1] for call in range(calls)]
    print("returned:", returned)
    return jnp.stack(returned)


def call_back(x, calls):
    """Have the program call `append` with the hidden value of the layer."""
    kept.clear()

    @jax.jit
    def layer(x):
        hidden = jnp.sqrt(x)
        jax.debug.callback(kept.append, hidden, ordered=True)
        return hidden.sum()

    for call in range(calls):
        layer(x + call)
    jax.effects_barrier()
    print("kept:", kept)
    return len(kept)


if __name__ == "__main__":
    append_and_count(**inputs())
    return_and_use(**inputs())
    call_back(**inputs())
    try:
        append_and_use(**inputs())
    except jax.errors.UnexpectedTracerError as error:
        print("append_and_use", type(error).__name__)
