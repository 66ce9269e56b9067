# %% right 1: norm
def of_each(w, x, y):
    slope = jax.grad(loss_of_one)
    return jnp.linalg.norm(jax.vmap(slope, in_axes=(None, 0, 0))(w, x, y), axis=1)


# %% right 1: a root of a sum
def of_each(w, x, y):
    def length(example, label):
        gradient = jax.grad(loss_of_one)(w, example, label)
        return jnp.sqrt(jnp.sum(gradient**2))

    return jax.vmap(length)(x, y)


# %% wrong 1: along the other axis
def of_each(w, x, y):
    slope = jax.grad(loss_of_one)
    return jnp.linalg.norm(jax.vmap(slope, in_axes=(None, 0, 0))(w, x, y), axis=0)


# %% wrong 1: the losses
def of_each(w, x, y):
    return jax.vmap(loss_of_one, in_axes=(None, 0, 0))(w, x, y)


# %% right 2: instead of grad
def of_each(w, x, y):
    both = jax.value_and_grad(loss_of_one)
    return jax.vmap(both, in_axes=(None, 0, 0))(w, x, y)


# %% right 2: a lambda
def of_each(w, x, y):
    losses, slopes = jax.vmap(lambda example, label: jax.value_and_grad(loss_of_one)(w, example, label))(x, y)
    return losses, slopes


# %% wrong 2: of the mean
def of_each(w, x, y):
    return jax.value_and_grad(mean_loss)(w, x, y)


# %% wrong 2: nothing changed
def of_each(w, x, y):
    return jax.vmap(jax.grad(loss_of_one), in_axes=(None, 0, 0))(w, x, y)
