# == one_key_for_the_batch
# %% right 1: a split, and the 0 that maps over the keys
def shared_key(x, key):
    keys = jax.random.split(key, len(x))
    return jax.vmap(add_noise, in_axes=(0, 0))(x, keys)

# %% wrong 1: rows of numbers that are no noise
def shared_key(x, key):
    return x + jnp.arange(x.size).reshape(x.shape)

# %% wrong 1: an own key, and not the one that comes in
def shared_key(x, key):
    keys = jax.random.split(jax.random.key(7), len(x))
    return jax.vmap(add_noise, in_axes=(0, 0))(x, keys)

# %% right 2: normal examples
def inputs(batch=32, features=10, seed=0):
    x = jax.random.normal(jax.random.key(1), (batch, features))
    key = jax.random.key(seed)
    return {"x": x, "key": key}

# %% wrong 2: the noise is fixed, too
def inputs(batch=32, features=10, seed=0):
    x = jax.random.normal(jax.random.key(1), (batch, features))
    return {"x": x, "key": jax.random.key(seed)}

def shared_key(x, key):
    return x + jax.random.normal(key, x.shape)

# %% wrong 2: the zeros stay, and the rows are made to differ in the variant
def shared_key(x, key):
    noisy = jax.vmap(add_noise, in_axes=(0, None))(x, key)
    return noisy + jnp.arange(len(x))[:, None]

# %% right 3: the split stays, unused
def key_per_example(x, key):
    keys = jax.random.split(key, len(x))
    return jax.vmap(add_noise, in_axes=(0, 0))(x, key)

# %% wrong 3: an error that is raised by hand
def key_per_example(x, key):
    raise ValueError((x, key))

# %% wrong 3: one key too many
def key_per_example(x, key):
    keys = jax.random.split(key, len(x) + 1)
    return jax.vmap(add_noise, in_axes=(0, 0))(x, keys)

# == seed_and_key
# %% right 1: a split
def same_key_twice(key):
    first_key, second_key = jax.random.split(key)
    return jnp.stack([jax.random.normal(first_key), jax.random.normal(second_key)])

# %% wrong 1: the first is drawn from the parent
def same_key_twice(key):
    _, second_key = jax.random.split(key)
    return jnp.stack([jax.random.normal(key), jax.random.normal(second_key)])

# %% wrong 1: numbers that are not drawn
def same_key_twice(key):
    return jnp.arange(2.0)

# %% right 2: a split in three
def split_first(key):
    keys = jax.random.split(key, 3)
    return jnp.stack([jax.random.normal(each) for each in keys])

# %% wrong 2: the third is the sum of the others
def split_first(key):
    first_key, second_key = jax.random.split(key)
    first, second = jax.random.normal(first_key), jax.random.normal(second_key)
    return jnp.stack([first, second, first + second])

# %% wrong 2: an own key, and not the one that comes in
def split_first(key):
    keys = jax.random.split(jax.random.key(7), 3)
    return jnp.stack([jax.random.normal(each) for each in keys])

# == split_tree
# %% right 1: a split in three
def chain(key, steps):
    numbers = []
    for _ in range(steps):
        key, first, second = jax.random.split(key, 3)
        numbers.append(jax.random.normal(first))
        numbers.append(jax.random.normal(second))
    return jnp.stack(numbers)

# %% right 1: two splits in each iteration
def chain(key, steps):
    numbers = []
    for _ in range(steps):
        key, subkey = jax.random.split(key)
        key, other = jax.random.split(key)
        numbers.append(jnp.stack([jax.random.normal(subkey), jax.random.normal(other)]))
    return jnp.stack(numbers)

# %% wrong 1: twice from one key
def chain(key, steps):
    numbers = []
    for _ in range(steps):
        key, subkey = jax.random.split(key)
        numbers += [jax.random.normal(subkey), jax.random.normal(subkey)]
    return jnp.stack(numbers)

