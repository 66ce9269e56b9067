"""NaN and inf are reported once, at their origin, with the numbers that they come from."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

X = jnp.array([-2.0, 0.0, 3.0])
ZEROS = jnp.zeros(3)


# -- broken: eager ----------------------------------------------------------------------------


def a_logarithm():
    return jnp.log(X)  # bug: nan says "makes NaN", "`log(-2)`"


def a_logarithm_of_zero():
    return jnp.log(jnp.array([1.0, 0.0, 2.0]))  # bug: nan says "makes -inf", "`log(0)`", "1 of 3 elements"


def nothing_by_nothing():
    return ZEROS / ZEROS  # bug: nan says "makes NaN", "`0 / 0`"


def in_a_long_call():
    return jnp.true_divide(  # bug: nan says "`jnp.true_divide(...)` on line L makes NaN"
        jnp.asarray([0.0, 0.0, 1.0, 2.0]), jnp.asarray([0.0, 1.0, 2.0, 3.0])
    )


def by_nothing():
    return 1.0 / ZEROS  # bug: nan says "makes inf", "`1 / 0`", "divisor"


def a_root():
    y = jnp.sqrt(X)  # bug: nan says "makes NaN", "`sqrt(-2)`"
    return y * 2.0


def a_softmax_by_hand():
    x = jnp.array([200.0, 1.0])
    e = jnp.exp(x)  # bug: nan says "makes inf", "`exp(200)`", "softmax"
    return e / e.sum()


def a_softmax_of_masked_rows():
    x = jnp.full(3, -jnp.inf)
    return jnp.exp(x - x.max())  # bug: nan says "makes NaN", "`-inf - -inf`"


def the_mean_of_nothing():
    return jnp.zeros(0).mean()  # bug: nan says "makes NaN"


def a_product_that_is_too_large():
    return jnp.full(3, 1e30) @ jnp.full(3, 1e30)  # bug: nan says "makes inf"


def nothing_times_infinity():
    return ZEROS * jnp.inf  # bug: nan says "makes NaN", "`0 * inf`"


# -- broken: jit, loops, vmap -----------------------------------------------------------------


def jitted():
    @jax.jit
    def f(x):
        y = x + 0.0
        z = jnp.log(y)  # bug: nan says "makes NaN", "`log(-2)`"
        return jnp.sin(z).sum()

    return f(X)


def in_a_scan():
    def step(x, _):
        return x - 1.0, jnp.log(x)  # bug: nan says "makes -inf", "`log(0)`"

    return lax.scan(step, 3.0, None, length=6)


def mapped():
    return jax.vmap(lambda x: jnp.sqrt(x) + 1.0)(X)  # bug: nan says "makes NaN", "`sqrt(-2)`", "1 of 3 elements"


def in_a_branch():
    @jax.jit
    def f(x):
        return lax.cond(
            x < 0.0,
            lambda x: jnp.log(x) + 1.0,  # bug: nan says "makes NaN", "`log(-1)`"
            lambda x: x,
            x,
        )

    return f(-1.0)


def a_training_that_diverges():
    @jax.jit
    def step(w):
        return w - 3.0 * jax.grad(lambda w: (w**4).sum())(w)  # bug: nan says "makes -inf", "too large"

    w = jnp.ones(3)
    for _ in range(20):
        w = step(w)
    return w


def a_deviation_of_one():
    @jax.jit
    def normalised(x):
        return (x - x.mean()) / x.std()  # bug: nan says "makes NaN"

    return normalised(jnp.ones(4))


def a_singular_matrix():
    return jnp.linalg.inv(jnp.full((2, 2), jnp.nan).at[:].set(0.0)) * 0.0  # bug: nan says "NaN"


def what_is_given_away():
    divide = jax.jit(lambda w: w / (w - w), donate_argnums=0)  # bug: nan says "makes inf", "`1 / 0`"
    return divide(jnp.ones(3))


def half_precision():
    return jnp.float16(60_000.0) * 2  # bug: nan says "makes inf", "`60000 * 2`", "float16"


# -- broken: gradients ------------------------------------------------------------------------


def the_slope_of_a_root():
    return jax.grad(lambda x: jnp.sqrt(x * x))(0.0)  # bug: nan says "The gradient of", "makes inf", "`0.5 / 0`"


def the_slope_of_a_jitted_root():
    @jax.jit
    def norm(x):
        return jnp.sqrt((x**2).sum())  # bug: nan says "The gradient of"

    return jax.grad(norm)(ZEROS)


def one_where_around_a_root():
    def f(x):
        return jnp.where(x > 0.0, jnp.sqrt(x), 0.0).sum()  # bug: nan says "`sqrt(-2)`", "second jnp.where"

    return jax.jit(jax.grad(f))(X)


def the_slope_of_a_norm():
    return jax.jit(jax.grad(lambda x: jnp.linalg.norm(x) * 2.0))(ZEROS)  # bug: nan says "The gradient of"


# -- sound ------------------------------------------------------------------------------------


def finite():
    return jnp.log(jnp.abs(X) + 1.0), jnp.sqrt(X**2), X / 2.0


def nan_as_a_marker():
    data = jnp.array([1.0, jnp.nan, 3.0])
    return data * 2.0, jnp.nanmean(data), jnp.isnan(data)


def nan_in_the_data():
    return jax.jit(lambda data: (data + 1.0).sum())(np.array([1.0, np.nan], np.float32))


def full_of_nan():
    return jnp.full((2, 2), jnp.nan), jax.jit(lambda: jnp.full(3, jnp.nan))()


def masked_with_minus_infinity():
    scores = jnp.where(jnp.tril(jnp.ones((3, 3))) > 0.0, 1.0, -jnp.inf)
    return jax.nn.softmax(scores), jax.jit(jax.nn.softmax)(scores), jax.nn.logsumexp(scores, axis=-1)


def the_best_that_is_never_better():
    return lax.scan(lambda best, x: (jnp.where(x > 99.0, x, best), best), -jnp.inf, X)


def infinite_distances():
    @jax.jit
    def relax(distances):
        return jnp.minimum(distances, distances[:, None] + jnp.ones((3, 3))).min(0)

    return relax(jnp.array([0.0, jnp.inf, jnp.inf]))


def hidden_by_where_in_a_jit():
    return jax.jit(lambda x: jnp.where(x > 0.0, jnp.log(x), 0.0))(X)


def hidden_by_where():
    return jnp.where(X > 0.0, jnp.log(X), 0.0)  # note: nan


def two_wheres():
    def f(x):
        safe = jnp.where(x > 0.0, x, 1.0)
        return jnp.where(x > 0.0, jnp.sqrt(safe), 0.0).sum()

    return jax.grad(f)(X), jax.jit(jax.grad(f))(X)


def made_finite_again():
    return jnp.nan_to_num(X / ZEROS), jax.jit(lambda x: jnp.nan_to_num(1.0 / x))(ZEROS)  # note: nan


def one_over_infinity():
    return 1.0 / jnp.array([jnp.inf, 2.0]), jnp.exp(-jnp.inf), jnp.arctan(jnp.inf)


def the_logarithm_of_a_mask():
    mask = jnp.array([1.0, 0.0, 1.0])
    return jax.nn.softmax(X + jnp.log(mask))


def drawn():
    key = jax.random.key(0)
    return jax.random.normal(key, (9,)), jax.random.gumbel(key, (9,)), jax.random.gamma(key, 2.0, (9,))


def whole_numbers():
    return jnp.arange(5) // 2, jnp.arange(5) % 3, jnp.ones(3, jnp.bool_)


def the_smallest_of_nothing():
    return jnp.min(jnp.zeros(0), initial=jnp.inf), jnp.zeros(0).sum()


def loops_and_maps():
    return jax.vmap(lambda x: lax.fori_loop(0, 3, lambda _, y: jnp.tanh(y), x))(X), lax.map(jnp.exp, X)


def matrices():
    return jnp.linalg.inv(jnp.eye(3)), jnp.linalg.svd(jnp.ones((3, 2))), jnp.linalg.eigh(jnp.eye(3))


# -- fixed ----------------------------------------------------------------------------------------


def root(x):
    return jnp.where(x > 0, jnp.sqrt(x), 0.0).sum()  # bug: nan


def gradient_of_where():
    # fixed "return jnp.where(x > 0, jnp.sqrt(jnp.where(x > 0, x, 1.0)), 0.0).sum()"
    return jax.grad(root)(jnp.array([0.0, 4.0]))


def written():
    # in full
    return jnp.where(jnp.array([True, False]), 1.0, jnp.nan)
