"""The cost of value and gradient: the memory is that of the program that a user would compile, the time is measured."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import pytest

from explorer.messages.lenses.gradient import GradientCosts
from explorer.worker.runs.lenses.gradient import measured
from explorer.worker.runs.lenses.gradient.lens import Gradient

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
    monkeypatch.setattr(measured, "BUDGET_S", 0.05)


def costs(**calls: Callable[..., Any]) -> GradientCosts:
    gradients = {}
    for name, call in calls.items():
        found = Gradient.of(call, {"x": X}, __file__.__eq__)
        assert isinstance(found, Gradient)
        gradients[name] = found
    return measured.measured(gradients)


@pytest.mark.parametrize("loss", [plain, again])
def test_memory_is_that_of_the_compiled_value_and_grad(loss: Callable[..., Any]) -> None:
    (found,) = costs(loss=loss).costs
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
    value, slope = measured.value_and_gradient(found.traced)(X)
    expected = jax.value_and_grad(again)(X)
    assert jnp.allclose(value, expected[0])
    assert jnp.allclose(slope, expected[1], atol=1e-5)


def test_two_take_turns_in_one_run_and_their_medians_make_the_ratio() -> None:
    found = costs(plain=plain, again=again)
    first, second = found.costs
    assert (first.variant, second.variant) == ("plain", "again")
    assert first.median_s
    assert second.median_s
    assert min(first.samples, second.samples) >= 1
    assert found.time_ratio.middle == pytest.approx(first.median_s / second.median_s)
    assert first.residual_bytes > second.residual_bytes == X.nbytes


def test_what_must_not_happen_twice_is_not_measured_and_the_other_one_is() -> None:
    def acts(x: Any) -> Any:
        jax.experimental.io_callback(lambda: None, None)
        return x.sum()

    found = costs(acts=acts, plain=plain)
    assert [each.median_s is None for each in found.costs] == [True, False]
    assert "nothing was measured" in str(found.costs[0].sentence)
    assert found.time_ratio is None
