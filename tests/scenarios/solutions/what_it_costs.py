# == selu_eager_or_jit
# %% right 1: expm1
def inputs(n=10):
    return {"x": jnp.linspace(-5.0, 5.0, n)}

def selu(x):
    return SCALE * jnp.where(x > 0, x, ALPHA * jnp.expm1(x))

# %% wrong 1: 1 is still subtracted
def inputs(n=10):
    return {"x": jnp.linspace(-5.0, 5.0, n)}

def selu(x):
    return SCALE * jnp.where(x > 0, x, ALPHA * (jnp.expm1(x) - 1))

# %% wrong 1: nothing changed but the size
def inputs(n=10):
    return {"x": jnp.linspace(-5.0, 5.0, n)}

# %% right 2: around the whole
def selu(x):
    return jnp.tanh(SCALE * jnp.where(x > 0, x, ALPHA * (jnp.exp(x) - 1)))

# %% wrong 2: instead of the formula
def selu(x):
    return jnp.tanh(x)

# %% wrong 2: a result that is not used
def selu(x):
    jnp.tanh(x)
    return SCALE * jnp.where(x > 0, x, ALPHA * (jnp.exp(x) - 1))

# %% right 3: a method
@jax.jit
def selu_jit(x):
    return selu(x).sum()

# %% wrong 3: the largest
@jax.jit
def selu_jit(x):
    return selu(x).max()

# %% wrong 3: the sum above zero
@jax.jit
def selu_jit(x):
    return jnp.sum(jnp.where(x > 0, selu(x), 0.0))

# == too_small_to_win
# %% right 1: a Python loop
@jax.jit
def compiled(x):
    for _ in range(10):
        x = polynomial(x)
    return x

# %% wrong 1: the loop outside
def with_jit(x):
    for _ in range(10):
        x = compiled(x)
    return x

# %% wrong 1: nine
@jax.jit
def compiled(x):
    for _ in range(9):
        x = polynomial(x)
    return x

# == jit_in_a_loop
# %% right 1: the lambda once
def jit_of_a_lambda(x, n):
    step = jax.jit(lambda x: count_up(x))
    for _ in range(n):
        x = step(x)
    return x

# %% wrong 1: without jit
def jit_of_a_lambda(x, n):
    for _ in range(n):
        x = count_up(x)
    return x

# %% wrong 1: no loop any more
def jit_of_a_lambda(x, n):
    return jax.jit(lambda x: x + n)(x)

# == waiting_for_the_device
# %% right 1: a longer loop
@jax.jit
def work(x):
    for _ in range(16):
        x = jnp.tanh(x @ x)
    return x

# %% wrong 1: eight
@jax.jit
def work(x):
    for _ in range(8):
        x = jnp.tanh(x @ x)
    return x

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

# %% wrong 2: the numbers themselves
def clock_on_each_line(x):
    print(work(x)[0, 0])
    return {"the call": jnp.float32(2.0), "the print": jnp.float32(1.0)}

# == to_the_device
# %% right 1: np.array
def guarded(data):
    stack = jax.device_put(np.array(data))
    total = jnp.float32(0)
    with jax.transfer_guard("disallow"):
        for batch in stack:
            total = step(total, batch)
    return total

# %% wrong 1: without the guard
def guarded(data):
    total = jnp.float32(0)
    for batch in data:
        total = step(total, batch)
    return total

# %% wrong 1: each row put
def guarded(data):
    total = jnp.float32(0)
    with jax.transfer_guard("disallow"):
        for batch in np.stack(data):
            total = step(total, jax.device_put(batch))
    return total

# == first_call_and_later
# %% right 1: cube by power
def squash(x):
    x = (x - x.mean()) / x.std()
    for _ in range(30):
        x = x - 0.05 * x**3
    return x

# %% wrong 1: 45 loops of two mul
def squash(x):
    x = (x - x.mean()) / x.std()
    for _ in range(45):
        x = x - 0.05 * (x * x)
    return x

# %% wrong 1: dead
def squash(x):
    x = (x - x.mean()) / x.std()
    y = x
    for _ in range(30):
        y = y - 0.05 * y * y * y
    return x

# == which_line_is_slow
# %% right 1: the other median
def report(x, w):
    return product(x, w), chain(x), wave(x), middle_by_counting(x)

# %% wrong 1: the mean
def middle(x):
    return x.mean()

# == ahead_of_time
# %% right 1: five numbers
def other_shape(x):
    wanted = jax.ShapeDtypeStruct((5,), jnp.float32)
    compiled = energy.trace(wanted).lower().compile()
    return compiled(jnp.arange(5.0))

# %% wrong 1: jit does it
def other_shape(x):
    return energy(jnp.arange(5.0))

# %% wrong 1: four, and the rest by hand
def other_shape(x):
    wanted = jax.ShapeDtypeStruct((4,), jnp.float32)
    compiled = energy.trace(wanted).lower().compile()
    return compiled(x) + 4.0**2

