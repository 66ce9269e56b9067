# == print_is_not_there
# %% right 1: a list
def print_in_three_calls(x):
    return [log2_with_print(x + i) for i in range(3)]

# %% wrong 1: without jit
def log2_with_print(x):
    print("print:", x)
    return jnp.log(x) / jnp.log(2.0)

def print_in_three_calls(x):
    return [log2_with_print(x + i) for i in range(3)]

# %% wrong 1: other values
def print_in_three_calls(x):
    return [log2_with_print(x + 2 * i) for i in range(3)]

# %% right 2: one more call
def print_in_three_calls(x):
    return [*[log2_with_print(x) for _ in range(3)], log2_with_print(jnp.stack([x, x]))]

# %% right 2: one of the three
def print_in_three_calls(x):
    return [log2_with_print(x), log2_with_print(x), log2_with_print(jnp.array([x, x]))]

# %% wrong 2: a whole number
def print_in_three_calls(x):
    return [*[log2_with_print(x) for _ in range(3)], log2_with_print(8)]

# %% wrong 2: without jit
def log2_with_print(x):
    print("print:", x)
    return jnp.log(x) / jnp.log(2.0)

def print_in_three_calls(x):
    return [log2_with_print(x), log2_with_print(jnp.stack([x, x]))]

# == once_per_compile
# %% right 1: scan
@jax.jit
def add_count(count, x):
    count = count + 1
    return count, x + count

def global_count(x, calls):
    return jax.lax.scan(lambda count, _: add_count(count, x), 0, None, length=calls)[1]

# %% wrong 1: without jit
def add_count(x, count):
    count = count + 1
    return x + count, count

def global_count(x, calls):
    count, sums = 0, []
    for _ in range(calls):
        total, count = add_count(x, count)
        sums.append(total)
    return jnp.stack(sums)

# %% right 2: a vector of ones
def global_count(x, calls):
    sums = [add_count(x) for _ in range(calls)]
    return jnp.stack([*sums, add_count(jnp.ones(2))[0]])

# %% wrong 2: another value of the same shape
def global_count(x, calls):
    return jnp.stack([*[add_count(x) for _ in range(calls)], add_count(x + 1)])

# == a_tracer_escapes
# %% right 1: returned
def append_and_use(x, calls):
    kept.clear()

    @jax.jit
    def layer(x):
        hidden = jnp.sqrt(x)
        return hidden.sum(), hidden

    for call in range(calls):
        _, hidden = layer(x + call)
        kept.append(hidden)
    return jnp.stack(kept)

# %% wrong 1: without jit
def append_and_use(x, calls):
    kept.clear()

    def layer(x):
        hidden = jnp.sqrt(x)
        kept.append(hidden)
        return hidden.sum()

    for call in range(calls):
        layer(x + call)
    return jnp.stack(kept)

# %% wrong 1: the value of the first call, in each
def append_and_use(x, calls):
    layer = jax.jit(jnp.sqrt)
    return jnp.stack([layer(x)] * calls)

# %% wrong 1: disable_jit
def append_and_use(x, calls):
    kept.clear()

    @jax.jit
    def layer(x):
        hidden = jnp.sqrt(x)
        kept.append(hidden)
        return hidden.sum()

    with jax.disable_jit():
        for call in range(calls):
            layer(x + call)
    return jnp.stack(kept)

# %% right 2: the loop in a block
def append_and_count(x, calls):
    kept.clear()

    @jax.jit
    def layer(x):
        hidden = jnp.sqrt(x)
        kept.append(hidden)
        return hidden.sum()

    with jax.checking_leaks():
        for call in range(calls):
            layer(x + call)
    print("kept:", kept)
    return len(kept)

# %% wrong 2: an exception of one's own
def append_and_count(x, calls):
    raise Exception("Leaked")

# %% wrong 2: too late
def append_and_count(x, calls):
    kept.clear()

    @jax.jit
    def layer(x):
        hidden = jnp.sqrt(x)
        kept.append(hidden)
        return hidden.sum()

    for call in range(calls):
        layer(x + call)
    with jax.checking_leaks():
        print("kept:", kept)
    return len(kept)

