"""State that people keep outside of what they trace: in objects, closures, settings, counters with a limit."""

BROKEN = {
    "a counter in a dataclass": """
import dataclasses

@dataclasses.dataclass
class Stats:
    calls: int = 0

stats = Stats()

@jax.jit
def f(x):
    stats.calls += 1  # bug: host-state
    return x / stats.calls

def run():
    return f(1.0), f(1.0)
""",
    "a learning rate of an object that decays": """
class Schedule:
    def __init__(self):
        self.rate = 0.1

    def step(self):
        self.rate *= 0.5  # bug: host-state

schedule = Schedule()

@jax.jit
def update(w, g):
    return w - schedule.rate * g

def run():
    w = jnp.ones(3)
    for _ in range(4):
        w = update(w, w)
        schedule.step()
    return w
""",
    "in shard_map": """
from jax.sharding import Mesh, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()[:1]), ("d",))
calls = {"n": 0}

def body(x):
    calls["n"] += 1  # bug: host-state
    return x * calls["n"]

def run():
    f = jax.jit(jax.shard_map(body, mesh=mesh, in_specs=P("d"), out_specs=P("d")))
    return f(jnp.ones(2)), f(jnp.ones(2))
""",
    "in pmap": """
count = 0

def body(x):
    global count
    count += 1  # bug: host-state
    return x + count

def run():
    f = jax.pmap(body)
    return f(jnp.ones(1)), f(jnp.ones(1))
""",
    "in while_loop": """
rounds = 0

def run():
    def body(x):
        global rounds
        rounds += 1  # bug: host-state
        return x + rounds
    return jax.lax.while_loop(lambda x: x < 10, body, 0)
""",
    "in a branch of cond": """
visits = [0]

@jax.jit
def f(x):
    def yes(y):
        visits[0] += 1  # bug: host-state
        return y * visits[0]
    return jax.lax.cond(x > 0, yes, lambda y: y, x)

def run():
    return f(1.0), f(1.0)
""",
    "in fori_loop, through a closure": """
def run():
    step = 0

    def body(i, x):
        nonlocal step
        step += 1  # bug: host-state
        return x + step

    return jax.lax.fori_loop(0, 4, body, 0.0)
""",
    "in a gradient of a loss in jit": """
temperature = {"t": 10.0}

def loss(w):
    temperature["t"] *= 0.5  # bug: host-state
    return (w ** 2) / temperature["t"]

step = jax.jit(lambda w: w - 0.1 * jax.grad(loss)(w))

def run():
    return step(step(1.0))
""",
    "an annealed temperature set from a loop": """
temperature = 1.0

@jax.jit
def sample(logits, key):
    return jax.random.categorical(key, logits / temperature)

def run():
    global temperature
    out = []
    for i, key in enumerate(jax.random.split(jax.random.key(0), 3)):
        out.append(sample(jnp.arange(4.0), key))
        temperature *= 0.5  # bug: host-state
    return out
""",
    "a decorator that counts": """
def counted(function):
    @functools.wraps(function)
    def wrapped(x):
        wrapped.calls += 1  # bug: host-state
        return function(x) * wrapped.calls
    wrapped.calls = 0
    return wrapped

@jax.jit
@counted
def f(x):
    return x + 1

def run():
    return f(1.0), f(1.0)
""",
    "itertools.count": """
import itertools

ids = itertools.count()

@jax.jit
def f(x):
    return x + next(ids)  # bug: host-state

def run():
    return f(1.0), f(1.0)
""",
    "a key that is kept and split inside": """
class Rng:
    def __init__(self, seed):
        self.seed = seed
        self.count = 0

    def next(self):
        self.count += 1  # bug: host-state
        return jax.random.fold_in(jax.random.key(self.seed), self.count)

rng = Rng(0)

@jax.jit
def noisy(x):
    return x + jax.random.normal(rng.next(), x.shape)

def run():
    return noisy(jnp.ones(3)), noisy(jnp.ones(3))
""",
    "a running mean of NumPy": """
running = np.zeros(3)

@jax.jit
def normalise(x):
    running[:] = 0.9 * running + 0.1  # bug: host-state
    return x - running

def run():
    return normalise(jnp.ones(3)), normalise(jnp.ones(3))
""",
    "a deque": """
from collections import deque

window = deque([1.0, 2.0], maxlen=3)

@jax.jit
def f(x):
    window.append(3.0)  # bug: host-state
    return x * sum(window)

def run():
    return f(1.0), f(1.0)
""",
    "a defaultdict": """
from collections import defaultdict

uses = defaultdict(int)

@jax.jit
def f(x):
    uses["f"] += 1  # bug: host-state
    return x * uses["f"]

def run():
    return f(1.0), f(1.0)
""",
    "a set": """
seen = set()

@jax.jit
def f(x):
    first = "f" not in seen
    seen.add("f")  # bug: host-state
    return x if first else -x

def run():
    return f(1.0), f(1.0)
""",
    "a closure's dictionary is swapped between calls": """
def make(settings):
    @jax.jit
    def f(x):
        return x ** settings["power"]
    return f

def run():
    settings = {"power": 2}
    f = make(settings)
    a = f(3.0)
    settings.update(power=3)  # bug: host-state
    return a, f(3.0)
""",
    "weights of a model that are trained outside": """
class Model:
    def __init__(self):
        self.w = jnp.ones(3)

    def train(self, x):
        self.w = self.w - 0.1 * x  # bug: host-state

model = Model()
predict = jax.jit(lambda x: x @ model.w)

def run():
    x = jnp.ones(3)
    before = predict(x)
    model.train(x)
    return before, predict(x)
""",
    "a frozen layer that is thawed": """
trainable = [True, False]

@jax.jit
def update(params, grads):
    return [p - 0.1 * g if on else p for p, g, on in zip(params, grads, trainable)]

def run():
    params = [jnp.ones(2), jnp.ones(2)]
    params = update(params, params)
    trainable[1] = True  # bug: host-state
    return update(params, params)
""",
    "a method with self in a partial": """
class Counter:
    def __init__(self):
        self.n = 0

    def bump(self, x):
        self.n = self.n + 1  # bug: host-state
        return x + self.n

def run():
    f = jax.jit(Counter().bump)
    return f(1.0), f(1.0)
""",
    "setdefault": """
memo = {}

@jax.jit
def f(x):
    memo["k"] = memo.setdefault("k", 0) + 1  # bug: host-state
    return x * memo["k"]

def run():
    return f(1.0), f(1.0)
""",
    "a property that counts": """
class Tick:
    def __init__(self):
        self._t = 0

    @property
    def t(self):
        self._t += 1  # bug: host-state
        return self._t

clock = Tick()

@jax.jit
def f(x):
    return x + clock.t

def run():
    return f(0.0), f(0.0)
""",
    "a module of settings": """
import types

settings = types.ModuleType("settings")
settings.bias = 1.0

@jax.jit
def f(x):
    return x + settings.bias

def run():
    a = f(1.0)
    settings.bias = 5.0  # bug: host-state
    return a, f(1.0)
""",
    "a countdown": """
class Warmup:
    def __init__(self, steps):
        self.left = steps

    def __call__(self, rate):
        if self.left > 0:
            self.left -= 1  # bug: host-state
            return 0.0
        return rate

warmup = Warmup(5)

@jax.jit
def step(w):
    return w - warmup(0.1) * w

def run():
    w = jnp.float32(1.0)
    for _ in range(8):
        w = step(w)
    return w
""",
    "every tenth step": """
def make_step():
    n = 0

    @jax.jit
    def step(w):
        nonlocal n
        n += 1  # bug: host-state
        return w * 0.5 if n % 10 == 0 else w * 1.01

    return step

def run():
    step, w = make_step(), 1.0
    for _ in range(20):
        w = step(w)
    return w
""",
    "a frequency in a dictionary": """
state = {"n": 0, "every": 4}

@jax.jit
def step(w):
    state["n"] += 1  # bug: host-state
    if state["n"] % state["every"] == 0:
        w = jnp.clip(w, -1.0, 1.0)
    return w * 2

def run():
    w = 1.0
    for _ in range(8):
        w = step(w)
    return w
""",
    "an object replaced in a list": """
class Layer:
    def __init__(self, scale):
        self.scale = scale

layers = [Layer(1.0), Layer(2.0)]

@jax.jit
def forward(x):
    for layer in layers:
        x = x * layer.scale
    return x

def run():
    a = forward(1.0)
    layers[0].scale = 7.0  # bug: host-state
    return a, forward(1.0)
""",
    "a module-level program": """
scale = 1.0
f = jax.jit(lambda x: x * scale)
first = f(2.0)
scale = 3.0  # bug: host-state
second = f(2.0)

def run():
    return second
""",
    "the mode of a class": """
class Config:
    deterministic = False

@jax.jit
def dropout(x, key):
    if Config.deterministic:
        return x
    return x * jax.random.bernoulli(key, 0.5, x.shape)

def run():
    x, key = jnp.ones(4), jax.random.key(0)
    a = dropout(x, key)
    Config.deterministic = True  # bug: host-state
    return a, dropout(x, key)
""",
    "an environment that keeps its own time": """
class Env:
    def __init__(self):
        self.t = 0

    def step(self, state, action):
        self.t += 1  # bug: host-state
        done = self.t >= 3
        return state + action, done

env = Env()

def run():
    def body(state, action):
        state, done = env.step(state, action)
        return state, (state, done)
    return jax.lax.scan(body, 0.0, jnp.ones(6))
""",
}

