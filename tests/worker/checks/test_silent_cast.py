"""Types that are asked for and not given, and whole numbers that do not fit."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

from explorer.worker.checks.values import findings, watch
from tests.worker.checks import silent_cast_forms
from tests.worker.checks.value_cases import Broken, Table, alarms, assert_found, found

pytestmark = pytest.mark.filterwarnings("ignore:Explicitly requested dtype", "ignore:overflow encountered in cast")

table = Table()
broken, sound = table.broken, table.sound

BIG = jnp.arange(5) * 20_000
X = jnp.arange(5.0)


# -- broken: types ----------------------------------------------------------------------------


@broken("asks for float64 and gets float32")
def zeros() -> Any:
    return jnp.zeros(3, jnp.float64)  # here


@broken("asks for float64", "float32")
def from_a_list() -> Any:
    return jnp.array([1.0, 2.0], dtype="float64")  # here


@broken("asks for int64 and gets int32")
def counted() -> Any:
    return jnp.arange(5, dtype=jnp.int64)  # here


@broken("asks for float64")
def changed() -> Any:
    return X.astype(np.float64)  # here


@broken("asks for complex128 and gets complex64")
def complex_numbers() -> Any:
    return jnp.ones(2, dtype=jnp.complex128)  # here


@broken("asks for float64")
def changed_in_a_jit() -> Any:
    @jax.jit
    def f(x: Any) -> Any:
        return x.astype(jnp.float64).sum()  # here

    return f(X)


@broken("asks for float64")
def summed_in_another_type() -> Any:
    return jnp.sum(X, dtype=jnp.float64)  # here


@broken("asks for float64")
def changed_under_vmap_and_grad() -> Any:
    def f(x: Any) -> Any:
        return jnp.asarray(x, jnp.float64) ** 2  # here

    return jax.vmap(jax.grad(f))(X)


@broken("1099511627776", "stores 0", "int32")
def whole_numbers_from_numpy() -> Any:
    return jnp.asarray(np.array([3, 2**40]))  # here


@broken("3000000000", "int32")
def an_argument_of_a_jit() -> Any:
    return jax.jit(lambda n: n + 1)(np.int64(3_000_000_000))  # here


@broken("1e+300", "inf", "float32")
def a_number_too_large_for_a_float() -> Any:
    return jnp.asarray(np.array([1e300]))  # here


@broken("1e-60", "0.0", "float32")
def a_number_too_small_for_a_float() -> Any:
    return X[:1] * np.array([1e-60])  # here


# -- broken: whole numbers --------------------------------------------------------------------


@broken("100,000 * 100,000 = 10,000,000,000", "1,410,065,408", "int32")
def a_product() -> Any:
    n = jnp.int32(100_000)
    return n * n  # here


@broken("2,147,483,647 + 1 = 2,147,483,648")
def one_too_many() -> Any:
    return jnp.int32(2_147_483_647) + 1  # here


@broken("60,000 * 60,000 = 3,600,000,000")
def squares_in_a_jit() -> Any:
    return jax.jit(lambda n: (n * n).astype(jnp.float32))(BIG)  # here


@broken("479,001,600 * 13")
def a_factorial() -> Any:
    return lax.fori_loop(1, 15, lambda i, total: total * i, 1)  # here


@broken("1,134,903,170 + 1,836,311,903 = 2,971,215,073")
def fibonacci() -> Any:
    def step(pair: Any, _: Any) -> Any:
        return (pair[1], pair[0] + pair[1]), pair[0]  # here

    return lax.scan(step, (jnp.int32(0), jnp.int32(1)), None, length=50)


@broken("does not fit int32")
def a_sum() -> Any:
    return jnp.sum(jnp.full(5, 2**30))  # here


@broken("does not fit int32")
def a_running_product() -> Any:
    return jnp.cumprod(jnp.arange(1, 20))  # here


@broken("3 ** 30 = 205,891,132,094,649")
def a_power() -> Any:
    return jnp.arange(2, 4) ** 30  # here


@broken("does not fit int32")
def a_matrix_product() -> Any:
    return jax.jit(lambda a: a @ a)(jnp.full((2, 2), 50_000))  # here


@broken("does not fit int32")
def mapped() -> Any:
    return jax.vmap(lambda n: n * n * n)(jnp.array([1, 5000]))  # here


@broken("1 << 33 = 8,589,934,592")
def shifted() -> Any:
    return jnp.int32(1) << jnp.int32(33)  # here


@broken("does not fit int8", "100 + 100 = 200")
def small_whole_numbers() -> Any:
    n = jnp.array([100], jnp.int8)
    return n + n  # here


@broken("turns 3e+09 into 2147483647")
def a_float_as_a_whole_number() -> Any:
    return jnp.array([3e9]).astype(jnp.int32)  # here


@broken("does not fit int32")
def modular_arithmetic() -> Any:
    @jax.jit
    def power(base: Any) -> Any:
        return lax.fori_loop(0, 10, lambda _, total: total * base % 1_000_003, 1)  # here

    return power(999_999)


# -- sound ------------------------------------------------------------------------------------


@sound
def what_is_there() -> Any:
    return jnp.zeros(3, jnp.float32), jnp.arange(5, dtype=jnp.int32), X.astype(jnp.bfloat16)


@sound
def pythons_own_types() -> Any:
    return jnp.zeros(3, float), X.astype(int), jnp.ones(2, dtype=complex), jnp.full(3, 2.5)


@sound
def numpys_floats() -> Any:
    return jnp.asarray(np.linspace(0.0, 1.0, 7)), X * np.pi, jnp.asarray(np.array([0.1, 1e-30, 1e30]))


@sound
def numpys_small_whole_numbers() -> Any:
    return jnp.asarray(np.arange(10)), X[np.array([1, 2])], jax.jit(lambda n: n + 1)(np.int64(7))


@sound
def numpys_infinity() -> Any:
    return jnp.asarray(np.array([np.inf, np.nan, 0.0]))


@sound
def hashes() -> Any:
    return jnp.uint32(4_000_000_000) * jnp.uint32(7), jax.jit(lambda n: n * jnp.uint32(2654435761))(jnp.uint32(99))


@sound
def hashes_of_signed_numbers() -> Any:
    return jax.jit(lambda n: (n * 1_103_515_245 + 12_345) & 0x7FFFFFFF)(jnp.int32(99_999))


@sound
def xorshift() -> Any:
    state = jnp.int32(123_456)
    state = state ^ (state << 13)
    return state ^ (state >> 17)


@sound
def keys() -> Any:
    key = jax.random.key(2**31 - 1)
    return jax.random.fold_in(key, 7), jax.random.randint(key, (5,), 0, 2**31 - 1), jax.random.permutation(key, 9)


@sound
def counters() -> Any:
    return lax.fori_loop(0, 1000, lambda i, total: total + i, 0)


@sound
def indices() -> Any:
    return X[jnp.arange(5) * 2 % 5], jnp.arange(12).reshape(3, 4).sum(), jnp.arange(5) @ jnp.arange(5)


@sound
def products_that_fit() -> Any:
    return jnp.arange(5) ** 3, jnp.prod(jnp.arange(1, 10)), jnp.cumsum(jnp.arange(100)), jnp.int32(46340) ** 2


@sound
def the_largest_of_all() -> Any:
    return jnp.iinfo(jnp.int32).max, jnp.minimum(jnp.int32(2**31 - 1), 5), jnp.full(3, -(2**31)).max()


@sound
def floats_that_fit() -> Any:
    return jnp.array([2.7, -3.9, 2e9]).astype(int), jnp.round(X * 100).astype(jnp.int32)


@sound
def sixteen_bits() -> Any:
    return (X * 1000.0).astype(jnp.float16), X.astype(jnp.bfloat16).sum()


@sound
def bytes_of_a_picture() -> Any:
    return (jnp.linspace(0.0, 1.0, 5) * 255).astype(jnp.uint8)


@sound
def differences() -> Any:
    return jnp.diff(jnp.array([5, 3, 9])), jnp.int32(-5) - jnp.int32(7), -jnp.arange(3)


@sound
def masks() -> Any:
    return (X > 2.0).sum(), (X > 2.0).astype(jnp.int32) * 7, jnp.cumsum(X > 1.0)


@sound
def positions() -> Any:
    return jax.jit(lambda x: jnp.argsort(x) * 1000 + jnp.arange(5))(X)


@sound
def loops_over_pairs() -> Any:
    return lax.fori_loop(0, 20, lambda _, pair: (pair[1], pair[0] + pair[1]), (0, 1))


@sound
def weights() -> Any:
    return jax.grad(lambda w: (w * jnp.arange(5)).sum())(X), jnp.einsum("i,i->", jnp.arange(5), jnp.arange(5))


table.add(silent_cast_forms.table)


@pytest.mark.parametrize("case", table.all_broken, ids=lambda case: case.program.__name__)
def test_what_does_not_fit_is_reported_with_its_line_and_its_values(case: Broken) -> None:
    assert_found(case, "silent-cast", "warning")


@pytest.mark.parametrize("program", table.all_sound, ids=lambda program: program.__name__)
def test_nothing_is_reported_for_a_sound_program(program: Callable[[], Any]) -> None:
    assert alarms(program) == []


def test_a_warning_that_is_an_error_is_raised_as_ever() -> None:
    with warnings.catch_warnings(), watch.watched(lambda name: name == __file__) as log:
        warnings.simplefilter("error")
        with pytest.raises(UserWarning, match="Explicitly requested dtype float64"):
            jnp.zeros(3, jnp.float64)
    assert [each.kind for each in findings.value_findings(log)] == ["silent-cast"]


def test_a_warning_is_shown_at_the_line_that_asks() -> None:
    with warnings.catch_warnings(record=True) as shown, watch.watched(lambda name: name == __file__):
        warnings.simplefilter("always")
        jnp.zeros(3, jnp.float64)
    assert [each.filename for each in shown] == [__file__]


def test_a_type_that_is_asked_for_again_and_again_is_one_finding() -> None:
    def often() -> Any:
        return [jnp.zeros(3, jnp.float64) for _ in range(4)]

    (finding,) = found(often)
    assert finding.count == 4


def test_with_64_bits_nothing_is_lost() -> None:
    with jax.enable_x64(True):
        assert alarms(lambda: (jnp.zeros(3, jnp.float64), jnp.asarray(np.array([2**40])), jnp.int64(2**40) * 7)) == []


def test_64_bits_overflow_too() -> None:
    with jax.enable_x64(True):
        assert "does not fit int64" in alarms(lambda: jnp.int64(2**40) * jnp.int64(2**40))[0]
