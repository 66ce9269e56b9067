# %% right 1: at the end
EXAMPLES = (
    [1, "a", object],
    (1, (2, 3), ()),
    {"a": 2, "b": (2, 3)},
    [jnp.zeros(2), None, {"rate": 0.5}],
    [[1], [2, 3], {}],
)


# %% right 1: counted by the structure
EXAMPLES = (
    [1, "a", object],
    (1, (2, 3), ()),
    {"a": 2, "b": (2, 3)},
    [jnp.zeros(2), None, {"rate": 0.5}],
    [[1], [2, 3], {}],
)


def count_leaves():
    return jnp.array([jax.tree.structure(example).num_leaves for example in EXAMPLES])


# %% wrong 1: nothing changed
def count_leaves():
    leaves = [jax.tree.leaves(example) for example in EXAMPLES]
    return jnp.array([len(found) for found in leaves])


# %% wrong 1: another list
EXAMPLES = (
    [1, "a", object],
    (1, (2, 3), ()),
    {"a": 2, "b": (2, 3)},
    [jnp.zeros(2), None, {"rate": 0.5}],
    [1, 2, 3],
)
