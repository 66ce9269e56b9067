from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from explorer.figures.curves import DOUBTS, note_lines
from explorer.messages import Measurement, Transform
from explorer.worker.recording.interrupt import Stopped
from explorer.worker.timing import compared_outputs, sampling, waiting
from explorer.worker.timing.doubts import is_folded
from explorer.worker.timing.first_call import FirstCall
from explorer.worker.timing.point import Point, TimedCurve, measurement
from explorer.worker.timing.sampling import LEAST_REPEATS, Instruments, Track
from explorer.worker.timing.sweep import Plan, time_sweep
from tests.worker.timing.test_sweep import double, inputs_of_size

VECTOR = np.arange(6.0, dtype=np.float32)


def final_of(
    variants: dict[str, Callable[..., Any]],
    transforms: tuple[Transform, ...] = ("jit",),
    inputs: Callable[..., Any] = inputs_of_size,
) -> dict[tuple[str, str], Measurement]:
    """Return the final measurements by variant and transform."""
    came: list[Measurement] = []
    plan = Plan(1, jax.devices()[0], variants, transforms, 0.05, came.append)
    time_sweep(plan, {"n": 8}, inputs)
    return {(each.variant, each.transforms[0]): each for each in came if each.final}


def doubts_of(measurement: Measurement) -> dict[str, str]:
    return {note.kind: str(note.text) for note in measurement.notes if note.kind in DOUBTS}


@pytest.mark.rest
def test_a_sound_figure_has_no_doubt() -> None:
    for each in final_of({"double": double}, ("eager", "jit")).values():
        assert doubts_of(each) == {}
        assert each.floor_s
        assert each.returned_s


def numpy_inputs(_: object) -> dict[str, Any]:
    return {"x": np.ones((8, 4), np.float32)}


@pytest.mark.rest
def test_numpy_inputs_of_the_program_itself_are_reported() -> None:
    found = final_of({"double": double}, inputs=numpy_inputs)["double", "jit"]
    assert doubts_of(found) == {"numpy inputs": "NumPy arrays are copied to the device in every call: x"}
    in_numpy_alone = final_of({"double": lambda x: x * 2}, ("eager",), inputs=numpy_inputs)["double", "eager"]
    assert doubts_of(in_numpy_alone) == {}, "nothing is copied to a device"


def constant_of_its_own(x: jax.Array) -> jax.Array:
    return jnp.sin(VECTOR).sum()


@pytest.mark.parametrize(
    ("function", "folded"),
    [
        (lambda x: x * 2, False),
        (lambda x: x, False),
        (lambda x: x.T, False),
        (lambda x: jnp.sort(jnp.sin(x) @ x.T), False),
        (constant_of_its_own, True),
        (lambda _: jnp.ones(9) * 3 + 2, True),
        (lambda x: jax.lax.fori_loop(0, 5, lambda i, y: y + i, x), False),
        (lambda _: jax.random.normal(jax.random.key(0), (100, 100)), False),
        (lambda x: (x.sum(), 3.0), False),
    ],
)
def test_a_compiled_program_is_read_for_what_reaches_its_result(
    function: Callable[[jax.Array], Any], folded: bool
) -> None:
    text = jax.jit(function).trace(jnp.ones((3, 2))).lower().compile().as_text()
    assert text
    assert is_folded(text) is folded


def test_a_text_that_is_no_program_says_nothing() -> None:
    assert not is_folded("")
    assert not is_folded("ENTRY")


@pytest.mark.rest
def test_a_folded_program_is_doubted() -> None:
    found = final_of({"folded": constant_of_its_own}, ("eager", "jit"))
    assert list(doubts_of(found["folded", "jit"])) == ["constant-folded"]
    assert doubts_of(found["folded", "eager"]) == {}


