"""Programs that read random numbers and clocks of Python's; what must be told of a line stands behind it."""

from tests.worker.checks import host_random_forms

BROKEN = {
    "numpy in jit": """
@jax.jit
def f(x):
    return x + np.random.normal()  # bug: host-random

def run():
    return f(1.0) + f(2.0)
""",
    "an array of numbers becomes a constant": """
@jax.jit
def f(x):
    noise = np.random.normal(size=x.shape)  # bug: host-random
    return x + noise

def run():
    return f(jnp.ones(3))
""",
    "random of Python": """
@jax.jit
def f(x):
    if random.random() < 0.5:  # bug: host-random
        return x
    return -x

def run():
    random.seed(3)
    return f(1.0)
""",
    "a generator of the module": """
rng = np.random.default_rng(0)

@jax.jit
def f(x):
    return x * rng.uniform()  # bug: host-random

def run():
    return f(1.0)
""",
    "an old generator in an attribute": """
class Noise:
    def __init__(self):
        self.state = np.random.RandomState(0)

    @partial(jax.jit, static_argnums=0)
    def add(self, x):
        return x + self.state.randn()  # bug: host-random

def run():
    return Noise().add(1.0)
""",
    "a generator of random": """
dice = random.Random(5)

@jax.jit
def f(x):
    return x * dice.randint(1, 1000)  # bug: host-random

def run():
    return f(1.0)
""",
    "a function imported by name": """
from numpy.random import standard_normal as draw

@jax.jit
def f(x):
    return x + draw()  # bug: host-random

def run():
    return f(1.0)
""",
    "in the body of a scan, eagerly": """
def run():
    def body(carry, x):
        return carry + np.random.normal(), x  # bug: host-random
    return jax.lax.scan(body, 0.0, jnp.arange(3.0))
""",
    "in a scan in jit": """
@jax.jit
def f(xs):
    def body(carry, x):
        return carry + x * np.random.uniform(), None  # bug: host-random
    return jax.lax.scan(body, 0.0, xs)[0]

def run():
    return f(jnp.arange(3.0))
""",
    "in fori_loop": """
def run():
    return jax.lax.fori_loop(0, 5, lambda i, x: x + np.random.normal(), 0.0)  # bug: host-random
""",
    "in a jitted gradient": """
def loss(w, x):
    mask = np.random.rand(*x.shape) < 0.5  # bug: host-random
    return jnp.sum((w * x * mask) ** 2)

step = jax.jit(jax.grad(loss))

def run():
    np.random.seed(0)
    return step(1.0, jnp.arange(8.0))
""",
    "in vmap, eagerly": """
def run():
    return jax.vmap(lambda x: x + np.random.normal())(jnp.zeros(3))  # bug: host-random
""",
    "in a gradient under vmap": """
def noisy(x):
    return x * np.random.normal()  # bug: host-random

def run():
    return jax.vmap(jax.grad(noisy))(jnp.ones(3))
""",
    "in jit of vmap": """
@jax.jit
def f(xs):
    return jax.vmap(lambda x: x + random.gauss(0.0, 1.0))(xs)  # bug: host-random

def run():
    return f(jnp.ones(3))
""",
    "in a helper of the traced function": """
def noise(shape):
    return np.random.standard_normal(shape)  # bug: host-random

def layer(x):
    return x + noise(x.shape)

@jax.jit
def f(x):
    return layer(x) * 2

def run():
    return f(jnp.ones(3))
""",
    "in a function that jit of another calls": """
@jax.jit
def inner(x):
    return x + np.random.normal()  # bug: host-random

@jax.jit
def outer(x):
    return inner(x) * 2

def run():
    return outer(1.0)
""",
    "time as a seed": """
@jax.jit
def f(x):
    key = jax.random.key(int(time.time_ns() % 2**31))  # bug: host-random
    return x + jax.random.normal(key)

def run():
    return f(1.0)
""",
    "the date in the program": """
import datetime

@jax.jit
def f(x):
    return x + datetime.datetime.now().microsecond  # bug: host-random

def run():
    return f(1)
""",
    "elapsed time inside": """
@jax.jit
def f(x):
    start = time.perf_counter()  # bug: host-random
    y = jnp.sin(x)
    return y, time.perf_counter() - start  # bug: host-random

def run():
    return f(1.0)
""",
    "an identifier": """
@jax.jit
def f(x):
    return x + uuid.uuid4().int % 1000  # bug: host-random

def run():
    return f(1)
""",
    "secrets": """
import secrets

@jax.jit
def f(x):
    return x + secrets.randbelow(10**6)  # bug: host-random

def run():
    return f(1)
""",
    "the system's random bytes": """
import os

@jax.jit
def f(x):
    return x + int.from_bytes(os.urandom(2), "big")  # bug: host-random

def run():
    return f(1)
""",
    "a shuffled order": """
@jax.jit
def f(x):
    order = np.random.permutation(8)  # bug: host-random
    return x[order]

def run():
    return f(jnp.arange(8.0))
""",
    "a partial of a function that draws": """
def add(scale, x):
    return x + scale * np.random.normal()  # bug: host-random

def run():
    return jax.jit(partial(add, 2.0))(1.0)
""",
    "at the top level of a script": """
f = jax.jit(lambda x: x + np.random.normal())  # bug: host-random
first = f(1.0)

def run():
    return first
""",
    "a choice in pmap": """
def run():
    return jax.pmap(lambda x: x + np.random.normal())(jnp.ones(1))  # bug: host-random
""",
    "in checkpoint": """
@jax.jit
def f(x):
    return jax.checkpoint(lambda y: jnp.sin(y * np.random.normal()))(x)  # bug: host-random

def run():
    return f(1.0)
""",
    "a partial of a generator's method": """
noise = partial(np.random.normal, 0.0, 2.0)

@jax.jit
def f(x):
    return x + noise()  # bug: host-random

def run():
    return f(1.0)
""",
    "a generator without a seed, made inside": """
@jax.jit
def f(x):
    return x + np.random.default_rng().normal()  # bug: host-random

def run():
    return f(1.0)
""",
    "in the rule of a derivative": """
@jax.custom_jvp
def f(x):
    return x

@f.defjvp
def rule(primals, tangents):
    return f(primals[0]), tangents[0] * np.random.normal()  # bug: host-random

def run():
    return jax.jit(jax.grad(f))(1.0)
""",
}

