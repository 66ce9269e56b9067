# %% right 1: the mode as a static argument
def mode_in_an_attribute(x, w, seed):
    model = Model(w)

    def run(x, key, training):
        model.training = training
        return model(x, key)

    forward = jax.jit(run, static_argnames="training")
    first, second = jax.random.split(jax.random.key(seed))
    return forward(x, first, training=True), forward(x, second, training=False)


# %% right 1: jit again after the switch
def mode_in_an_attribute(x, w, seed):
    model = Model(w)
    key = jax.random.key(seed)
    first = jax.jit(lambda x, key: model(x, key))(x, key)
    model.training = False
    return first, jax.jit(lambda x, key: model(x, key))(x, key)


# %% wrong 1: without jit
def mode_in_an_attribute(x, w, seed):
    model = Model(w)
    key = jax.random.key(seed)
    first = model(x, key)
    model.training = False
    return first, model(x, key)


# %% wrong 1: as it was
def mode_in_an_attribute(x, w, seed):
    model = Model(w)
    forward = jax.jit(lambda x, key: model(x, key))
    key = jax.random.key(seed)
    first = forward(x, key)
    model.training = False
    return first, forward(x, key)
