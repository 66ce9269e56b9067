"""Tracers that people leave behind: in objects, hooks, memos, closures, on devices."""

BROKEN = {
    "in shard_map": """
from jax.sharding import Mesh, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()[:1]), ("d",))
shards = []

def body(x):
    shards.append(x)  # bug: leaked-tracer
    return x * 2

def run():
    return jax.jit(jax.shard_map(body, mesh=mesh, in_specs=P("d"), out_specs=P("d")))(jnp.ones(2))
""",
    "from while_loop": """
steps = []

def run():
    def body(state):
        steps.append(state)  # bug: leaked-tracer
        return state * 2
    return jax.lax.while_loop(lambda s: s < 10, body, 1)
""",
    "a branch of switch": """
picked = {}

def run():
    def keep(x):
        picked["x"] = x  # bug: leaked-tracer
        return x
    return jax.lax.switch(jnp.int32(1), [jnp.sin, keep], 1.0)
""",
    "a hidden state of a recurrent cell": """
class Cell:
    def __init__(self, n):
        self.h = jnp.zeros(n)

    def __call__(self, x):
        self.h = jnp.tanh(self.h + x)  # bug: leaked-tracer
        return self.h

cell = Cell(3)

def run():
    return jax.jit(cell)(jnp.ones(3))
""",
    "a key that is split in place": """
class Sampler:
    def __init__(self):
        self.key = jax.random.key(0)

    @partial(jax.jit, static_argnums=0)
    def draw(self):
        self.key, sub = jax.random.split(self.key)  # bug: leaked-tracer
        return jax.random.normal(sub)

sampler = Sampler()

def run():
    return sampler.draw()
""",
    "batch statistics in an attribute": """
class BatchNorm:
    def __init__(self):
        self.mean = 0.0

    def __call__(self, x):
        self.mean = 0.9 * self.mean + 0.1 * x.mean()  # bug: leaked-tracer
        return x - self.mean

norm = BatchNorm()
grad = jax.jit(jax.grad(lambda w, x: norm(x * w).sum()))

def run():
    return grad(1.0, jnp.arange(4.0))
""",
    "a decorator that remembers": """
def remember(function):
    @functools.wraps(function)
    def wrapped(*args):
        wrapped.last = function(*args)  # bug: leaked-tracer
        return wrapped.last
    return wrapped

@jax.jit
@remember
def f(x):
    return x + 1

def run():
    return f(1.0)
""",
    "a memo of one's own": """
def memoize(function):
    memo = {}
    def wrapped(n):
        if n not in memo:
            memo[n] = function(n)  # bug: leaked-tracer
        return memo[n]
    return wrapped

@memoize
def table(n):
    return jnp.cos(jnp.arange(n))

@jax.jit
def f(x):
    return x * table(3)

def run():
    return f(jnp.ones(3))
""",
    "activations in hooks": """
class Model:
    def __init__(self):
        self.hooks = {}

    def layer(self, name, x):
        y = jnp.tanh(x)
        self.hooks.setdefault(name, []).append(y)  # bug: leaked-tracer
        return y

    def __call__(self, x):
        return self.layer("b", self.layer("a", x))

model = Model()

def run():
    return jax.jit(model)(1.0)
""",
    "a dataclass of the module": """
import dataclasses

@dataclasses.dataclass
class State:
    loss: object = None

state = State()

@jax.jit
def step(w):
    state.loss = w ** 2  # bug: leaked-tracer
    return w * 0.9

def run():
    return step(1.0)
""",
    "a loss under value_and_grad in jit, in a list that is closed over": """
def run():
    history = []

    def loss(w):
        value = (w ** 2).sum()
        history.append(value)  # bug: leaked-tracer
        return value

    step = jax.jit(lambda w: w - 0.1 * jax.grad(loss)(w))
    return step(jnp.ones(2))
""",
    "a deque": """
from collections import deque

recent = deque(maxlen=2)

@jax.jit
def f(x):
    recent.append(x)  # bug: leaked-tracer
    return x

def run():
    return f(1.0)
""",
    "an array of objects": """
slots = np.empty(2, dtype=object)

@jax.jit
def f(x):
    slots[0] = x  # bug: leaked-tracer
    return x

def run():
    return f(1.0)
""",
    "a dictionary that is updated": """
metrics = {}

@jax.jit
def f(x):
    metrics.update(loss=x * 2)  # bug: leaked-tracer
    return x

def run():
    return f(1.0)
""",
    "in jax.linearize": """
points = []

def f(x):
    points.append(x)  # bug: leaked-tracer
    return x ** 2

def run():
    return jax.linearize(f, 1.0)[0]
""",
    "in remat": """
seen = []

@jax.checkpoint
def block(x):
    seen.append(jnp.sin(x))  # bug: leaked-tracer
    return jnp.sin(x)

def run():
    return jax.jit(jax.grad(block))(1.0)
""",
    "under jit of vmap": """
rows = []

@jax.jit
@jax.vmap
def f(row):
    rows.append(row.sum())  # bug: leaked-tracer
    return row * 2

def run():
    return f(jnp.ones((2, 3)))
""",
    "zeros made in a lazy method": """
class Buffers:
    def __init__(self):
        self.zeros = {}

    def get(self, n):
        if n not in self.zeros:
            self.zeros[n] = jnp.zeros(n)  # bug: leaked-tracer
        return self.zeros[n]

buffers = Buffers()

@jax.jit
def pad(x):
    return jnp.concatenate([x, buffers.get(2)])

def run():
    return pad(jnp.ones(2))
""",
    "a namedtuple in a global": """
from collections import namedtuple

Point = namedtuple("Point", "x y")
where = None

@jax.jit
def move(x, y):
    global where
    where = Point(x + 1, y)  # bug: leaked-tracer
    return x + y

def run():
    return move(1.0, 2.0)
""",
    "a class method": """
class Registry:
    items = []

    @classmethod
    def add(cls, x):
        cls.items.append(x)  # bug: leaked-tracer
        return x

@jax.jit
def f(x):
    return Registry.add(x) * 2

def run():
    return f(1.0)
""",
    "aux in a callback of one's own": """
class Logger:
    def __init__(self):
        self.entries = []

    def log(self, **values):
        self.entries.append(values)  # bug: leaked-tracer

def train(logger):
    @jax.jit
    def step(w):
        loss, g = jax.value_and_grad(lambda w: w ** 2)(w)
        logger.log(loss=loss)
        return w - 0.1 * g

    return step(1.0)

def run():
    logger = Logger()
    return train(logger), len(logger.entries)
""",
    "insert at the front": """
queue = []

@jax.jit
def f(x):
    queue.insert(0, x)  # bug: leaked-tracer
    return x

def run():
    return f(1.0)
""",
    "a slice of a list": """
cells = [0, 0]

@jax.jit
def f(x):
    cells[:] = [x, x]  # bug: leaked-tracer
    return x

def run():
    return f(1.0)
""",
    "augmented concatenation": """
log = []

@jax.jit
def f(x):
    global log
    log += [x]  # bug: leaked-tracer
    return x

def run():
    return f(1.0)
""",
}

