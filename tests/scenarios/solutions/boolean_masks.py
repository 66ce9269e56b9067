# %% right 1: the mean of those that the mask lets through
@jax.jit
def keep_the_shape(x, weights, limit):
    return jnp.mean(weights, where=x > limit)


# %% right 1: a sum divided by a count
@jax.jit
def keep_the_shape(x, weights, limit):
    return jnp.where(x > limit, weights, 0.0).sum() / jnp.sum(x > limit)


# %% wrong 1: without jit
def keep_the_shape(x, weights, limit):
    return weights[x > limit].mean()


# %% wrong 1: the number itself
@jax.jit
def keep_the_shape(x, weights, limit):
    return jnp.float32(13.5)


# %% right 2: as the exercise says
@jax.jit
def box_of_four(x, weights, limit):
    (places,) = jnp.nonzero(x > limit, size=4, fill_value=5)
    return {"picked": weights.at[places].get(mode="fill", fill_value=0), "places": places}


# %% right 2: the length of the array as the fill value
@jax.jit
def box_of_four(x, weights, limit):
    (places,) = jnp.nonzero(x > limit, size=4, fill_value=len(x))
    return {"picked": weights.at[places].get(mode="fill", fill_value=0.0), "places": places}


# %% wrong 2: the fill value is read at the last place
@jax.jit
def box_of_four(x, weights, limit):
    (places,) = jnp.nonzero(x > limit, size=4, fill_value=5)
    return {"picked": weights[places], "places": places}


# %% wrong 2: the numbers themselves
@jax.jit
def box_of_four(x, weights, limit):
    return {"picked": jnp.array([13.0, 14.0, 0.0, 0.0]), "places": jnp.array([3, 4, 5, 5])}
