"""Programs that change what is not theirs, or read what changes; what must be told of a line stands behind it."""

from tests.worker.checks import host_state_forms

BROKEN = {
    "a global counter that counts": """
counter = 0

@jax.jit
def f(x):
    global counter
    counter += 1  # bug: host-state
    return x * counter

def run():
    return f(1.0), f(1.0)
""",
    "a nonlocal counter": """
def run():
    count = 0

    @jax.jit
    def f(x):
        nonlocal count
        count += 1  # bug: host-state
        return x + count

    return f(1.0), f(1.0)
""",
    "an attribute": """
class Model:
    def __init__(self):
        self.steps = 0

    @partial(jax.jit, static_argnums=0)
    def step(self, x):
        self.steps += 1  # bug: host-state
        return x + self.steps

def run():
    model = Model()
    return model.step(1.0), model.step(1.0)
""",
    "an item of a dictionary": """
state = {"step": 0}

@jax.jit
def f(x):
    state["step"] += 1  # bug: host-state
    return x * state["step"]

def run():
    return f(1.0), f(1.0)
""",
    "an iterator": """
numbers = iter(range(100))

@jax.jit
def f(x):
    return x + next(numbers)  # bug: host-state

def run():
    return f(1.0), f(1.0)
""",
    "a list that is emptied": """
seeds = [1, 2, 3]

@jax.jit
def f(x):
    return x + seeds.pop()  # bug: host-state

def run():
    return f(1.0), f(1.0)
""",
    "a list whose length is used": """
calls = []

@jax.jit
def f(x):
    calls.append(1)  # bug: host-state
    return x * len(calls)

def run():
    return f(1.0), f(1.0)
""",
    "NumPy's array in place": """
table = np.zeros(3)

@jax.jit
def f(x):
    table[0] += 1  # bug: host-state
    return x + table

def run():
    return f(jnp.ones(3)), f(jnp.ones(3))
""",
    "a mutable default": """
def add(x, seen=[]):
    seen.append(0)  # bug: host-state
    return x + len(seen)

def run():
    f = jax.jit(lambda x: add(x))
    return f(1.0), f(1.0)
""",
    "in the body of a scan": """
total = 0

def run():
    def body(carry, x):
        global total
        total = total + 1  # bug: host-state
        return carry + total, x
    return jax.lax.scan(body, 0.0, jnp.arange(3.0))
""",
    "an object that is a static argument": """
class Config:
    def __init__(self):
        self.rate = 1.0

@partial(jax.jit, static_argnums=1)
def step(x, config):
    config.rate = config.rate * 0.9  # bug: host-state
    return x * config.rate

def run():
    config = Config()
    return step(1.0, config), step(1.0, config)
""",
    "an attribute of a class": """
class Layer:
    made = 0

@jax.jit
def f(x):
    Layer.made += 1  # bug: host-state
    return x * Layer.made

def run():
    return f(1.0)
""",
    "setattr": """
class Box:
    value = 1.0

box = Box()

@jax.jit
def f(x):
    setattr(box, "value", box.value + 1)  # bug: host-state
    return x * box.value

def run():
    return f(1.0)
""",
    "a global that is set later": """
scale = 1.0

@jax.jit
def f(x):
    return x * scale

def run():
    global scale
    a = f(1.0)
    scale = 2.0  # bug: host-state
    return a, f(1.0)
""",
    "an attribute that is set later": """
class Model:
    def __init__(self):
        self.scale = 1.0

    @partial(jax.jit, static_argnums=0)
    def __call__(self, x):
        return x * self.scale

def run():
    model = Model()
    a = model(1.0)
    model.scale = 2.0  # bug: host-state
    return a, model(1.0)
""",
    "parameters in a dictionary, updated outside": """
params = {"w": jnp.ones(3)}

@jax.jit
def predict(x):
    return x @ params["w"]

def run():
    x = jnp.ones(3)
    for _ in range(3):
        y = predict(x)
        params["w"] = params["w"] - 0.1 * x  # bug: host-state
    return y
""",
    "a variable that is closed over": """
def run():
    weight = 1.0
    f = jax.jit(lambda x: x * weight)
    a = f(1.0)
    weight = 3.0  # bug: host-state
    return a, f(1.0)
""",
    "a loop variable that is closed over": """
def run():
    f = jax.jit(lambda x: x * scale)
    out = []
    for scale in (1.0, 2.0, 3.0):  # bug: host-state
        out.append(f(1.0))
    return out
""",
    "a list that grows between calls": """
layers = [1.0]

@jax.jit
def f(x):
    for each in layers:
        x = x * each
    return x

def run():
    a = f(2.0)
    layers.append(3.0)  # bug: host-state
    return a, f(2.0)
""",
    "NumPy's array, filled later": """
mask = np.ones(3)

@jax.jit
def f(x):
    return x * mask

def run():
    a = f(jnp.ones(3))
    mask[1] = 0  # bug: host-state
    return a, f(jnp.ones(3))
""",
    "a flag that a helper reads": """
training = True

def dropout(x):
    return x * 0.5 if training else x

@jax.jit
def f(x):
    return dropout(x) + 1

def set_training(value):
    global training
    training = value  # bug: host-state

def run():
    a = f(1.0)
    set_training(False)
    return a, f(1.0)
""",
    "a method of a model with a mode": """
class Net:
    def __init__(self):
        self.training = True

    def eval(self):
        self.training = False  # bug: host-state

    def __call__(self, x):
        return x * 0.5 if self.training else x

def run():
    net = Net()
    forward = jax.jit(net.__call__)
    a = forward(1.0)
    net.eval()
    return a, forward(1.0)
""",
    "a jitted gradient of a loss that reads parameters": """
weights = np.ones(2)

def loss(x):
    return jnp.sum(weights * x)

gradient = jax.jit(jax.grad(loss))

def run():
    for _ in range(3):
        weights[:] = weights - 0.1 * np.asarray(gradient(jnp.ones(2)))  # bug: host-state
    return weights
""",
    "at the top level of a script": """
rate = 0.1
step = jax.jit(lambda x: x - rate)
first = step(1.0)
rate = 0.01  # bug: host-state
second = step(1.0)

def run():
    return first, second
""",
    "changed while another function is traced": """
config = {"gain": 1.0}

@jax.jit
def amplify(x):
    return x * config["gain"]

@jax.jit
def tune(x):
    config["gain"] = 5.0  # bug: host-state, note: host-state
    return x

def run():
    a = amplify(1.0)
    return a, tune(1.0), amplify(1.0)
""",
    "a scan, outside of jit, of a body that reads what changes": """
scale = 1.0

def body(carry, x):
    return carry + x * scale, None

def run():
    global scale
    a = jax.lax.scan(body, 0.0, jnp.ones(3))
    scale = 2.0  # bug: host-state
    return a, jax.lax.scan(body, 0.0, jnp.ones(3))
""",
    "a dictionary that is changed under another name": """
config = {"gain": 1.0}

def set_gain(settings, value):
    settings["gain"] = value  # bug: host-state

@jax.jit
def f(x):
    return x * config["gain"]

def run():
    a = f(1.0)
    set_gain(config, 3.0)
    return a, f(1.0)
""",
    "a class method's count": """
class Layer:
    count = 0

    @classmethod
    def make(cls, x):
        cls.count += 1  # bug: host-state
        return x * cls.count

@jax.jit
def f(x):
    return Layer.make(x)

def run():
    return f(1.0)
""",
    "a generator of the module that is drawn from by next": """
def numbers():
    n = 0
    while True:
        n += 1
        yield n

source = numbers()

@jax.jit
def f(x):
    return x * next(source)  # bug: host-state

def run():
    return f(1.0)
""",
}

