"""Types and whole numbers as people ask for them: in classes, loops, pictures, hashes and on devices."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import Mesh
from jax.sharding import PartitionSpec as P

from tests.worker.checks.value_cases import Table

table = Table()
broken, sound = table.broken, table.sound

MESH = Mesh(np.array(jax.devices()[:1]), ("d",))
V = jnp.arange(1.0, 6.0)


# -- broken --------------------------------------------------------------------------------------


@broken("float64")
def linspace() -> Any:
    return jnp.linspace(0.0, 1.0, 5, dtype=np.float64)  # here


@broken("float64")
def a_model_with_a_default() -> Any:
    class Model:
        def __init__(self, n, dtype=jnp.float64):
            self.w = jnp.zeros((n, n), dtype)  # here

    return Model(3).w


@broken("int64")
def drawn_whole_numbers() -> Any:
    return jax.random.randint(jax.random.key(0), (3,), 0, 10, dtype=jnp.int64)  # here


@broken("float64")
def drawn() -> Any:
    return jax.random.normal(jax.random.key(0), (3,), dtype=jnp.float64)  # here


@broken("float64")
def in_a_scan() -> Any:
    def step(c, x):
        return c + x.astype(jnp.float32), jnp.float64(x)  # here

    return lax.scan(step, 0.0, V)[1]


@broken("float64")
def an_identity() -> Any:
    return jnp.linalg.inv(jnp.eye(3, dtype="float64"))  # here


@broken("int64")
def times_in_a_jit() -> Any:
    @jax.jit
    def f(t):
        return t.astype("int64") * 2  # here

    return f(jnp.array([1, 2]))


@broken("int32")
def times_from_numpy() -> Any:
    return jnp.array(np.array([1_700_000_000_000]))  # here


@broken("float64")
def from_lists() -> Any:
    data = [[1.0, 2.0], [3.0, 4.0]]
    return jnp.asarray(data, dtype=np.float64)  # here


@broken("float64")
def full_like() -> Any:
    return jnp.full_like(V, 0.5, dtype=jnp.float64)  # here


@broken("float64")
def a_mean() -> Any:
    @jax.jit
    def f(x):
        return jnp.mean(x, dtype=jnp.float64)  # here

    return f(V)


@broken("float64")
def the_start_of_a_while_loop() -> Any:
    return lax.while_loop(lambda x: x < 5, lambda x: x + 1, jnp.array(0, dtype=jnp.float64))  # here


@broken("float64")
def by_lax() -> Any:
    return lax.convert_element_type(V, np.float64)  # here


@broken("float64")
def on_a_device_of_shard_map() -> Any:
    f = jax.shard_map(
        lambda x: x.astype(jnp.float64),  # here
        mesh=MESH,
        in_specs=P("d"),
        out_specs=P("d"),
    )
    return jax.jit(f)(V[:2])


@broken("int64")
def in_a_comprehension() -> Any:
    return [jnp.ones(n, jnp.int64) for n in (1, 2)]  # here


@broken("complex64")
def a_transform() -> Any:
    return jnp.fft.fft(V).astype(np.complex128)  # here


@broken("does not fit int32")
def a_flat_index() -> Any:
    @jax.jit
    def flat(i, j):
        return i * 70_000 + j  # here

    return flat(jnp.int32(50_000), jnp.int32(3))


@broken("does not fit int32")
def a_count_of_parameters() -> Any:
    return jnp.prod(jnp.array([2048, 2048, 1024]))  # here


@broken("does not fit int32")
def a_generator_of_ones_own() -> Any:
    class Lcg:
        def __init__(self):
            self.s = jnp.int32(12345)

        def next(self):
            self.s = self.s * 1103515245 + 12345  # here
            return self.s

    return Lcg().next()


@broken("does not fit int32")
def a_mapped_function_of_jax() -> Any:
    return jax.vmap(jnp.dot, (0, None))(jnp.full((2, 3), 40_000), jnp.full(3, 40_000))  # here


@broken("does not fit int8")
def a_scaled_byte() -> Any:
    @jax.jit
    def f(q):
        return q * jnp.int8(3)  # here

    return f(jnp.array([100], jnp.int8))


@broken("does not fit int8")
def a_float_as_a_byte() -> Any:
    @jax.jit
    def quantise(x):
        return (x * 127).astype(jnp.int8)  # here

    return quantise(jnp.array([0.5, 1.5]))


@broken("does not fit int16")
def whole_numbers_made_narrow() -> Any:
    return jnp.array([40_000]).astype(jnp.int16)  # here


@broken("does not fit")
def powers_in_a_scan() -> Any:
    return lax.scan(lambda c, _: (c * 10, c), 1, None, length=12)[0]  # here


@broken("uint8")
def pixels() -> Any:
    img = jnp.array([200], jnp.uint8)
    return img + jnp.array([100], jnp.uint8)  # here


@broken("does not fit int32", "gives 0")
def a_power_of_a_number() -> Any:
    return 256 ** jnp.arange(1, 5)  # here


@broken("3 * 1,000,000,000 = 3,000,000,000")
def a_number_times_an_array() -> Any:
    return jax.jit(lambda n: 3 * n)(jnp.int32(1_000_000_000))  # here


@broken("-2,000,000,000 - 2,000,000,000 = -4,000,000,000")
def a_number_less_an_array() -> Any:
    return -2_000_000_000 - jnp.array([2_000_000_000])  # here


# -- sound ---------------------------------------------------------------------------------------


@sound
def what_jax_has() -> Any:
    return jnp.zeros(3, np.float32), jnp.asarray(np.ones(3)), jnp.linspace(0, 1, 5), jnp.array([1.0, 2.0])


@sound
def arrays_of_numpy() -> Any:
    return jax.jit(lambda x: x * 2)(np.arange(5)), jax.jit(jnp.sum)(np.random.default_rng(0).normal(size=3))


@sound
def pythons_types() -> Any:
    return V.astype(float), jnp.asarray([1, 2], dtype=int), jnp.zeros(3, dtype=float)


@sound
def the_type_that_is_there() -> Any:
    return jnp.result_type(jnp.float32), jnp.zeros(3, jnp.result_type(float)), jnp.ones(2, V.dtype)


@sound
def a_flat_index_that_fits() -> Any:
    return jax.jit(lambda i, j: i * 100 + j)(jnp.arange(5), 3)


@sound
def a_hash() -> Any:
    def h(x):
        x = x.astype(jnp.uint32)
        x = (x ^ (x >> 16)) * jnp.uint32(0x45D9F3B)
        return x ^ (x >> 16)

    return jax.jit(h)(jnp.arange(5))


@sound
def clipped_before() -> Any:
    return jax.jit(lambda x: jnp.clip(jnp.round(x * 127), -128, 127).astype(jnp.int8))(V)


@sound
def a_picture_as_floats() -> Any:
    img = jnp.array([200, 255], jnp.uint8)
    return img.astype(jnp.float32) / 255, (img.astype(jnp.int32) + 100).clip(0, 255).astype(jnp.uint8)


@sound
def long_seeds() -> Any:
    return jax.random.key(2**63 - 1), jax.random.PRNGKey(2**40), jax.random.bits(jax.random.key(0))


@sound
def a_time_as_a_seed() -> Any:
    return jax.random.key(np.int64(1_700_000_000_000))


@sound
def counted() -> Any:
    return jnp.cumsum(V > 2), (V > 2).sum(), jnp.count_nonzero(V)


@sound
def numpy_afterwards() -> Any:
    return np.asarray(V, dtype=np.float64).sum(), float(V[0]), np.float64(V.sum())


@sound
def with_64_bits() -> Any:
    with jax.enable_x64(True):
        return jnp.zeros(3, jnp.float64) + 1, jnp.arange(3, dtype=jnp.int64) * 2**40


@sound
def bits() -> Any:
    return lax.bitcast_convert_type(V, jnp.int32), V.view(jnp.int32)


@sound
def the_largest() -> Any:
    return jnp.full(3, jnp.iinfo(jnp.int32).max), jnp.array([2**31 - 1]), jnp.minimum(jnp.int32(2**31 - 1), 3)


@sound
def signs() -> Any:
    return jnp.abs(jnp.array([-5, 3])), -jnp.array([1, 2]), jnp.sign(jnp.array([-7]))
