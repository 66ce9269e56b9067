# %% right 1: the layer as an argument of nnx.jit
def read_by_closure(x):
    model = Scale()
    predict = nnx.jit(lambda model, x: model.weight * x)
    before = predict(model, x)
    model.weight[...] = 5.0
    return {"before": before, "after": predict(model, x)}


# %% right 1: split, and merged inside
def read_by_closure(x):
    model = Scale()
    predict = jax.jit(lambda graph, state, x: nnx.merge(graph, state).weight * x, static_argnums=0)
    before = predict(*nnx.split(model), x)
    model.weight[...] = 5.0
    return {"before": before, "after": predict(*nnx.split(model), x)}


# %% wrong 1: another function for the second call
def read_by_closure(x):
    model = Scale()
    before = jax.jit(lambda x: model.weight * x)(x)
    model.weight[...] = 5.0
    return {"before": before, "after": jax.jit(lambda x: model.weight * x)(x)}


# %% wrong 1: the new weight from the beginning
def read_by_closure(x):
    model = Scale()
    model.weight[...] = 5.0
    predict = jax.jit(lambda x: model.weight * x)
    return {"before": predict(x), "after": predict(x)}


# %% right 2: as the exercise says
def passed_to_jax_jit(x):
    arrays, rest = eqx.partition(new_layer(), eqx.is_array)
    return jax.jit(lambda arrays, x: eqx.combine(arrays, rest)(x))(arrays, x)


# %% right 2: the rest as a static argument
def passed_to_jax_jit(x):
    def predict(arrays, rest, x):
        return eqx.combine(arrays, rest)(x)

    arrays, rest = eqx.partition(new_layer(), eqx.is_array)
    return jax.jit(predict, static_argnums=1)(arrays, rest, x)


# %% wrong 2: filter_jit
def passed_to_jax_jit(x):
    return eqx.filter_jit(lambda layer, x: layer(x))(new_layer(), x)


# %% wrong 2: the activation left out
def passed_to_jax_jit(x):
    arrays, rest = eqx.partition(new_layer(activation=jnp.abs), eqx.is_array)
    return jax.jit(lambda arrays, x: eqx.combine(arrays, rest)(x))(arrays, x)
