# == convolve_a_batch
# %% right 1: product and sum
def inputs(batch=2, length=20):
    xs = jnp.arange(float(batch * length)).reshape(batch, length)
    ws = jnp.tile(jnp.array([2.0, 3.0, 4.0]), (batch, 1))
    return {"xs": xs, "ws": ws}

def convolve(x, w):
    def at(i):
        return jnp.sum(jax.lax.dynamic_slice(x, (i,), w.shape) * w)

    return jax.vmap(at)(jnp.arange(len(x) - len(w) + 1))

# %% wrong 1: five numbers, as before
def convolve(x, w):
    def at(i):
        return jax.lax.dynamic_slice(x, (i,), w.shape) @ w

    return jax.vmap(at)(jnp.arange(len(x) - len(w) + 1))

# %% wrong 1: lax.map over positions
def inputs(batch=2, length=20):
    xs = jnp.arange(float(batch * length)).reshape(batch, length)
    ws = jnp.tile(jnp.array([2.0, 3.0, 4.0]), (batch, 1))
    return {"xs": xs, "ws": ws}

def convolve(x, w):
    def at(i):
        return jax.lax.dynamic_slice(x, (i,), w.shape) @ w

    return jax.lax.map(at, jnp.arange(len(x) - len(w) + 1))

# %% right 2: as the exercise says
def convolve(x, w):
    return jnp.convolve(x, w[::-1], mode="valid")

# %% wrong 2: the filter the other way round
def convolve(x, w):
    return jnp.convolve(x, w, mode="valid")

# %% wrong 2: one filter for all
def vmapped(xs, ws):
    return jnp.stack([jnp.convolve(x, w[::-1], mode="valid") for x, w in zip(xs, ws)])

# %% right 3: without the axis of the sum
def by_hand(xs, ws):
    width = ws.shape[1]
    places = range(xs.shape[1] - width + 1)
    sums = [jnp.sum(xs[:, i : i + width] * ws) for i in places]
    return jnp.stack(sums, axis=1)

# %% wrong 3: an error of one's own
def by_hand(xs, ws):
    raise ValueError("axis")

# %% wrong 3: axis=2
def by_hand(xs, ws):
    width = ws.shape[1]
    places = range(xs.shape[1] - width + 1)
    sums = [jnp.sum(xs[:, i : i + width] * ws, axis=2) for i in places]
    return jnp.stack(sums, axis=1)

# == what_vmap_did_to_each_line
# %% right 1: the unit weights from outside
def one_for_all(w, x):
    unit = w / jnp.sqrt(jnp.sum(w**2, axis=0))

    def scores_and_nearest(example):
        scores = example @ unit
        return {"scores": scores, "nearest": unit[:, jnp.argmax(scores)]}

    return {"unit": unit, **jax.vmap(scores_and_nearest)(x)}

# %% wrong 1: unit from another variant
def one_for_all(w, x):
    return unit_without_axis(w, x)

# %% wrong 1: copies of unit
def one_for_all(w, x):
    unit = w / jnp.linalg.norm(w, axis=0)
    return {**jax.vmap(classify, in_axes=(None, 0))(unit, x)}

# %% wrong 1: the first copy
def one_for_all(w, x):
    found = jax.vmap(classify, in_axes=(None, 0))(w, x)
    return {**found, "unit": found["unit"][0]}

# == trees
# %% right 1: at the end
EXAMPLES = (
    [1, "a", object],
    (1, (2, 3), ()),
    {"a": 2, "b": (2, 3)},
    [jnp.zeros(2), None, {"rate": 0.5}],
    [[1], [2, 3], {}],
)

# %% wrong 1: another list
EXAMPLES = (
    [1, "a", object],
    (1, (2, 3), ()),
    {"a": 2, "b": (2, 3)},
    [jnp.zeros(2), None, {"rate": 0.5}],
    [1, 2, 3],
)

# == classes_as_trees
# %% right 1: the decorator
@jax.tree_util.register_dataclass
@dataclass
class Plain:
    scale: jax.Array
    shift: jax.Array

# %% wrong 1: another class
def plain_class(x, scale):
    return apply(Registered(scale, 1.0), x)

# %% wrong 1: without jit
def apply(layer, x):
    return layer.scale * x + layer.shift

def plain_class(x, scale):
    return apply(Plain(scale, 1.0), x)

