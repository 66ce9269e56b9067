# %% right 1: a longer loop
@jax.jit
def work(x):
    for _ in range(16):
        x = jnp.tanh(x @ x)
    return x


# %% right 1: four times four
@jax.jit
def work(x):
    for _ in range(4):
        for _ in range(4):
            x = jnp.tanh(jnp.dot(x, x))
    return x


# %% wrong 1: eight
@jax.jit
def work(x):
    for _ in range(8):
        x = jnp.tanh(x @ x)
    return x


# %% wrong 1: four calls
def two_clocks(x):
    start = time.perf_counter()
    result = work(work(work(work(x))))
    returned = microseconds_since(start)
    jax.block_until_ready(result)
    finished = microseconds_since(start)
    return {"returned": returned, "finished": finished, "times_as_long": finished / returned}


# %% right 2: on a line of its own
def inputs(n=1000, seed=0):
    x = jax.random.normal(jax.random.key(seed), (n, n))
    jax.block_until_ready(work(x)[0, 0])
    return {"x": x}


def clock_on_each_line(x):
    start = time.perf_counter()
    result = work(x)
    jax.block_until_ready(result)
    call = microseconds_since(start)
    start = time.perf_counter()
    print(result[0, 0])
    return {"the call": call, "the print": microseconds_since(start)}


# %% right 2: its method
def inputs(n=1000, seed=0):
    x = jax.random.normal(jax.random.key(seed), (n, n))
    jax.block_until_ready(work(x)[0, 0])
    return {"x": x}


def clock_on_each_line(x):
    start = time.perf_counter()
    result = work(x).block_until_ready()
    call = microseconds_since(start)
    start = time.perf_counter()
    print(result[0, 0])
    return {"the call": call, "the print": microseconds_since(start)}


# %% wrong 2: the numbers themselves
def clock_on_each_line(x):
    print(work(x)[0, 0])
    return {"the call": jnp.float32(2.0), "the print": jnp.float32(1.0)}
