"""Programs that are compiled again and again; what must be told of a line stands behind it."""

from tests.worker.checks import recompiles_forms

BROKEN = {
    "a lambda in a loop": """
def run():
    x = 1.0
    for _ in range(5):
        x = jax.jit(lambda y: y + 1)(x)  # warning: recompiles
    return x
""",
    "a partial in a loop": """
def add(a, x):  # warning: recompiles
    return x + a

def run():
    x = jnp.ones(2)
    for _ in range(5):
        x = jax.jit(partial(add, 1.0))(x)
    return x
""",
    "a def in a loop": """
def run():
    x = jnp.ones(2)
    for _ in range(5):
        @jax.jit  # warning: recompiles
        def step(y):
            return y + 1
        x = step(x)
    return x
""",
    "a function that jits each time that it is called": """
def apply(x):
    def step(y):  # warning: recompiles
        return y * 2
    return jax.jit(step)(x)

def run():
    x = 1.0
    for _ in range(4):
        x = apply(x)
    return x
""",
    "vmap of a lambda in a loop": """
def run():
    x = jnp.ones(3)
    for _ in range(4):
        x = jax.jit(jax.vmap(lambda y: y * 2))(x)  # warning: recompiles
    return x
""",
    "grad made anew": """
def loss(w):  # warning: recompiles
    return w ** 2

def run():
    w = jnp.float32(1.0)
    for _ in range(5):
        w = w - 0.1 * jax.jit(jax.grad(loss))(w)
    return w
""",
    "a static number for each step": """
@partial(jax.jit, static_argnames="n")  # warning: recompiles
def f(x, n):
    return x * n

def run():
    return [f(1.0, n=n) for n in range(5)]
""",
    "a static position": """
@partial(jax.jit, static_argnums=0)  # warning: recompiles
def f(step, x):
    return x + step

def run():
    x = 0.0
    for step in range(6):
        x = f(step, x)
    return x
""",
    "a new shape for each step": """
@jax.jit  # warning: recompiles
def f(x):
    return x.sum()

def run():
    return [f(jnp.ones(n)) for n in range(1, 6)]
""",
    "a list that grows": """
@jax.jit  # warning: recompiles
def f(xs):
    return sum(xs)

def run():
    xs, out = [], []
    for i in range(5):
        xs.append(float(i))
        out.append(f(xs))
    return out
""",
    "an array that grows": """
@jax.jit  # warning: recompiles
def mean(x):
    return x.mean()

def run():
    x = jnp.zeros(0)
    for i in range(5):
        x = jnp.append(x, i)
        y = mean(x)
    return y
""",
    "keys that come and go": """
@jax.jit  # warning: recompiles
def f(tree):
    return sum(jax.tree.leaves(tree))

def run():
    return [f({f"layer{i}": 1.0}) for i in range(5)]
""",
    "a method of new objects": """
class Model:
    @partial(jax.jit, static_argnums=0)  # warning: recompiles
    def __call__(self, x):
        return x * 2

def run():
    return [Model()(1.0) for _ in range(5)]
""",
    "a static dictionary made hashable": """
class Config:
    def __init__(self, n):
        self.n = n

@partial(jax.jit, static_argnums=1)  # warning: recompiles
def f(x, config):
    return x * config.n

def run():
    return [f(1.0, Config(2)) for _ in range(5)]
""",
    "slices of other lengths": """
data = np.arange(20.0)

@jax.jit  # warning: recompiles
def f(x):
    return (x * 2).sum()

def run():
    return [f(data[:end]) for end in range(1, 8)]
""",
    "a closure for each epoch": """
def make_step(rate):
    @jax.jit  # warning: recompiles
    def step(w):
        return w - rate * w
    return step

def run():
    w = jnp.float32(1.0)
    for epoch in range(5):
        w = make_step(0.1 / (epoch + 1))(w)
    return w
""",
    "a static string": """
@partial(jax.jit, static_argnames=("mode",))  # warning: recompiles
def f(x, mode):
    return x

def run():
    return [f(1.0, mode=f"step {i}") for i in range(4)]
""",
    "flags around the call": """
@jax.jit  # warning: recompiles
def f(x):
    return x @ x

def run():
    x = jnp.ones((2, 2))
    out = [f(x)]
    for precision in ("bfloat16", "tensorfloat32", "float32"):
        with jax.default_matmul_precision(precision):
            out.append(f(x))
    return out
""",
    "dtypes": """
@jax.jit  # warning: recompiles
def f(x):
    return x + x

def run():
    return [f(jnp.ones(2, dtype)) for dtype in ("float32", "int32", "float16", "bfloat16", "uint8")]
""",
    "a bound method jitted in a loop, of new objects": """
class Net:
    def __init__(self, w):
        self.w = w

    def forward(self, x):  # warning: recompiles
        return x * self.w

def run():
    return [jax.jit(Net(1.0).forward)(2.0) for _ in range(5)]
""",
    "at the top level of a script": """
out = []
for i in range(5):
    out.append(jax.jit(lambda x: x + 1)(1.0))

def again():
    x = 1.0
    for i in range(5):
        x = jax.jit(lambda x: x * 2)(x)  # warning: recompiles
    return x

def run():
    return again()
""",
    "the body of a scan made anew, outside of jit": """
def run():
    x = jnp.float32(0)
    for _ in range(5):
        x, _ = jax.lax.scan(lambda c, a: (c + a, None), x, jnp.ones(3))  # warning: recompiles
    return x
""",
    "a function with a loop in it, outside of jit": """
def power(x):
    def body(i, y):  # warning: recompiles
        return y * x
    return jax.lax.fori_loop(0, 3, body, x)

def run():
    x = jnp.float32(1.0)
    for _ in range(5):
        x = power(x)
    return x
""",
    "a branch made anew, outside of jit": """
def run():
    x = jnp.float32(1.0)
    for _ in range(5):
        x = jax.lax.cond(x > 0, jnp.sin, lambda y: -y, x)  # warning: recompiles
    return x
""",
}

