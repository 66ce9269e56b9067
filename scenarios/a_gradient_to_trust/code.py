"""A function with its own backward rule, and ways to test the rule."""

import jax
import jax.numpy as jnp


def inputs():
    """Five numbers, and how sharp the bend at 0 is."""
    return {"x": jnp.linspace(-1.0, 2.0, 5), "sharp": jnp.float32(1.5)}


def formula(number, bend):
    """Return a smooth ramp: near 0 below zero, near `number` above."""
    return jnp.logaddexp(bend * number, 0.0) / bend


def forward(number, bend):
    """Return the ramp, and what the rule needs in the backward pass."""
    ramp = formula(number, bend)
    return ramp, (number, bend, ramp)


def rule_a(kept, slope):
    """Return the gradients of `x` and of `sharp`."""
    x, sharp = kept[:2]
    on = slope * jax.nn.sigmoid(sharp * x)
    return on, jnp.sum(on * x) / sharp


def rule_b(kept, slope):
    """Return the gradients of `x` and of `sharp`."""
    x, sharp, ramp = kept
    on = slope * jax.nn.sigmoid(sharp * x)
    return on, jnp.sum(on * x - slope * ramp) / sharp


ramp_a = jax.custom_vjp(formula)
ramp_a.defvjp(forward, rule_a)
ramp_b = jax.custom_vjp(formula)
ramp_b.defvjp(forward, rule_b)


def with_rule_a(x, sharp):
    """Return the sum of the ramp; its backward pass is rule A."""
    return jnp.sum(ramp_a(x, sharp))


def with_rule_b(x, sharp):
    """Return the sum of the ramp; its backward pass is rule B."""
    return jnp.sum(ramp_b(x, sharp))


def smaller_steps(x, sharp):
    """Return the slope for `sharp` by differences, with eight steps."""

    def difference(step):
        after = with_rule_a(x, sharp + step)
        return (after - with_rule_a(x, sharp - step)) / (2 * step)

    return jax.vmap(difference)(10.0 ** -jnp.arange(1.0, 9.0))


def side_by_side(x, sharp):
    """Return a row for each argument: by rule A, by differences."""
    step = 0.01
    of_x, of_sharp = jax.grad(with_rule_a, argnums=(0, 1))(x, sharp)
    more_x = with_rule_a(x + step, sharp) - with_rule_a(x - step, sharp)
    more = with_rule_a(x, sharp + step) - with_rule_a(x, sharp - step)
    for_x = [jnp.sum(of_x), more_x / (2 * step)]
    for_sharp = [of_sharp, more / (2 * step)]
    return jnp.array([for_x, for_sharp])


if __name__ == "__main__":
    for variant in (with_rule_a, with_rule_b, smaller_steps, side_by_side):
        print(variant.__name__, variant(**inputs()))
