# %% right 1: an index in a lambda
def grad_of_many(x, leak):
    return jax.grad(lambda x: results(x, leak)[2])(x)


# %% right 1: one backward pass
def grad_of_many(x, leak):
    _, backward = jax.vjp(lambda x: results(x, leak), x)
    return backward(jnp.array([0.0, 0.0, 1.0]))[0]


# %% wrong 1: the second result
def grad_of_many(x, leak):
    return jax.grad(lambda x: results(x, leak)[1])(x)


# %% wrong 1: the numbers themselves
def grad_of_many(x, leak):
    return jnp.array([leak, leak, 4.0 + leak])


# %% right 2: the Jacobian of a gradient
def jacobian(x, leak):
    return jax.jacobian(jax.grad(lambda x: jnp.sum(results(x, leak))))(x)


# %% right 2: of another variant
def jacobian(x, leak):
    return jax.jacfwd(of_the_sum)(x, leak)


# %% wrong 2: of each result
def jacobian(x, leak):
    return jax.hessian(results)(x, leak)


# %% wrong 2: the numbers themselves
def jacobian(x, leak):
    return 2.0 * jnp.eye(3)
