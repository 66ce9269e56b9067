# %% right 1: five numbers
def other_shape(x):
    wanted = jax.ShapeDtypeStruct((5,), jnp.float32)
    compiled = energy.trace(wanted).lower().compile()
    return compiled(jnp.arange(5.0))


# %% right 1: the shape of the argument
def other_shape(x):
    five = jnp.arange(5.0)
    compiled = energy.lower(five).compile()
    return compiled(five)


# %% wrong 1: jit does it
def other_shape(x):
    return energy(jnp.arange(5.0))


# %% wrong 1: four numbers
def other_shape(x):
    wanted = jax.ShapeDtypeStruct((4,), jnp.float32)
    compiled = energy.trace(wanted).lower().compile()
    return compiled(jnp.arange(4.0))
