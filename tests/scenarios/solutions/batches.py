# == first_jaxpr
# %% right 1: as the exercise says
def multiply_and_add(x, y):
    return x * y + x * y

# %% wrong 1: the product once
def multiply_and_add(x, y):
    product = x * y
    return product + product

# %% wrong 1: two products of other numbers
def multiply_and_add(x, y):
    return x * x + (y * y - 1)

# %% right 2: a sine
def multiply_and_add(x, y):
    jnp.sin(x)
    return x * y + 2

# %% wrong 2: two steps more that are both used
def multiply_and_add(x, y):
    return (x * y + 2) / 2 * 2

# %% wrong 2: a line of Python numbers
def multiply_and_add(x, y):
    unused = 3 + 4
    return x * y + 2

# == in_axes_out_axes
# %% right 1: in_axes without its name
def batch_in_columns(xs_in_columns, ws_in_columns):
    return jax.vmap(convolve, 1)(xs_in_columns, ws_in_columns)

# %% wrong 1: transposed afterwards
def batch_in_columns(xs_in_columns, ws_in_columns):
    return jnp.transpose(jax.vmap(convolve, in_axes=1, out_axes=1)(xs_in_columns, ws_in_columns))

# %% wrong 1: transposed before
def batch_in_columns(xs_in_columns, ws_in_columns):
    return jax.vmap(convolve, in_axes=0)(xs_in_columns.T, ws_in_columns.T)

# %% wrong 1: the numbers themselves
def batch_in_columns(xs_in_columns, ws_in_columns):
    return jnp.array([[11.0, 20.0, 29.0], [25.0, 16.0, 7.0]])

# == jit_step_by_step
# %% right 1: a fourth call
def with_jit(x):
    compiled = jax.jit(root_mean_square)
    return [compiled(x), compiled(2 * x), compiled(3 * x), compiled(x[:3])]

# %% wrong 1: without jit
def with_jit(x):
    print("one line")
    return [jnp.sqrt(jnp.mean(each * each)) for each in (x, 2 * x, 3 * x)] + [root_mean_square(x[:3])]

# %% wrong 1: four numbers
def with_jit(x):
    compiled = jax.jit(root_mean_square)
    return [compiled(x), compiled(2 * x), compiled(3 * x), compiled(x[:4])]

# %% right 2: all numbers, as floats
def other_arguments(x):
    compiled = jax.jit(root_mean_square)
    return [compiled(x), compiled(2 * x), compiled(x.astype(int).astype(float)), compiled(x)]

# %% wrong 2: the result of one call, four times
def other_arguments(x):
    compiled = jax.jit(root_mean_square)
    return [compiled(x)] * 4

# %% wrong 2: whole numbers are left
def other_arguments(x):
    compiled = jax.jit(root_mean_square)
    return [compiled(x), compiled(x), compiled(x.astype(int)), compiled(x)]

# == shared_by_closure
# %% right 1: the key as an argument
def closed_over(x, key):
    def add_noise(example, key):
        return example + jax.random.normal(key, example.shape)

    return jax.vmap(add_noise)(x, jax.random.split(key, len(x)))

# %% wrong 1: one noise, made different by a factor
def closed_over(x, key):
    noise = jax.random.normal(key, x.shape[1:])
    return jax.vmap(lambda e, i: e + noise * (1 + 0.01 * i))(x, jnp.arange(len(x)))

# %% right 2: a split
def repeated_keys(x, key):
    def add_noise(example, key):
        return example + jax.random.normal(key, example.shape)

    return jax.vmap(add_noise)(x, jax.random.split(key, len(x)))

# %% wrong 2: noise from NumPy
import numpy as np

def repeated_keys(x, key):
    return x + np.random.default_rng(0).normal(size=x.shape)

# == dropout_in_a_training_step
# %% right 1: a split in the step
@jax.jit
def key_of_the_step(weights, x, y, rate, key):
    keys = jax.random.split(key, len(x))
    keep = jax.vmap(lambda example, key: keep_mask(key, rate, example.shape))(x, keys)
    return step(weights, x, y, rate, keep)

# %% right 1: one big draw
@jax.jit
def key_of_the_step(weights, x, y, rate, key):
    return step(weights, x, y, rate, keep_mask(key, rate, x.shape))

# %% wrong 1: without jit
def key_of_the_step(weights, x, y, rate, key):
    return step(weights, x, y, rate, keep_mask(key, rate, x.shape))

# %% wrong 1: masks from NumPy
import numpy as np