# %% wrong 1: twice as many iterations
def chain(key, steps):
    numbers = []
    for _ in range(2 * steps):
        key, subkey = jax.random.split(key)
        numbers.append(jax.random.normal(subkey))
    return jnp.stack(numbers)

# %% right 2: three names
def one_split(key):
    first, second, third = jax.random.split(key, 3)
    return jnp.stack([jax.random.normal(first), jax.random.normal(second), jax.random.normal(third)])

# %% wrong 2: three draws from one child
def one_split(key):
    first, second, third = jax.random.split(key, 3)
    return jnp.stack([jax.random.normal(first), jax.random.normal(first), jax.random.normal(first)])

# %% wrong 2: numbers that are not drawn
def one_split(key):
    jax.random.split(key, 3)
    return jnp.arange(3.0)

# %% wrong 2: three numbers folded in
def one_split(key):
    return jnp.stack([jax.random.normal(jax.random.fold_in(key, i)) for i in range(3)])

# == parent_and_child
# %% right 1: one child for the noise, the other to be split
def draw_then_split(key, children):
    noise_key, parent = jax.random.split(key)
    noise = jax.random.uniform(noise_key, (children,))
    keys = jax.random.split(parent, children)
    return {"noise": noise, "keys": fingerprint(keys), "children": keys}

# %% wrong 1: noise from NumPy
import numpy as np

def draw_then_split(key, children):
    keys = jax.random.split(key, children)
    noise = np.random.default_rng(0).uniform(size=children)
    return {"noise": noise, "keys": fingerprint(keys), "children": keys}

# %% wrong 1: one number for all
def draw_then_split(key, children):
    noise_key, parent = jax.random.split(key)
    noise = jnp.full(children, jax.random.uniform(noise_key))
    keys = jax.random.split(parent, children)
    return {"noise": noise, "keys": fingerprint(keys), "children": keys}

# %% right 2: as the exercise says
def split_first(key, children):
    parent = jax.random.fold_in(key, 1)
    noise = jax.random.uniform(key, (children,))
    keys = jax.random.split(parent, children)
    return {"noise": noise, "keys": fingerprint(keys), "children": keys}

# %% wrong 2: nothing changed
def split_first(key, children):
    noise_key, parent = jax.random.split(key)
    noise = jax.random.uniform(noise_key, (children,))
    keys = jax.random.split(parent, children)
    return {"noise": noise, "keys": fingerprint(keys), "children": keys}

# %% wrong 2: drawn from parent
def split_first(key, children):
    parent = jax.random.fold_in(key, 1)
    noise = jax.random.uniform(parent, (children,))
    keys = jax.random.split(parent, children)
    return {"noise": noise, "keys": fingerprint(keys), "children": keys}

# == key_reuse_in_init
# %% right 1: a list of keys
def layer_by_layer(key, sizes=REGRESSION):
    weights = []
    keys = jax.random.split(key, len(sizes) - 1)
    for layer_key, (fan_in, fan_out) in zip(keys, pairwise(sizes), strict=True):
        weights.append(init_layer(layer_key, fan_in, fan_out))
    return weights

# %% right 1: the last key first
def layer_by_layer(key, sizes=REGRESSION):
    keys = list(jax.random.split(key, len(sizes)))
    return [init_layer(keys.pop(), fan_in, fan_out) for fan_in, fan_out in pairwise(sizes)]

# %% wrong 1: one split, and one of its keys for all layers
def layer_by_layer(key, sizes=REGRESSION):
    keys = jax.random.split(key, len(sizes) - 1)
    return [init_layer(keys[0], fan_in, fan_out) for fan_in, fan_out in pairwise(sizes)]

# %% wrong 1: a split in the loop
def layer_by_layer(key, sizes=REGRESSION):
    weights = []
    for fan_in, fan_out in pairwise(sizes):
        key, layer_key = jax.random.split(key)
        weights.append(init_layer(layer_key, fan_in, fan_out))
    return weights

# %% right 2: one more size
REGRESSION = (1, 128, 128, 128, 1)

