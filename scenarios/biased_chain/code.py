"""Chains of a sampler, from several starts, and the error of their mean."""

from functools import partial

import jax
import jax.numpy as jnp

STEP = 0.1
RUNS = 200


def inputs(chains=8, steps=100, seed=0):
    """The starts of the chains, far apart."""
    start = jnp.linspace(-4.0, 4.0, chains)
    return {"start": start, "key": jax.random.key(seed), "steps": steps}


def walk(steps, start, key):
    """Return the path of one chain: Langevin steps towards a standard normal."""

    def step(x, key):
        x = x - STEP * x + jnp.sqrt(2 * STEP) * jax.random.normal(key)
        return x, x

    return jax.lax.scan(step, start, jax.random.split(key, steps))[1]


def told_by(paths):
    """Return the paths, how far apart they end, and R-hat of their second half."""
    half = paths[:, paths.shape[1] // 2 :]
    within = half.var(axis=1, ddof=1).mean()
    between = half.mean(axis=1).var(ddof=1)
    length = half.shape[1]
    r_hat = jnp.sqrt(((length - 1) / length * within + between) / within)
    return {"path": paths, "apart": jnp.ptp(paths[:, -1]), "r_hat": r_hat}


def one_key(start, key, steps):
    """One key, which each chain splits for its steps."""
    return told_by(jax.vmap(partial(walk, steps), in_axes=(0, None))(start, key))


def own_keys(start, key, steps):
    """A key for each chain, which it splits for its steps."""
    keys = jax.random.split(key, len(start))
    return told_by(jax.vmap(partial(walk, steps), in_axes=(0, 0))(start, keys))


def mean_and_error(paths):
    """Return the mean of the second half, and its error from how the chains differ."""
    means = paths[:, paths.shape[1] // 2 :].mean(axis=1)
    return means.mean(), means.std(ddof=1) / jnp.sqrt(len(means))


def over_runs(variant, start, key, steps):
    """Return the estimates of many runs, the error that each claims, and scatter over claim."""

    def run(key):
        return mean_and_error(variant(start, key, steps)["path"])

    estimate, claimed = jax.vmap(run)(jax.random.split(key, RUNS))
    return {"estimate": estimate, "claimed": claimed, "times": estimate.std() / claimed.mean()}


def runs_of_one_key(start, key, steps):
    """200 runs of `one_key`."""
    return over_runs(one_key, start, key, steps)


def runs_of_own_keys(start, key, steps):
    """200 runs of `own_keys`."""
    return over_runs(own_keys, start, key, steps)


if __name__ == "__main__":
    for variant in (one_key, own_keys):
        result = variant(**inputs())
        print(variant.__name__, "apart", result["apart"], "R-hat", result["r_hat"])
    for variant in (runs_of_one_key, runs_of_own_keys):
        result = variant(**inputs())
        print(variant.__name__, "scatter", result["estimate"].std(), "claimed", result["claimed"].mean())