SOUND = {
    "a list of its own": """
@jax.jit
def f(x):
    parts = []
    for i in range(3):
        parts.append(x * i)
    return jnp.stack(parts)

def run():
    return f(1.0), f(1.0)
""",
    "a dictionary of its own, also in helpers": """
def fill(into, x):
    into["a"] = x
    into.setdefault("b", []).append(x)

@jax.jit
def f(x):
    out = {}
    fill(out, x)
    out.update(c=x)
    return out

def run():
    return f(1.0)
""",
    "a pytree that is given and changed": """
@jax.jit
def f(params):
    params["w"] = params["w"] * 2
    params["layers"].append(params["w"])
    return params

def run():
    return f({"w": jnp.ones(2), "layers": [1.0]})
""",
    "the state goes in and out": """
@jax.jit
def step(state, x):
    return {**state, "n": state["n"] + 1}, x * state["n"]

def run():
    state = {"n": 0}
    for _ in range(3):
        state, y = step(state, 1.0)
    return y
""",
    "a count of traces": """
traces = 0

@jax.jit
def f(x):
    global traces
    traces += 1  # note: host-state
    return x

def run():
    f(1.0), f(jnp.ones(3))
    return traces
""",
    "a log of shapes": """
seen = []

@jax.jit
def f(x):
    seen.append(x.shape)  # note: host-state
    return x

def run():
    f(1.0)
    return len(seen)
""",
    "a cache by shape": """
cache = {}

def table(n):
    if n not in cache:
        cache[n] = np.arange(n) * 2.0  # note: host-state
    return cache[n]

@jax.jit
def f(x):
    return x + table(x.shape[0])

def run():
    return f(jnp.ones(3)), f(jnp.ones(4)), f(jnp.ones(3))
""",
    "functools.cache": """
@functools.cache
def table(n):
    return np.arange(n) * 2.0

@jax.jit
def f(x):
    return x + table(x.shape[0])

def run():
    return f(jnp.ones(3)), f(jnp.ones(4))
""",
    "debug.callback into a list": """
losses = []

@jax.jit
def f(x):
    jax.debug.callback(lambda value: losses.append(float(value)), x)
    return x * 2

def run():
    for i in range(3):
        f(float(i))
    return len(losses)
""",
    "eagerly": """
counter = 0

def f(x):
    global counter
    counter += 1
    return x * counter

def run():
    return f(1.0), f(1.0), jax.grad(f)(1.0)
""",
    "under vmap, eagerly": """
calls = []

def run():
    return jax.vmap(lambda x: (calls.append("mapped"), x * 2)[1])(jnp.ones(3))
""",
    "a nonlocal accumulator inside the traced function": """
@jax.jit
def f(x):
    total = 0.0

    def add(y):
        nonlocal total
        total = total + y

    add(x)
    add(2 * x)
    return total

def run():
    return f(1.0)
""",
    "a module made inside": """
class Dense:
    def __init__(self, n):
        self.n = n
        self.cache = {}

    def __call__(self, x):
        self.last = x * self.n
        self.cache["y"] = self.last
        return self.last

@jax.jit
def f(x):
    return Dense(3)(x)

def run():
    return f(1.0)
""",
    "a dataclass changed inside": """
import dataclasses

@dataclasses.dataclass
class State:
    x: object
    n: int = 0

@jax.jit
def f(x):
    state = State(x)
    state.n += 1
    state.x = state.x * 2
    return dataclasses.replace(state, n=3).x

def run():
    return f(1.0)
""",
    "a registered dataclass": """
import dataclasses

@jax.tree_util.register_dataclass
@dataclasses.dataclass
class State:
    x: object
    n: object

@jax.jit
def step(state):
    state.n = state.n + 1
    return state

def run():
    state = State(jnp.ones(2), 0)
    for _ in range(3):
        state = step(state)
    return state.x
""",
    "a generator": """
def pairs(x):
    for i in range(3):
        yield x * i

@jax.jit
def f(x):
    numbers = iter(pairs(x))
    return next(numbers) + next(numbers)

def run():
    return f(1.0)
""",
    "constants of the module": """
SCALE = 2.0
TABLE = {"a": 1.0}

@jax.jit
def f(x):
    return x * SCALE + TABLE["a"]

def run():
    return [f(1.0) for _ in range(3)]
""",
    "a constant set before the first call": """
scale = None

@jax.jit
def f(x):
    return x * scale

def run():
    global scale
    scale = 2.0
    return f(1.0), f(1.0)
""",
    "a change that makes no other program": """
config = {"gain": 1.0, "name": "a"}

@jax.jit
def f(x):
    return x * config["gain"]

def run():
    a = f(1.0)
    config["name"] = "b"
    config["gain"] = 1.0
    return a, f(1.0)
""",
    "a change after the last call": """
scale = 1.0

@jax.jit
def f(x):
    return x * scale

def run():
    global scale
    a = f(1.0)
    scale = 2.0
    return a
""",
    "a history outside": """
history = []

@jax.jit
def step(w):
    return w * 0.9

def run():
    w = 1.0
    for _ in range(5):
        w = step(w)
        history.append(float(w))
    return history
""",
    "a new function for each value": """
def run():
    out = []
    for scale in (1.0, 2.0):
        out.append(jax.jit(lambda x: x * scale)(1.0))
    return out
""",
    "a jitted function is made once more": """
scale = 1.0

def make():
    return jax.jit(lambda x: x * scale)

def run():
    global scale
    a = make()(1.0)
    scale = 2.0
    return a, make()(1.0)
""",
    "a closure that fills a list of the traced function": """
@jax.jit
def f(xs):
    out = []
    jax.tree.map(lambda x: out.append(x), xs)
    return sum(out)

def run():
    return f([1.0, 2.0])
""",
    "a training loop with an object": """
class Trainer:
    def __init__(self):
        self.w = jnp.ones(3)
        self.steps = 0
        self.update = jax.jit(lambda w, x: w - 0.1 * x)

    def fit(self, x):
        for _ in range(4):
            self.w = self.update(self.w, x)
            self.steps += 1

def run():
    trainer = Trainer()
    trainer.fit(jnp.ones(3))
    return trainer.w
""",
    "a lazy constant": """
class Basis:
    def __init__(self):
        self._matrix = None

    @property
    def matrix(self):
        if self._matrix is None:
            self._matrix = np.eye(3)  # note: host-state
        return self._matrix

basis = Basis()

@jax.jit
def f(x):
    return x @ basis.matrix

def run():
    return f(jnp.ones(3)), f(jnp.ones(3))
""",
}

BROKEN |= host_state_forms.BROKEN
SOUND |= host_state_forms.SOUND
