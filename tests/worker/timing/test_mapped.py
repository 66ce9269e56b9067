"""A function that a script maps with vmap is timed against a loop over its examples, wherever vmap is called."""

from __future__ import annotations

import pytest

from explorer.messages import Measurement, TimingRequest, subjects
from explorer.worker.runs import analyse
from tests.worker import analysed

HEAD = """import jax, jax.numpy as jnp
from jax import lax

def loss(w, x):
    return jnp.sum(jnp.tanh(w * x))

w, xs = jnp.arange(3.0), jnp.ones((3, 6))
"""
GRADIENT = """
@jax.jit
def step(w, xs):
    return jax.grad(lambda w: jax.vmap(loss, in_axes=(None, 1))(w, xs).mean())(w)

step(w, xs)
"""
LOOP = """
@jax.jit
def scanned(w, xs):
    return lax.scan(lambda carry, _: (carry, jax.vmap(loss, (None, 1))(w, xs)), 0, None, 3)

scanned(w, xs)
"""
NESTED = """
@jax.jit
def outer(w, xs):
    return jax.vmap(lambda x: jax.vmap(loss, (0, None))(w, x))(xs.T)

outer(w, xs)
"""


def timed(source: str, name: str) -> tuple[list[Measurement], str]:
    (report,) = analysed.snapshot(HEAD + source).reports
    (subject,) = [each for each in report.subjects if each.name == name]
    sent: list[object] = []
    request = subjects.timed(TimingRequest(1, HEAD + source, "<test>", budget_s=0.01), subject)
    done = analyse.time(request, analysed.channel(sent))  # type: ignore[arg-type]
    final = [each for each in sent if isinstance(each, Measurement) and each.final]
    return final, str(done.failure.words) if done.failure is not None else ""


@pytest.mark.parametrize(
    ("source", "name"),
    [
        (GRADIENT, "vmap(loss)"),
        ("batched = jax.vmap(loss, in_axes=(None, 1))\nbatched(w, xs)\n", "batched"),
        (LOOP, "vmap(loss)"),
    ],
    ids=["in a gradient under jit", "by itself", "in a loop under jit"],
)
def test_it_is_timed_over_the_number_of_examples_with_the_same_results(source: str, name: str) -> None:
    final, failure = timed(source, name)
    assert failure == ""
    assert {(each.transforms, each.parameters["examples"]) for each in final} == {
        (transforms, size) for transforms in (("loop",), ("jit(vmap)",)) for size in (1, 4, 6)
    }
    # Doubts would say that the outputs differ.
    assert not [note for each in final for note in each.notes if note.kind == "outputs differ"]
    assert all(each.median_s for each in final)


def test_what_jax_only_traces_says_so() -> None:
    final, failure = timed(NESTED, "vmap(loss)")
    assert final == []
    assert failure.endswith("vmap(loss) is not timed by itself: JAX only traces it, so its arguments have no values.")
