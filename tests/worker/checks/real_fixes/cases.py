"""The programs: the source of the fact, and beginning and ends of a script, broken and fixed."""

from __future__ import annotations

from typing import NamedTuple

HEAD = """from functools import partial
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax, random
"""
TAIL = """
if __name__ == "__main__":
    print(main())
"""


class RealFix(NamedTuple):
    """One bug of a public repository."""

    source: str
    """The repository, and the number of the issue or of the pull request."""
    broken: str
    fixed: str


FIXES = {
    "forces of particles at one place": RealFix(
        "jax-md/jax-md, pull request 63",
        """
def distance(dr):
    return jnp.sqrt(jnp.sum(dr**2, axis=-1))  # bug: nan

def energy(positions):
    dr = positions[:, None] - positions[None]
    return 0.5 * jnp.sum(jnp.maximum(1.0 - distance(dr), 0.0) ** 2)

def main():
    positions = jnp.array([[0.0, 0.0], [0.5, 0.0], [2.0, 2.0]])
    return jax.jit(jax.grad(energy))(positions)
""",
        """
def distance(dr):
    squared = jnp.sum(dr**2, axis=-1)
    apart = squared > 0
    return jnp.where(apart, jnp.sqrt(jnp.where(apart, squared, 1.0)), 0.0)

def energy(positions):
    dr = positions[:, None] - positions[None]
    return 0.5 * jnp.sum(jnp.maximum(1.0 - distance(dr), 0.0) ** 2)

def main():
    positions = jnp.array([[0.0, 0.0], [0.5, 0.0], [2.0, 2.0]])
    return jax.jit(jax.grad(energy))(positions)
""",
    ),
    "charges and themselves": RealFix(
        "jax-ml/jax, issue 3407",
        """
def energy(positions, charges):
    d = jnp.sum((positions[:, None] - positions[None]) ** 2, axis=-1)
    others = 1 - jnp.eye(len(charges))
    pairs = jnp.where(others > 0, charges[:, None] * charges / d, 0.0)  # bug: nan
    return pairs.sum()

def main():
    positions = jnp.array([[1.0, 2.0, 3.0], [0.2, 4.0, 6.0]])
    return jax.grad(energy)(positions, jnp.array([1.0, -1.0]))
""",
        """
def energy(positions, charges):
    d = jnp.sum((positions[:, None] - positions[None]) ** 2, axis=-1)
    others = 1 - jnp.eye(len(charges))
    apart = jnp.where(others > 0, d, 1.0)
    pairs = jnp.where(others > 0, charges[:, None] * charges / apart, 0.0)
    return pairs.sum()

def main():
    positions = jnp.array([[1.0, 2.0, 3.0], [0.2, 4.0, 6.0]])
    return jax.grad(energy)(positions, jnp.array([1.0, -1.0]))
""",
    ),
    "the rotation of a body at rest": RealFix(
        "gbionics/jaxsim, pull request 319",
        """
def rotated(omega, dt):
    angle = jnp.linalg.norm(omega)
    axis = omega / angle  # bug: nan
    return jnp.concatenate([jnp.cos(angle * dt / 2)[None], axis * jnp.sin(angle * dt / 2)])

def main():
    step = jax.jit(jax.vmap(rotated, in_axes=(0, None)))
    return step(jnp.array([[0.0, 0.0, 1.0], [0.0, 0.0, 0.0]]), 0.01)
""",
        """
def safe_norm(x):
    at_rest = jnp.all(x == 0)
    return jnp.where(at_rest, 0.0, jnp.linalg.norm(jnp.where(at_rest, 1.0, x)))

def rotated(omega, dt):
    angle = safe_norm(omega)
    axis = omega / jnp.where(angle == 0, 1.0, angle)
    return jnp.concatenate([jnp.cos(angle * dt / 2)[None], axis * jnp.sin(angle * dt / 2)])

def main():
    step = jax.jit(jax.vmap(rotated, in_axes=(0, None)))
    return step(jnp.array([[0.0, 0.0, 1.0], [0.0, 0.0, 0.0]]), 0.01)
""",
    ),
    "a handler that hands its own key on": RealFix(
        "pyro-ppl/numpyro, pull request 263",
        """
class Seed:
    def __init__(self, key):
        self.key = key

    def sample(self, draw):
        value = draw(self.key)  # bug: key-reuse
        (self.key,) = random.split(self.key, 1)
        return value

def student_t(key):
    normal, chi2 = random.split(key)  # bug: key-reuse
    return random.normal(normal) / jnp.sqrt(random.chisquare(chi2, 3.0) / 3.0)

def main():
    handler = Seed(random.key(0))
    return handler.sample(student_t), handler.sample(random.normal)
""",
        """
class Seed:
    def __init__(self, key):
        self.key = key

    def sample(self, draw):
        self.key, subkey = random.split(self.key)
        return draw(subkey)

def student_t(key):
    normal, chi2 = random.split(key)
    return random.normal(normal) / jnp.sqrt(random.chisquare(chi2, 3.0) / 3.0)

def main():
    handler = Seed(random.key(0))
    return handler.sample(student_t), handler.sample(random.normal)
""",
    ),
    "a trajectory whose key is carried on": RealFix(
        "blackjax-devs/blackjax, issue 53",
        """
def expand(state):
    step, key, x = state
    _, direction, key = random.split(key, 3)  # warning: unused-key
    forward = random.bernoulli(direction)
    x = x + jnp.where(forward, 1.0, -1.0) * random.normal(key)  # bug: key-reuse
    return step + 1, key, x

def main():
    return lax.while_loop(lambda state: state[0] < 4, expand, (0, random.key(0), 0.0))[2]
""",
        """
def expand(state):
    step, key, x = state
    key, direction, move = random.split(key, 3)
    forward = random.bernoulli(direction)
    x = x + jnp.where(forward, 1.0, -1.0) * random.normal(move)
    return step + 1, key, x

def main():
    return lax.while_loop(lambda state: state[0] < 4, expand, (0, random.key(0), 0.0))[2]
""",
    ),
    "the key in place of the subkey": RealFix(
        "AakashKumarNain/TF_JAX_tutorials, issue 4",
        """
def augment(images, key):
    key, subkey = random.split(key)  # warning: unused-key
    turns = random.randint(key, (len(images),), 0, 2)  # bug: key-reuse
    key, subkey = random.split(key)
    flips = random.bernoulli(subkey, 0.5, (len(images),))
    return jnp.where(flips, -images, images) * (1 + turns)

def main():
    return augment(jnp.arange(4.0), random.key(0))
""",
        """
def augment(images, key):
    key, subkey = random.split(key)
    turns = random.randint(subkey, (len(images),), 0, 2)
    key, subkey = random.split(key)
    flips = random.bernoulli(subkey, 0.5, (len(images),))
    return jnp.where(flips, -images, images) * (1 + turns)

def main():
    return augment(jnp.arange(4.0), random.key(0))
""",
    ),
    "the same perturbation in each call": RealFix(
        "gchq/coreax, issue 375",
        """
@jax.jit
def perturbed_loss(x, key):
    return jnp.mean((x + 0.1 * random.normal(key, x.shape)) ** 2)  # bug: key-reuse

def main():
    key, total = random.key(0), 0.0
    for _ in range(4):
        total += perturbed_loss(jnp.ones(3), key)
    return total
""",
        """
@jax.jit
def perturbed_loss(x, key):
    return jnp.mean((x + 0.1 * random.normal(key, x.shape)) ** 2)

def main():
    total = 0.0
    for key in random.split(random.key(0), 4):
        total += perturbed_loss(jnp.ones(3), key)
    return total
""",
    ),
    "an environment that rotates its key": RealFix(
        "google/torchax, pull request 95",
        """
class Environment:
    def __init__(self):
        self.key = random.key(0)

    def rotated(self):
        self.key, subkey = random.split(self.key)  # bug: leaked-tracer
        return subkey

environment = Environment()

@jax.jit
def dropout(x):
    return x * random.bernoulli(environment.rotated(), 0.5, x.shape)

def main():
    return dropout(jnp.ones(4))
""",
        """
class Environment:
    def __init__(self):
        self.key = random.key(0)

environment = Environment()

@jax.jit
def dropout(x, key):
    key, subkey = random.split(key)
    return x * random.bernoulli(subkey, 0.5, x.shape), key

def main():
    y, environment.key = dropout(jnp.ones(4), environment.key)
    return y
""",
    ),
    "a generator that jit is not told of": RealFix(
        "google/objax, issue 208",
        """
class Generator:
    def __init__(self, seed):
        self.seed, self.drawn = seed, 0

    def uniform(self):
        self.drawn += 1  # bug: host-state
        return random.uniform(random.fold_in(random.key(self.seed), self.drawn))  # bug: key-reuse

DEFAULT = Generator(0)

@jax.jit
def draw():
    return DEFAULT.uniform()

def main():
    return draw(), draw(), draw()
""",
        """
@jax.jit
def draw(drawn):
    return random.uniform(random.fold_in(random.key(0), drawn)), drawn + 1

def main():
    first, drawn = draw(0)
    second, drawn = draw(drawn)
    third, drawn = draw(drawn)
    return first, second, third
""",
    ),
    "targets that are set after the first call": RealFix(
        "PlasmaControl/DESC, pull request 310",
        """
class Objective:
    def __init__(self, target):
        self.target = target

    @partial(jax.jit, static_argnums=0)
    def compute(self, x):
        return jnp.sum((x - self.target) ** 2)

def main():
    objective, x = Objective(0.0), jnp.ones(3)
    before = objective.compute(x)
    objective.target = 1.0  # bug: host-state
    return before, objective.compute(x)
""",
        """
class Objective:
    def __init__(self, target):
        self.target = target

    def compute(self, x):
        return compute(x, self.target)

@jax.jit
def compute(x, target):
    return jnp.sum((x - target) ** 2)

def main():
    objective, x = Objective(0.0), jnp.ones(3)
    before = objective.compute(x)
    objective.target = 1.0
    return before, objective.compute(x)
""",
    ),
    "noise of NumPy in a simulated image": RealFix(
        "Herculens/herculens, issue 16",
        """
def add_background(image, sigma):
    return image + sigma * np.random.randn(*image.shape)  # bug: host-random

@jax.jit
def simulate(flux):
    image = flux * jnp.exp(-(jnp.linspace(-2, 2, 8) ** 2))
    return add_background(image, 0.1)

def main():
    return simulate(1.0), simulate(2.0)
""",
        """
def add_background(image, sigma, key):
    return image + sigma * random.normal(key, image.shape)

@jax.jit
def simulate(flux, key):
    image = flux * jnp.exp(-(jnp.linspace(-2, 2, 8) ** 2))
    return add_background(image, 0.1, key)

def main():
    first, second = random.split(random.key(0))
    return simulate(1.0, first), simulate(2.0, second)
""",
    ),
    "a line search that is made anew in each step": RealFix(
        "pasteurlabs/mosaic, pull request 19",
        """
def line_search(f, w, g):
    def too_long(t):
        return f(w - t * g) > f(w)

    def shorter(t):  # warning: recompiles
        return t * 0.5

    return lax.while_loop(too_long, shorter, jnp.float32(1.0))

def loss(w):
    return jnp.sum((w - 1.0) ** 4)

def main():
    w = jnp.zeros(3)
    for _ in range(5):
        g = jax.grad(loss)(w)
        w = w - line_search(loss, w, g) * g
    return w
""",
        """
def line_search(f, w, g):
    def too_long(t):
        return f(w - t * g) > f(w)

    def shorter(t):
        return t * 0.5

    return lax.while_loop(too_long, shorter, jnp.float32(1.0))

def loss(w):
    return jnp.sum((w - 1.0) ** 4)

@jax.jit
def update(w):
    g = jax.grad(loss)(w)
    return w - line_search(loss, w, g) * g

def main():
    w = jnp.zeros(3)
    for _ in range(5):
        w = update(w)
    return w
""",
    ),
    "data that is static": RealFix(
        "jax-ml/jax, issue 1033",
        """
@partial(jax.jit, static_argnums=1)  # warning: recompiles
def fold(state, data):
    return (state ^ jnp.uint32(data)) * jnp.uint32(16777619)

def main():
    state = jnp.uint32(2166136261)
    for i in range(6):
        state = fold(state, i)
    return state
""",
        """
@jax.jit
def fold(state, data):
    return (state ^ jnp.uint32(data)) * jnp.uint32(16777619)

def main():
    state = jnp.uint32(2166136261)
    for i in range(6):
        state = fold(state, i)
    return state
""",
    ),
    "a controller for each step": RealFix(
        "bardhh/cbfkit, pull request 41",
        """
def make_controller(gain):
    @jax.jit  # warning: recompiles
    def controller(x):
        return -gain * x
    return controller

def main():
    x = jnp.ones(2)
    for _ in range(5):
        x = x + 0.1 * make_controller(2.0)(x)
    return x
""",
        """
def make_controller(gain):
    @jax.jit
    def controller(x):
        return -gain * x
    return controller

def main():
    x, controller = jnp.ones(2), make_controller(2.0)
    for _ in range(5):
        x = x + 0.1 * controller(x)
    return x
""",
    ),
    "a replay buffer that is full": RealFix(
        "adaptive-intelligent-robotics/QDax, pull request 75",
        """
@jax.jit
def insert(buffer, transitions, position):
    buffer = lax.dynamic_update_slice_in_dim(buffer, transitions, position, axis=0)  # bug: out-of-bounds
    return buffer, (position + len(transitions)) % len(buffer)

def main():
    buffer, position = jnp.zeros((8, 2)), 0
    for number in range(3):
        buffer, position = insert(buffer, jnp.full((3, 2), number + 1.0), position)
    return buffer
""",
        """
@jax.jit
def insert(buffer, transitions, position):
    roll = jnp.minimum(0, len(buffer) - position - len(transitions))
    buffer = jnp.roll(buffer, roll, axis=0)
    position = position + roll
    buffer = lax.dynamic_update_slice_in_dim(buffer, transitions, position, axis=0)
    return buffer, position + len(transitions)

def main():
    buffer, position = jnp.zeros((8, 2)), 0
    for number in range(3):
        buffer, position = insert(buffer, jnp.full((3, 2), number + 1.0), position)
    return buffer
""",
    ),
    "a vocabulary that is too small": RealFix(
        "jax-ml/jax, issue 3774",
        """
VOCABULARY = 6

@jax.jit
def embed(table, tokens):
    return table[tokens].mean(axis=0)  # bug: out-of-bounds

def main():
    table = jnp.arange(VOCABULARY * 2.0).reshape(VOCABULARY, 2)
    return embed(table, jnp.array([1, 4, 6]))
""",
        """
VOCABULARY = 7

@jax.jit
def embed(table, tokens):
    return table[tokens].mean(axis=0)

def main():
    table = jnp.arange(VOCABULARY * 2.0).reshape(VOCABULARY, 2)
    return embed(table, jnp.array([1, 4, 6]))
""",
    ),
    "steps of a long training": RealFix(
        "google/brax, issue 578",
        """
@jax.jit
def training_epoch(env_steps):
    return env_steps + 666_894_336  # warning: silent-cast

def main():
    env_steps = jnp.int32(0)
    for _ in range(5):
        env_steps = training_epoch(env_steps)
    return env_steps
""",
        """
@jax.jit
def training_epoch(env_steps):
    high, low = env_steps
    low = low + 666_894_336 % 2**16
    return high + 666_894_336 // 2**16 + low // 2**16, low % 2**16

def main():
    env_steps = (jnp.int32(0), jnp.int32(0))
    for _ in range(5):
        env_steps = training_epoch(env_steps)
    return int(env_steps[0]) * 2**16 + int(env_steps[1])
""",
    ),
    "powers of whole numbers": RealFix(
        "jax-ml/jax, issue 8604",
        """
def weights():
    return 1 / 256 ** jnp.arange(1, 5)  # bug: nan, warning: silent-cast

def main():
    return (weights() * 3.0).astype(jnp.bfloat16)
""",
        """
def weights():
    return 1 / 256.0 ** jnp.arange(1, 5)

def main():
    return (weights() * 3.0).astype(jnp.bfloat16)
""",
    ),
    "64 bits that are not given": RealFix(
        "jax-ml/jax, issue 652",
        """
def main():
    a = jnp.array([[0, 1, 1], [1, 0, 1], [1, 1, 0]], dtype=np.float64)  # warning: silent-cast
    return jnp.linalg.inv(a)
""",
        """
jax.config.update("jax_enable_x64", True)

def main():
    a = jnp.array([[0, 1, 1], [1, 0, 1], [1, 1, 0]], dtype=np.float64)
    return jnp.linalg.inv(a)
""",
    ),
}