# == axes_of_a_tree
# %% right 1: two arguments
def predict(body, head, x):
    hidden = jnp.tanh(x @ body["weights"] + body["bias"])
    return jnp.sum(hidden * head["weights"]) + head["bias"]

def zero_for_the_tree(params, x):
    return jax.vmap(predict, in_axes=(None, 0, None))(params["body"], params["head"], x)

# %% wrong 1: a loop over the heads
def zero_for_the_tree(params, x):
    body, head = params["body"], params["head"]
    hidden = jnp.tanh(x @ body["weights"] + body["bias"])
    each = zip(head["weights"], head["bias"], strict=True)
    return jnp.stack([jnp.sum(hidden * weights) + bias for weights, bias in each])

# %% wrong 1: the bias is forgotten
def zero_for_the_tree(params, x):
    def of_head(body, head):
        return jnp.sum(jnp.tanh(x @ body["weights"] + body["bias"]) * head["weights"])

    return jax.vmap(of_head, in_axes=(None, 0))(params["body"], params["head"])

# %% wrong 1: dict( )
def zero_for_the_tree(params, x):
    return jax.vmap(predict, in_axes=(dict(body=None, head=0), None))(params, x)

# %% right 2: out_axes
def twice(params, xs):
    axes = {"body": None, "head": 0}
    of_examples = jax.vmap(predict, in_axes=(None, 0))
    return jax.vmap(of_examples, in_axes=(axes, None), out_axes=1)(params, xs)

# %% wrong 2: the two vmaps swapped
def twice(params, xs):
    axes = {"body": None, "head": 0}
    of_heads = jax.vmap(predict, in_axes=(axes, None))
    return jax.vmap(of_heads, in_axes=(None, 0))(params, xs)

# %% wrong 2: one head for all, transposed
def twice(params, xs):
    axes = {"body": None, "head": 0}
    of_examples = jax.vmap(predict, in_axes=(None, 0))
    out = jax.vmap(of_examples, in_axes=(axes, None))(params, xs).T
    return jnp.broadcast_to(out[:, :1], out.shape)

# == cond_under_vmap
# %% right 1: map
def mapped(x, threshold):
    return jax.lax.map(lambda number: choose(number, threshold), x)

# %% wrong 1: one branch for all
def mapped(x, threshold):
    return jax.lax.cond(x[0] > threshold, costly, cheap, x)

# %% wrong 1: one cond for all
def mapped(x, threshold):
    def some(x):
        return jnp.where(x > threshold, costly(x), cheap(x))
    return jax.lax.cond(jnp.any(x > threshold), some, cheap, x)

# == many_devices
# %% right 1: folded in
def key_replicated(x, key):
    def on_device(x, key):
        key = jax.random.fold_in(key, jax.lax.axis_index("devices"))
        return x + jax.random.normal(key, x.shape)

    pieces, everywhere = PartitionSpec("devices"), PartitionSpec()
    mapped = jax.shard_map(on_device, mesh=all_devices(), in_specs=(pieces, everywhere), out_specs=pieces)
    return jax.jit(mapped)(x, key)

# %% wrong 1: the same number on each device
def key_replicated(x, key):
    def on_device(x, key):
        key = jax.random.fold_in(key, 0 * jax.lax.axis_index("devices"))
        return x + jax.random.normal(key, x.shape)

    pieces, everywhere = PartitionSpec("devices"), PartitionSpec()
    mapped = jax.shard_map(on_device, mesh=all_devices(), in_specs=(pieces, everywhere), out_specs=pieces)
    return jax.jit(mapped)(x, key)

# %% wrong 1: on one device
def key_replicated(x, key):
    return one_device(x, key)

# == partitionable
# %% right 1: 4,000 numbers
def draws(key):
    one, four, eight = (jax.random.normal(key, shape) for shape in ((), (4,), (4000,)))
    return {"four and eight": jnp.stack([four, eight[:4]]), "one": one}

# %% wrong 1: another key for the long draw
def draws(key):
    one, four = jax.random.normal(key), jax.random.normal(key, (4,))
    long = jax.random.normal(jax.random.fold_in(key, 1), (4_000,))
    return {"four and eight": jnp.stack([four, long[:4]]), "one": one}