# %% right 2: sizes of its own
def list_of_keys(key, sizes=(1, 64, 64, 32, 1)):
    keys = jax.random.split(key, len(sizes) - 1)
    return [init_layer(key, *layer) for key, layer in zip(keys, pairwise(sizes), strict=True)]

# %% wrong 2: the fourth layer is drawn and not returned
def list_of_keys(key, sizes=(1, 128, 128, 128, 1)):
    keys = jax.random.split(key, len(sizes) - 1)
    return [init_layer(key, *layer) for key, layer in zip(keys, pairwise(sizes), strict=True)][:3]

# %% wrong 2: the fourth layer has another seed
def list_of_keys(key, sizes=REGRESSION):
    keys = jax.random.split(key, len(sizes) - 1)
    layers = [init_layer(key, *layer) for key, layer in zip(keys, pairwise(sizes), strict=True)]
    return [*layers, init_layer(jax.random.key(7), 128, 1)]

# == fold_in_or_split
# %% right 1: 0 in every step
def fold_in_each_step(key, steps):
    return jax.lax.map(lambda step: jax.random.normal(jax.random.fold_in(key, 0)), steps)

# %% wrong 1: two numbers in turn
def fold_in_each_step(key, steps):
    return jax.lax.map(lambda step: jax.random.normal(jax.random.fold_in(key, step % 2)), steps)

# %% wrong 1: one number, drawn once
def fold_in_each_step(key, steps):
    return jnp.full(len(steps), jax.random.normal(jax.random.fold_in(key, 0)))

# %% wrong 1: fold_in, but drawn from key
def fold_in_each_step(key, steps):
    def draw(step):
        jax.random.fold_in(key, 0)
        return jax.random.normal(key)
    return jax.lax.map(draw, steps)

# %% right 2: the last key is not used
def split_all_at_once(key, steps):
    return jax.vmap(jax.random.normal)(jax.random.split(key, len(steps) + 1)[:-1])

# %% wrong 2: the key more comes from fold_in
def split_all_at_once(key, steps):
    keys = jax.random.split(jax.random.fold_in(key, 0), len(steps))
    return jax.vmap(jax.random.normal)(keys)

# %% wrong 2: an own key, and not the one that comes in
def split_all_at_once(key, steps):
    return jax.vmap(jax.random.normal)(jax.random.split(jax.random.key(7), len(steps)))

# == key_patterns
# %% right 1: the first key by its number
def split_up_front(x, key, steps):
    keys = jax.random.split(key, steps)
    for _ in range(steps):
        x = add_noise(x, keys[0])
    return x

# %% wrong 1: the first key in the first two steps alone
def split_up_front(x, key, steps):
    keys = jax.random.split(key, steps)
    for step in range(steps):
        x = add_noise(x, keys[max(0, step - 1)])
    return x

# %% wrong 1: the base key
def split_up_front(x, key, steps):
    for subkey in jax.random.split(key, steps):
        x = add_noise(x, key)
    return x

# %% right 2: a range from 3
def fold_in_the_step(x, key, steps):
    for step in range(3, steps):
        x = add_noise(x, jax.random.fold_in(key, step))
    return x

# %% wrong 2: the noise of step 3 from the base key
def fold_in_the_step(x, key, steps):
    return add_noise(x, key)

# == kept_and_spent
# %% right 1: the first split keeps one child
def one_and_two(key, size):
    key, weights_key = jax.random.split(key)
    weights = jax.random.normal(weights_key, (size,))
    key, mask_key = jax.random.split(key)
    mask = jax.random.normal(mask_key, (size,))
    data = jax.random.normal(key, (size,))
    return jnp.stack([weights, mask, data])

# %% wrong 1: one split for all
def one_and_two(key, size):
    return jnp.stack([jax.random.normal(each, (size,)) for each in jax.random.split(key, 3)])

# %% wrong 1: another child of a key that is split again
def one_and_two(key, size):
    weights_key = jax.random.split(key, 3)[2]
    weights = jax.random.normal(weights_key, (size,))
    key, mask_key = jax.random.split(key)
    mask = jax.random.normal(mask_key, (size,))
    data = jax.random.normal(key, (size,))
    return jnp.stack([weights, mask, data])

