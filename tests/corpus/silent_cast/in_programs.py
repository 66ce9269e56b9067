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


def linspace():
    return jnp.linspace(0.0, 1.0, 5, dtype=np.float64)  # warning: silent-cast says "float64"


def a_model_with_a_default():
    class Model:
        def __init__(self, n, dtype=jnp.float64):
            self.w = jnp.zeros((n, n), dtype)  # warning: silent-cast says "float64"

    return Model(3).w


def drawn_whole_numbers():
    return jax.random.randint(jax.random.key(0), (3,), 0, 10, dtype=jnp.int64)  # warning: silent-cast says "int64"


def drawn():
    return jax.random.normal(jax.random.key(0), (3,), dtype=jnp.float64)  # warning: silent-cast says "float64"


def in_a_scan():
    def step(c, x):
        return c + x.astype(jnp.float32), jnp.float64(x)  # warning: silent-cast says "float64"

    return lax.scan(step, 0.0, V)[1]


def an_identity():
    return jnp.linalg.inv(jnp.eye(3, dtype="float64"))  # warning: silent-cast says "float64"


def times_in_a_jit():
    @jax.jit
    def f(t):
        return t.astype("int64") * 2  # warning: silent-cast says "int64"

    return f(jnp.array([1, 2]))


def times_from_numpy():
    return jnp.array(np.array([1_700_000_000_000]))  # warning: silent-cast says "int32"


def from_lists():
    data = [[1.0, 2.0], [3.0, 4.0]]
    return jnp.asarray(data, dtype=np.float64)  # warning: silent-cast says "float64"


def full_like():
    return jnp.full_like(V, 0.5, dtype=jnp.float64)  # warning: silent-cast says "float64"


def a_mean():
    @jax.jit
    def f(x):
        return jnp.mean(x, dtype=jnp.float64)  # warning: silent-cast says "float64"

    return f(V)


def the_start_of_a_while_loop():
    # says "float64"
    return lax.while_loop(lambda x: x < 5, lambda x: x + 1, jnp.array(0, dtype=jnp.float64))  # warning: silent-cast


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


def in_a_comprehension():
    return [jnp.ones(n, jnp.int64) for n in (1, 2)]  # warning: silent-cast says "int64"


def a_transform():
    return jnp.fft.fft(V).astype(np.complex128)  # warning: silent-cast says "complex64"


def a_flat_index():
    @jax.jit
    def flat(i, j):
        return i * 70_000 + j  # warning: silent-cast says "does not fit int32"

    return flat(jnp.int32(50_000), jnp.int32(3))


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


def a_mapped_function_of_jax():
    # says "does not fit int32"
    return jax.vmap(jnp.dot, (0, None))(jnp.full((2, 3), 40_000), jnp.full(3, 40_000))  # warning: silent-cast


def a_scaled_byte():
    @jax.jit
    def f(q):
        return q * jnp.int8(3)  # warning: silent-cast says "does not fit int8"

    return f(jnp.array([100], jnp.int8))


def a_float_as_a_byte():
    @jax.jit
    def quantise(x):
        return (x * 127).astype(jnp.int8)  # warning: silent-cast says "does not fit int8"

    return quantise(jnp.array([0.5, 1.5]))


def whole_numbers_made_narrow():
    return jnp.array([40_000]).astype(jnp.int16)  # warning: silent-cast says "does not fit int16"


def powers_in_a_scan():
    return lax.scan(lambda c, _: (c * 10, c), 1, None, length=12)[0]  # warning: silent-cast says "does not fit"


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


def what_jax_has():
    return jnp.zeros(3, np.float32), jnp.asarray(np.ones(3)), jnp.linspace(0, 1, 5), jnp.array([1.0, 2.0])


def arrays_of_numpy():
    return jax.jit(lambda x: x * 2)(np.arange(5)), jax.jit(jnp.sum)(np.random.default_rng(0).normal(size=3))


def pythons_types():
    return V.astype(float), jnp.asarray([1, 2], dtype=int), jnp.zeros(3, dtype=float)


def the_type_that_is_there():
    return jnp.result_type(jnp.float32), jnp.zeros(3, jnp.result_type(float)), jnp.ones(2, V.dtype)


def a_flat_index_that_fits():
    return jax.jit(lambda i, j: i * 100 + j)(jnp.arange(5), 3)


def a_hash():
    def h(x):
        x = x.astype(jnp.uint32)
        x = (x ^ (x >> 16)) * jnp.uint32(0x45D9F3B)
        return x ^ (x >> 16)

    return jax.jit(h)(jnp.arange(5))


def clipped_before():
    return jax.jit(lambda x: jnp.clip(jnp.round(x * 127), -128, 127).astype(jnp.int8))(V)


def a_picture_as_floats():
    img = jnp.array([200, 255], jnp.uint8)
    return img.astype(jnp.float32) / 255, (img.astype(jnp.int32) + 100).clip(0, 255).astype(jnp.uint8)


def long_seeds():
    return jax.random.key(2**63 - 1), jax.random.PRNGKey(2**40), jax.random.bits(jax.random.key(0))


def a_time_as_a_seed():
    return jax.random.key(np.int64(1_700_000_000_000))


def counted():
    return jnp.cumsum(V > 2), (V > 2).sum(), jnp.count_nonzero(V)


def numpy_afterwards():
    return np.asarray(V, dtype=np.float64).sum(), float(V[0]), np.float64(V.sum())


def with_64_bits():
    with jax.enable_x64(True):
        return jnp.zeros(3, jnp.float64) + 1, jnp.arange(3, dtype=jnp.int64) * 2**40


def bits():
    return lax.bitcast_convert_type(V, jnp.int32), V.view(jnp.int32)


def the_largest():
    return jnp.full(3, jnp.iinfo(jnp.int32).max), jnp.array([2**31 - 1]), jnp.minimum(jnp.int32(2**31 - 1), 3)


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