SOUND = {
    "jit once": """
step = jax.jit(lambda x: x + 1)

def run():
    x = 1.0
    for _ in range(10):
        x = step(x)
    return x
""",
    "jit of the same function in a loop": """
def add(x):
    return x + 1

def run():
    x = 1.0
    for _ in range(10):
        x = jax.jit(add)(x)
    return x
""",
    "training and evaluation shapes": """
@jax.jit
def f(x):
    return x.sum()

def run():
    return [f(jnp.ones(n)) for n in (32, 32, 32, 8, 32)]
""",
    "three shapes": """
@jax.jit
def f(x):
    return x.sum()

def run():
    return [f(jnp.ones(n)) for n in (1, 2, 3)]
""",
    "two static values": """
@partial(jax.jit, static_argnames="training")
def f(x, training):
    return x * 0.5 if training else x

def run():
    return [f(1.0, training=flag) for flag in (True, False) * 5]
""",
    "a number first, then an array": """
@jax.jit
def f(x):
    return x + 1

def run():
    x = f(1)
    for _ in range(5):
        x = f(x)
    return x
""",
    "vmap in a loop": """
def run():
    x = jnp.ones(3)
    for _ in range(5):
        x = jax.vmap(lambda y: y + 1)(x)
    return x
""",
    "grad in a loop": """
def run():
    w = 1.0
    for _ in range(5):
        w = w - 0.1 * jax.grad(lambda v: v ** 2)(w)
    return w
""",
    "an inner jit of many shapes inside one": """
@jax.jit
def inner(x):
    return x * 2

@jax.jit
def outer(x):
    return [inner(x[:n]).sum() for n in range(1, 7)]

def run():
    return outer(jnp.ones(8))
""",
    "a lambda jitted in a traced loop": """
@jax.jit
def outer(x):
    for _ in range(5):
        x = jax.jit(lambda y: y + 1)(x)
    return x

def run():
    return outer(1.0)
""",
    "eagerly in many shapes": """
def run():
    return [jnp.ones(n).sum() for n in range(1, 9)]
""",
    "a static shape, twice": """
@partial(jax.jit, static_argnums=0)
def zeros(n):
    return jnp.zeros(n)

def run():
    return zeros(3), zeros(4), zeros(3)
""",
    "a scan instead of a loop": """
def run():
    return jax.lax.scan(lambda c, x: (c + x, c), 0.0, jnp.arange(100.0))
""",
    "many functions, each once": """
def run():
    steps = [jax.jit(lambda x, n=n: x + n) for n in (1, 2)]
    return [step(1.0) for step in steps for _ in range(4)]
""",
    "a cached factory": """
@functools.cache
def make_step(rate):
    return jax.jit(lambda w: w - rate * w)

def run():
    w = 1.0
    for _ in range(6):
        w = make_step(0.1)(w)
    return w
""",
    "a model in an object": """
class Model:
    def __init__(self):
        self.forward = jax.jit(lambda w, x: w * x)

def run():
    model, w = Model(), 1.0
    for _ in range(6):
        w = model.forward(w, 0.9)
    return w
""",
    "an array as a step number": """
@jax.jit
def f(x, step):
    return x + step

def run():
    x = 0.0
    for step in range(8):
        x = f(x, step)
    return x
""",
    "a padded batch": """
@jax.jit
def f(x, mask):
    return (x * mask).sum()

def run():
    out = []
    for n in range(1, 8):
        mask = np.arange(8) < n
        out.append(f(jnp.ones(8), mask))
    return out
""",
    "lowered and compiled once": """
def run():
    f = jax.jit(lambda x: x + 1)
    compiled = f.lower(1.0).compile()
    return [compiled(1.0) for _ in range(5)]
""",
    "jit is off": """
def run():
    x = 1.0
    with jax.disable_jit():
        for _ in range(5):
            x = jax.jit(lambda y: y + 1)(x)
    return x
""",
    "the same program after a change of settings and back": """
@jax.jit
def f(x):
    return x @ x

def run():
    x = jnp.ones((2, 2))
    with jax.default_matmul_precision("float32"):
        a = f(x)
    return a, f(x), f(x)
""",
    "a function for each of several purposes": """
def fit(activation):
    @jax.jit
    def step(w):
        return activation(w) * 0.9
    return step(1.0)

def run():
    return [fit(each) for each in (jnp.sin, jnp.cos, jnp.tanh, jax.nn.relu, jnp.exp)]
""",
    "other shapes at other places": """
@jax.jit
def norm(x):
    return jnp.sqrt((x ** 2).sum())

def run():
    a = norm(jnp.ones(2))
    b = norm(jnp.ones(3))
    c = norm(jnp.ones((4, 4)))
    d = norm(jnp.ones((5, 1)))
    e = norm(jnp.ones((6, 2)))
    return a, b, c, d, e
""",
    "a scan of one body, again and again": """
def body(c, a):
    return c + a, None

def run():
    x = jnp.float32(0)
    for _ in range(5):
        x, _ = jax.lax.scan(body, x, jnp.ones(3))
    return x
""",
    "a body made anew in what is jitted once": """
@jax.jit
def total(x):
    for _ in range(5):
        x, _ = jax.lax.scan(lambda c, a: (c + a, None), x, jnp.ones(3))
    return x

def run():
    return [total(jnp.float32(i)) for i in range(5)]
""",
}

BROKEN |= recompiles_forms.BROKEN
SOUND |= recompiles_forms.SOUND
