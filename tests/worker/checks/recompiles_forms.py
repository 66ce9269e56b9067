"""Functions that people compile again and again: in methods, factories, decorators, loops, on devices."""

BROKEN = {
    "a jit in a method of a loop": """
class Trainer:
    def __init__(self):
        self.w = jnp.ones(3)

    def step(self, x):
        update = jax.jit(lambda w, x: w - 0.1 * x)  # warning: recompiles
        self.w = update(self.w, x)

def run():
    trainer = Trainer()
    for _ in range(5):
        trainer.step(jnp.ones(3))
    return trainer.w
""",
    "an epoch as a static argument": """
@partial(jax.jit, static_argnames=("epoch",))  # warning: recompiles
def train(w, epoch):
    return w * 0.9 ** epoch

def run():
    w = jnp.ones(2)
    for epoch in range(6):
        w = train(w, epoch=epoch)
    return w
""",
    "pmap made anew": """
def run():
    x = jnp.ones((1, 2))
    for _ in range(4):
        x = jax.pmap(lambda y: y * 2)(x)  # warning: recompiles
    return x
""",
    "shard_map made anew": """
from jax.sharding import Mesh, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()[:1]), ("d",))

def run():
    x = jnp.ones(4)
    for _ in range(4):
        def body(y):  # warning: recompiles
            return y * 2
        x = jax.jit(jax.shard_map(body, mesh=mesh, in_specs=P("d"), out_specs=P("d")))(x)
    return x
""",
    "value_and_grad in the loop": """
def fit(w, data):
    for x in data:
        @jax.jit  # warning: recompiles
        @jax.value_and_grad
        def loss(w):
            return ((w - x) ** 2).sum()
        _, g = loss(w)
        w = w - 0.1 * g
    return w

def run():
    return fit(jnp.zeros(2), [jnp.ones(2) * i for i in range(5)])
""",
    "sequences of their own length": """
@jax.jit  # warning: recompiles
def encode(tokens):
    return jnp.cumsum(tokens)[-1]

def run():
    texts = ["a", "bc", "def", "ghij", "klmno"]
    return [encode(jnp.array([ord(c) for c in text])) for text in texts]
""",
    "a batch that shrinks": """
@jax.jit  # warning: recompiles
def keep(x, threshold):
    return x * 2 > threshold

def run():
    x = jnp.arange(10.0)
    for _ in range(5):
        x = x[np.asarray(keep(x, 5.0)) | (np.arange(len(x)) > 0)]
    return x
""",
    "a config that is hashed by value, and changes": """
import dataclasses

@dataclasses.dataclass(frozen=True)
class Config:
    rate: float

@partial(jax.jit, static_argnums=1)  # warning: recompiles
def step(w, config):
    return w - config.rate * w

def run():
    w = jnp.ones(2)
    for i in range(5):
        w = step(w, Config(0.1 / (i + 1)))
    return w
""",
    "a partial with another number each time": """
def scaled(scale, x):  # warning: recompiles
    return x * scale

def run():
    return [jax.jit(partial(scaled, s))(jnp.ones(2)) for s in (1.0, 2.0, 3.0, 4.0)]
""",
    "a decorator that jits at each call": """
def fast(function):
    def wrapped(x):
        return jax.jit(lambda y: function(y))(x)  # warning: recompiles
    return wrapped

@fast
def f(x):
    return x + 1

def run():
    x = 1.0
    for _ in range(5):
        x = f(x)
    return x
""",
    "static keyword of a method": """
class Model:
    @partial(jax.jit, static_argnames=("self", "step"))  # warning: recompiles
    def __call__(self, x, step):
        return x + step

    def __hash__(self):
        return 1

    def __eq__(self, other):
        return isinstance(other, Model)

def run():
    model, x = Model(), 0.0
    for i in range(5):
        x = model(x, step=i)
    return x
""",
    "a cond made anew in a loop": """
def relax(x, limit):
    return jax.lax.cond(x > limit, lambda v: v * 0.5, lambda v: v, x)  # warning: recompiles

def run():
    x = jnp.float32(8.0)
    for _ in range(5):
        x = relax(x, 1.0)
    return x
""",
    "a while_loop made anew in a loop": """
def root(a):
    def goes_on(x):
        return jnp.abs(x * x - a) > 1e-3

    def step(x):  # warning: recompiles
        return 0.5 * (x + a / x)

    return jax.lax.while_loop(goes_on, step, jnp.float32(1.0))

def run():
    return [root(float(a)) for a in (2, 3, 5, 7)]
""",
    "a scan in a method": """
class Filter:
    def __init__(self, alpha):
        self.alpha = alpha

    def smooth(self, xs):
        def step(c, x):  # warning: recompiles
            c = self.alpha * c + (1 - self.alpha) * x
            return c, c
        return jax.lax.scan(step, 0.0, xs)[1]

def run():
    f, xs = Filter(0.9), jnp.ones(4)
    for _ in range(5):
        xs = f.smooth(xs)
    return xs
""",
    "lax.map of a lambda": """
def run():
    x = jnp.ones((3, 2))
    for _ in range(5):
        x = jax.lax.map(lambda row: row * 2, x)  # warning: recompiles
    return x
""",
    "checkpoint of a lambda": """
def run():
    w = jnp.float32(1.0)
    for _ in range(4):
        w = jax.jit(jax.checkpoint(lambda v: jnp.sin(v)))(w)  # warning: recompiles
    return w
""",
    "a hyperparameter sweep by closures": """
def experiment(rate):
    def step(w):  # warning: recompiles
        return w - rate * w
    run_step = jax.jit(step)
    w = jnp.ones(2)
    for _ in range(3):
        w = run_step(w)
    return w

def run():
    return [experiment(rate) for rate in (0.1, 0.2, 0.3, 0.4, 0.5)]
""",
    "new tuple lengths": """
@jax.jit  # warning: recompiles
def total(values):
    return sum(values)

def run():
    return [total(tuple(range(n))) for n in range(1, 6)]
""",
    "a growing sequence in decoding": """
@jax.jit  # warning: recompiles
def next_token(tokens):
    return tokens.sum() % 7

def run():
    tokens = jnp.array([1])
    for _ in range(5):
        tokens = jnp.concatenate([tokens, next_token(tokens)[None]])
    return tokens
""",
    "jitted in a comprehension": """
def run():
    return [jax.jit(lambda x: x ** 2)(float(i)) for i in range(5)]  # warning: recompiles
""",
    "jit in a while": """
def run():
    x = 1.0
    while x < 10:
        x = jax.jit(lambda y: y * 2)(x)  # warning: recompiles
    return x
""",
    "hessian in a loop": """
def run():
    x = jnp.ones(2)
    for _ in range(4):
        h = jax.jit(jax.hessian(lambda v: (v ** 3).sum()))(x)  # warning: recompiles
        x = x - jnp.linalg.solve(h + jnp.eye(2), x)
    return x
""",
    "a bool that is an int that is an array, and back": """
@jax.jit  # warning: recompiles
def f(x):
    return x * 2

def run():
    return [f(v) for v in (True, 1, 1.0, jnp.float16(1), 1j)]
""",
}