@pytest.mark.parametrize(
    ("mine", "other", "words"),
    [
        (VECTOR, VECTOR.copy(), None),
        (VECTOR, VECTOR * np.float32(1 + 1e-6), None),
        (VECTOR, VECTOR * np.float32(1.1), "by 0.091"),
        (VECTOR, VECTOR[:3], "(float32[6]) and (float32[3])"),
        (VECTOR.astype(np.float64), VECTOR * np.float64(1 + 1e-6), "by 1e-06"),
        (np.array([np.nan, 1.0]), np.array([np.nan, 1.0 + 1e-15]), None),
        (np.array([np.nan, 1.0]), np.array([0.0, 1.0]), "not the same values"),
        (np.arange(3), np.arange(3) + 1, "by 0.33"),
        (VECTOR.astype(jnp.bfloat16), -VECTOR.astype(jnp.bfloat16), "by 2"),
        (VECTOR.astype(jnp.bfloat16), 100 * VECTOR.astype(jnp.bfloat16), "by 0.99"),
        (np.float32(1).astype(jnp.bfloat16), np.float32(1.01).astype(jnp.bfloat16), None),
    ],
)
def test_outputs_are_equal_within_rounding_or_different(mine: Any, other: Any, words: str | None) -> None:
    one, two = compared_outputs.on_host(mine), compared_outputs.on_host(other)
    assert one is not None
    assert two is not None
    found = compared_outputs.difference(one, two)
    assert (found is None) == (words is None)
    assert str(found).startswith(str(words))
    assert compared_outputs.difference(one, None) is None


def test_outputs_that_are_large_are_not_compared() -> None:
    assert compared_outputs.on_host(np.zeros(compared_outputs.LARGEST_BYTES + 1, np.uint8)) is None


def counts_calls() -> Callable[[jax.Array], jax.Array]:
    calls = iter(range(10**9))

    def different_each_time(x: jax.Array) -> jax.Array:
        return x + next(calls)

    return different_each_time


@pytest.mark.rest
def test_one_function_must_give_the_same_while_two_may_differ() -> None:
    found = final_of({"impure": counts_calls()}, ("eager", "jit"))
    assert "impure (eager)" in doubts_of(found["impure", "jit"])["outputs differ"]
    found = final_of({"double": double, "triple": lambda x: x * 3}, ("jit",))
    assert doubts_of(found["triple", "jit"]) == {}


@pytest.mark.parametrize(
    ("inline", "ready", "transform", "noted"),
    [
        (True, False, "jit", True),
        (True, False, "eager", False),
        (False, False, "jit", False),
        (True, True, "jit", False),
    ],
)
def test_the_step_at_which_the_work_goes_to_a_thread_is_noted(
    monkeypatch: pytest.MonkeyPatch, inline: bool, ready: bool, transform: Transform, noted: bool
) -> None:
    monkeypatch.setattr(waiting, "are_ready", lambda _: ready)
    subject = TimedCurve("f", transform, was_inline=inline)
    point = Point(subject, FirstCall(ran_on=("cpu:0",)), Track(lambda: None, call_s=1e-6), cold=False)
    point.look_closer(0.1, Instruments(lambda _: None))
    notes = measurement(point, 1, {}, "cpu:0").notes
    assert any(note.kind == "hand-over" for note in notes) is noted
    assert subject.was_inline is ready


@pytest.mark.rest
def test_a_stop_in_the_middle_keeps_what_was_sampled_marked_as_cut_short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sampling, "PRECISION", -1.0)  # never precise enough to end by itself
    calls = iter(range(4000))

    def stopped(x: jax.Array) -> jax.Array:
        if next(calls, None) is None:
            raise Stopped
        return x + 1

    came: list[Measurement] = []
    plan = Plan(1, jax.devices()[0], {"stopped": stopped}, ("eager",), 60.0, came.append)
    with pytest.raises(Stopped):
        time_sweep(plan, {"n": 8}, inputs_of_size)
    last = came[-1]
    assert last.final
    assert last.cut_short
    assert last.median_s is not None
    assert note_lines(last)[0].startswith(f"cut short: stopped after {last.samples_s.shape[0]} sample")
    if last.samples_s.shape[0] < LEAST_REPEATS:
        assert any(note.kind == "unstable" for note in last.notes)
