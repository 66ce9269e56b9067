"""Types and whole numbers as people ask for them: in classes, loops, pictures, hashes and on devices."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import Mesh
from jax.sharding import PartitionSpec as P

MESH = Mesh(np.array(jax.devices()[:1]), ("d",))
V = jnp.arange(1.0, 6.0)


# -- broken --------------------------------------------------------------------------------------


def drawn():
    return jax.random.normal(jax.random.key(0), (3,), dtype=jnp.float64)  # warning: silent-cast says "float64"


def in_a_scan():
    def step(c, x):
        return c + x.astype(jnp.float32), jnp.float64(x)  # warning: silent-cast says "float64"

    return lax.scan(step, 0.0, V)[1]


def by_lax():
    return lax.convert_element_type(V, np.float64)  # warning: silent-cast says "float64"


def on_a_device_of_shard_map():
    f = jax.shard_map(
        lambda x: x.astype(jnp.float64),  # warning: silent-cast says "float64"
        mesh=MESH,
        in_specs=P("d"),
        out_specs=P("d"),
    )
    return jax.jit(f)(V[:2])


def a_count_of_parameters():
    return jnp.prod(jnp.array([2048, 2048, 1024]))  # warning: silent-cast says "does not fit int32"


def a_generator_of_ones_own():
    class Lcg:
        def __init__(self):
            self.s = jnp.int32(12345)

        def next(self):
            self.s = self.s * 1103515245 + 12345  # warning: silent-cast says "does not fit int32"
            return self.s

    return Lcg().next()


def a_float_as_a_byte():
    @jax.jit
    def quantise(x):
        return (x * 127).astype(jnp.int8)  # warning: silent-cast says "does not fit int8"

    return quantise(jnp.array([0.5, 1.5]))


def whole_numbers_made_narrow():
    return jnp.array([40_000]).astype(jnp.int16)  # warning: silent-cast says "does not fit int16"


def pixels():
    img = jnp.array([200], jnp.uint8)
    return img + jnp.array([100], jnp.uint8)  # warning: silent-cast says "uint8"


def a_power_of_a_number():
    return 256 ** jnp.arange(1, 5)  # warning: silent-cast says "does not fit int32", "gives 0"


def a_number_times_an_array():
    # says "3 * 1,000,000,000 = 3,000,000,000"
    return jax.jit(lambda n: 3 * n)(jnp.int32(1_000_000_000))  # warning: silent-cast


def a_number_less_an_array():
    # says "-2,000,000,000 - 2,000,000,000 = -4,000,000,000"
    return -2_000_000_000 - jnp.array([2_000_000_000])  # warning: silent-cast


# -- sound ---------------------------------------------------------------------------------------


def arrays_of_numpy():
    return jax.jit(lambda x: x * 2)(np.arange(5)), jax.jit(jnp.sum)(np.random.default_rng(0).normal(size=3))


def the_type_that_is_there():
    return jnp.result_type(jnp.float32), jnp.zeros(3, jnp.result_type(float)), jnp.ones(2, V.dtype)


def clipped_before():
    return jax.jit(lambda x: jnp.clip(jnp.round(x * 127), -128, 127).astype(jnp.int8))(V)


def a_picture_as_floats():
    img = jnp.array([200, 255], jnp.uint8)
    return img.astype(jnp.float32) / 255, (img.astype(jnp.int32) + 100).clip(0, 255).astype(jnp.uint8)


def long_seeds():
    return jax.random.key(2**63 - 1), jax.random.PRNGKey(2**40), jax.random.bits(jax.random.key(0))


def a_time_as_a_seed():
    return jax.random.key(np.int64(1_700_000_000_000))


def numpy_afterwards():
    return np.asarray(V, dtype=np.float64).sum(), float(V[0]), np.float64(V.sum())


def with_64_bits():
    with jax.enable_x64(True):
        return jnp.zeros(3, jnp.float64) + 1, jnp.arange(3, dtype=jnp.int64) * 2**40


def bits():
    return lax.bitcast_convert_type(V, jnp.int32), V.view(jnp.int32)


def signs():
    return jnp.abs(jnp.array([-5, 3])), -jnp.array([1, 2]), jnp.sign(jnp.array([-7]))


# -- steps of a loop ------------------------------------------------------------------------------


def a_large_literal_in_a_loop():
    return lax.fori_loop(0, 10, lambda i, t: t + 1_000_000_000, 0)  # warning: silent-cast says "+ 1,000,000,000"


def a_large_literal_that_is_taken_away():
    return lax.fori_loop(0, 10, lambda i, t: t - 1_000_000_000, jnp.int32(0))  # warning: silent-cast


def a_literal_that_fits():
    return lax.fori_loop(0, 10, lambda i, t: t + 100_000_000, 0)


def a_large_literal_in_a_float():
    return lax.fori_loop(0, 10, lambda i, t: t + 1_000_000_000, 0.0)


def a_count_by_one():
    return lax.fori_loop(0, 1000, lambda i, t: t + 1, jnp.int32(2**31 - 2000))


def a_large_literal_in_a_hash():
    return lax.fori_loop(0, 10, lambda i, t: (t * 31 + 1_000_000_007) & 0xFFFF, 1)


def a_large_literal_and_a_remainder():
    return lax.fori_loop(0, 10, lambda i, t: (t + 1_000_000_007) % 1_000_003, 0)
