"""Documentation of the check not-a-probability: a draw is given a probability that is below 0, above 1 or NaN."""

from __future__ import annotations

from explorer.diagnostics.check import Check

CHECK = Check(
    id="not-a-probability",
    part="values",
    levels={"bug": ""},
    name="not a probability",
    summary="`bernoulli`, dropout or `choice` draws with a number that is not a probability.",
    what=(
        "`jax.random.bernoulli`, and with it the dropout of libraries, gets a number below 0, above 1 or NaN; or "
        "`jax.random.choice` gets a negative weight or NaN. Weights of `choice` need not sum to 1. A number above 1 "
        "that `exp` makes is left alone: the ratio of Metropolis means 1 then."
    ),
    why_silent=(
        "A draw compares a uniform number with the probability. Any number can be compared, so it draws always False, "
        "or always True."
    ),
    fix="Keep the number between 0 and 1: 0.2 instead of 20, `sigmoid` or `softmax` instead of `softplus`.",
    bad="""
import jax


def dropped():
    rate = 20
    return jax.random.bernoulli(jax.random.key(0), 1.0 - rate, (5,))
""",
    good="""
import jax


def dropped():
    rate = 0.2
    return jax.random.bernoulli(jax.random.key(0), 1.0 - rate, (5,))
""",
    labels=("draws here",),
    lessons={"": "dropout_in_a_training_step"},
)
