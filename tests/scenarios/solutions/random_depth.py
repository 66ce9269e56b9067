# %% right 1: as the exercise says
def scan_with_a_mask(x, weights, keys):
    def forward(x, key):
        depth = random_depth(key)

        def step(x, i):
            return jnp.where(i < depth, layer(x, weights), x), None

        return jax.lax.scan(step, x, jnp.arange(DEEPEST))[0]

    return jax.vmap(forward, in_axes=(0, None))(x, keys[0])


# %% right 1: another key for all
def scan_with_a_mask(x, weights, keys):
    def forward(x, key):
        depth = random_depth(key)

        def step(x, i):
            return jnp.where(i < depth, layer(x, weights), x), None

        return jax.lax.scan(step, x, jnp.arange(DEEPEST))[0]

    return jax.vmap(lambda x: forward(x, keys[-1]))(x)


# %% wrong 1: a depth that nothing draws
def scan_with_a_mask(x, weights, keys):
    def forward(x):
        def step(x, i):
            return jnp.where(i < 3, layer(x, weights), x), None

        return jax.lax.scan(step, x, jnp.arange(DEEPEST))[0]

    return jax.vmap(forward)(x)


# %% wrong 1: the same key once for each example
def scan_with_a_mask(x, weights, keys):
    def forward(x, key):
        noise = jax.random.normal(key, x.shape)
        return x + noise

    return jax.vmap(forward, in_axes=(0, None))(x, keys[0])
