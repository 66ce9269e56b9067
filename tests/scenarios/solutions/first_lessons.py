"""Solutions of the exercises of the first lessons."""

# == arrays_and_numpy
# %% right 1: a sum of its own
def two_names_in_numpy(numbers):
    first = numbers.copy()
    second = first + 10
    return {"first": first, "second": second}

# %% right 1: a copy, changed in place
def two_names_in_numpy(numbers):
    second = np.array(numbers)
    second += 10
    return {"first": numbers, "second": second}

# %% wrong 1: JAX instead of NumPy
def two_names_in_numpy(numbers):
    first = jnp.asarray(numbers)
    return {"first": first, "second": first + 10}

# %% wrong 1: JAX under its other name
def two_names_in_numpy(numbers):
    first = jax.device_put(numbers)
    return {"first": first, "second": first + 10}

# %% wrong 1: a view is no copy
def two_names_in_numpy(numbers):
    first = numbers.copy()
    second = first[:]
    second += 10
    return {"first": first, "second": second}

# %% right 2: the floats are float32
def mixed_dtypes(numbers):
    integers = (1000 * numbers).astype(np.int32)
    halves = numbers.astype(np.float16)
    return {"numpy": integers + halves, "jax": jnp.asarray(integers) + jnp.asarray(halves, jnp.float32)}

# %% wrong 2: float32 after the sum
def mixed_dtypes(numbers):
    integers = (1000 * numbers).astype(np.int32)
    halves = numbers.astype(np.float16)
    return {"numpy": integers + halves, "jax": (jnp.asarray(integers) + jnp.asarray(halves)).astype(jnp.float32)}

# %% wrong 2: an array of JAX from NumPy's sum
def mixed_dtypes(numbers):
    integers = (1000 * numbers).astype(np.int32)
    halves = numbers.astype(np.float16)
    return {"numpy": integers + halves, "jax": jnp.asarray(integers + halves)}

# %% wrong 2: NumPy's sum as JAX's
def mixed_dtypes(numbers):
    integers = (1000 * numbers).astype(np.int32)
    return {"numpy": integers + numbers, "jax": integers + numbers}

# == a_training_run
# %% right 1: one order for both
def in_batches_apart(key, x, y, batch):
    order = jax.random.permutation(key, len(x))
    return x[order].reshape(-1, batch), y[order].reshape(-1, batch)

# %% right 1: both in one array
def in_batches_apart(key, x, y, batch):
    both = jax.random.permutation(key, jnp.stack([x, y], axis=1)).reshape(-1, batch, 2)
    return both[..., 0], both[..., 1]

# %% wrong 1: examples drawn with replacement
def in_batches_apart(key, x, y, batch):
    drawn = jax.random.randint(key, x.shape, 0, len(x))
    return x[drawn].reshape(-1, batch), y[drawn].reshape(-1, batch)

# %% wrong 1: the labels in no new order
def in_batches_apart(key, x, y, batch):
    return jax.random.permutation(key, x).reshape(-1, batch), y.reshape(-1, batch)

# %% right 2: fold_in
def one_key_each_step(key, count):
    return [jax.random.fold_in(key, number) for number in range(count)]

# %% right 2: the other function
def same_noise(key, epochs, batch):
    return run(key, epochs, batch, in_batches, new_key_each_step)

# %% wrong 2: the same keys in each epoch
def one_key_each_step(key, count):
    return jax.random.split(jax.random.key(0), count)

# %% wrong 2: no noise
def step(parameters, x, y, key):
    value, slopes = jax.value_and_grad(loss)(parameters, x, y)
    return jax.tree.map(lambda leaf, slope: leaf - 0.2 * slope, parameters, slopes), value
