"""A training run that is stopped, saved, and resumed by a second program."""

import jax
import jax.numpy as jnp


def inputs(stop=10, end=20, width=4):
    """The step that the first program stops at, and the last one of all."""
    return {"stop": stop, "end": end, "width": width}


def seed_at_the_start(stop, end, width):
    """Each program begins with the seed; it saves the step and the noise so far."""

    def program(saved):
        key = jax.random.key(0)
        rows = list(saved["rows"])
        for _ in range(saved["step"], saved["until"]):
            key, subkey = jax.random.split(key)
            rows.append(jax.random.normal(subkey, (width,)))
        return rows

    first = program({"rows": [], "step": 0, "until": stop})
    return jnp.stack(program({"rows": first, "step": stop, "until": end}))


def key_in_the_file(stop, end, width):
    """The key is saved too, as its numbers."""

    def program(saved):
        key = jax.random.wrap_key_data(saved["key"])
        rows = list(saved["rows"])
        for _ in range(saved["step"], saved["until"]):
            key, subkey = jax.random.split(key)
            rows.append(jax.random.normal(subkey, (width,)))
        return rows, jax.random.key_data(key)

    fresh = jax.random.key_data(jax.random.key(0))
    first, key = program({"rows": [], "step": 0, "until": stop, "key": fresh})
    rows, _ = program({"rows": first, "step": stop, "until": end, "key": key})
    return jnp.stack(rows)


def key_from_the_step(stop, end, width):
    """Each program begins with the seed, and folds in the number of the step."""

    def program(saved):
        base = jax.random.key(0)
        rows = list(saved["rows"])
        for step in range(saved["step"], saved["until"]):
            subkey = jax.random.fold_in(base, step)
            rows.append(jax.random.normal(subkey, (width,)))
        return rows

    first = program({"rows": [], "step": 0, "until": stop})
    return jnp.stack(program({"rows": first, "step": stop, "until": end}))


def never_stopped(end, width):
    """One program from the first step to the last."""
    key = jax.random.key(0)
    rows = []
    for _ in range(end):
        key, subkey = jax.random.split(key)
        rows.append(jax.random.normal(subkey, (width,)))
    return jnp.stack(rows)


if __name__ == "__main__":
    plan = inputs()
    for variant in (seed_at_the_start, key_in_the_file, key_from_the_step):
        rows = variant(**plan)
        print(variant.__name__, len(jnp.unique(rows, axis=0)), "distinct of", len(rows))
    whole, parts = never_stopped(plan["end"], plan["width"]), key_in_the_file(**plan)
    print("stopped or not, the same:", bool((whole == parts).all()))