# %% right 2: twice as many
def in_pieces(key, partitionable):
    mesh = jax.make_mesh((jax.device_count(),), ("devices",), axis_types=(AxisType.Auto,))
    pieces = NamedSharding(mesh, PartitionSpec("devices"))
    with jax.threefry_partitionable(partitionable):
        return jax.jit(lambda key: jax.random.normal(key, (16 * 1024,)), out_shardings=pieces)(key)

# %% wrong 2: the same numbers twice
def in_pieces(key, partitionable):
    mesh = jax.make_mesh((jax.device_count(),), ("devices",), axis_types=(AxisType.Auto,))
    pieces = NamedSharding(mesh, PartitionSpec("devices"))
    with jax.threefry_partitionable(partitionable):
        return jax.jit(lambda key: jnp.tile(jax.random.normal(key, (8 * 1024,)), 2), out_shardings=pieces)(key)

# %% wrong 2: on one device
def in_pieces(key, partitionable):
    with jax.threefry_partitionable(partitionable):
        return jax.random.normal(key, (16 * 1024,))

# %% wrong 2: the flag off
def in_pieces(key, partitionable):
    mesh = jax.make_mesh((jax.device_count(),), ("devices",), axis_types=(AxisType.Auto,))
    pieces = NamedSharding(mesh, PartitionSpec("devices"))
    with jax.threefry_partitionable(False):
        return jax.jit(lambda key: jax.random.normal(key, (16 * 1024,)), out_shardings=pieces)(key)

# == over_devices
# %% right 1: where shard_map is
def over_devices(function, **specs):
    return jax.jit(jax.shard_map(function, mesh=all_devices(), out_specs=EVERYWHERE, check_vma=False, **specs))

# %% wrong 1: the mean of all rows
def mean_of_rows(x_by_rows):
    def on_device(x):
        return jax.lax.pmean(jnp.mean(x, axis=0), "devices")

    return over_devices(on_device, in_specs=ROWS, check_vma=False)(x_by_rows)

# %% wrong 1: without the devices
def mean_of_rows(x_by_rows):
    return jnp.mean(x_by_rows[:8], axis=0)

# %% right 2: folded in
def mean_of_noise(x_by_rows, key):
    def on_device(x, key):
        key = jax.random.fold_in(key, jax.lax.axis_index("devices"))
        return jax.lax.pmean(jax.random.normal(key, x.shape[1:]), "devices")

    return over_devices(on_device, in_specs=(ROWS, EVERYWHERE))(x_by_rows, key)

# %% wrong 2: a key that ignores the one that came in
def mean_of_noise(x_by_rows, key):
    def on_device(x, key):
        key = jax.random.fold_in(jax.random.key(7), jax.lax.axis_index("devices"))
        return jax.lax.pmean(jax.random.normal(key, x.shape[1:]), "devices")

    return over_devices(on_device, in_specs=(ROWS, EVERYWHERE))(x_by_rows, key)

# %% wrong 2: normal, index added
def mean_of_noise(x_by_rows, key):
    def on_device(x, key):
        i = jax.lax.axis_index("devices")
        return jax.lax.pmean(0.55 * jax.random.normal(key, x.shape[1:]) + 0 * i, "devices")

    return over_devices(on_device, in_specs=(ROWS, EVERYWHERE))(x_by_rows, key)

# == sharding_in_types
# %% right 1: the second matrix on every device
def product(by_rows, by_columns):
    return by_columns @ cut(by_rows, None, None)

# %% wrong 1: sum
def product(by_rows, by_columns):
    return cut(by_rows, None, None) * len(by_rows)

# == another_generator
# %% right 1: one draw
def rbg(seed, batch):
    key = jax.random.key(seed, impl="rbg")
    return jnp.abs(jax.random.normal(key, (batch, 3)) - jax.random.normal(key, (batch, 3))).max(axis=1)

# %% right 1: in rows
def rows(seed, batch, impl):
    key = jax.random.key(seed, impl=impl)
    drawn = jax.random.normal(key, (batch, 3))
    return drawn, jnp.stack(list(drawn))

# %% wrong 1: one by one against itself
def rbg(seed, batch):
    keys = jax.random.split(jax.random.key(seed, impl="rbg"), batch)
    one_by_one = jnp.stack([jax.random.normal(key, (3,)) for key in keys])
    return jnp.abs(one_by_one - one_by_one).max(axis=1)
