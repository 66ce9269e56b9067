"""Random numbers and clocks of Python's as people read them: in classes, closures, decorators, loops, on devices."""

BROKEN = {
    "in shard_map": """
from jax.sharding import Mesh, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()[:1]), ("d",))

def run():
    def noisy(x):
        return x + np.random.normal()  # bug: host-random
    return jax.jit(jax.shard_map(noisy, mesh=mesh, in_specs=P("d"), out_specs=P("d")))(jnp.ones(4))
""",
    "in the body of while_loop": """
def run():
    def body(state):
        i, x = state
        return i + 1, x * random.uniform(0.9, 1.1)  # bug: host-random
    return jax.lax.while_loop(lambda state: state[0] < 5, body, (0, 1.0))
""",
    "in a branch of cond": """
@jax.jit
def f(x):
    return jax.lax.cond(
        x > 0,
        lambda y: y + np.random.randn(),  # bug: host-random
        lambda y: y,
        x,
    )

def run():
    return f(1.0)
""",
    "in a branch of switch": """
def run():
    branches = [lambda x: x, lambda x: x * random.choice([1.0, 2.0, 5.0, 7.0])]  # bug: host-random
    return jax.jit(lambda i, x: jax.lax.switch(i, branches, x))(1, 2.0)
""",
    "dropout in a class of layers": """
import dataclasses

@dataclasses.dataclass(frozen=True)
class Dropout:
    rate: float = 0.5

    def __call__(self, x):
        keep = np.random.binomial(1, 1 - self.rate, x.shape)  # bug: host-random
        return x * keep / (1 - self.rate)

@dataclasses.dataclass(frozen=True)
class Net:
    layers: tuple = (Dropout(), jnp.tanh, Dropout(0.2))

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

def run():
    return jax.jit(Net())(jnp.ones(16))
""",
    "a comprehension": """
@jax.jit
def init(x):
    weights = [np.random.normal(size=(3, 3)) for _ in range(2)]  # bug: host-random
    for w in weights:
        x = x @ w
    return x

def run():
    return init(jnp.ones(3))
""",
    "a generator expression": """
@jax.jit
def f(x):
    return x + sum(random.random() for _ in range(4))  # bug: host-random

def run():
    return f(1.0)
""",
    "a decorator of one's own": """
def with_noise(function):
    @functools.wraps(function)
    def wrapped(x):
        return function(x) + np.random.normal(0, 0.1, x.shape)  # bug: host-random
    return wrapped

@jax.jit
@with_noise
def f(x):
    return x * 2

def run():
    return f(jnp.ones(3))
""",
    "a generator as a static argument": """
@partial(jax.jit, static_argnames="rng")
def f(x, rng):
    return x + rng.standard_normal(x.shape)  # bug: host-random

def run():
    rng = np.random.default_rng(0)
    return f(jnp.ones(3), rng=rng)
""",
    "a generator in a partial": """
def augment(rng, x):
    return x * rng.uniform(0.5, 1.5)  # bug: host-random

def run():
    step = jax.jit(partial(augment, np.random.default_rng(1)))
    return step(1.0), step(1.0)
""",
    "shuffled in place": """
@jax.jit
def f(x):
    order = list(range(8))
    random.shuffle(order)  # bug: host-random
    return x[jnp.array(order)]

def run():
    return f(jnp.arange(8.0))
""",
    "a sample of indices": """
@jax.jit
def minibatch(data):
    index = random.sample(range(100), 4)  # bug: host-random
    return data[np.array(index)].mean()

def run():
    return minibatch(jnp.arange(100.0))
""",
    "numpy.random under a name of its own": """
import numpy.random as npr

@jax.jit
def f(x):
    return x + npr.laplace()  # bug: host-random

def run():
    return f(1.0)
""",
    "a method under a short name": """
rng = np.random.default_rng(0)
draw = rng.normal

@jax.jit
def f(x):
    return x + draw(size=3)  # bug: host-random

def run():
    return f(jnp.ones(3))
""",
    "mapped by Python": """
@jax.jit
def f(x):
    return x + sum(map(np.random.normal, [0.0, 1.0, 2.0]))  # bug: host-random

def run():
    return f(1.0)
""",
    "in a loss that is differentiated in a scan": """
def loss(w, x):
    return jnp.mean((w * x + np.random.normal()) ** 2)  # bug: host-random

def run():
    def step(w, x):
        return w - 0.1 * jax.grad(loss)(w, x), None
    return jax.lax.scan(step, 1.0, jnp.ones((5, 3)))[0]
""",
    "in the backward rule": """
@jax.custom_vjp
def noisy_identity(x):
    return x

def forward(x):
    return x, None

def backward(_, g):
    return (g * (1 + np.random.normal()),)  # bug: host-random

noisy_identity.defvjp(forward, backward)

def run():
    return jax.jit(jax.grad(lambda x: noisy_identity(x) ** 2))(1.0)
""",
    "a seed drawn for a key": """
@jax.jit
def f(x):
    key = jax.random.PRNGKey(np.random.randint(0, 2**31 - 1))  # bug: host-random
    return x + jax.random.normal(key, x.shape)

def run():
    return f(jnp.ones(3)), f(jnp.ones(3))
""",
    "the system's generator": """
system = random.SystemRandom()

@jax.jit
def f(x):
    return x * system.random()  # bug: host-random

def run():
    return f(1.0)
""",
    "an hour of the day": """
@jax.jit
def f(x):
    return x * (1 + time.localtime().tm_sec / 7 + time.localtime().tm_min)  # bug: host-random

def run():
    return f(1.0)
""",
    "a value of a walrus": """
@jax.jit
def f(x):
    if (u := np.random.random()) > 2:  # bug: host-random
        return x
    return x * u

def run():
    return f(1.0)
""",
    "in jnp.vectorize": """
def run():
    f = jax.jit(jnp.vectorize(lambda x: x + random.gauss(0, 1)))  # bug: host-random
    return f(jnp.ones((2, 3)))
""",
    "in lax.map": """
def run():
    return jax.lax.map(lambda row: row * np.random.rand(), jnp.ones((4, 2)))  # bug: host-random
""",
    "in a method with a static self": """
class Agent:
    def __init__(self, epsilon):
        self.epsilon = epsilon

    @partial(jax.jit, static_argnums=0)
    def act(self, q):
        if np.random.rand() < self.epsilon:  # bug: host-random
            return jnp.int32(np.random.randint(4))  # bug: host-random
        return jnp.argmax(q)

def run():
    agent = Agent(1.5)
    return [agent.act(jnp.ones(4)) for _ in range(3)]
""",
    "in an environment's step under a scan": """
class Env:
    def reset(self):
        return {"pos": jnp.zeros(2), "t": 0}

    def step(self, state, action):
        wind = np.random.normal(size=2)  # bug: host-random
        return {"pos": state["pos"] + action + wind, "t": state["t"] + 1}, state["pos"].sum()

def run():
    env = Env()
    return jax.lax.scan(lambda s, a: env.step(s, a), env.reset(), jnp.ones((6, 2)))
""",
    "in tree.map": """
@jax.jit
def perturb(params):
    return jax.tree.map(lambda p: p + 0.01 * np.random.standard_normal(p.shape), params)  # bug: host-random

def run():
    return perturb({"w": jnp.ones((2, 2)), "b": jnp.zeros(2)})
""",
    "a function that returns a noisy one": """
def make_noise(scale, rng=np.random.default_rng(3)):
    def noise(shape):
        return scale * rng.normal(size=shape)  # bug: host-random
    return noise

noise = make_noise(0.1)
f = jax.jit(lambda x: jnp.sin(x) + noise(x.shape))

def run():
    return f(jnp.ones(3)), f(jnp.ones(3))
""",
    "in remat of a layer": """
@jax.checkpoint
def block(x):
    return jnp.tanh(x) * np.random.uniform(0.5, 1.0)  # bug: host-random

def run():
    return jax.jit(jax.grad(lambda x: block(block(x))))(1.0)
""",
    "seconds as a seed": """
@jax.jit
def f(x):
    key = jax.random.PRNGKey(int(time.time()))  # bug: host-random
    return x + jax.random.normal(key)

def run():
    return f(1.0)
""",
    "the day of the week": """
import datetime

@jax.jit
def f(x):
    return x * (1 + datetime.date.today().toordinal())  # bug: host-random

def run():
    return f(1.0)
""",
    "a date as a text": """
@jax.jit
def f(x):
    return x + float(time.strftime("%H%M"))  # bug: host-random

def run():
    return f(1.0)
""",
}