# == what_keeps_memory
# %% right 1: the losses in the loop
def kept_states(n, steps):
    x = jnp.ones(n)
    before = alive()
    losses = []
    for _ in range(steps):
        losses.append(jnp.mean(x**2))
        x = 0.9 * x
    return {"bytes": jnp.array(alive() - before), "losses": jnp.stack(losses)}

# %% right 1: a few numbers of each state
def kept_states(n, steps):
    x = jnp.ones(n)
    before = alive()
    states = []
    for _ in range(steps):
        states.append(x[:4])
        x = 0.9 * x
    return {"bytes": jnp.array(alive() - before), "losses": jnp.stack([jnp.mean(x**2) for x in states])}

# %% wrong 1: the last state alone
def kept_states(n, steps):
    x = jnp.ones(n)
    before = alive()
    for _ in range(steps):
        x = 0.9 * x
    return {"bytes": jnp.array(alive() - before), "losses": jnp.full(steps, jnp.mean(x**2))}

# %% wrong 1: cleared before the count
def kept_states(n, steps):
    x = jnp.ones(n)
    before = alive()
    states = []
    for _ in range(steps):
        states.append(x)
        x = 0.9 * x
    losses = jnp.stack([jnp.mean(x**2) for x in states])
    states.clear()
    return {"bytes": jnp.array(alive() - before), "losses": losses}

# %% right 2: donate_argnums
def two_names(n):
    before = alive()
    x = jnp.ones(n)
    y = jax.jit(lambda x: x + 1, donate_argnums=0)(x)
    both = alive() - before
    del x
    one = alive() - before
    return {"both": jnp.array(both), "one": jnp.array(one), "first": y[0]}

# %% wrong 2: the name is deleted sooner
def two_names(n):
    before = alive()
    x = jnp.ones(n)
    y = x + 1
    del x
    both = alive() - before
    one = alive() - before
    return {"both": jnp.array(both), "one": jnp.array(one), "first": y[0]}

# %% wrong 2: jit without donation
def two_names(n):
    before = alive()
    x = jnp.ones(n)
    y = jax.jit(lambda x: x + 1)(x)
    both = alive() - before
    del x
    one = alive() - before
    return {"both": jnp.array(both), "one": jnp.array(one), "first": y[0]}

# == folded_away
# %% right 1: a larger table and a longer loop
TABLE = jnp.linspace(0.0, 1.0, 300 * 300).reshape(300, 300)

def work(x):
    for _ in range(40):
        x = jnp.cos(x @ x / len(x))
    return x.sum()

# %% wrong 1: only the table
TABLE = jnp.linspace(0.0, 1.0, 300 * 300).reshape(300, 300)

# %% wrong 1: without jit
TABLE = jnp.linspace(0.0, 1.0, 300 * 300).reshape(300, 300)

def work(x):
    for _ in range(40):
        x = jnp.cos(x @ x / len(x))
    return x.sum()

def closed_over():
    return work(TABLE)

# %% wrong 1: 100 x 100 up to 300
TABLE = jnp.linspace(0.0, 300.0, 100 * 100).reshape(100, 100)

def work(x):
    for _ in range(40):
        x = jnp.cos(x @ x / len(x))
    return x.sum()

# %% right 2: work under jit
closed_over = jax.jit(work)

# %% wrong 2: an argument that nothing reads
@jax.jit
def closed_over(x):
    return work(TABLE)

# %% wrong 2: without jit
def closed_over(x):
    return work(x)

# == unrolled
# %% right 1: five steps one after the other
def scan(x, steps):
    def body(x, _):
        for _ in range(5):
            x = step(x)
        return x, None

    x, _ = jax.lax.scan(body, x, length=steps // 5)
    return x

# %% right 1: an inner fori_loop
def scan(x, steps):
    def body(x, _):
        return jax.lax.fori_loop(0, 5, lambda _, x: step(x), x), None

    x, _ = jax.lax.scan(body, x, length=steps // 5)
    return x

# %% wrong 1: as many iterations as before
def scan(x, steps):
    def body(x, _):
        for _ in range(5):
            x = step(x)
        return x, None

    x, _ = jax.lax.scan(body, x, length=steps)
    return x

# %% wrong 1: five iterations
def scan(x, steps):
    def body(x, _):
        for _ in range(steps // 5):
            x = step(x)
        return x, None
    return jax.lax.scan(body, x, length=5)[0]

# %% right 2: an array as the end
def fori_loop(x, steps):
    return jax.lax.fori_loop(0, jnp.asarray(steps), lambda _, x: step(x), x)

# %% wrong 2: one step less
def fori_loop(x, steps):
    return jax.lax.fori_loop(1, jnp.asarray(steps), lambda _, x: step(x), x)

# == which_loop
# %% right 1: a scan that adds 0
def gradient_of_while_loop(x):
    def total(x):
        def body(total, each):
            return total + jnp.where(total <= 10.0, each, 0.0), None

        return jax.lax.scan(body, 0.0, x)[0]

    return jax.grad(total)(x)

# %% wrong 1: five of them
def gradient_of_while_loop(x):
    return jax.grad(lambda x: with_scan(x)[4])(x)
