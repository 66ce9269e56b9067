# %% right 1: everything may be kept
def with_policy(ws, x):
    policy = jax.checkpoint_policies.everything_saveable
    return loss_of(jax.checkpoint(block, policy=policy), ws, x)


# %% right 1: everything except a name that does not occur
def with_policy(ws, x):
    policy = jax.checkpoint_policies.save_anything_except_these_names("nothing")
    return loss_of(jax.checkpoint(block, policy=policy), ws, x)


# %% wrong 1: nothing may be kept
def with_policy(ws, x):
    policy = jax.checkpoint_policies.nothing_saveable
    return loss_of(jax.checkpoint(block, policy=policy), ws, x)


# %% wrong 1: plain keeps less instead
def plain(ws, x):
    return with_policy(ws, x)


# %% right 2: block twice
def two_blocks(h, pair):
    return block(block(h, pair[0]), pair[1])


def checkpointed(ws, x):
    return loss_of(jax.checkpoint(two_blocks), ws.reshape(len(ws) // 2, 2, *ws.shape[1:]), x)


# %% right 2: a loop over the pair
def checkpointed(ws, x):
    @jax.checkpoint
    def two_layers(h, pair):
        for w in pair:
            h = block(h, w)
        return h

    pairs = ws.reshape(len(ws) // 2, 2, *ws.shape[1:])
    h, _ = jax.lax.scan(lambda h, pair: (two_layers(h, pair), None), x, pairs)
    return jnp.mean(h**2)


# %% wrong 2: every second layer is left out
def checkpointed(ws, x):
    pairs = ws.reshape(len(ws) // 2, 2, *ws.shape[1:])
    return loss_of(jax.checkpoint(lambda h, pair: block(h, pair[0])), pairs, x)


# %% wrong 2: four layers at a time
def checkpointed(ws, x):
    @jax.checkpoint
    def four_layers(h, four):
        for w in four:
            h = block(h, w)
        return h

    return loss_of(four_layers, ws.reshape(len(ws) // 4, 4, *ws.shape[1:]), x)
