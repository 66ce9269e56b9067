from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from explorer.figures.curves import note_lines
from explorer.messages import Badge, Measurement, Transform, WrongWay
from explorer.worker.recording.interrupt import Stopped
from explorer.worker.timing import compared_outputs, constant_folding, sampling, undisturbed, waiting
from explorer.worker.timing.first_call import FirstCall
from explorer.worker.timing.point import Point, Subject, measurement
from explorer.worker.timing.sampling import LEAST_REPEATS, Instruments, Track
from explorer.worker.timing.sweep import DeviceGone, Plan, time_sweep
from tests.worker.timing.test_sweep import double, inputs_of_size

VECTOR = np.arange(6.0, dtype=np.float32)


def badges_of(
    variants: dict[str, Callable[..., Any]],
    transforms: tuple[Transform, ...] = ("jit",),
    wrong_way: WrongWay = "",
    inputs: Callable[..., Any] = inputs_of_size,
) -> dict[tuple[str, str, WrongWay], Measurement]:
    """Return the final measurements by variant, transform and mistake."""
    came: list[Measurement] = []
    plan = Plan(1, jax.devices()[0], variants, transforms, 0.05, came.append, wrong_way=wrong_way)
    time_sweep(plan, {"n": 8}, inputs)
    return {(each.variant, each.transforms[0], each.wrong_way): each for each in came if each.final}


def badge(measurement: Measurement, name: str) -> Badge:
    return next(each for each in measurement.badges if each.name == name)


@pytest.mark.rest
def test_a_sound_figure_has_no_badge_that_fails_but_perhaps_the_machine_was_busy() -> None:
    found = badges_of({"double": double}, ("eager", "jit"))
    for each in found.values():
        assert [each.name for each in each.badges] == [
            "blocked",
            "warmed",
            "on device",
            "not constant-folded",
            "equal outputs",
            "interleaved",
            "checker off",
            "stable",
        ]
        assert {each.name for each in each.badges if each.ok is not True} <= {"stable"}
        assert each.floor_s
        assert each.returned_s


@pytest.mark.rest
@pytest.mark.parametrize(
    ("way", "failed", "transform"),
    [
        ("no-block", "blocked", "eager"),
        ("no-block", "blocked", "jit"),
        ("numpy-inputs", "on device", "jit"),
        ("with-compile", "warmed", "jit"),
        ("fresh-lambda", "warmed", "jit"),
    ],
)
def test_a_mistake_made_on_purpose_is_a_curve_of_its_own_whose_badge_fails(
    way: WrongWay, failed: str, transform: Transform
) -> None:
    found = badges_of({"double": double}, (transform,), way)
    right, wrong = found["double", transform, ""], found["double", transform, way]
    assert badge(wrong, failed).ok is False
    assert badge(right, failed).ok is True
    assert wrong.point != right.point


@pytest.mark.rest
@pytest.mark.parametrize(("way", "times"), [("with-compile", 10), ("fresh-lambda", 100)])
def test_compiling_inside_the_clock_shows_in_the_figure(way: WrongWay, times: int) -> None:
    found = badges_of({"double": double}, ("jit",), way)
    right, wrong = found["double", "jit", ""].median_s, found["double", "jit", way].median_s
    assert right is not None
    assert wrong is not None
    assert wrong > times * right


@pytest.mark.rest
def test_what_compiles_only_under_jit_has_no_wrong_curve_elsewhere() -> None:
    assert set(badges_of({"double": double}, ("eager",), "fresh-lambda")) == {("double", "eager", "")}


def numpy_inputs(_: object) -> dict[str, Any]:
    return {"x": np.ones((8, 4), np.float32)}


@pytest.mark.rest
def test_numpy_inputs_of_the_program_itself_are_reported() -> None:
    on_device = badge(badges_of({"double": double}, inputs=numpy_inputs)["double", "jit", ""], "on device")
    assert on_device.ok is False
    assert "x" in str(on_device.sentence)
    in_numpy_alone = badges_of({"double": lambda x: x * 2}, ("eager",), inputs=numpy_inputs)["double", "eager", ""]
    assert badge(in_numpy_alone, "on device").ok is None, "nothing is copied to a device"


def constant_of_its_own(x: jax.Array) -> jax.Array:
    return jnp.sin(VECTOR).sum()


@pytest.mark.parametrize(
    ("function", "reaches"),
    [
        (lambda x: x * 2, (True, True)),
        (lambda x: x, (True, False)),
        (lambda x: x.T, (True, False)),
        (lambda x: jnp.sort(jnp.sin(x) @ x.T), (True, True)),
        (constant_of_its_own, (False, False)),
        (lambda _: jnp.ones(9) * 3 + 2, (False, False)),
        (lambda x: jax.lax.fori_loop(0, 5, lambda i, y: y + i, x), (True, True)),
        (lambda _: jax.random.normal(jax.random.key(0), (100, 100)), (False, True)),
        (lambda x: (x.sum(), 3.0), (True, True)),
    ],
)
def test_a_compiled_program_is_read_for_what_reaches_its_result(
    function: Callable[[jax.Array], Any], reaches: tuple[bool, bool]
) -> None:
    text = jax.jit(function).trace(jnp.ones((3, 2))).lower().compile().as_text()
    assert text
    assert constant_folding.reaches(text) == reaches


def test_a_text_that_is_no_program_says_nothing() -> None:
    assert constant_folding.reaches("") is None
    assert constant_folding.reaches("ENTRY") is None


@pytest.mark.rest
def test_a_folded_program_fails_its_badge() -> None:
    found = badges_of({"folded": constant_of_its_own}, ("eager", "jit"))
    assert badge(found["folded", "jit", ""], "not constant-folded").ok is False
    assert badge(found["folded", "eager", ""], "not constant-folded").ok is True


