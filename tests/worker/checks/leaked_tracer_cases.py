"""Programs that leave tracers behind; what must be told of a line stands behind it."""

from tests.worker.checks import leaked_tracer_forms

BROKEN = {
    "a list of the module": """
history = []

@jax.jit
def f(x):
    history.append(x * 2)  # bug: leaked-tracer
    return x

def run():
    return f(1.0)
""",
    "a global": """
last = None

@jax.jit
def f(x):
    global last
    last = x + 1  # bug: leaked-tracer
    return x

def run():
    return f(1.0)
""",
    "an attribute": """
class Model:
    def __init__(self):
        self.last = None

    def __call__(self, x):
        self.last = jnp.sin(x)  # bug: leaked-tracer
        return x

def run():
    return jax.jit(Model())(1.0)
""",
    "a method of an object in a variable": """
class Model:
    def forward(self, x):
        self.hidden = x * 2  # bug: leaked-tracer
        return self.hidden + 1

def run():
    model = Model()
    return jax.jit(model.forward)(1.0)
""",
    "an item of a dictionary": """
cache = {}

@jax.jit
def f(x):
    cache["y"] = x * 2  # bug: leaked-tracer
    return cache["y"]

def run():
    return f(1.0)
""",
    "a cache of what is computed": """
cache = {}

def square(x, name):
    if name not in cache:
        cache[name] = x * x  # bug: leaked-tracer
    return cache[name]

@jax.jit
def f(x):
    return square(x, "a") + square(x, "a")

def run():
    return f(2.0)
""",
    "a nonlocal": """
def run():
    loss = None

    @jax.jit
    def step(w):
        nonlocal loss
        loss = w ** 2  # bug: leaked-tracer
        return w - 0.1

    return step(1.0)
""",
    "a list that is closed over": """
def run():
    losses = []

    @jax.jit
    def step(w):
        losses.append(w ** 2)  # bug: leaked-tracer
        return w - 0.1

    return step(1.0), len(losses)
""",
    "under vmap, eagerly": """
def run():
    seen = []

    def f(x):
        seen.append(x)  # bug: leaked-tracer
        return x * 2

    return jax.vmap(f)(jnp.ones(3))
""",
    "under a gradient, eagerly": """
activations = []

def loss(w):
    activations.append(jnp.sin(w))  # bug: leaked-tracer
    return w ** 2

def run():
    return jax.grad(loss)(1.0)
""",
    "from the body of a scan": """
carries = []

def body(carry, x):
    carries.append(carry)  # bug: leaked-tracer
    return carry + x, x

def run():
    return jax.lax.scan(body, 0.0, jnp.arange(3.0))
""",
    "from a scan into the function around it": """
@jax.jit
def f(xs):
    seen = []

    def body(carry, x):
        seen.append(x)  # bug: leaked-tracer
        return carry + x, None

    total, _ = jax.lax.scan(body, 0.0, xs)
    return total + len(seen)

def run():
    return f(jnp.arange(3.0))
""",
    "from fori_loop": """
trail = {}

def run():
    def body(i, x):
        trail["x"] = x  # bug: leaked-tracer
        return x * 2
    return jax.lax.fori_loop(0, 3, body, 1.0)
""",
    "a branch of cond": """
chosen = []

@jax.jit
def f(x):
    return jax.lax.cond(x > 0, lambda y: (chosen.append(y), y)[1], lambda y: -y, x)  # bug: leaked-tracer

def run():
    return f(1.0)
""",
    "a mutable default": """
def add(x, seen=[]):
    seen.append(x)  # bug: leaked-tracer
    return x

def run():
    return jax.jit(lambda x: add(x))(1.0)
""",
    "a tuple in a list": """
log = []

@jax.jit
def f(x):
    log.append(("x", {"value": x}))  # bug: leaked-tracer
    return x

def run():
    return f(1.0)
""",
    "extend": """
log = []

@jax.jit
def f(x):
    log.extend([x, x + 1])  # bug: leaked-tracer
    return x

def run():
    return f(1.0)
""",
    "an attribute of a class": """
class Store:
    value = None

@jax.jit
def f(x):
    Store.value = x  # bug: leaked-tracer
    return x

def run():
    return f(1.0)
""",
    "setattr": """
class Store:
    pass

store = Store()

@jax.jit
def f(x):
    setattr(store, "value", x)  # bug: leaked-tracer
    return x

def run():
    return f(1.0)
""",
    "a constant made while tracing": """
table = None

@jax.jit
def f(x):
    global table
    if table is None:
        table = jnp.arange(3.0)  # bug: leaked-tracer
    return x + table

def run():
    return f(jnp.ones(3))
""",
    "a lazy property": """
class Basis:
    def __init__(self):
        self._matrix = None

    @property
    def matrix(self):
        if self._matrix is None:
            self._matrix = jnp.eye(3)  # bug: leaked-tracer
        return self._matrix

basis = Basis()

@jax.jit
def f(x):
    return x @ basis.matrix

def run():
    return f(jnp.ones(3))
""",
    "through a name of one's own": """
history = []

@jax.jit
def f(x):
    mine = history
    mine.append(x)  # bug: leaked-tracer
    return x

def run():
    return f(1.0)
""",
    "a helper that is given the list": """
def remember(store, x):
    store.append(x)  # bug: leaked-tracer

history = []

@jax.jit
def f(x):
    remember(history, x)
    return x

def run():
    return f(1.0)
""",
    "in pmap": """
seen = []

def run():
    return jax.pmap(lambda x: (seen.append(x), x)[1])(jnp.ones(1))  # bug: leaked-tracer
""",
    "in jit of a gradient": """
norms = []

def loss(w):
    norms.append(jnp.abs(w))  # bug: leaked-tracer
    return w ** 2

def run():
    return jax.jit(jax.value_and_grad(loss))(1.0)
""",
    "at the top level of a script": """
values = []
out = jax.jit(lambda x: (values.append(x), x)[1])(1.0)  # bug: leaked-tracer

def run():
    return out
""",
    "functools.cache of an array": """
@functools.cache
def table(n):
    return jnp.arange(n) * 2  # bug: leaked-tracer

@jax.jit
def f(x):
    return x + table(x.shape[0])

def run():
    return f(jnp.ones(3))
""",
    "a function in a list": """
callbacks = []

@jax.jit
def f(x):
    callbacks.append(lambda: x)  # bug: leaked-tracer
    return x

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
    return f(1.0)
""",
    "a list of the function, filled by a helper": """
@jax.jit
def f(x):
    out = []
    def add(y):
        out.append(y)
    add(x)
    jax.tree.map(add, [x, x])
    return sum(out)

def run():
    return f(1.0)
""",
    "shapes in a list": """
shapes = []

@jax.jit
def f(x):
    shapes.append(x.shape)  # note: host-state
    return x

def run():
    return f(jnp.ones(3))
""",
    "values in a list": """
values = []

@jax.jit
def f(x):
    return x * 2

def run():
    for i in range(3):
        values.append(f(float(i)))
    return values
""",
    "values by a callback": """
values = []

@jax.jit
def f(x):
    jax.debug.callback(values.append, x)
    return x * 2

def run():
    return f(1.0)
""",
    "an object made inside": """
class Cell:
    def __init__(self, w):
        self.w = w

    def __call__(self, x):
        self.h = jnp.tanh(self.w * x)
        return self.h

@jax.jit
def f(x):
    cell = Cell(x)
    return cell(x) + cell.h

def run():
    return f(1.0)
""",
    "the gradient of a loss with a list of its own": """
def loss(w):
    terms = []
    for i in range(3):
        terms.append((w - i) ** 2)
    return sum(terms)

def run():
    return jax.grad(loss)(1.0)
""",
    "a state that is returned": """
@jax.jit
def step(state):
    state["trail"] = state["trail"] + [state["x"]]
    state["x"] = state["x"] * 2
    return state

def run():
    return step({"x": 1.0, "trail": []})
""",
    "a cache of NumPy's arrays": """
cache = {}

@jax.jit
def f(x):
    if "t" not in cache:
        cache["t"] = np.arange(3.0)  # note: host-state
    return x + cache["t"]

def run():
    return f(jnp.ones(3)), f(jnp.ones((2, 3)))
""",
    "a global set to an array outside": """
last = None

@jax.jit
def f(x):
    return x * 2

def run():
    global last
    last = f(1.0)
    return last
""",
    "eagerly": """
history = []

def f(x):
    history.append(x * 2)
    return x

def run():
    return f(jnp.ones(3))
""",
    "an attribute set outside": """
class Model:
    def __call__(self, x):
        return x * 2

    def run(self, x):
        self.last = jax.jit(self.__call__)(x)
        return self.last

def run():
    return Model().run(1.0)
""",
    "functools.lru_cache of shapes": """
@functools.lru_cache
def positions(n):
    return np.arange(n)

@jax.jit
def f(x):
    return x + positions(x.shape[0])

def run():
    return f(jnp.ones(3))
""",
    "an accumulator in the function": """
@jax.jit
def f(xs):
    total = 0.0
    def add(x):
        nonlocal total
        total = total + x
    for i in range(3):
        add(xs[i])
    return total

def run():
    return f(jnp.ones(3))
""",
    "a generator in the function": """
@jax.jit
def f(x):
    def powers():
        y = x
        while True:
            yield y
            y = y * x
    source = powers()
    return next(source) + next(source)

def run():
    return f(2.0)
""",
    "a scan whose body has its own list": """
def run():
    def body(carry, x):
        parts = [carry]
        parts.append(x)
        return sum(parts), None
    return jax.lax.scan(body, 0.0, jnp.arange(3.0))
""",
    "the trace of a function looked at": """
texts = []

@jax.jit
def f(x):
    texts.append(str(x))  # note: host-state
    return x

def run():
    return f(1.0)
""",
    "a jaxpr kept": """
kept = []

def run():
    kept.append(jax.make_jaxpr(lambda x: x * 2)(1.0))
    return 1.0
""",
    "arrays in a closure": """
def make(w):
    return jax.jit(lambda x: x * w)

def run():
    return make(jnp.ones(3))(2.0)
""",
    "a module with parameters": """
class Linear:
    def __init__(self, key):
        self.params = {"w": jax.random.normal(key, (3,))}

    def apply(self, params, x):
        return params["w"] @ x

def run():
    model = Linear(jax.random.key(0))
    step = jax.jit(jax.grad(lambda params, x: model.apply(params, x)))
    for _ in range(3):
        g = step(model.params, jnp.ones(3))
        model.params = jax.tree.map(lambda p, d: p - 0.1 * d, model.params, g)
    return model.params
""",
    "what is put back before the trace is over": """
stack = []

@jax.jit
def f(x):
    stack.append(x)  # note: host-state
    y = stack.pop()  # note: host-state
    return y * 2

def run():
    return f(1.0)
""",
    "a gradient inside jit that changes a dictionary of the function": """
def loss(w, state):
    state["rate"] = jax.nn.sigmoid(w)
    return w * state["rate"], state

@jax.jit
def step(w, state):
    g, state = jax.grad(loss, has_aux=True)(w, state)
    return g, state

def run():
    return step(1.0, {"rate": 0.5})
""",
    "a gradient inside vmap that changes a list of the function": """
def per_example(x):
    terms = []
    def loss(w):
        terms.append(w * x)
        return w * x
    return jax.grad(loss)(1.0)

def run():
    return jax.vmap(per_example)(jnp.ones(3))
""",
}

BROKEN |= leaked_tracer_forms.BROKEN
SOUND |= leaked_tracer_forms.SOUND
