"""NaN and inf are reported once, at their origin, with the numbers that they come from."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

from tests.worker.checks import nan_forms
from tests.worker.checks.value_cases import Broken, Table, alarms, assert_found, found

table = Table()
broken, sound = table.broken, table.sound

X = jnp.array([-2.0, 0.0, 3.0])
ZEROS = jnp.zeros(3)


# -- broken: eager ----------------------------------------------------------------------------


@broken("makes NaN", "`log(-2)`")
def a_logarithm() -> Any:
    return jnp.log(X)  # here


@broken("makes -inf", "`log(0)`", "1 of 3 elements")
def a_logarithm_of_zero() -> Any:
    return jnp.log(jnp.array([1.0, 0.0, 2.0]))  # here


@broken("makes NaN", "`0 / 0`")
def nothing_by_nothing() -> Any:
    return ZEROS / ZEROS  # here


@broken("makes inf", "`1 / 0`", "divisor")
def by_nothing() -> Any:
    return 1.0 / ZEROS  # here


@broken("makes NaN", "`sqrt(-2)`")
def a_root() -> Any:
    y = jnp.sqrt(X)  # here
    return y * 2.0


@broken("makes inf", "`exp(200)`", "softmax")
def a_softmax_by_hand() -> Any:
    x = jnp.array([200.0, 1.0])
    e = jnp.exp(x)  # here
    return e / e.sum()


@broken("makes NaN", "`-inf - -inf`")
def a_softmax_of_masked_rows() -> Any:
    x = jnp.full(3, -jnp.inf)
    return jnp.exp(x - x.max())  # here


@broken("makes NaN")
def the_mean_of_nothing() -> Any:
    return jnp.zeros(0).mean()  # here


@broken("makes inf")
def a_product_that_is_too_large() -> Any:
    return jnp.full(3, 1e30) @ jnp.full(3, 1e30)  # here


@broken("makes NaN", "`0 * inf`")
def nothing_times_infinity() -> Any:
    return ZEROS * jnp.inf  # here


# -- broken: jit, loops, vmap -----------------------------------------------------------------


@broken("makes NaN", "`log(-2)`")
def jitted() -> Any:
    @jax.jit
    def f(x: Any) -> Any:
        y = x + 0.0
        z = jnp.log(y)  # here
        return jnp.sin(z).sum()

    return f(X)


@broken("makes -inf", "`log(0)`")
def a_cross_entropy() -> Any:
    @jax.jit
    def loss(p: Any, y: Any) -> Any:
        return -(y * jnp.log(p)).mean()  # here

    return loss(jnp.array([1.0, 0.0]), jnp.array([1.0, 0.0]))


@broken("makes -inf", "`log(0)`")
def in_a_scan() -> Any:
    def step(x: Any, _: Any) -> Any:
        return x - 1.0, jnp.log(x)  # here

    return lax.scan(step, 3.0, None, length=6)


@broken("makes inf", "`1 / 0`")
def in_a_fori_loop() -> Any:
    return lax.fori_loop(0, 5, lambda i, total: total + 1.0 / (i - 3.0), 0.0)  # here


@broken("makes inf")
def in_a_while_loop() -> Any:
    def body(state: Any) -> Any:
        i, x = state
        return i + 1, x * x  # here

    return lax.while_loop(lambda state: state[0] < 9, body, (0, 10.0))


@broken("makes NaN", "`sqrt(-2)`", "1 of 3 elements")
def mapped() -> Any:
    return jax.vmap(lambda x: jnp.sqrt(x) + 1.0)(X)  # here


@broken("makes NaN", "`log(-1)`")
def in_a_branch() -> Any:
    @jax.jit
    def f(x: Any) -> Any:
        return lax.cond(
            x < 0.0,
            lambda x: jnp.log(x) + 1.0,  # here
            lambda x: x,
            x,
        )

    return f(-1.0)


@broken("makes inf")
def in_a_mapped_while_loop() -> Any:
    def grow(n: Any) -> Any:
        def body(state: Any) -> Any:
            i, x = state
            return i + 1, x * 1e10  # here

        return lax.while_loop(lambda state: state[0] < n, body, (0, 1.0))[1]

    return jax.vmap(grow)(jnp.array([1, 7]))


@broken("makes inf", "`1 / 0`")
def a_jit_in_a_jit_in_a_scan() -> Any:
    @jax.jit
    def inverse(x: Any) -> Any:
        return 1.0 / x  # here

    @jax.jit
    def run(x: Any) -> Any:
        return lax.scan(lambda total, each: (total + inverse(each), None), 0.0, x)[0]

    return run(jnp.array([1.0, 0.0, 2.0]))


@broken("makes -inf", "too large")
def a_training_that_diverges() -> Any:
    @jax.jit
    def step(w: Any) -> Any:
        return w - 3.0 * jax.grad(lambda w: (w**4).sum())(w)  # here

    w = jnp.ones(3)
    for _ in range(20):
        w = step(w)
    return w


@broken("makes NaN")
def a_deviation_of_one() -> Any:
    @jax.jit
    def normalised(x: Any) -> Any:
        return (x - x.mean()) / x.std()  # here

    return normalised(jnp.ones(4))


@broken("NaN")
def a_singular_matrix() -> Any:
    return jnp.linalg.inv(jnp.full((2, 2), jnp.nan).at[:].set(0.0)) * 0.0  # here


@broken("makes inf", "`1 / 0`")
def what_is_given_away() -> Any:
    divide = jax.jit(lambda w: w / (w - w), donate_argnums=0)  # here
    return divide(jnp.ones(3))


@broken("makes inf", "`60000 * 2`", "float16")
def half_precision() -> Any:
    return jnp.float16(60_000.0) * 2  # here


# -- broken: gradients ------------------------------------------------------------------------


@broken("The gradient of", "makes inf", "`0.5 / 0`")
def the_slope_of_a_root() -> Any:
    return jax.grad(lambda x: jnp.sqrt(x * x))(0.0)  # here


@broken("The gradient of")
def the_slope_of_a_jitted_root() -> Any:
    @jax.jit
    def norm(x: Any) -> Any:
        return jnp.sqrt((x**2).sum())  # here

    return jax.grad(norm)(ZEROS)


@broken("`sqrt(-2)`", "second jnp.where")
def one_where_around_a_root() -> Any:
    def f(x: Any) -> Any:
        return jnp.where(x > 0.0, jnp.sqrt(x), 0.0).sum()  # here

    return jax.jit(jax.grad(f))(X)


@broken("The gradient of")
def the_slope_of_a_norm() -> Any:
    return jax.jit(jax.grad(lambda x: jnp.linalg.norm(x) * 2.0))(ZEROS)  # here


# -- sound ------------------------------------------------------------------------------------


@sound
def finite() -> Any:
    return jnp.log(jnp.abs(X) + 1.0), jnp.sqrt(X**2), X / 2.0


@sound
def nan_as_a_marker() -> Any:
    data = jnp.array([1.0, jnp.nan, 3.0])
    return data * 2.0, jnp.nanmean(data), jnp.isnan(data)


@sound
def nan_in_the_data() -> Any:
    return jax.jit(lambda data: (data + 1.0).sum())(np.array([1.0, np.nan], np.float32))


@sound
def full_of_nan() -> Any:
    return jnp.full((2, 2), jnp.nan), jax.jit(lambda: jnp.full(3, jnp.nan))()


@sound
def masked_with_minus_infinity() -> Any:
    scores = jnp.where(jnp.tril(jnp.ones((3, 3))) > 0.0, 1.0, -jnp.inf)
    return jax.nn.softmax(scores), jax.jit(jax.nn.softmax)(scores), jax.nn.logsumexp(scores, axis=-1)


@sound
def the_best_so_far() -> Any:
    return lax.fori_loop(0, 3, lambda i, best: jnp.minimum(best, X[i]), jnp.inf)


@sound
def the_best_that_is_never_better() -> Any:
    return lax.scan(lambda best, x: (jnp.where(x > 99.0, x, best), best), -jnp.inf, X)


@sound
def infinite_distances() -> Any:
    @jax.jit
    def relax(distances: Any) -> Any:
        return jnp.minimum(distances, distances[:, None] + jnp.ones((3, 3))).min(0)

    return relax(jnp.array([0.0, jnp.inf, jnp.inf]))


@sound
def hidden_by_where_in_a_jit() -> Any:
    return jax.jit(lambda x: jnp.where(x > 0.0, jnp.log(x), 0.0))(X)


@sound
def hidden_by_where() -> Any:
    return jnp.where(X > 0.0, jnp.log(X), 0.0)


@sound
def two_wheres() -> Any:
    def f(x: Any) -> Any:
        safe = jnp.where(x > 0.0, x, 1.0)
        return jnp.where(x > 0.0, jnp.sqrt(safe), 0.0).sum()

    return jax.grad(f)(X), jax.jit(jax.grad(f))(X)


@sound
def made_finite_again() -> Any:
    return jnp.nan_to_num(X / ZEROS), jax.jit(lambda x: jnp.nan_to_num(1.0 / x))(ZEROS)


@sound
def one_over_infinity() -> Any:
    return 1.0 / jnp.array([jnp.inf, 2.0]), jnp.exp(-jnp.inf), jnp.arctan(jnp.inf)


@sound
def the_logarithm_of_a_mask() -> Any:
    mask = jnp.array([1.0, 0.0, 1.0])
    return jax.nn.softmax(X + jnp.log(mask))


@sound
def a_stable_softmax() -> Any:
    def softmax(x: Any) -> Any:
        e = jnp.exp(x - x.max())
        return e / e.sum()

    return softmax(jnp.array([200.0, 1.0]))


@sound
def a_stable_loss() -> Any:
    def loss(w: Any) -> Any:
        return -jax.nn.log_softmax(w * 1000.0)[0]

    return jax.value_and_grad(loss)(X)


@sound
def a_training() -> Any:
    @jax.jit
    def step(w: Any) -> Any:
        return w - 0.1 * jax.grad(lambda w: (w**2).sum())(w)

    w = jnp.ones(3)
    for _ in range(20):
        w = step(w)
    return w


@sound
def drawn() -> Any:
    key = jax.random.key(0)
    return jax.random.normal(key, (9,)), jax.random.gumbel(key, (9,)), jax.random.gamma(key, 2.0, (9,))


@sound
def whole_numbers() -> Any:
    return jnp.arange(5) // 2, jnp.arange(5) % 3, jnp.ones(3, jnp.bool_)


@sound
def the_smallest_of_nothing() -> Any:
    return jnp.min(jnp.zeros(0), initial=jnp.inf), jnp.zeros(0).sum()


@sound
def loops_and_maps() -> Any:
    return jax.vmap(lambda x: lax.fori_loop(0, 3, lambda _, y: jnp.tanh(y), x))(X), lax.map(jnp.exp, X)


@sound
def matrices() -> Any:
    return jnp.linalg.inv(jnp.eye(3)), jnp.linalg.svd(jnp.ones((3, 2))), jnp.linalg.eigh(jnp.eye(3))


table.add(nan_forms.table)


@pytest.mark.parametrize("case", table.all_broken, ids=lambda case: case.program.__name__)
def test_nan_is_reported_once_where_it_is_made(case: Broken) -> None:
    assert_found(case, "nan", "bug")


@pytest.mark.parametrize("program", table.all_sound, ids=lambda program: program.__name__)
def test_nothing_is_reported_for_a_sound_program(program: Callable[[], Any]) -> None:
    assert alarms(program) == []


def test_nan_that_does_not_come_out_is_a_note() -> None:
    (finding,) = found(hidden_by_where)
    assert finding.level == "note"
    assert "No output of this run depends on it" in str(finding.message)


def test_nan_that_python_looks_at_comes_out() -> None:
    def printed() -> Any:
        str(jnp.log(-1.0))
        return 0.0

    assert [each.level for each in found(printed)] == ["bug"]


def test_nan_that_is_carried_from_step_to_step_is_reported_once() -> None:
    @jax.jit
    def step(w: Any) -> Any:
        return w - jnp.log(w - 1.0)

    def train() -> Any:
        w = jnp.ones(3)
        for _ in range(5):
            w = step(w)
        return w

    (finding,) = found(train)
    assert "`log(0)`" in str(finding.message)
    assert finding.count == 1