SOUND = {
    "a class that counts traces, told by a note": """
class Compiled:
    def __init__(self, function):
        self.traces = 0
        self.function = jax.jit(self._traced)
        self._inner = function

    def _traced(self, x):
        self.traces += 1  # note: host-state
        return self._inner(x)

def run():
    f = Compiled(jnp.sin)
    f.function(1.0)
    f.function(2.0)
    return f.traces
""",
    "a batch norm that returns its state": """
@jax.jit
def norm(state, x):
    state = dict(state)
    state["mean"] = 0.9 * state["mean"] + 0.1 * x.mean()
    return x - state["mean"], state

def run():
    state = {"mean": 0.0}
    for _ in range(3):
        y, state = norm(state, jnp.ones(3))
    return y
""",
    "a shape registry": """
registry = {}

def register(name, x):
    registry[name] = x.shape  # note: host-state
    return x

@jax.jit
def f(x):
    return register("x", x) * 2

def run():
    return f(jnp.ones(3))
""",
    "parameters grown in a helper of the trace": """
def init_layer(params, name, n):
    params[name] = jnp.ones(n)
    return params

@jax.jit
def init(x):
    params = {}
    for i in range(3):
        params = init_layer(params, f"layer{i}", i + 1)
    return params

def run():
    return init(1.0)
""",
    "a context manager of one's own": """
import contextlib

scopes = []

@contextlib.contextmanager
def scope(name):
    scopes.append(name)  # note: host-state
    try:
        yield "/".join(scopes)
    finally:
        scopes.pop()  # note: host-state

@jax.jit
def f(x):
    with scope("a") as name:
        return x * len(name)

def run():
    return f(1.0), f(1.0)
""",
    "print and a progress bar": """
@jax.jit
def f(x):
    print("tracing", x.shape)
    return x

def run():
    for i in range(3):
        print(i, float(f(1.0)))
    return f(1.0)
""",
    "an optimiser in an object, jitted purely": """
class Adam:
    def __init__(self, rate):
        self.rate = rate
        self.update = jax.jit(self._update)

    def _update(self, w, m, g):
        m = 0.9 * m + 0.1 * g
        return w - self.rate * m, m

def run():
    opt, w, m = Adam(0.1), jnp.ones(3), jnp.zeros(3)
    for _ in range(3):
        w, m = opt.update(w, m, w)
    return w
""",
    "a new object for each setting": """
class Scaled:
    def __init__(self, scale):
        self.scale = scale

    @partial(jax.jit, static_argnums=0)
    def __call__(self, x):
        return x * self.scale

def run():
    return Scaled(1.0)(2.0), Scaled(3.0)(2.0)
""",
    "a setting that is static": """
settings = {"power": 2}

@partial(jax.jit, static_argnums=1)
def f(x, power):
    return x ** power

def run():
    a = f(3.0, settings["power"])
    settings["power"] = 3
    return a, f(3.0, settings["power"])
""",
    "weights as arguments": """
class Model:
    def __init__(self):
        self.w = jnp.ones(3)

predict = jax.jit(lambda w, x: x @ w)

def run():
    model, x = Model(), jnp.ones(3)
    a = predict(model.w, x)
    model.w = model.w * 2
    return a, predict(model.w, x)
""",
    "caches cleared": """
scale = 1.0

@jax.jit
def f(x):
    return x * scale

def run():
    global scale
    a = f(1.0)
    scale = 2.0
    jax.clear_caches()
    return a, f(1.0)
""",
    "a replay buffer outside": """
from collections import deque

buffer = deque(maxlen=5)

@jax.jit
def act(x):
    return jnp.tanh(x)

def run():
    x = jnp.float32(0.5)
    for _ in range(8):
        x = act(x)
        buffer.append(float(x))
    return np.mean(buffer)
""",
    "an attribute kept for looking at outside of jit": """
class Probe:
    def __call__(self, x):
        self.shape = x.shape  # note: host-state
        return x * 2

def run():
    probe = Probe()
    y = jax.jit(probe)(jnp.ones(3))
    return y, probe.shape
""",
    "sorting a list of its own": """
@jax.jit
def f(tree):
    names = list(tree)
    names.sort()
    names.reverse()
    return [tree[n] for n in names]

def run():
    return f({"b": 1.0, "a": 2.0})
""",
    "an iterator of its own": """
@jax.jit
def f(xs, key):
    keys = iter(jax.random.split(key, 3))
    return [x + jax.random.normal(next(keys)) for x in xs]

def run():
    return f([1.0, 2.0, 3.0], jax.random.key(0))
""",
}
