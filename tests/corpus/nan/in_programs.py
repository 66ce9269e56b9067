"""NaN and inf as people make them: in classes, losses, loops, on devices and in derivatives."""

import dataclasses
from functools import partial
from typing import Any

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


def a_norm_in_a_class():
    class Norm:
        def __init__(self):
            self.scale = 1.0

        def __call__(self, x):
            return self.scale / x.sum()  # bug: nan says "1 / 0"

    return jax.jit(Norm())(ZEROS)


def an_entropy():
    def entropy(p):
        return -jnp.sum(p * jnp.log(p))  # bug: nan says "log"

    return jax.jit(entropy)(jnp.array([0.5, 0.5, 0.0]))


def a_cosine_of_nothing():
    def cosine(a, b):
        return a @ b / (jnp.linalg.norm(a) * jnp.linalg.norm(b))  # bug: nan

    return jax.vmap(cosine)(jnp.array([[1.0, 0.0], [0.0, 0.0]]), jnp.ones((2, 2)))


def the_slope_of_distances_to_oneself():
    def energy(pos):
        d = pos[:, None] - pos[None]
        return jnp.sqrt((d**2).sum(-1)).sum()  # bug: nan

    return jax.jit(jax.grad(energy))(jnp.ones((3, 2)))


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


def advantages_that_are_all_the_same():
    @jax.jit
    def normalise(adv):
        return (adv - adv.mean()) / adv.std()  # bug: nan

    return normalise(jnp.zeros(8))


def a_divergence():
    def kl(p, q):
        return jnp.sum(p * (jnp.log(p) - jnp.log(q)))  # bug: nan

    return jax.jit(kl)(jnp.array([0.0, 1.0]), jnp.array([0.5, 0.5]))


def a_logarithm_of_a_sum_by_hand():
    @jax.jit
    def lse(x):
        return jnp.log(jnp.sum(jnp.exp(x)))  # bug: nan says "exp"

    return lse(jnp.array([1000.0, 0.0]))


def on_a_device_of_pmap():
    return jax.pmap(jnp.log)(jnp.zeros(1))  # bug: nan


def on_a_device_of_shard_map():
    f = jax.shard_map(jnp.log, mesh=MESH, in_specs=P("d"), out_specs=P("d"))
    return jax.jit(f)(jnp.zeros(2))  # bug: nan


def recomputed():
    @jax.checkpoint
    def f(x):
        return jnp.log(x) * 2  # bug: nan

    return jax.jit(jax.value_and_grad(f))(0.0)


def a_sum_in_half_precision():
    @jax.jit
    def f(x):
        return (x * x).sum()  # bug: nan says "float16"

    return f(jnp.full(4, 300.0, jnp.float16))


def a_second_moment_of_nothing():
    @jax.tree_util.register_dataclass
    @dataclasses.dataclass
    class S:
        w: Any
        m: Any

    @jax.jit
    def step(s):
        g = jax.grad(lambda w: (w**2).sum())(s.w)
        m = 0.9 * s.m + g**2
        return S(s.w - 0.1 * g / jnp.sqrt(m), m)  # bug: nan

    s = S(jnp.zeros(3), jnp.zeros(3))
    for _ in range(3):
        s = step(s)
    return s.w


def an_epsilon_of_nothing_in_a_partial():
    def ratio(eps, a, b):
        return a / (b + eps)  # bug: nan

    return jax.jit(partial(ratio, 0.0))(ZEROS, ZEROS)


def in_a_comprehension():
    return [jnp.log(x) for x in (jnp.float32(1), jnp.float32(0))]  # bug: nan


def a_deviation_that_underflows():
    @jax.jit
    def nll(mu, log_sigma, x):
        sigma = jnp.exp(log_sigma)
        return 0.5 * ((x - mu) / sigma) ** 2 + log_sigma  # bug: nan

    return nll(0.0, -200.0, 1.0)


def a_matrix_that_is_not_definite():
    @jax.jit
    def f(k):
        return jnp.linalg.cholesky(k)  # bug: nan

    return f(jnp.array([[1.0, 2.0], [2.0, 1.0]]))


def newtons_method_without_a_root():
    def body(s):
        i, x = s
        return i + 1, x - (x**2 + 1) / (2 * x)  # bug: nan

    return lax.while_loop(lambda s: s[0] < 5, body, (0, 1.0))


# -- sound ---------------------------------------------------------------------------------------


def a_norm_with_two_wheres():
    def norm(x):
        s = (x**2).sum()
        zero = s == 0
        return jnp.where(zero, 0.0, jnp.sqrt(jnp.where(zero, 1.0, s)))

    return jax.jit(jax.value_and_grad(norm))(ZEROS)


def a_root_with_an_epsilon():
    return jax.jit(jax.grad(lambda x: jnp.sqrt((x**2).sum() + 1e-8)))(ZEROS)


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


def a_quotient_with_two_wheres():
    @jax.jit
    def f(a, b):
        safe = jnp.where(b == 0, 1.0, b)
        return jnp.where(b == 0, 0.0, a / safe)

    return jax.grad(lambda b: f(1.0, b).sum())(0.0), f(jnp.ones(3), ZEROS)


def a_mapped_branch_that_is_not_taken():
    return jax.jit(jax.vmap(lambda x: lax.cond(x > 0, lambda: jnp.log(x), lambda: 0.0)))(X)


def stable_functions_of_jax():
    return jax.scipy.stats.norm.logpdf(X), jax.scipy.special.logit(jnp.array([0.2])), jax.nn.log_softmax(X * 1e4)


def missing_data():
    @jax.jit
    def f(x):
        return jnp.nanmean(x), jnp.nan_to_num(x), jnp.isnan(x).sum()

    return f(jnp.array([1.0, np.nan]))


def adam_from_nothing():
    @jax.jit
    def step(w, m, v, t):
        g = jax.grad(lambda w: (w**2).sum())(w)
        m, v = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g**2
        return w - 0.1 * (m / (1 - 0.9**t)) / (jnp.sqrt(v / (1 - 0.999**t)) + 1e-8), m, v

    w, m, v = ZEROS, ZEROS, ZEROS
    for t in range(1, 5):
        w, m, v = step(w, m, v, t)
    return w


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


def forbidden_actions():
    k = jax.random.key(0)
    return jax.random.categorical(k, jnp.where(jnp.array([True, False, True]), 0.0, -jnp.inf), shape=(4,))
