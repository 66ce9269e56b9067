"""The cost of value and gradient: the memory is that of the program that a user would compile, the time is measured."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import pytest

from explorer.figures.curves import Ratio
from explorer.worker.runs.lenses.gradient import reruns
from explorer.worker.runs.lenses.gradient.facts import Gradient
from explorer.worker.runs.lenses.gradient.reruns import GradientCost

X = jnp.ones((64, 64))


def layers(x: Any) -> Any:
    for _ in range(4):
        x = jnp.sin(x @ x)
    return x


def plain(x: Any) -> Any:
    return layers(x).sum()


def again(x: Any) -> Any:
    return jax.checkpoint(layers)(x).sum()


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reruns, "BUDGET_S", 0.05)


def costs(**calls: Callable[..., Any]) -> tuple[dict[str, GradientCost], Ratio | None]:
    gradients = {}
    for name, call in calls.items():
        found = Gradient.of(call, {"x": X}, __file__.__eq__)
        assert isinstance(found, Gradient)
        gradients[name] = found
    return reruns.measured(gradients)


@pytest.mark.parametrize("loss", [plain, again])
def test_memory_is_that_of_the_compiled_value_and_grad(loss: Callable[..., Any]) -> None:
    (found,) = costs(loss=loss)[0].values()
    analysis = jax.jit(jax.value_and_grad(loss)).lower(X).compile().memory_analysis()
    assert (found.temporary_bytes, found.output_bytes, found.argument_bytes, found.peak_bytes) == (
        analysis.temp_size_in_bytes,
        analysis.output_size_in_bytes,
        analysis.argument_size_in_bytes,
        # On the CPU it would be the same whatever is kept in between.
        None,
    )


def test_what_is_compiled_gives_value_and_gradient() -> None:
    found = Gradient.of(again, {"x": X}, __file__.__eq__)
    value, slope = reruns.value_and_gradient(found.traced)(X)
    expected = jax.value_and_grad(again)(X)
    assert jnp.allclose(value, expected[0])
    assert jnp.allclose(slope, expected[1], atol=1e-5)


def test_two_take_turns_in_one_run_and_their_medians_make_the_ratio() -> None:
    found, ratio = costs(plain=plain, again=again)
    first, second = found["plain"], found["again"]
    assert first.median_s
    assert second.median_s
    assert min(first.samples, second.samples) >= 1
    assert ratio.middle == pytest.approx(first.median_s / second.median_s)
    assert first.residual_bytes > second.residual_bytes == X.nbytes


def test_what_must_not_happen_twice_is_not_measured_and_the_other_one_is() -> None:
    def acts(x: Any) -> Any:
        jax.experimental.io_callback(lambda: None, None)
        return x.sum()

    found, ratio = costs(acts=acts, plain=plain)
    assert [each.median_s is None for each in found.values()] == [True, False]
    assert "nothing was measured" in str(found["acts"].sentence)
    assert ratio is None
