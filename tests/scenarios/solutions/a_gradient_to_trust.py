# %% right 1: the part of the denominator
def rule_a(kept, slope):
    x, sharp, ramp = kept
    on = slope * jax.nn.sigmoid(sharp * x)
    return on, (jnp.sum(on * x) - jnp.sum(slope * ramp)) / sharp


# %% right 1: what JAX finds for the formula
def rule_a(kept, slope):
    x, sharp = kept[:2]
    _, backward = jax.vjp(formula, x, sharp)
    return backward(slope)


# %% wrong 1: the sign
def rule_a(kept, slope):
    x, sharp, ramp = kept
    on = slope * jax.nn.sigmoid(sharp * x)
    return on, jnp.sum(on * x + slope * ramp) / sharp


# %% wrong 1: the differences twice
def side_by_side(x, sharp):
    step = 0.01
    more_x = (with_rule_a(x + step, sharp) - with_rule_a(x - step, sharp)) / (2 * step)
    more = (with_rule_a(x, sharp + step) - with_rule_a(x, sharp - step)) / (2 * step)
    return jnp.array([[more_x, more_x], [more, more]])


# %% right 2: as the exercise says
import jax.test_util


def with_rule_a(x, sharp):
    jax.test_util.check_grads(ramp_a, (x, sharp), order=1, modes=["rev"])
    return jnp.sum(ramp_a(x, sharp))


# %% right 2: with a name of its own
from jax.test_util import check_grads


def with_rule_a(x, sharp):
    check_grads(ramp_a, (x, sharp), 1, modes="rev")
    return jnp.sum(ramp_a(x, sharp))


# %% wrong 2: the other rule
from jax.test_util import check_grads


def with_rule_a(x, sharp):
    check_grads(ramp_b, (x, sharp), order=1, modes=["rev"])
    return jnp.sum(ramp_a(x, sharp))


# %% wrong 2: an error of one's own
def with_rule_a(x, sharp):
    assert jnp.sum(x) == 0, "not equal"
    return jnp.sum(ramp_a(x, sharp))