# == checks_and_callbacks
# %% right 1: sorted
@jax.jit
def median(x):
    return jnp.sort(x)[len(x) // 2]

# %% right 1: value_and_grad
def gradient_through_numpy(x):
    value, slope = jax.value_and_grad(jnp.median)(x)
    return slope

# %% wrong 1: the mean
@jax.jit
def median(x):
    return jnp.mean(x)

# %% wrong 1: the numbers themselves
def gradient_through_numpy(x):
    return jnp.array([0.0, 0.0, 1.0, 0.0, 0.0])

# == shapes_decide
# %% right 1: one more in the tuple
def four_calls(three, five, table):
    jitted = jax.jit(log_of_tables)
    return [jitted(x) for x in (three, five, three, table, jnp.arange(3))]

# %% wrong 1: real numbers
def four_calls(three, five, table):
    jitted = jax.jit(log_of_tables)
    return [jitted(x) for x in (three, five, three, table, jnp.arange(3.0))]

# == if_on_a_value
# %% right 1: where
@jax.jit
def plain_if(x):
    return jnp.where(x > 0, 2 * x, -x)

# %% wrong 1: without jit
def plain_if(x):
    return jnp.where(x > 0, 2 * x, -x)

# %% wrong 1: another function is jitted
def plain_if(x):
    x = jax.jit(jnp.asarray)(x)
    if x > 0:
        return 2 * x
    return -x

# %% wrong 1: right for 3 and -3 only
@jax.jit
def plain_if(x):
    return jnp.where(x > 0, 2 * x, 3)

# %% right 2: two numbers
def inputs(x=3):
    return {"x": jnp.array([x, -x])}

# %% wrong 2: the same number twice
def inputs(x=3):
    return {"x": jnp.array([x, x])}

# %% wrong 2: the numbers themselves
@jax.jit
def with_where(x):
    return jnp.array([6, 3])

# == static_recompiles
# %% right 1: eight calls in a list
def static_n(x, largest):
    @partial(jax.jit, static_argnames="n")
    def power_sum(x, n):
        return sum(x**power for power in range(1, n + 1))

    return [power_sum(x, n=3) for _ in range(8)]

# %% wrong 1: another n
def static_n(x, largest):
    @partial(jax.jit, static_argnames="n")
    def power_sum(x, n):
        return sum(x**power for power in range(1, n + 1))

    return [power_sum(x, n=2) for _ in range(8)]

# %% wrong 1: the traced loop
def static_n(x, largest):
    @jax.jit
    def power_sum(x, n):
        return jax.lax.fori_loop(1, n + 1, lambda power, total: total + x**power, jnp.zeros_like(x))

    return [power_sum(x, 3) for _ in range(8)]

# == concrete_value_needed
# %% right 1: without item
@jax.jit
def with_item(x):
    largest = x.max()
    return x / largest

# %% wrong 1: nothing is scaled
@jax.jit
def with_item(x):
    return x

# %% wrong 1: without jit
def with_item(x):
    largest = x.max().item()
    return x / largest

# %% right 2: as the exercise says
@jax.jit
def with_array(x):
    largest = x.max()
    return x / float(largest)

# %% wrong 2: item again
@jax.jit
def with_array(x):
    return x / x.max().item()

# %% wrong 2: without jit
def with_array(x):
    return x / float(x.max())

# == boolean_masks
# %% right 1: the mean of those that the mask lets through
@jax.jit
def keep_the_shape(x, weights, limit):
    return jnp.mean(weights, where=x > limit)

# %% wrong 1: without jit
def keep_the_shape(x, weights, limit):
    return weights[x > limit].mean()

# %% wrong 1: the number itself
@jax.jit
def keep_the_shape(x, weights, limit):
    return jnp.float32(13.5)

# %% wrong 1: divided by the two above 2
@jax.jit
def keep_the_shape(x, weights, limit):
    return jnp.where(x > limit, weights, 0.0).sum() / 2

# %% right 2: as the exercise says
@jax.jit
def box_of_four(x, weights, limit):
    (places,) = jnp.nonzero(x > limit, size=4, fill_value=5)
    return {"picked": weights.at[places].get(mode="fill", fill_value=0), "places": places}

# %% wrong 2: the fill value is read at the last place
@jax.jit
def box_of_four(x, weights, limit):
    (places,) = jnp.nonzero(x > limit, size=4, fill_value=5)
    return {"picked": weights[places], "places": places}

# %% wrong 2: the numbers themselves
@jax.jit
def box_of_four(x, weights, limit):
    return {"picked": jnp.array([13.0, 14.0, 0.0, 0.0]), "places": jnp.array([3, 4, 5, 5])}

# == beyond_the_end
# %% right 1: as the exercise says
@jax.jit
def read(x, i, back, start):
    return {"on": x.at[i].get(mode="fill"), "back": x.at[back].get(mode="fill"), "slice": x[3:]}

# %% wrong 1: NaN itself
@jax.jit
def read(x, i, back, start):
    return {"on": jnp.float32(jnp.nan), "back": back * jnp.nan, "slice": x[3:]}

# %% wrong 1: the slice begins where it still has four
@jax.jit
def read(x, i, back, start):
    on, before = x.at[i].get(mode="fill"), x.at[back].get(mode="fill")
    return {"on": on, "back": before, "slice": jax.lax.dynamic_slice(x, (start - 2,), (4,))}

# %% right 2: a comparison, added up
@jax.jit
def write(x, i):
    numbers = jnp.array([0, 1, 2, i])
    return {
        "set": x.at[i].set(9.0, mode="drop"),
        "sums": jax.ops.segment_sum(jnp.full(4, 9.0), numbers, num_segments=4, mode="drop"),
        "lost": jnp.sum(numbers >= 4),
    }

# %% wrong 2: the number itself
@jax.jit
def write(x, i):
    numbers = jnp.array([0, 1, 2, i])
    sums = jax.ops.segment_sum(jnp.full(4, 9.0), numbers, num_segments=4, mode="drop")
    return {"set": x.at[i].set(9.0, mode="drop"), "sums": sums, "lost": jnp.int32(1)}

# %% wrong 2: compared with the end of x
@jax.jit
def write(x, i):
    numbers = jnp.array([0, 1, 2, i])
    sums = jax.ops.segment_sum(jnp.full(4, 9.0), numbers, num_segments=4, mode="drop")
    return {"set": x.at[i].set(9.0, mode="drop"), "sums": sums, "lost": jnp.sum(numbers >= len(x))}

# %% wrong 2: counted, but without a mode
@jax.jit
def write(x, i):
    numbers = jnp.array([0, 1, 2, i])
    sums = jax.ops.segment_sum(jnp.full(4, 9.0), numbers, num_segments=4)
    return {"set": x.at[i].set(9.0), "sums": sums, "lost": jnp.sum(numbers >= 4)}

# == carry_of_a_scan
# %% right 1: the record is carry and output
def append_in_the_carry(readings):
    def step(record, reading):
        record = jnp.maximum(record, reading)
        return record, record

    return jax.lax.scan(step, 0.0, readings)[1]

# %% wrong 1: the readings instead of the records
def append_in_the_carry(readings):
    def step(record, reading):
        return jnp.maximum(record, reading), reading

    return jax.lax.scan(step, 0.0, readings)[1]

# %% wrong 1: a history of fixed length in the carry
def append_in_the_carry(readings):
    def step(history, reading):
        return jnp.append(history[1:], jnp.maximum(history[-1], reading)), None

    return jax.lax.scan(step, jnp.zeros(8), readings)[0]

# %% wrong 1: a box, written by dynamic_update_slice
def append_in_the_carry(readings):
    def step(carry, reading):
        record, box, i = carry
        record = jnp.maximum(record, reading)
        return (record, jax.lax.dynamic_update_slice(box, record[None], (i,)), i + 1), None

    return jax.lax.scan(step, (0.0, jnp.zeros(8), 0), readings)[0][1]

# %% wrong 1: the records themselves
def append_in_the_carry(readings):
    return jnp.array([3.5, 3.5, 4.0, 4.0, 5.0, 9.0, 9.0, 9.0])

# %% right 2: a float32
def start_with_an_array(readings):
    def step(total, reading):
        return total + reading, None

    return jax.lax.scan(step, jnp.float32(0), readings)[0]

# %% wrong 2: a whole number of Python
def start_with_an_array(readings):
    def step(total, reading):
        return total + reading, None

    return jax.lax.scan(step, 0, readings)[0]

# %% wrong 2: without a scan
def start_with_an_array(readings):
    return jnp.sum(readings)

# == random_depth
# %% right 1: as the exercise says
def scan_with_a_mask(x, weights, keys):
    def forward(x, key):
        depth = random_depth(key)

        def step(x, i):
            return jnp.where(i < depth, layer(x, weights), x), None

        return jax.lax.scan(step, x, jnp.arange(DEEPEST))[0]

    return jax.vmap(forward, in_axes=(0, None))(x, keys[0])

# %% wrong 1: a depth that nothing draws
def scan_with_a_mask(x, weights, keys):
    def forward(x):
        def step(x, i):
            return jnp.where(i < 3, layer(x, weights), x), None

        return jax.lax.scan(step, x, jnp.arange(DEEPEST))[0]

    return jax.vmap(forward)(x)

# %% wrong 1: the same key once for each example
def scan_with_a_mask(x, weights, keys):
    def forward(x, key):
        noise = jax.random.normal(key, x.shape)
        return x + noise

    return jax.vmap(forward, in_axes=(0, None))(x, keys[0])

# == written_in_place
# %% right 1: as in NumPy
def plain_write(n):
    x = jnp.zeros(n)
    place = x.unsafe_buffer_pointer()
    x[0] = 9.0
    return {"x": x[:4], "same_place": x.unsafe_buffer_pointer() == place}

# %% wrong 1: an array of NumPy
def plain_write(n):
    x = np.zeros(n)
    x[0] = 9.0
    return {"x": x[:4]}

# %% wrong 1: an error of one's own
def plain_write(n):
    x = np.zeros(n)
    x[0] = 9.0
    raise TypeError

# %% right 2: a second function that donates
@partial(jax.jit, donate_argnames="x")
def write_second(x):
    return x.at[1].set(9.0)

def donated_write(n):
    x = jnp.zeros(n)
    place = x.unsafe_buffer_pointer()
    y = write_second(write_donated(x))
    return {"y": y[:4], "same_place": y.unsafe_buffer_pointer() == place, "deleted": x.is_deleted()}

# %% wrong 2: one function writes both
@partial(jax.jit, donate_argnames="x")
def write_donated(x):
    return x.at[:2].set(9.0)

# %% wrong 2: everything is a 9
@partial(jax.jit, donate_argnames="x")
def write_all(x):
    return x.at[:].set(9.0)

def donated_write(n):
    x = jnp.zeros(n)
    place = x.unsafe_buffer_pointer()
    y = write_all(write_donated(x))
    return {"y": y[:4], "same_place": y.unsafe_buffer_pointer() == place, "deleted": x.is_deleted()}

# %% wrong 2: compared before the second write, which does not donate
def donated_write(n):
    x = jnp.zeros(n)
    place = x.unsafe_buffer_pointer()
    y = write_donated(x)
    same_place = y.unsafe_buffer_pointer() == place
    y = jax.jit(lambda x: x.at[1].set(9.0))(y)
    return {"y": y[:4], "same_place": same_place, "deleted": x.is_deleted()}

# %% wrong 2: the place of the result, compared with itself
def donated_write(n):
    x = jnp.zeros(n)
    y = jax.jit(lambda x: x.at[1].set(9.0))(write_donated(x))
    place = y.unsafe_buffer_pointer()
    return {"y": y[:4], "same_place": y.unsafe_buffer_pointer() == place, "deleted": x.is_deleted()}

# %% right 3: used after it was donated
def donated_write(n):
    x = jnp.zeros(n)
    y = write_donated(x)
    return {"x": x[:4], "y": y[:4]}

# %% wrong 3: not donated
def donated_write(n):
    x = jnp.zeros(n)
    y = write(x)
    return {"x": x[:4], "y": y[:4]}

# %% wrong 3: an error of one's own
def donated_write(n):
    x = jnp.zeros(n)
    print(x[:4], write_donated(x))
    raise RuntimeError("Array has been deleted")

# == thirty_two_bits
# %% right 1: another entry
def with_x64(steps):
    with jax.enable_x64(True):
        return {**float_count(steps), "whole": whole_count(steps)}

# %% wrong 1: outside of the block
def with_x64(steps):
    with jax.enable_x64(True):
        found = float_count(steps)
    return {**found, "whole": whole_count(steps)}

# %% right 2: rows
def add_up():
    tenths = jnp.full(1_000_000, 0.1)
    rows = tenths.reshape(1000, 1000)
    one_by_one, _ = jax.lax.scan(lambda total, row: (total + row.sum(), None), 0.0, rows)
    return {"one_by_one": one_by_one, "sum": jnp.sum(tenths)}

# %% right 2: the sums of the rows first
def add_up():
    tenths = jnp.full((1000, 1000), 0.1)
    one_by_one, _ = jax.lax.scan(lambda total, each: (total + each, None), 0.0, jnp.sum(tenths, axis=1))
    return {"one_by_one": one_by_one, "sum": jnp.sum(tenths)}

# %% wrong 2: 64 bits
def add_up():
    with jax.enable_x64(True):
        tenths = jnp.full(1_000_000, 0.1)
        one_by_one, _ = jax.lax.scan(lambda total, each: (total + each, None), 0.0, tenths)
        return {"one_by_one": one_by_one, "sum": jnp.sum(tenths)}

# %% wrong 2: the sum itself
def add_up():
    tenths = jnp.full(1_000_000, 0.1)
    return {"one_by_one": jnp.sum(tenths), "sum": jnp.sum(tenths)}

# == sixteen_bits
# %% right 1: Python loop
def one_by_one(x):
    total = jnp.float32(0)
    for each in x:
        total = total + each
    return total

# %% wrong 1: jnp.sum
def one_by_one(x):
    return jnp.sum(x.astype(jnp.float32))

# %% wrong 1: float16
def one_by_one(x):
    return jax.lax.fori_loop(0, len(x), lambda i, total: total + x[i].astype(jnp.float16), jnp.float16(0))

# == modules_under_jit
# %% right 1: the layer as an argument of nnx.jit
def read_by_closure(x):
    model = Scale()
    predict = nnx.jit(lambda model, x: model.weight * x)
    before = predict(model, x)
    model.weight[...] = 5.0
    return {"before": before, "after": predict(model, x)}

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

# %% wrong 2: filter_jit
def passed_to_jax_jit(x):
    return eqx.filter_jit(lambda layer, x: layer(x))(new_layer(), x)

# %% wrong 2: the activation left out
def passed_to_jax_jit(x):
    arrays, rest = eqx.partition(new_layer(activation=jnp.abs), eqx.is_array)
    return jax.jit(lambda arrays, x: eqx.combine(arrays, rest)(x))(arrays, x)

# == mutable_refs
# %% right 1: read before the events
def two_names(events, size):
    counts = jax.new_ref(jnp.zeros(size, int))
    before = counts[...]
    for i in events:
        raise_in(counts, i)
    return {"before": before, "after": counts[...]}

# %% right 1: two refs
def two_names(events, size):
    counts, before = jax.new_ref(jnp.zeros(size, int)), jax.new_ref(jnp.zeros(size, int))
    for i in events:
        raise_in(counts, i)
    return {"before": before[...], "after": counts[...]}

# %% wrong 1: read at the end
def two_names(events, size):
    counts = jax.new_ref(jnp.zeros(size, int))
    for i in events:
        raise_in(counts, i)
    return {"before": counts[...], "after": counts[...]}

# %% wrong 1: without refs
def two_names(events, size):
    return {"before": jnp.zeros(size, int), "after": returned_each_time(events, size)}

# %% right 2: its values
def returned_from_jit(size):
    return jax.jit(lambda x: jax.new_ref(x)[...])(jnp.zeros(size))

# %% wrong 2: the ref outside
def returned_from_jit(size):
    return jax.new_ref(jnp.zeros(size))[...]

# %% wrong 2: no ref
def returned_from_jit(size):
    return jax.jit(lambda x: x)(jnp.zeros(size))
