# %% right 1: the logarithm of the sigmoid
def loss(w, x, labels):
    z = w * x
    return -jnp.mean(labels * jax.nn.log_sigmoid(z) + (1 - labels) * jax.nn.log_sigmoid(-z))


# %% right 1: softplus
def loss(w, x, labels):
    return jnp.mean(jax.nn.softplus(w * x) - labels * w * x)


# %% wrong 1: a large number under the logarithm
def loss(w, x, labels):
    p = jax.nn.sigmoid(w * x)
    return -jnp.mean(labels * jnp.log(p + 0.01) + (1 - labels) * jnp.log(1.01 - p))


# %% wrong 1: the other loss
def loss(w, x, labels):
    return loss_of_logits(w, x, labels)


# %% right 2: a where around the new weight
def trained(loss, x, labels, rate):
    def step(w, _):
        value, slope = jax.value_and_grad(loss)(w, x, labels)
        return jnp.where(jnp.isfinite(slope), w - rate * slope, w), value

    return jax.lax.scan(step, 0.1, length=STEPS)


# %% right 2: a slope of 0
def trained(loss, x, labels, rate):
    def step(w, _):
        value, slope = jax.value_and_grad(loss)(w, x, labels)
        return w - rate * jnp.nan_to_num(slope), value

    return jax.lax.scan(step, 0.1, length=STEPS)


# %% wrong 2: the loss is fixed instead
def loss(w, x, labels):
    z = w * x
    return -jnp.mean(labels * jax.nn.log_sigmoid(z) + (1 - labels) * jax.nn.log_sigmoid(-z))
