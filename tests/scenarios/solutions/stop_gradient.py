# %% right 1: around the estimate
def with_stop_gradient(theta, state, next_state, reward):
    def loss(theta):
        target = reward + value(theta, next_state)
        return (jax.lax.stop_gradient(value(theta, state)) - target) ** 2

    return jax.grad(loss)(theta)


# %% right 1: around the weights of the estimate
def with_stop_gradient(theta, state, next_state, reward):
    def loss(theta):
        estimate = value(jax.lax.stop_gradient(theta), state)
        return (estimate - (reward + value(theta, next_state))) ** 2

    return jax.grad(loss)(theta)


# %% wrong 1: around both
def with_stop_gradient(theta, state, next_state, reward):
    def loss(theta):
        target = reward + value(theta, next_state)
        return jax.lax.stop_gradient(value(theta, state) - target) ** 2

    return jax.grad(loss)(theta)


# %% wrong 1: the numbers themselves
def with_stop_gradient(theta, state, next_state, reward):
    return jnp.array([4.8, 2.4, 0.0])