@jax.jit
def key_of_the_step(weights, x, y, rate, key):
    return step(weights, x, y, rate, np.random.default_rng(0).uniform(size=x.shape) > 0.25)

# %% right 2: as the exercise says
@jax.jit
def key_per_example(weights, x, y, rate, key):
    keep = keep_mask(key, rate, x.shape)
    return step(weights, x, y, rate, keep)

# %% wrong 2: one mask for the batch
@jax.jit
def key_per_example(weights, x, y, rate, key):
    keep = jnp.broadcast_to(keep_mask(key, rate, x.shape[1:]), x.shape)
    return step(weights, x, y, rate, keep)

# %% wrong 2: without jit
def key_per_example(weights, x, y, rate, key):
    return step(weights, x, y, rate, keep_mask(key, rate, x.shape))

# == nested_vmap
# %% right 1: keys of two axes
def key_per_chain(x, key):
    keys = jax.random.split(key, x.shape[:2])
    return jax.vmap(jax.vmap(add_noise))(x, keys)

# %% wrong 1: noise from NumPy
import numpy as np

def key_per_chain(x, key):
    return x + np.random.default_rng(0).normal(size=x.shape)

# %% right 2: an index
def keys_of_three_axes(x, key):
    keys = jax.random.split(key, (*x.shape[:2], 1))
    return jax.vmap(jax.vmap(add_noise))(x, keys[..., 0])

# %% wrong 2: another split
def keys_of_three_axes(x, key):
    keys = jax.random.split(key, x.shape[:2])
    return jax.vmap(jax.vmap(add_noise))(x, keys)

# %% wrong 2: no noise at all
def keys_of_three_axes(x, key):
    jax.random.split(key, (*x.shape[:2], 1))
    return x

# == shared_on_purpose
# %% right 1: a third number
def inputs(days=60, seed=0):
    return {"policies": jnp.array([0.10, 0.12, 0.14]), "key": jax.random.key(seed), "days": days}

# %% wrong 1: another policy
def inputs(days=60, seed=0):
    return {"policies": jnp.array([0.10, 0.12, 0.5]), "key": jax.random.key(seed), "days": days}

# %% right 2: a split
def same_weather(policies, key, days):
    keys = jax.random.split(key, len(policies))
    return jax.vmap(lambda policy, key: water_level(policy, key, days))(policies, keys)

# %% wrong 2: no weather at all
def same_weather(policies, key, days):
    return policies[:, None] * jnp.arange(1.0, days)

# == scan_step_by_step
# %% right 1: the level twice
def step(level, poured):
    level = level - level / 2 + poured
    return level, level

# %% wrong 1: the level before the step
def step(level, poured):
    return level - level / 2 + poured, level

# %% wrong 1: a Python loop
def scan(level, poured):
    levels = []
    for each in poured:
        level, _ = step(level, each)
        levels.append(level)
    return level, jnp.stack(levels)

# %% right 2: a pair in the carry
def scan(level, poured):
    def body(carry, poured):
        level, total = carry
        level, lost = step(level, poured)
        return (level, total + lost), lost

    return jax.lax.scan(body, (level, 0.0), poured)

# %% wrong 2: the number itself
def scan(level, poured):
    level, losses = jax.lax.scan(step, level, poured)
    return (level, jnp.float32(13.75)), losses

# %% wrong 2: the sum of what was poured
def scan(level, poured):
    def body(carry, poured):
        level, total = carry
        level, lost = step(level, poured)
        return (level, total + poured), lost

    return jax.lax.scan(body, (level, 0.0), poured)

# == loop_scan_vmap
# %% right 1: the other child is carried
def scan(x, key):
    def step(key, example):
        key, subkey = jax.random.split(key)
        return key, example + jax.random.normal(subkey, example.shape)

    return jax.lax.scan(step, key, x)[1]

# %% wrong 1: split, and the parent is carried
def scan(x, key):
    def step(key, example):
        subkey, _ = jax.random.split(key)
        return key, example + jax.random.normal(subkey, example.shape)

    return jax.lax.scan(step, key, x)[1]

# %% wrong 1: one big draw
def scan(x, key):
    return x + jax.random.normal(key, x.shape)

# %% right 2: a split, and the keys are mapped
def vmapped(x, key):
    def add_noise(example, key):
        return example + jax.random.normal(key, example.shape)

    return jax.vmap(add_noise)(x, jax.random.split(key, len(x)))

# %% wrong 2: noise from NumPy
import numpy as np

def vmapped(x, key):
    return x + np.random.default_rng(0).normal(size=x.shape)

