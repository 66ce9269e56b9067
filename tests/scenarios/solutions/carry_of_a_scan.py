# %% right 1: the record is carry and output
def append_in_the_carry(readings):
    def step(record, reading):
        record = jnp.maximum(record, reading)
        return record, record

    return jax.lax.scan(step, 0.0, readings)[1]


# %% right 1: where, beginning below everything
def append_in_the_carry(readings):
    def step(record, reading):
        record = jnp.where(reading > record, reading, record)
        return record, record

    _, history = jax.lax.scan(step, jnp.float32(-jnp.inf), readings)
    return history


# %% wrong 1: the readings instead of the records
def append_in_the_carry(readings):
    def step(record, reading):
        return jnp.maximum(record, reading), reading

    return jax.lax.scan(step, 0.0, readings)[1]


# %% wrong 1: the records themselves
def append_in_the_carry(readings):
    return jnp.array([3.5, 3.5, 4.0, 4.0, 5.0, 9.0, 9.0, 9.0])


# %% right 2: a float32
def start_with_an_array(readings):
    def step(total, reading):
        return total + reading, None

    return jax.lax.scan(step, jnp.float32(0), readings)[0]


# %% right 2: an array of a number, with the dtype
def start_with_an_array(readings):
    def step(total, reading):
        return total + reading, None

    start = jnp.asarray(0, dtype=readings.dtype)
    return jax.lax.scan(step, start, readings)[0]


# %% wrong 2: a whole number of Python
def start_with_an_array(readings):
    def step(total, reading):
        return total + reading, None

    return jax.lax.scan(step, 0, readings)[0]


# %% wrong 2: without a scan
def start_with_an_array(readings):
    return jnp.sum(readings)