# %% right 2: around the whole body
def one_and_two(key, size):
    with jax.threefry_partitionable(False):
        weights_key = jax.random.split(key, 1)[0]
        weights = jax.random.normal(weights_key, (size,))
        key, mask_key = jax.random.split(key)
        mask = jax.random.normal(mask_key, (size,))
        data = jax.random.normal(key, (size,))
        return jnp.stack([weights, mask, data])

# %% wrong 2: the program that was right before
def one_and_two(key, size):
    with jax.threefry_partitionable(False):
        return three_at_once(key, size)

# %% wrong 2: around the last draw alone
def one_and_two(key, size):
    weights_key = jax.random.split(key, 1)[0]
    weights = jax.random.normal(weights_key, (size,))
    key, mask_key = jax.random.split(key)
    mask = jax.random.normal(mask_key, (size,))
    with jax.threefry_partitionable(False):
        data = jax.random.normal(key, (size,))
    return jnp.stack([weights, mask, data])

# == seed_that_came_back
# %% right 1: a split for the two purposes
def numbered_seeds(epochs, points):
    test_key, train_key = jax.random.split(jax.random.key(1))
    batches = [jax.random.normal(jax.random.fold_in(train_key, epoch), (points,)) for epoch in range(epochs)]
    return jnp.stack([jax.random.normal(test_key, (points,)), *batches])

# %% right 1: one big draw
def numbered_seeds(epochs, points):
    return jax.random.normal(jax.random.key(0), (epochs + 1, points))

# %% wrong 1: another seed for the test set
def numbered_seeds(epochs, points):
    test = jax.random.normal(jax.random.key(10), (points,))
    batches = [jax.random.normal(jax.random.key(epoch), (points,)) for epoch in range(epochs)]
    return jnp.stack([test, *batches])

# %% wrong 1: without the test set
def numbered_seeds(epochs, points):
    keys = jax.random.split(jax.random.key(1), epochs)
    return jnp.stack([jax.random.normal(key, (points,)) for key in keys])

# %% right 2: the number of the last epoch
def one_root(epochs, points):
    train_key = jax.random.split(jax.random.key(1))[1]
    test = jax.random.normal(jax.random.fold_in(train_key, epochs - 1), (points,))
    batches = [jax.random.normal(jax.random.fold_in(train_key, epoch), (points,)) for epoch in range(epochs)]
    return jnp.stack([test, *batches])

# %% wrong 2: the batch of the first epoch
def one_root(epochs, points):
    train_key = jax.random.split(jax.random.key(1))[1]
    test = jax.random.normal(jax.random.fold_in(train_key, 0), (points,))
    batches = [jax.random.normal(jax.random.fold_in(train_key, epoch), (points,)) for epoch in range(epochs)]
    return jnp.stack([test, *batches])

# %% wrong 2: one key for all rows
def one_root(epochs, points):
    key = jax.random.key(1)
    return jnp.stack([jax.random.normal(key, (points,)) for _ in range(epochs + 1)])

# == resumed_from_disk
# %% right 1: a seed from the step
def seed_at_the_start(stop, end, width):
    def program(saved):
        key = jax.random.key(saved["step"])
        rows = list(saved["rows"])
        for _ in range(saved["step"], saved["until"]):
            key, subkey = jax.random.split(key)
            rows.append(jax.random.normal(subkey, (width,)))
        return rows

    first = program({"rows": [], "step": 0, "until": stop})
    return jnp.stack(program({"rows": first, "step": stop, "until": end}))

# %% wrong 1: a number that does not depend on the step
def seed_at_the_start(stop, end, width):
    def program(saved):
        key = jax.random.fold_in(jax.random.key(0), 1)
        rows = list(saved["rows"])
        for _ in range(saved["step"], saved["until"]):
            key, subkey = jax.random.split(key)
            rows.append(jax.random.normal(subkey, (width,)))
        return rows

    first = program({"rows": [], "step": 0, "until": stop})
    return jnp.stack(program({"rows": first, "step": stop, "until": end}))