SOUND = {
    "a jitted method made once": """
class Trainer:
    def __init__(self):
        self.update = jax.jit(lambda w, x: w - 0.1 * x)
        self.w = jnp.ones(3)

    def step(self, x):
        self.w = self.update(self.w, x)

def run():
    trainer = Trainer()
    for _ in range(5):
        trainer.step(jnp.ones(3))
    return trainer.w
""",
    "an epoch as an array": """
@jax.jit
def train(w, epoch):
    return w * 0.9 ** epoch

def run():
    w = jnp.ones(2)
    for epoch in range(6):
        w = train(w, epoch)
    return w
""",
    "a config that is hashed by value and stays": """
import dataclasses

@dataclasses.dataclass(frozen=True)
class Config:
    rate: float

@partial(jax.jit, static_argnums=1)
def step(w, config):
    return w - config.rate * w

def run():
    w = jnp.ones(2)
    for _ in range(5):
        w = step(w, Config(0.1))
    return w
""",
    "a jitted factory in a dictionary": """
steps = {}

def step_for(name):
    if name not in steps:
        steps[name] = jax.jit(lambda x: x * 2)
    return steps[name]

def run():
    x = 1.0
    for _ in range(6):
        x = step_for("a")(x)
    return x
""",
    "padding to buckets": """
@jax.jit
def f(x):
    return x.sum()

def run():
    return [f(np.pad(np.ones(n), (0, (8 if n <= 8 else 16) - n))) for n in range(1, 16)]
""",
    "training, evaluation, and the last batch of each": """
@partial(jax.jit, static_argnames="train")
def forward(x, train):
    return x * (0.5 if train else 1.0)

def run():
    return [forward(jnp.ones(n), train=t) for _ in range(3) for t in (True, False) for n in (8, 8, 3)]
""",
    "vmap of grad in a loop, outside of jit": """
def run():
    w = jnp.ones(3)
    for _ in range(5):
        w = w - 0.1 * jax.vmap(jax.grad(lambda v: v ** 2))(w)
    return w
""",
    "a scan jitted around": """
@jax.jit
def smooth(xs):
    def step(c, x):
        return 0.9 * c + x, c
    return jax.lax.scan(step, 0.0, xs)[1]

def run():
    xs = jnp.ones(4)
    for _ in range(6):
        xs = smooth(xs)
    return xs
""",
    "a jitted method of one object": """
class Model:
    def __init__(self):
        self.scale = 2.0

    @partial(jax.jit, static_argnums=0)
    def __call__(self, x):
        return x * self.scale

def run():
    model, x = Model(), 1.0
    for _ in range(6):
        x = model(x)
    return x
""",
    "eager operations of jax.numpy in a loop": """
def run():
    x = jnp.ones(3)
    for i in range(6):
        x = jnp.where(x > i, jnp.linalg.norm(x), x.at[0].add(i))
        x = jax.nn.softmax(x) + jax.random.normal(jax.random.key(i), (3,))
    return x
""",
    "two layers of one class": """
class Dense:
    def __init__(self, n):
        self.w = jnp.ones((n, n))
        self.apply = jax.jit(lambda w, x: x @ w)

    def __call__(self, x):
        return self.apply(self.w, x)

def run():
    layers, x = [Dense(3), Dense(3)], jnp.ones(3)
    for _ in range(4):
        for layer in layers:
            x = layer(x)
    return x
""",
    "a test of several sizes": """
@jax.jit
def f(x):
    return (x ** 2).sum()

def run():
    for n in (4, 16):
        np.testing.assert_allclose(f(jnp.ones(n)), n)
    return f(jnp.ones(4))
""",
}
