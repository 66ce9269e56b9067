"""Variants that are transformed at their definition: in_axes and argnums by position apply to them."""

from __future__ import annotations

from typing import Any

import jax
import pytest

from explorer.messages import Measurement, TimingRequest
from explorer.worker.runs import analyse
from tests.worker import analysed

SOURCE = """
from functools import partial

import jax
import jax.numpy as jnp


def inputs():
    return {"x": jnp.ones((4, 3)), "key": jax.random.key(0), "n": 2}


def _noisy(x, key):
    return x + jax.random.normal(key, x.shape)


@partial(jax.vmap, in_axes=(0, None))
def decorated(x, key):
    return x + jax.random.normal(key, x.shape)


assigned = jax.vmap(_noisy, in_axes=(0, None))
slope = jax.grad(lambda x: jnp.sum(x**2))


@partial(jax.jit, static_argnums=1)
def static(x, n):
    return x * range(n)[-1]


@partial(jax.checkpoint, static_argnums=(1,))
def kept(x, n):
    return x * range(n)[-1]


def by_position_only(x, /, n):
    return x * n
"""
NAMESPACE: dict[str, Any] = {}
exec(SOURCE, NAMESPACE)
X, KEY, N = NAMESPACE["inputs"]().values()
CALLS = {
    "decorated": (X, KEY),
    "assigned": (X, KEY),
    "slope": (X,),
    "static": (X, N),
    "kept": (X, N),
    "by_position_only": (X, N),
}


@pytest.mark.parametrize("name", CALLS)
def test_it_runs_and_its_output_is_that_of_the_plain_call(name: str) -> None:
    report = analysed.report(SOURCE, name)
    assert report.failure is None
    assert report.program is not None
    assert report.program.failure is None
    assert report.pictures is not None
    [shown] = [each for each in report.pictures if each.role == "output"]
    assert (shown.values.numpy() == NAMESPACE[name](*CALLS[name])).all()


@pytest.mark.parametrize("name", ["decorated", "assigned"])
def test_a_key_that_in_axes_hands_to_every_example_is_reported(name: str) -> None:
    report = analysed.report(SOURCE, name)
    assert [(each.kind, each.level) for each in report.findings or ()] == [("shared-noise", "bug")]
    assert report.program is not None
    assert report.program.text == str(jax.make_jaxpr(NAMESPACE[name])(X, KEY))


@pytest.mark.rest
def test_it_is_timed_too() -> None:
    sent: list[Any] = []
    request = TimingRequest(1, SOURCE, "<test>", variants=tuple(CALLS), transforms=("eager", "jit"), budget_s=0.01)
    assert analyse.time(request, analysed.channel(sent)).failure is None
    last = {(each.variant, each.transforms): each for each in sent if isinstance(each, Measurement) and each.final}
    assert set(last) == {(name, (transform,)) for name in CALLS for transform in ("eager", "jit")}
    assert {name for name, each in last.items() if each.median_s is None} == set()
