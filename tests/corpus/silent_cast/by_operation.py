"""Types that are asked for and not given, and whole numbers that do not fit."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

BIG = jnp.arange(5) * 20_000
X = jnp.arange(5.0)


# -- broken: types ----------------------------------------------------------------------------


def zeros():
    return jnp.zeros(3, jnp.float64)  # warning: silent-cast says "asks for float64 and gets float32"


def from_a_list():
    return jnp.array([1.0, 2.0], dtype="float64")  # warning: silent-cast says "asks for float64", "float32"


def counted():
    return jnp.arange(5, dtype=jnp.int64)  # warning: silent-cast says "asks for int64 and gets int32"


def changed():
    return X.astype(np.float64)  # warning: silent-cast says "asks for float64"


def complex_numbers():
    return jnp.ones(2, dtype=jnp.complex128)  # warning: silent-cast says "asks for complex128 and gets complex64"


def changed_in_a_jit():
    @jax.jit
    def f(x):
        return x.astype(jnp.float64).sum()  # warning: silent-cast says "asks for float64"

    return f(X)


def summed_in_another_type():
    return jnp.sum(X, dtype=jnp.float64)  # warning: silent-cast says "asks for float64"


def changed_under_vmap_and_grad():
    def f(x):
        return jnp.asarray(x, jnp.float64) ** 2  # warning: silent-cast says "asks for float64"

    return jax.vmap(jax.grad(f))(X)


def whole_numbers_from_numpy():
    return jnp.asarray(np.array([3, 2**40]))  # warning: silent-cast says "1099511627776", "stores 0", "int32"


def an_argument_of_a_jit():
    return jax.jit(lambda n: n + 1)(np.int64(3_000_000_000))  # warning: silent-cast says "3000000000", "int32"


def a_number_too_large_for_a_float():
    return jnp.asarray(np.array([1e300]))  # warning: silent-cast says "1e+300", "inf", "float32"


def a_number_too_small_for_a_float():
    return X[:1] * np.array([1e-60])  # warning: silent-cast says "1e-60", "0.0", "float32"


# -- broken: whole numbers --------------------------------------------------------------------


def a_product():
    n = jnp.int32(100_000)
    return n * n  # warning: silent-cast says "100,000 * 100,000 = 10,000,000,000", "1,410,065,408", "int32"


def one_too_many():
    return jnp.int32(2_147_483_647) + 1  # warning: silent-cast says "2,147,483,647 + 1 = 2,147,483,648"


def squares_in_a_jit():
    # says "60,000 * 60,000 = 3,600,000,000"
    return jax.jit(lambda n: (n * n).astype(jnp.float32))(BIG)  # warning: silent-cast


def a_factorial():
    return lax.fori_loop(1, 15, lambda i, total: total * i, 1)  # warning: silent-cast says "479,001,600 * 13"


def a_sum():
    return jnp.sum(jnp.full(5, 2**30))  # warning: silent-cast says "does not fit int32"


def a_running_product():
    return jnp.cumprod(jnp.arange(1, 20))  # warning: silent-cast says "does not fit int32"


def a_power():
    return jnp.arange(2, 4) ** 30  # warning: silent-cast says "3 ** 30 = 205,891,132,094,649"


def a_matrix_product():
    return jax.jit(lambda a: a @ a)(jnp.full((2, 2), 50_000))  # warning: silent-cast says "does not fit int32"


def mapped():
    return jax.vmap(lambda n: n * n * n)(jnp.array([1, 5000]))  # warning: silent-cast says "does not fit int32"


def shifted():
    return jnp.int32(1) << jnp.int32(33)  # warning: silent-cast says "1 << 33 = 8,589,934,592"


def small_whole_numbers():
    n = jnp.array([100], jnp.int8)
    return n + n  # warning: silent-cast says "does not fit int8", "100 + 100 = 200"


def a_float_as_a_whole_number():
    return jnp.array([3e9]).astype(jnp.int32)  # warning: silent-cast says "turns 3e+09 into 2,147,483,647"


# -- sound ------------------------------------------------------------------------------------


def what_is_there():
    return jnp.zeros(3, jnp.float32), jnp.arange(5, dtype=jnp.int32), X.astype(jnp.bfloat16)


def pythons_own_types():
    return jnp.zeros(3, float), X.astype(int), jnp.ones(2, dtype=complex), jnp.full(3, 2.5)


def numpys_floats():
    return jnp.asarray(np.linspace(0.0, 1.0, 7)), X * np.pi, jnp.asarray(np.array([0.1, 1e-30, 1e30]))


def numpys_small_whole_numbers():
    return jnp.asarray(np.arange(10)), X[np.array([1, 2])], jax.jit(lambda n: n + 1)(np.int64(7))


def numpys_infinity():
    return jnp.asarray(np.array([np.inf, np.nan, 0.0]))


def hashes():
    return jnp.uint32(4_000_000_000) * jnp.uint32(7), jax.jit(lambda n: n * jnp.uint32(2654435761))(jnp.uint32(99))


def hashes_of_signed_numbers():
    return jax.jit(lambda n: (n * 1_103_515_245 + 12_345) & 0x7FFFFFFF)(jnp.int32(99_999))


def xorshift():
    state = jnp.int32(123_456)
    state = state ^ (state << 13)
    return state ^ (state >> 17)


def keys():
    key = jax.random.key(2**31 - 1)
    return jax.random.fold_in(key, 7), jax.random.randint(key, (5,), 0, 2**31 - 1), jax.random.permutation(key, 9)


def products_that_fit():
    return jnp.arange(5) ** 3, jnp.prod(jnp.arange(1, 10)), jnp.cumsum(jnp.arange(100)), jnp.int32(46340) ** 2


def the_largest_of_all():
    return jnp.iinfo(jnp.int32).max, jnp.minimum(jnp.int32(2**31 - 1), 5), jnp.full(3, -(2**31)).max()


def floats_that_fit():
    return jnp.array([2.7, -3.9, 2e9]).astype(int), jnp.round(X * 100).astype(jnp.int32)


def sixteen_bits():
    return (X * 1000.0).astype(jnp.float16), X.astype(jnp.bfloat16).sum()


def masks():
    return (X > 2.0).sum(), (X > 2.0).astype(jnp.int32) * 7, jnp.cumsum(X > 1.0)
