# %% right 1: fold_in under vmap
import jax.numpy as jnp


def one_draw_each(key, batch, features):
    keys = jax.vmap(jax.random.fold_in, in_axes=(None, 0))(key, jnp.arange(batch)[::-1])
    return jax.vmap(lambda key: jax.random.normal(key, (features,)))(keys)


# %% right 1: both in one function
import jax.numpy as jnp


def one_draw_each(key, batch, features):
    def row(number):
        return jax.random.normal(jax.random.fold_in(key, number), (features,))

    return jax.vmap(row)(jnp.arange(batch)[::-1])


# %% wrong 1: not in reverse order
import jax.numpy as jnp


def one_draw_each(key, batch, features):
    keys = jax.vmap(jax.random.fold_in, in_axes=(None, 0))(key, jnp.arange(batch))
    return jax.vmap(lambda key: jax.random.normal(key, (features,)))(keys)


# %% wrong 1: a big draw, in reverse order
def one_draw_each(key, batch, features):
    return jax.random.normal(jax.random.fold_in(key, 0), (batch, features))[::-1]


# %% right 2: as the exercise says
def one_draw_each(key, batch, features):
    keys = jax.random.split(key, batch)
    return jax.vmap(lambda key: jax.random.normal(keys[0], (features,)))(keys)


# %% right 2: the size instead of the keys
def one_draw_each(key, batch, features):
    first = jax.random.split(key, batch)[0]
    return jax.vmap(lambda: jax.random.normal(first, (features,)), axis_size=batch)()


# %% wrong 2: the key that was not split
def one_draw_each(key, batch, features):
    return jax.vmap(lambda: jax.random.normal(key, (features,)), axis_size=batch)()


# %% wrong 2: two keys in turn
import jax.numpy as jnp


def one_draw_each(key, batch, features):
    keys = jax.random.split(key, batch)
    both = jax.vmap(lambda: jax.random.normal(keys[0], (features,)), axis_size=batch)()
    return both.at[1].set(jax.random.normal(keys[1], (features,)))
