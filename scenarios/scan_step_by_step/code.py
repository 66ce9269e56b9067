"""A leaking tank, step by step: as a Python loop, as a scan, and as a fori_loop."""

import jax
import jax.numpy as jnp


def inputs(steps=6):
    """An empty tank, and the litres poured in at each step: 8, nothing, nothing, and again."""
    poured = jnp.where(jnp.arange(steps) % 3 == 0, 8.0, 0.0)
    return {"level": jnp.array(0.0), "poured": poured}


def step(level, poured):
    """Lose half of the water, then pour some in; return the new level, and the amount lost."""
    lost = level / 2
    return level - lost + poured, lost


def python_loop(level, poured):
    """Call `step` for each entry, and collect the losses in a list."""
    losses = []
    for each in poured:
        level, lost = step(level, each)
        losses.append(lost)
    return level, jnp.stack(losses)


def scan(level, poured):
    """Pass `step` itself to `jax.lax.scan`."""
    return jax.lax.scan(step, level, poured)


def fori_loop(level, poured):
    """Pass the number of iterations, and a function of the iteration's number."""

    def body(i, carry):
        level, losses = carry
        level, lost = step(level, poured[i])
        return level, losses.at[i].set(lost)

    return jax.lax.fori_loop(0, len(poured), body, (level, jnp.zeros_like(poured)))


if __name__ == "__main__":
    for variant in (python_loop, scan, fori_loop):
        print(variant.__name__, *variant(**inputs()))
