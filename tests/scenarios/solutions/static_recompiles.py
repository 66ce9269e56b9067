# %% right 1: eight calls in a list
def static_n(x, largest):
    @partial(jax.jit, static_argnames="n")
    def power_sum(x, n):
        return sum(x**power for power in range(1, n + 1))

    return [power_sum(x, n=3) for _ in range(8)]


# %% right 1: static by its number, in a loop
def static_n(x, largest):
    @partial(jax.jit, static_argnums=1)
    def power_sum(x, n):
        return sum(x**power for power in range(1, n + 1))

    found = []
    for _ in range(8):
        found.append(power_sum(x, 3))
    return found


# %% wrong 1: another n
def static_n(x, largest):
    @partial(jax.jit, static_argnames="n")
    def power_sum(x, n):
        return sum(x**power for power in range(1, n + 1))

    return [power_sum(x, n=2) for _ in range(8)]


# %% wrong 1: the traced loop
def static_n(x, largest):
    @jax.jit
    def power_sum(x, n):
        return jax.lax.fori_loop(1, n + 1, lambda power, total: total + x**power, jnp.zeros_like(x))

    return [power_sum(x, 3) for _ in range(8)]