SOUND = {
    "a cell that is made and used inside": """
class Cell:
    def __init__(self, n):
        self.h = jnp.zeros(n)

    def __call__(self, x):
        self.h = jnp.tanh(self.h + x)
        return self.h

@jax.jit
def f(xs):
    cell = Cell(3)
    for i in range(3):
        y = cell(xs[i])
    return y

def run():
    return f(jnp.ones((3, 3)))
""",
    "the state goes in and comes out": """
class Sampler:
    def __init__(self):
        self.key = jax.random.key(0)

    def draw(self):
        self.key, value = step(self.key)
        return value

@jax.jit
def step(key):
    key, sub = jax.random.split(key)
    return key, jax.random.normal(sub)

def run():
    sampler = Sampler()
    return sampler.draw(), sampler.draw()
""",
    "metrics that are returned": """
history = []

@jax.jit
def step(w):
    loss, g = jax.value_and_grad(lambda w: w ** 2)(w)
    return w - 0.1 * g, {"loss": loss}

def run():
    w = 1.0
    for _ in range(3):
        w, metrics = step(w)
        history.append(metrics)
    return w
""",
    "io_callback that appends": """
from jax.experimental import io_callback

seen = []

@jax.jit
def f(x):
    io_callback(lambda v: seen.append(float(v)), None, x, ordered=True)
    return x

def run():
    f(1.0)
    return 1.0
""",
    "a pytree of a class": """
@jax.tree_util.register_pytree_node_class
class Pair:
    def __init__(self, a, b):
        self.a, self.b = a, b

    def tree_flatten(self):
        return (self.a, self.b), None

    @classmethod
    def tree_unflatten(cls, _, children):
        return cls(*children)

@jax.jit
def swap(pair):
    pair.a, pair.b = pair.b, pair.a
    return pair

def run():
    return swap(Pair(1.0, 2.0)).a
""",
    "an array kept before the trace": """
class Table:
    def __init__(self):
        self.rows = jnp.arange(4.0)

table = Table()

@jax.jit
def f(i):
    return table.rows[i]

def run():
    return f(2)
""",
    "a cache of compiled functions": """
compiled = {}

def get(n):
    if n not in compiled:
        compiled[n] = jax.jit(lambda x: x ** n)
    return compiled[n]

def run():
    return get(2)(3.0) + get(2)(4.0) + get(3)(1.0)
""",
    "eager gradients with lists of values": """
losses = []

def loss(w):
    return (w ** 2).sum()

def run():
    w = jnp.ones(2)
    for _ in range(3):
        value, g = jax.value_and_grad(loss)(w)
        losses.append(value)
        w = w - 0.1 * g
    return w
""",
    "vjp kept outside": """
kept = []

def run():
    y, pullback = jax.vjp(jnp.sin, 1.0)
    kept.append(pullback)
    return pullback(1.0)
""",
    "a linear function kept outside": """
kept = []

def run():
    y, push = jax.linearize(jnp.sin, 1.0)
    kept.append(push)
    return push(1.0)
""",
    "dtype and weak type in a log": """
seen = {}

@jax.jit
def f(x, y):
    seen["x"] = (x.dtype, x.ndim)  # note: host-state
    return x + y

def run():
    return f(1.0, 2)
""",
    "what is cleared before the trace is over": """
class Tape:
    def __init__(self):
        self.ops = []

tape = Tape()

@jax.jit
def f(x):
    tape.ops.append(x)  # note: host-state
    total = sum(tape.ops)
    tape.ops.clear()  # note: host-state
    return total

def run():
    return f(1.0)
""",
}
