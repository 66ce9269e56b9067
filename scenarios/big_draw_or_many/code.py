"""Noise for a batch: in one draw, or one draw for each example."""

import jax


def inputs(batch=64, features=32, seed=0):
    """The key, and the sizes of the noise."""
    return {"key": jax.random.key(seed), "batch": batch, "features": features}


def one_big_draw(key, batch, features):
    """One key, one draw that is as large as the batch."""
    return jax.random.normal(key, (batch, features))


def one_draw_each(key, batch, features):
    """As many keys as examples, a small draw from each."""
    keys = jax.random.split(key, batch)
    return jax.vmap(lambda key: jax.random.normal(key, (features,)))(keys)


if __name__ == "__main__":
    for variant in (one_big_draw, one_draw_each):
        noise = variant(**inputs())
        print(variant.__name__, "mean", noise.mean(), "standard deviation", noise.std())