# %% wrong 2: an own key, and not the one that comes in
def vmapped(x, key):
    def add_noise(example, key):
        return example + jax.random.normal(key, example.shape)

    return jax.vmap(add_noise)(x, jax.random.split(jax.random.key(7), len(x)))

# == what_it_costs
# %% right 1: without the branch
def noise_of_batch(key, x, shared):
    def draw(example, key):
        return jax.random.normal(key, example.shape)

    return jax.vmap(draw)(x, jax.random.split(key, len(x)))

# %% right 1: one big draw
def noise_of_batch(key, x, shared):
    return jax.random.normal(key, x.shape)

# %% wrong 1: an own key, and not the one that comes in
def noise_of_batch(key, x, shared):
    own = jax.random.fold_in(jax.random.key(7), jax.random.key_data(key)[1])
    return jax.random.normal(own, x.shape)

# %% wrong 1: every noise twice
def noise_of_batch(key, x, shared):
    rows = jax.random.normal(key, (len(x) // 2, x.shape[1]))
    return jnp.repeat(rows, 2, axis=0)

# %% right 2: eight keys, repeated
def noise_of_batch(key, x, shared):
    def draw(example, key):
        return jax.random.normal(key, example.shape)

    return jax.vmap(draw)(x, jnp.repeat(jax.random.split(key, 8), len(x) // 8))

# %% wrong 2: one key, and quieter noise
def noise_of_batch(key, x, shared):
    def draw(example, key):
        return jax.random.normal(key, example.shape) / 8**0.5

    return jax.vmap(draw, in_axes=(0, None))(x, key)

# %% right 2: eight draws, each added to eight examples
def noise_of_batch(key, x, shared):
    rows = jax.vmap(lambda key: jax.random.normal(key, x.shape[1:]))(jax.random.split(key, 8))
    return jnp.repeat(rows, len(x) // 8, axis=0)

# == biased_chain
# %% right 1: zeros
def inputs(chains=8, steps=100, seed=0):
    return {"start": jnp.zeros(chains), "key": jax.random.key(seed), "steps": steps}

# %% wrong 1: one path, copied
def one_key(start, key, steps):
    path = walk(steps, start[0], key)
    return told_by(jnp.broadcast_to(path, (len(start), steps)))

# %% right 2: the number as an argument
def one_key(start, key, steps):
    def numbered(start, number):
        return walk(steps, start, jax.random.fold_in(key, number))

    return told_by(jax.vmap(numbered)(start, jnp.arange(len(start))))

# %% wrong 2: an own key, and not the one that comes in
def one_key(start, key, steps):
    def numbered(start, number):
        return walk(steps, start, jax.random.fold_in(jax.random.key(7), number))

    return told_by(jax.vmap(numbered)(start, jnp.arange(len(start))))

# %% wrong 2: split of a folded key
def one_key(start, key, steps):
    keys = jax.random.split(jax.random.fold_in(key, 1), len(start))
    return told_by(jax.vmap(partial(walk, steps))(start, keys))

# == keys_in_flax
# %% right 1: as a decorator
def one_rngs(x, seed):
    @nnx.split_rngs(splits=len(x))
    @nnx.vmap
    def mapped(example, rngs):
        return masked(example, rngs)

    return mapped(x, nnx.Rngs(dropout=seed))

# %% wrong 1: split inside vmap
def one_rngs(x, seed):
    once = nnx.split_rngs(splits=1, squeeze=True)(masked)
    return nnx.vmap(once, in_axes=(0, None))(x, nnx.Rngs(dropout=seed))

# %% wrong 1: rows scaled
def one_rngs(x, seed):
    row = masked(x[0], nnx.Rngs(dropout=seed))
    return row * jnp.arange(1.0, len(x) + 1)[:, None]

# %% right 2: split beforehand
def linen_in_a_loop(x, seed):
    layer = linen.Dropout(0.5, deterministic=False)
    keys = jax.random.split(jax.random.key(seed), len(x))
    return jnp.stack([layer.apply({}, each, rngs={"dropout": key}) for each, key in zip(x, keys, strict=True)])

# %% wrong 2: nothing changed
def linen_in_a_loop(x, seed):
    layer = linen.Dropout(0.5, deterministic=False)
    key = jax.random.key(seed)
    return jnp.stack([layer.apply({}, each, rngs={"dropout": key}) for each in x])

# %% wrong 2: rolled
def linen_in_a_loop(x, seed):
    layer = linen.Dropout(0.5, deterministic=False)
    row = layer.apply({}, x[0], rngs={"dropout": jax.random.key(seed)})
    return jnp.stack([row * (i + 1) for i, e in enumerate(x)])