# %% wrong 1: never stopped
def seed_at_the_start(stop, end, width):
    return never_stopped(end, width)

# %% right 2: counted by enumerate
def key_from_the_step(stop, end, width):
    def program(saved):
        base = jax.random.key(0)
        rows = list(saved["rows"])
        for step, _ in enumerate(range(saved["step"], saved["until"])):
            rows.append(jax.random.normal(jax.random.fold_in(base, step), (width,)))
        return rows

    first = program({"rows": [], "step": 0, "until": stop})
    return jnp.stack(program({"rows": first, "step": stop, "until": end}))

# %% wrong 2: the seed at the start
def key_from_the_step(stop, end, width):
    return seed_at_the_start(stop, end, width)

# %% wrong 2: half as fast
def key_from_the_step(stop, end, width):
    def program(saved):
        base = jax.random.key(0)
        rows = list(saved["rows"])
        for step in range(saved["step"], saved["until"]):
            rows.append(jax.random.normal(jax.random.fold_in(base, step // 2), (width,)))
        return rows

    first = program({"rows": [], "step": 0, "until": stop})
    return jnp.stack(program({"rows": first, "step": stop, "until": end}))

# == same_key_other_distribution
# %% right 1: two names
def one_key(key, samples):
    position_key, speed_key = jax.random.split(key)
    position = jax.random.uniform(position_key, (samples,))
    return {"position": position, "speed": jax.random.normal(speed_key, (samples,))}

# %% wrong 1: a split, and a draw from the parent
def one_key(key, samples):
    _, speed_key = jax.random.split(key)
    return {"position": jax.random.uniform(key, (samples,)), "speed": jax.random.normal(speed_key, (samples,))}

# %% wrong 1: the speed from NumPy
import numpy as np

def one_key(key, samples):
    speed = np.random.default_rng(0).normal(size=samples)
    return {"position": jax.random.uniform(key, (samples,)), "speed": speed}

# %% right 2: a third distribution
def one_key(key, samples):
    position = jax.random.uniform(key, (samples,))
    speed = jax.random.normal(key, (samples,))
    return {"position": position, "speed": speed, "age": jax.random.exponential(key, (samples,))}

# %% wrong 2: the third has its own key
def one_key(key, samples):
    position = jax.random.uniform(key, (samples,))
    speed = jax.random.normal(key, (samples,))
    return {"position": position, "speed": speed, "age": jax.random.normal(jax.random.fold_in(key, 1), (samples,))}

# %% wrong 2: the third is the second
def one_key(key, samples):
    position = jax.random.uniform(key, (samples,))
    speed = jax.random.normal(key, (samples,))
    return {"position": position, "speed": speed, "age": 2 * speed}

# == old_and_new_keys
# %% right 1: fold_in
def one_more_old(seed):
    return jax.random.normal(jax.random.fold_in(jax.random.key(seed), 1), (3,))

# %% wrong 1: another seed
def one_more_old(seed):
    return jax.random.normal(jax.random.key(seed + 1), (3,))

# %% wrong 1: fold_in, from the old kind
def one_more_old(seed):
    return jax.random.normal(jax.random.fold_in(jax.random.PRNGKey(seed), 1), (3,))

# %% right 2: split
def vmap_over_one_old_key(seed):
    return jax.vmap(jax.random.normal)(jax.random.split(jax.random.key(seed), 4))

# %% right 2: fold_in, with old keys
def vmap_over_one_old_key(seed):
    return jax.vmap(lambda n: jax.random.normal(jax.random.fold_in(jax.random.PRNGKey(seed), n)))(jnp.arange(4))

# %% wrong 2: four times one key
def vmap_over_one_old_key(seed):
    return jax.vmap(jax.random.normal)(jnp.stack([jax.random.PRNGKey(seed)] * 4))

# %% wrong 2: one draw of four
def vmap_over_one_old_key(seed):
    return jax.random.normal(jax.random.key(seed), (4,))
