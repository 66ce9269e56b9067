# %% right 1: the unit weights from outside
def one_for_all(w, x):
    unit = w / jnp.sqrt(jnp.sum(w**2, axis=0))

    def scores_and_nearest(example):
        scores = example @ unit
        return {"scores": scores, "nearest": unit[:, jnp.argmax(scores)]}

    return {"unit": unit, **jax.vmap(scores_and_nearest)(x)}


# %% right 1: as an argument
def of_one(unit, example):
    scores = example @ unit
    return scores, unit[:, jnp.argmax(scores)]


def one_for_all(w, x):
    unit = w / jnp.linalg.norm(w, axis=0)
    scores, nearest = jax.vmap(of_one, in_axes=(None, 0))(unit, x)
    return {"unit": unit, "scores": scores, "nearest": nearest}


# %% wrong 1: unit from another variant
def one_for_all(w, x):
    return unit_without_axis(w, x)


# %% wrong 1: copies of unit
def one_for_all(w, x):
    unit = w / jnp.linalg.norm(w, axis=0)
    return {**jax.vmap(classify, in_axes=(None, 0))(unit, x)}