@pytest.mark.parametrize(
    ("mine", "other", "same", "begins"),
    [
        (VECTOR, VECTOR.copy(), True, "equal, bit for bit"),
        (VECTOR, VECTOR * np.float32(1 + 1e-6), True, "equal within rounding"),
        (VECTOR, VECTOR * np.float32(1.1), False, "different by 0.091"),
        (VECTOR, VECTOR[:3], False, "different: (float32[6]) and (float32[3])"),
        (VECTOR.astype(np.float64), VECTOR * np.float64(1 + 1e-6), False, "different by 1e-06"),
        (np.array([np.nan, 1.0]), np.array([np.nan, 1.0 + 1e-15]), True, "equal within rounding"),
        (np.array([np.nan, 1.0]), np.array([0.0, 1.0]), False, "different"),
        (np.arange(3), np.arange(3) + 1, False, "different by 0.33"),
        (VECTOR.astype(jnp.bfloat16), -VECTOR.astype(jnp.bfloat16), False, "different by 2"),
        (VECTOR.astype(jnp.bfloat16), 100 * VECTOR.astype(jnp.bfloat16), False, "different by 0.99"),
        (np.float32(1).astype(jnp.bfloat16), np.float32(1.01).astype(jnp.bfloat16), True, "equal within rounding"),
    ],
)
def test_outputs_are_equal_or_equal_within_rounding_or_different(
    mine: Any, other: Any, same: bool, begins: str
) -> None:
    one, two = compared_outputs.on_host(mine), compared_outputs.on_host(other)
    assert one is not None
    assert two is not None
    found, words = compared_outputs.difference(one, two)
    assert found is same
    assert str(words).startswith(begins)


def test_outputs_that_are_large_are_not_compared() -> None:
    assert compared_outputs.on_host(np.zeros(compared_outputs.LARGEST_BYTES + 1, np.uint8)) is None


def counts_calls() -> Callable[[jax.Array], jax.Array]:
    calls = iter(range(10**9))

    def different_each_time(x: jax.Array) -> jax.Array:
        return x + next(calls)

    return different_each_time


@pytest.mark.rest
def test_one_function_must_give_the_same_while_two_may_differ() -> None:
    found = badges_of({"impure": counts_calls()}, ("eager", "jit"))
    assert badge(found["impure", "jit", ""], "equal outputs").ok is False
    found = badges_of({"double": double, "triple": lambda x: x * 3}, ("jit",))
    differ = badge(found["triple", "jit", ""], "equal outputs")
    assert differ.ok is None
    assert "double (jit)" in str(differ.sentence)
    assert badge(badges_of({"double": double})["double", "jit", ""], "equal outputs").ok is None


@pytest.mark.rest
def test_flags_that_the_program_turns_on_itself_are_reported() -> None:
    def careful(x: jax.Array) -> jax.Array:
        jax.config.update("jax_debug_nans", True)
        return x + 1

    checker = badge(badges_of({"careful": careful}, ("eager",))["careful", "eager", ""], "checker off")
    assert checker.ok is False
    assert "jax_debug_nans" in str(checker.sentence)
    assert "jax_debug_nans" not in undisturbed.flags_on()


@pytest.mark.rest
def test_a_compiled_program_shows_its_memory() -> None:
    found = badges_of({"double": double}, ("eager", "jit"))
    memory = found["double", "jit", ""].memory
    assert memory is not None
    assert (memory.argument_bytes, memory.output_bytes) == (8 * 4 * 4, 8 * 4 * 4)
    eager = found["double", "eager", ""].memory
    assert eager is None or (eager.argument_bytes, eager.peak_bytes) == (None, None)


@pytest.mark.parametrize(
    ("inline", "ready", "transform", "way", "noted"),
    [
        (True, False, "jit", "", True),
        (True, False, "eager", "", False),
        (True, False, "jit", "no-block", False),
        (False, False, "jit", "", False),
        (True, True, "jit", "", False),
    ],
)
def test_the_step_at_which_the_work_goes_to_a_thread_is_noted(
    monkeypatch: pytest.MonkeyPatch, inline: bool, ready: bool, transform: Transform, way: WrongWay, noted: bool
) -> None:
    monkeypatch.setattr(waiting, "are_ready", lambda _: ready)
    subject = Subject("f", transform, way, was_inline=inline)
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
    assert last.samples_s is not None
    assert note_lines(last)[0].startswith(f"cut short: stopped after {last.samples_s.shape[0]} sample")
    if last.samples_s.shape[0] < LEAST_REPEATS:
        assert badge(last, "stable").ok is False


@pytest.mark.rest
def test_a_device_that_is_lost_ends_the_sweep_and_what_was_timed_stays() -> None:
    def inputs_at(parameters: Any) -> dict[str, Any]:
        return {"x": jnp.ones(parameters["n"])}

    def fails_from_sixteen(x: jax.Array) -> jax.Array:
        if x.size >= 16:
            raise RuntimeError("lost")
        return x + 1

    came: list[Measurement] = []
    variants = {"fails": fails_from_sixteen, "double": double}
    plan = Plan(1, jax.devices()[0], variants, ("jit",), 0.02, came.append, answers=lambda _: False)
    with pytest.raises(DeviceGone, match="cpu:0 no longer answers"):
        time_sweep(plan, {"n": 8}, inputs_at, "n", (8, 16, 32))
    final = [each for each in came if each.final]
    assert [(each.variant, each.parameters["n"]) for each in final] == [("fails", 8), ("double", 8), ("fails", 16)]
    assert final[1].median_s is not None
    assert final[2].failure is not None