SOUND = {
    "a permutation for each epoch, outside": """
@jax.jit
def step(w, batch):
    return w - 0.1 * jnp.mean(batch - w)

def run():
    rng, data, w = np.random.default_rng(0), np.arange(12.0, dtype=np.float32), jnp.float32(0.0)
    for _ in range(2):
        for rows in rng.permutation(12).reshape(3, 4):
            w = step(w, data[rows])
    return w
""",
    "noise as an argument": """
@jax.jit
def f(x, noise):
    return x + noise

def run():
    return [f(jnp.ones(3), np.random.normal(size=3).astype("float32")) for _ in range(3)]
""",
    "weights made eagerly by a class": """
class Linear:
    def __init__(self, n):
        self.w = np.random.normal(size=(n, n)).astype("float32")

    def __call__(self, x):
        return x @ self.w

def run():
    return jax.jit(Linear(3))(jnp.ones(3))
""",
    "an io_callback that draws": """
from jax.experimental import io_callback

@jax.jit
def f(x):
    return x + io_callback(lambda: np.float32(np.random.normal()), jax.ShapeDtypeStruct((), jnp.float32))

def run():
    return f(1.0)
""",
    "a module called random of JAX's": """
from jax import random

@jax.jit
def f(key):
    a, b = random.split(key)
    return random.normal(a) + random.uniform(b)

def run():
    return f(random.key(0))
""",
    "a class with methods called normal and time": """
class Sampler:
    def __init__(self, key):
        self.key = key

    def normal(self, shape):
        return jax.random.normal(self.key, shape)

    def time(self):
        return 3.0

@jax.jit
def f(key):
    sampler = Sampler(key)
    return sampler.normal((3,)) * sampler.time()

def run():
    return f(jax.random.key(1))
""",
    "eager steps around a jitted one": """
@jax.jit
def advance(x, kick):
    return jnp.tanh(x + kick)

class Simulation:
    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)

    def run(self, x):
        for _ in range(4):
            x = advance(x, self.rng.normal())
        return x

def run():
    return Simulation(0).run(jnp.float32(0.0))
""",
    "a fixed table from a seeded generator of a helper": """
def fourier_features(n, seed=0):
    return np.random.default_rng(seed).normal(size=(2, n))

@jax.jit
def f(x):
    return jnp.sin(x @ fourier_features(8))

def run():
    return f(jnp.ones((4, 2)))
""",
    "random of Python seeded inside": """
@jax.jit
def f(x):
    dice = random.Random(0)
    order = list(range(4))
    dice.shuffle(order)
    return x[np.array(order)]

def run():
    return f(jnp.arange(4.0))
""",
    "shapes and dtypes asked of NumPy": """
@jax.jit
def f(x):
    return x + np.arange(x.size).reshape(x.shape) + np.prod(x.shape) + np.finfo(np.float32).eps

def run():
    return f(jnp.ones((2, 3)))
""",
    "an epsilon that is a key's": """
@jax.jit
def act(q, key, epsilon):
    explore, choose = jax.random.split(key)
    return jnp.where(jax.random.uniform(explore) < epsilon, jax.random.randint(choose, (), 0, 4), jnp.argmax(q))

def run():
    return [act(jnp.ones(4), jax.random.fold_in(jax.random.key(0), i), 0.1) for i in range(3)]
""",
    "a time limit around the loop": """
@jax.jit
def step(x):
    return x * 0.9

def run():
    started, x = time.monotonic(), jnp.float32(1.0)
    while time.monotonic() - started < 0.001:
        x = step(x)
    return step(x)
""",
    "a time that is given": """
@jax.jit
def f(x):
    return x + time.gmtime(0).tm_year + len(time.strftime("%H", time.gmtime(0)))

def run():
    return f(1.0)
""",
}