SOUND = {
    "keys": """
@jax.jit
def f(x, key):
    return x + jax.random.normal(key, x.shape)

def run():
    return f(jnp.ones(3), jax.random.key(0))
""",
    "data made outside": """
data = np.random.default_rng(0).normal(size=(4, 3))

@jax.jit
def f(x):
    return x @ data.T

def run():
    return f(jnp.asarray(np.random.normal(size=(2, 3)), jnp.float32))
""",
    "a batch for each step": """
@jax.jit
def step(w, batch):
    return w - 0.1 * batch.mean()

def run():
    rng, w = np.random.default_rng(0), 1.0
    for _ in range(3):
        w = step(w, rng.normal(size=4).astype("float32"))
    return w
""",
    "the clock around calls": """
@jax.jit
def f(x):
    return jnp.sin(x)

def run():
    start = time.perf_counter()
    y = jax.block_until_ready(f(1.0))
    return y, time.perf_counter() - start
""",
    "a fixed matrix from a seed": """
@jax.jit
def project(x):
    matrix = np.random.RandomState(0).normal(size=(3, 2))
    return x @ matrix

def run():
    return project(jnp.ones(3))
""",
    "a generator from a seed, in the function": """
@jax.jit
def f(x):
    rng = np.random.default_rng(7)
    return x + rng.normal(size=3)

def run():
    return f(jnp.ones(3))
""",
    "numpy seeded in the function": """
@jax.jit
def f(x):
    np.random.seed(1)
    return x + np.random.normal()

def run():
    return f(1.0)
""",
    "a fixed matrix in vmap": """
def run():
    return jax.vmap(lambda x: x @ np.random.RandomState(0).normal(size=(3, 2)))(jnp.ones((4, 3)))
""",
    "eagerly": """
def f(x):
    return x + np.random.normal()

def run():
    return f(1.0) + random.random() + time.time()
""",
    "a gradient, eagerly": """
def loss(w):
    return w * np.random.normal()

def run():
    return jax.grad(loss)(1.0), jax.value_and_grad(loss)(2.0)
""",
    "the derivative along a direction, eagerly": """
def run():
    return jax.jvp(lambda x: x * np.random.normal(), (1.0,), (1.0,))
""",
    "in a callback": """
def draw(x):
    return np.asarray(x + np.random.normal(), np.float32)

@jax.jit
def f(x):
    return jax.pure_callback(draw, jax.ShapeDtypeStruct((), jnp.float32), x)

def run():
    return f(1.0)
""",
    "how long tracing takes": """
@jax.jit
def f(x):
    start = time.time()  # note: host-random
    y = jnp.sin(x)
    print(time.time() - start)  # note: host-random
    return y

def run():
    return f(1.0)
""",
    "a number for a log": """
@jax.jit
def f(x):
    if random.random() < 2.0:  # note: host-random
        print("traced")
    return x

def run():
    return f(1.0)
""",
    "a number that only a print shows": """
@jax.jit
def f(x):
    jax.debug.print("{}", np.random.normal())  # note: host-random
    return x

def run():
    return f(1.0)
""",
    "a name": """
@jax.jit
def f(x):
    with jax.named_scope("layer" + str(random.randrange(1000))):  # note: host-random
        return jnp.sin(x)

def run():
    return f(1.0)
""",
    "functions of one's own called like those": """
def normal(x):
    return x

def uniform(x):
    return x * 2

@jax.jit
def f(x):
    return normal(x) + uniform(x)

def run():
    return f(1.0)
""",
    "jax.random under another name": """
from jax import random as jr

@jax.jit
def f(key):
    a, b = jr.split(key)
    return jr.normal(a) + jr.uniform(b, (3,)).sum()

def run():
    return f(jr.key(0))
""",
    "a generator that is only passed on": """
rng = np.random.default_rng(0)

@jax.jit
def f(x):
    return x if rng is not None else -x

def run():
    return f(1.0), rng.normal()
""",
    "dates that are given": """
import datetime

@jax.jit
def f(x):
    return x + datetime.timedelta(days=2).days + datetime.date(2020, 1, 1).year

def run():
    return f(1)
""",
    "a key from the clock, outside": """
@jax.jit
def f(key):
    return jax.random.normal(key)

def run():
    return f(jax.random.key(time.time_ns() % 1000))
""",
    "numbers that are static": """
@partial(jax.jit, static_argnums=1)
def f(x, n):
    return x * n

def run():
    return f(1.0, random.randint(1, 3))
""",
    "an initialisation that is jitted once, on purpose with keys": """
class Model:
    def __init__(self, key):
        self.w = jax.random.normal(key, (3,))

    def __call__(self, x):
        return self.w @ x

def run():
    model = Model(jax.random.key(0))
    return jax.jit(model.__call__)(jnp.ones(3))
""",
}

BROKEN |= host_random_forms.BROKEN
SOUND |= host_random_forms.SOUND
