"""Bugs that were found and fixed in public repositories, each as a small program, and what its authors made of it."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax, random

# -- broken, and repaired --------------------------------------------------------------------------


def make_controller(gain):
    @jax.jit  # warning: recompiles
    def controller(x):
        return -gain * x

    return controller


def a_controller_for_each_step():
    # from bardhh/cbfkit, pull request 41
    x = jnp.ones(2)
    for _ in range(5):
        x = x + 0.1 * make_controller(2.0)(x)
    return x


def repaired_a_controller_for_each_step():
    x, controller = jnp.ones(2), make_controller(2.0)
    for _ in range(5):
        x = x + 0.1 * controller(x)
    return x


class Generator:
    def __init__(self, seed):
        self.seed, self.drawn = seed, 0

    def uniform(self):
        self.drawn += 1  # bug: host-state
        return random.uniform(random.fold_in(random.key(self.seed), self.drawn))  # bug: key-reuse


DEFAULT = Generator(0)


@jax.jit
def _draw():
    return DEFAULT.uniform()


def a_generator_that_jit_is_not_told_of():
    # from google/objax, issue 208
    return _draw(), _draw(), _draw()


@jax.jit
def _draw(drawn):
    return random.uniform(random.fold_in(random.key(0), drawn)), drawn + 1


def repaired_a_generator_that_jit_is_not_told_of():
    first, drawn = _draw(0)
    second, drawn = _draw(drawn)
    third, drawn = _draw(drawn)
    return first, second, third


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


def a_handler_that_hands_its_own_key_on():
    # from pyro-ppl/numpyro, pull request 263
    handler = Seed(random.key(0))
    return handler.sample(student_t), handler.sample(random.normal)


class Seed:
    def __init__(self, key):
        self.key = key

    def sample(self, draw):
        self.key, subkey = random.split(self.key)
        return draw(subkey)


def repaired_a_handler_that_hands_its_own_key_on():
    handler = Seed(random.key(0))
    return handler.sample(student_t), handler.sample(random.normal)


def line_search(f, w, g):
    def too_long(t):
        return f(w - t * g) > f(w)

    def shorter(t):  # warning: recompiles
        return t * 0.5

    return lax.while_loop(too_long, shorter, jnp.float32(1.0))


def loss(w):
    return jnp.sum((w - 1.0) ** 4)


def a_line_search_that_is_made_anew_in_each_step():
    # from pasteurlabs/mosaic, pull request 19
    w = jnp.zeros(3)
    for _ in range(5):
        g = jax.grad(loss)(w)
        w = w - line_search(loss, w, g) * g
    return w


@jax.jit
def update(w):
    g = jax.grad(loss)(w)
    return w - line_search(loss, w, g) * g


def repaired_a_line_search_that_is_made_anew_in_each_step():
    w = jnp.zeros(3)
    for _ in range(5):
        w = update(w)
    return w


@jax.jit
def insert(buffer, transitions, position):
    buffer = lax.dynamic_update_slice_in_dim(buffer, transitions, position, axis=0)  # bug: out-of-bounds
    return buffer, (position + len(transitions)) % len(buffer)


def a_replay_buffer_that_is_full():
    # from adaptive-intelligent-robotics/QDax, pull request 75
    buffer, position = jnp.zeros((8, 2)), 0
    for number in range(3):
        buffer, position = insert(buffer, jnp.full((3, 2), number + 1.0), position)
    return buffer


@jax.jit
def insert(buffer, transitions, position):
    roll = jnp.minimum(0, len(buffer) - position - len(transitions))
    buffer = jnp.roll(buffer, roll, axis=0)
    position = position + roll
    buffer = lax.dynamic_update_slice_in_dim(buffer, transitions, position, axis=0)
    return buffer, position + len(transitions)


def repaired_a_replay_buffer_that_is_full():
    buffer, position = jnp.zeros((8, 2)), 0
    for number in range(3):
        buffer, position = insert(buffer, jnp.full((3, 2), number + 1.0), position)
    return buffer


VOCABULARY = 6


@jax.jit
def embed(table, tokens):
    return table[tokens].mean(axis=0)  # bug: out-of-bounds


def a_vocabulary_that_is_too_small():
    # from jax-ml/jax, issue 3774
    table = jnp.arange(VOCABULARY * 2.0).reshape(VOCABULARY, 2)
    return embed(table, jnp.array([1, 4, 6]))


VOCABULARY = 7


def repaired_a_vocabulary_that_is_too_small():
    table = jnp.arange(VOCABULARY * 2.0).reshape(VOCABULARY, 2)
    return embed(table, jnp.array([1, 4, 6]))


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


def an_environment_that_rotates_its_key():
    # from google/torchax, pull request 95
    return dropout(jnp.ones(4))


class Environment:
    def __init__(self):
        self.key = random.key(0)


environment = Environment()


@jax.jit
def dropout(x, key):
    key, subkey = random.split(key)
    return x * random.bernoulli(subkey, 0.5, x.shape), key


def repaired_an_environment_that_rotates_its_key():
    y, environment.key = dropout(jnp.ones(4), environment.key)
    return y


def energy(positions, charges):
    d = jnp.sum((positions[:, None] - positions[None]) ** 2, axis=-1)
    others = 1 - jnp.eye(len(charges))
    pairs = jnp.where(others > 0, charges[:, None] * charges / d, 0.0)  # bug: nan
    return pairs.sum()


def charges_and_themselves():
    # from jax-ml/jax, issue 3407
    positions = jnp.array([[1.0, 2.0, 3.0], [0.2, 4.0, 6.0]])
    return jax.grad(energy)(positions, jnp.array([1.0, -1.0]))


def energy(positions, charges):
    d = jnp.sum((positions[:, None] - positions[None]) ** 2, axis=-1)
    others = 1 - jnp.eye(len(charges))
    apart = jnp.where(others > 0, d, 1.0)
    pairs = jnp.where(others > 0, charges[:, None] * charges / apart, 0.0)
    return pairs.sum()


def repaired_charges_and_themselves():
    positions = jnp.array([[1.0, 2.0, 3.0], [0.2, 4.0, 6.0]])
    return jax.grad(energy)(positions, jnp.array([1.0, -1.0]))


def distance(dr):
    return jnp.sqrt(jnp.sum(dr**2, axis=-1))  # bug: nan


def energy(positions):
    dr = positions[:, None] - positions[None]
    return 0.5 * jnp.sum(jnp.maximum(1.0 - distance(dr), 0.0) ** 2)


def forces_of_particles_at_one_place():
    # from jax-md/jax-md, pull request 63
    positions = jnp.array([[0.0, 0.0], [0.5, 0.0], [2.0, 2.0]])
    return jax.jit(jax.grad(energy))(positions)


def distance(dr):
    squared = jnp.sum(dr**2, axis=-1)
    apart = squared > 0
    return jnp.where(apart, jnp.sqrt(jnp.where(apart, squared, 1.0)), 0.0)


def repaired_forces_of_particles_at_one_place():
    positions = jnp.array([[0.0, 0.0], [0.5, 0.0], [2.0, 2.0]])
    return jax.jit(jax.grad(energy))(positions)


def add_background(image, sigma):
    return image + sigma * np.random.randn(*image.shape)  # bug: host-random


@jax.jit
def simulate(flux):
    image = flux * jnp.exp(-(jnp.linspace(-2, 2, 8) ** 2))
    return add_background(image, 0.1)


def noise_of_numpy_in_a_simulated_image():
    # from Herculens/herculens, issue 16
    return simulate(1.0), simulate(2.0)


def add_background(image, sigma, key):
    return image + sigma * random.normal(key, image.shape)


@jax.jit
def simulate(flux, key):
    image = flux * jnp.exp(-(jnp.linspace(-2, 2, 8) ** 2))
    return add_background(image, 0.1, key)


def repaired_noise_of_numpy_in_a_simulated_image():
    first, second = random.split(random.key(0))
    return simulate(1.0, first), simulate(2.0, second)


def _weights():
    return 1 / 256 ** jnp.arange(1, 5)  # bug: nan, warning: silent-cast


def powers_of_whole_numbers():
    # from jax-ml/jax, issue 8604
    return (_weights() * 3.0).astype(jnp.bfloat16)


def _weights():
    return 1 / 256.0 ** jnp.arange(1, 5)


def repaired_powers_of_whole_numbers():
    return (_weights() * 3.0).astype(jnp.bfloat16)


@jax.jit
def training_epoch(env_steps):
    return env_steps + 666_894_336  # warning: silent-cast


def steps_of_a_long_training():
    # from google/brax, issue 578
    env_steps = jnp.int32(0)
    for _ in range(5):
        env_steps = training_epoch(env_steps)
    return env_steps


@jax.jit
def training_epoch(env_steps):
    high, low = env_steps
    low = low + 666_894_336 % 2**16
    return high + 666_894_336 // 2**16 + low // 2**16, low % 2**16


def repaired_steps_of_a_long_training():
    env_steps = (jnp.int32(0), jnp.int32(0))
    for _ in range(5):
        env_steps = training_epoch(env_steps)
    return int(env_steps[0]) * 2**16 + int(env_steps[1])


def augment(images, key):
    key, subkey = random.split(key)  # note: unused-key
    turns = random.randint(key, (len(images),), 0, 2)  # bug: key-reuse
    key, subkey = random.split(key)
    flips = random.bernoulli(subkey, 0.5, (len(images),))
    return jnp.where(flips, -images, images) * (1 + turns)


def the_key_in_place_of_the_subkey():
    # from AakashKumarNain/TF_JAX_tutorials, issue 4
    return augment(jnp.arange(4.0), random.key(0))


def augment(images, key):
    key, subkey = random.split(key)
    turns = random.randint(subkey, (len(images),), 0, 2)
    key, subkey = random.split(key)
    flips = random.bernoulli(subkey, 0.5, (len(images),))
    return jnp.where(flips, -images, images) * (1 + turns)


def repaired_the_key_in_place_of_the_subkey():
    return augment(jnp.arange(4.0), random.key(0))
