"""NaN and inf as people make them: in classes, losses, loops, on devices and in derivatives."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import Mesh
from jax.sharding import PartitionSpec as P

MESH = Mesh(np.array(jax.devices()[:1]), ("d",))
X = jnp.array([-2.0, 0.0, 3.0])
ZEROS = jnp.zeros(3)


# -- broken --------------------------------------------------------------------------------------


def the_slope_of_an_arc_cosine():
    return jax.grad(jnp.arccos)(1.0)  # bug: nan


def one_where_around_a_quotient():
    @jax.jit
    def loss(x):
        return jnp.where(x != 0, 1.0 / x, 0.0).sum()  # bug: nan says "second jnp.where"

    return jax.grad(loss)(ZEROS)


def the_slope_of_a_root_in_a_scan():
    def loss(w):
        def step(c, _):
            c = jnp.sqrt(c * w)  # bug: nan
            return c, c

        return lax.scan(step, 0.0, None, length=3)[1].sum()

    return jax.grad(loss)(1.0)


def the_slope_of_a_power():
    return jax.grad(lambda x: x**0.5)(0.0)  # bug: nan


def on_a_device_of_shard_map():
    f = jax.shard_map(jnp.log, mesh=MESH, in_specs=P("d"), out_specs=P("d"))
    return jax.jit(f)(jnp.zeros(2))  # bug: nan


def a_sum_in_half_precision():
    @jax.jit
    def f(x):
        return (x * x).sum()  # bug: nan says "float16"

    return f(jnp.full(4, 300.0, jnp.float16))


def a_deviation_that_underflows():
    @jax.jit
    def nll(mu, log_sigma, x):
        sigma = jnp.exp(log_sigma)
        return 0.5 * ((x - mu) / sigma) ** 2 + log_sigma  # bug: nan

    return nll(0.0, -200.0, 1.0)


def a_matrix_that_is_not_definite():
    @jax.jit
    def f(k):
        return jnp.linalg.cholesky(k)  # bug: nan says "is not positive definite"

    return f(jnp.array([[1.0, 2.0], [2.0, 1.0]]))


# -- sound ---------------------------------------------------------------------------------------


def attention_with_a_mask():
    def attend(q, k, v, mask):
        s = jnp.where(mask, q @ k.T / jnp.sqrt(2.0), -jnp.inf)
        return jax.nn.softmax(s) @ v

    q = jnp.ones((3, 2))
    return jax.jit(jax.value_and_grad(lambda q: attend(q, q, q, jnp.tril(jnp.ones((3, 3), bool))).sum()))(q)


def viterbi_with_forbidden_steps():
    trans = jnp.array([[0.0, -jnp.inf], [-0.7, -0.7]])

    def step(s, o):
        return (s[:, None] + trans).max(0) + o, s

    return lax.scan(step, jnp.array([0.0, -jnp.inf]), jnp.zeros((4, 2)))[0]


def a_bisection_without_an_upper_end():
    def body(s):
        lo, hi = s
        mid = jnp.where(jnp.isinf(hi), lo * 2 + 1, 0.5 * (lo + hi))
        return jnp.where(mid**2 < 10, mid, lo), jnp.where(mid**2 < 10, hi, mid)

    return lax.fori_loop(0, 30, lambda _, s: body(s), (0.0, jnp.inf))


def a_mapped_branch_that_is_not_taken():
    return jax.jit(jax.vmap(lambda x: lax.cond(x > 0, lambda: jnp.log(x), lambda: 0.0)))(X)


def stable_functions_of_jax():
    return jax.scipy.stats.norm.logpdf(X), jax.scipy.special.logit(jnp.array([0.2])), jax.nn.log_softmax(X * 1e4)


def infinity_as_a_limit():
    return jnp.clip(X, -jnp.inf, 1.0), jnp.maximum(-jnp.inf, X), jnp.linalg.norm(X, ord=jnp.inf)


def samplers():
    k = jax.random.key(0)
    return (
        jax.random.truncated_normal(k, -1, 1, (5,)),
        jax.random.exponential(k, (5,)),
        jax.random.beta(k, 0.5, 0.5, (5,)),
        jax.random.categorical(k, jnp.log(jnp.array([0.5, 0.5]))),
        jax.random.dirichlet(k, jnp.ones(3)),
    )
