from __future__ import annotations

import functools
import gc
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from explorer.messages import Measurement, Note, Transform, Value
from explorer.text.text import say
from explorer.worker.recording.interrupt import Stopped
from explorer.worker.timing import waiting
from explorer.worker.timing.first_call import time_first_call, transformed
from explorer.worker.timing.point import CostHistory
from explorer.worker.timing.sampling import Instruments
from explorer.worker.timing.sweep import Plan, time_sweep
from explorer.worker.timing.undisturbed import MISLEADING_FLAGS, CompilationCount, undisturbed

Variants = Mapping[str, Callable[..., Any]]


def double(x: jax.Array) -> jax.Array:
    return x * 2


def square(x: jax.Array) -> jax.Array:
    return x @ x.T


def inputs_of_size(parameters: Mapping[str, Value]) -> dict[str, Any]:
    return {"x": jnp.ones((int(parameters["n"]), 4)), "unused": 3}


def timed(
    variants: Variants,
    transforms: tuple[Transform, ...] = ("eager", "jit"),
    values: tuple[Value, ...] = (8,),
    inputs_at: Callable[[dict[str, Value]], Mapping[str, Any]] = inputs_of_size,
    budget_s: float = 0.03,
) -> list[Measurement]:
    """Return all measurements of a sweep over n, in the order of their arrival."""
    came: list[Measurement] = []
    plan = Plan(7, jax.devices()[0], variants, transforms, budget_s, came.append)
    time_sweep(plan, {"seed": 0}, inputs_at, "n", values)
    return came


def final(measurements: list[Measurement]) -> dict[tuple[str, Transform, Value], Measurement]:
    """Return the final measurements by variant, transform and n."""
    last = [each for each in measurements if each.final]
    found = {(each.variant, each.transforms[0], each.parameters["n"]): each for each in last}
    assert len(found) == len(last)
    return found


@pytest.mark.rest
def test_each_variant_is_timed_under_each_transform_at_each_value() -> None:
    found = final(timed({"double": double, "square": square}, values=(8, 16)))
    assert set(found) == {(v, t, n) for v in ("double", "square") for t in ("eager", "jit") for n in (8, 16)}
    for (_, _, n), each in found.items():
        assert each.run == 7
        assert each.parameters == {"seed": 0, "n": n}
        assert each.failure is None
        assert each.median_s is not None
        assert each.q1_s is not None
        assert each.q3_s is not None
        assert 0 < each.q1_s <= each.median_s <= each.q3_s


@pytest.mark.rest
def test_every_measurement_says_over_what_its_run_goes() -> None:
    def fails(x: Any) -> Any:
        raise ValueError

    assert {each.swept for each in timed({"double": double, "fails": fails}, values=(8, 16))} == {"n"}
    assert {each.swept for each in timed({"double": double})} == {""}


RUNS: list[int] = []
"""An entry for each run of the Python code of `sine`: jit runs it while tracing alone."""


def sine(x: jax.Array, n: int = 2) -> jax.Array:
    RUNS.append(n)
    return jnp.sin(x) * n


jitted = jax.jit(sine, static_argnames="n")


class Model:
    @functools.partial(jax.jit, static_argnums=0)
    def method(self, x: jax.Array) -> jax.Array:
        return sine(x)


CALLS: list[str] = []


class LikeEquinox:
    """What its filter_jit returns: no class of JAX, and a property for what it wraps."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.lower, self._function = jax.jit(function).lower, function

    @property
    def __wrapped__(self) -> Callable[..., Any]:
        return self._function

    def __call__(self, x: jax.Array) -> jax.Array:
        CALLS.append("")
        return jitted(x)


def calls_jitted(x: jax.Array) -> jax.Array:
    return jitted(x) + 1


def kinds(found: Measurement) -> dict[str, str]:
    return {note.kind: str(note.text) for note in found.notes}


@pytest.mark.parametrize(
    "function",
    [
        jitted,
        jax.jit(jitted),
        functools.partial(jitted),
        Model().method,
        jax.jit(sine, static_argnames="n", donate_argnames="x"),
        LikeEquinox(sine),
    ],
    ids=["jit", "twice", "partial", "method", "donated", "Equinox"],
)
def test_the_row_without_jit_calls_what_was_decorated(function: Callable[..., Any]) -> None:
    before = len(RUNS)
    found = final(timed({"f": function}))
    assert kinds(found["f", "eager", 8]).get("without jit") == "timed without its own jit"
    assert {"jits inside", "donated"}.isdisjoint(kinds(found["f", "eager", 8]))
    assert "without jit" not in kinds(found["f", "jit", 8])
    assert len(RUNS) > before + found["f", "eager", 8].calls_per_sample


def test_a_jit_that_does_more_than_to_run_its_program_is_timed_as_a_whole() -> None:
    before = len(CALLS)
    found = final(timed({"f": LikeEquinox(sine)}))["f", "jit", 8]
    assert len(CALLS) >= before + len(found.samples_s.numpy()) * found.calls_per_sample
    assert found.compile_s is not None


def test_the_row_without_jit_names_the_jits_that_remain() -> None:
    @jax.jit
    def around(x: jax.Array) -> jax.Array:
        return jnp.where(x > 0, calls_jitted(x), 0)

    found = final(timed({"around": around, "inside": calls_jitted, "none": double}))
    assert kinds(found["around", "eager", 8])["jits inside"] == "still jitted inside it: sine"
    assert {"jits inside"} == {*kinds(found["inside", "eager", 8])} - {"unstable"}
    assert not {*kinds(found["none", "eager", 8])} - {"unstable"}


def test_a_jit_that_does_not_say_what_it_wraps_is_compared_with_nothing() -> None:
    class Closed:
        lower = jitted.lower

        def __call__(self, x: jax.Array) -> jax.Array:
            return jitted(x)

    eager = final(timed({"f": Closed()}))["f", "eager", 8]
    assert kinds(eager)["always jitted"] == "it is compiled already, and has no version without jit"


def test_where_nothing_is_compared_with_jit_a_function_is_timed_as_written() -> None:
    found = final(timed({"jitted": jitted, "double": double}, ("eager",)))
    assert kinds(found["jitted", "eager", 8])["as written"] == "as written, with its own jit"
    assert "as written" not in kinds(found["double", "eager", 8])


def test_raw_samples_come_with_the_repeat_of_each_and_only_jit_has_stages_of_its_first_call() -> None:
    found = final(timed({"double": double}))
    for each in found.values():
        assert each.samples_s.numpy().dtype == np.float64
        assert each.repeats.shape == each.samples_s.shape
        assert np.median(each.samples_s.numpy()) == pytest.approx(each.median_s)
        assert each.calls_per_sample > 1
    eager, jitted = found["double", "eager", 8], found["double", "jit", 8]
    assert (eager.trace_s, eager.lower_s, eager.compile_s) == (None, None, None)
    assert eager.first_call_s is not None
    assert jitted.trace_s is not None
    assert jitted.lower_s is not None
    assert jitted.compile_s is not None
    assert jitted.first_call_s is not None
    assert jitted.trace_s + jitted.lower_s + jitted.compile_s < jitted.first_call_s


def test_the_device_is_read_off_the_outputs() -> None:
    found = final(timed({"double": double, "plain": lambda x: x.shape[0]}, ("eager",)))
    assert found["double", "eager", 8].device == "cpu:0"
    assert found["plain", "eager", 8].device == ""
    assert any(note.kind == "device unknown" for note in found["plain", "eager", 8].notes)


def test_the_first_call_is_reported_before_the_samples_are_in() -> None:
    first = timed({"double": double}, ("jit",))[0]
    assert not first.final
    assert first.first_call_s is not None
    assert first.median_s is None


@pytest.mark.rest
def test_a_single_point_needs_no_sweep() -> None:
    came: list[Measurement] = []
    plan = Plan(1, jax.devices()[0], {"double": double}, ("jit",), 0.02, came.append)
    time_sweep(plan, {"n": 3}, inputs_of_size)
    assert [each.parameters for each in came if each.final] == [{"n": 3}]


def test_too_few_samples_are_called_unstable() -> None:
    each = final(timed({"double": double}, ("jit",), budget_s=0.0))["double", "jit", 8]
    assert each.notes[0] == Note("unstable", say("there was time only for {samples}", samples=say("1 sample")))
    assert each.low_s is None


def test_arrays_are_arguments_of_jit_and_everything_else_is_bound() -> None:
    seen: list[Any] = []

    def variant(x: Any, n: int, mode: str, step: Callable[[Any], Any], nothing: None) -> Any:
        seen.append(x["inner"])
        assert mode == "sum"
        assert nothing is None
        return step(x["inner"]) + jnp.zeros(n)

    arguments = {"x": {"inner": jnp.ones(3), "scale": 2}, "n": 3, "mode": "sum", "step": jnp.sin, "nothing": None}
    call = transformed(variant, arguments, ("jit",))
    np.testing.assert_allclose(call.run(), np.sin(np.ones(3)), rtol=1e-6)
    assert isinstance(seen[0], jax.core.Tracer)


def test_vmap_maps_the_leading_axis_of_every_array() -> None:
    call = transformed(
        lambda x, y, n: x.sum() * y + n, {"x": jnp.ones((3, 4)), "y": jnp.arange(3.0), "n": 1}, ("vmap",)
    )
    np.testing.assert_array_equal(call.run(), [1.0, 5.0, 9.0])


def test_each_transformed_call_compiles_anew() -> None:
    instruments = Instruments(jax.block_until_ready)
    x = jnp.ones(3)
    with CompilationCount() as compilations:
        for number in (1, 2):
            time_first_call(transformed(double, {"x": x}, ("jit",)), instruments, cold=True)
            assert compilations.count() == number


def fails_from_sixteen(x: jax.Array) -> jax.Array:
    if x.shape[0] >= 16:
        raise ValueError("too long")
    return x


@pytest.mark.rest
def test_a_variant_that_raises_stops_there_with_the_reason_and_the_others_go_on() -> None:
    found = final(timed({"fails": fails_from_sixteen, "double": double}, ("jit",), (8, 16, 32)))
    assert found["fails", "jit", 8].failure is None
    failure = found["fails", "jit", 16].failure
    assert (failure.type, str(failure.message)) == ("ValueError", "too long")
    assert found["fails", "jit", 32].notes == (Note("skipped", say("it failed at {value} already", value="16")),)
    assert found["fails", "jit", 32].median_s is None
    assert found["double", "jit", 32].median_s is not None


@pytest.mark.rest
def test_inputs_that_cannot_be_made_are_a_failure_of_that_point_only() -> None:
    def inputs_at(parameters: Mapping[str, Value]) -> dict[str, Any]:
        if parameters["n"] == 16:
            raise MemoryError("no room")
        return inputs_of_size(parameters)

    found = final(timed({"double": double}, ("jit",), (8, 16, 32), inputs_at))
    failure = found["double", "jit", 16].failure
    assert failure.type == "MemoryError"
    assert found["double", "jit", 32].median_s is not None


def test_a_variant_that_raises_in_a_later_call_keeps_its_first_call() -> None:
    calls = iter(range(40))

    def gives_up(x: jax.Array) -> jax.Array:
        if next(calls, None) is None:
            raise RuntimeError("enough")
        return x

    each = final(timed({"gives_up": gives_up}, ("eager",)))["gives_up", "eager", 8]
    assert str(each.failure.message) == "enough"
    assert each.first_call_s is not None


@pytest.mark.rest
def test_compiling_in_every_call_is_noted() -> None:
    def forgetful(x: jax.Array) -> jax.Array:
        return jax.jit(lambda y: y + 1)(x)

    each = final(timed({"forgetful": forgetful}, ("eager",)))["forgetful", "eager", 8]
    assert any(note.kind == "recompiled" for note in each.notes)
    assert not any(note.kind == "recompiled" for note in final(timed({"double": double}))["double", "jit", 8].notes)


@pytest.fixture
def checking_flags(tmp_path: Path) -> Iterator[None]:
    settings = {"jax_debug_nans": True, "jax_debug_key_reuse": True, "jax_compilation_cache_dir": str(tmp_path)}
    settings["jax_persistent_cache_min_compile_time_secs"] = 0.0
    before = {name: getattr(jax.config, name) for name in settings}
    for name, value in settings.items():
        jax.config.update(name, value)
    yield
    for name, value in before.items():
        jax.config.update(name, value)


@pytest.mark.usefixtures("checking_flags")
def test_flags_that_mislead_are_off_while_timing_and_back_afterwards() -> None:
    before = {name: getattr(jax.config, name) for name in MISLEADING_FLAGS}
    assert before["jax_debug_nans"]
    seen: set[tuple[bool, ...]] = set()

    def variant(x: jax.Array) -> jax.Array:
        seen.add(tuple(getattr(jax.config, name) for name in MISLEADING_FLAGS))
        return x

    timed({"variant": variant})
    assert seen == {(False,) * len(MISLEADING_FLAGS)}
    assert {name: getattr(jax.config, name) for name in MISLEADING_FLAGS} == before


@pytest.mark.usefixtures("checking_flags")
def test_a_compilation_cache_on_disk_is_neither_read_nor_written(tmp_path: Path) -> None:
    jax.jit(lambda x: x + 1)(np.float32(1)).block_until_ready()
    entries = sorted(path.name for path in tmp_path.iterdir())
    assert entries
    with undisturbed():
        jax.jit(lambda x: x + 2)(np.float32(1)).block_until_ready()
    assert sorted(path.name for path in tmp_path.iterdir()) == entries
    jax.jit(lambda x: x + 3)(np.float32(1)).block_until_ready()
    assert len(list(tmp_path.iterdir())) > len(entries)


@pytest.mark.usefixtures("checking_flags")
def test_a_stop_passes_through_and_leaves_everything_as_it_was() -> None:
    calls = iter(range(30))

    def stopped(x: jax.Array) -> jax.Array:
        if next(calls, None) is None:
            raise Stopped
        return x

    with pytest.raises(Stopped):
        timed({"stopped": stopped}, ("eager",))
    assert gc.isenabled()
    assert jax.config.jax_debug_nans


@pytest.mark.parametrize(
    ("now", "timed_at"), [(4, [4, 16]), (64, [64, 4, 16])], ids=["a value of the sweep", "asked for"]
)
def test_the_value_that_the_user_set_is_timed_first_and_may_take_four_budgets(
    now: int, timed_at: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    spent_s = 0.0

    def slow(x: jax.Array) -> jax.Array:
        # Nothing else takes any time.
        nonlocal spent_s
        spent_s += x.shape[0] / 2000
        return x

    came: list[Measurement] = []
    plan = Plan(7, jax.devices()[0], {"slow": slow}, ("eager",), 0.016, came.append, clock=lambda: spent_s)
    # To wait takes no time of this clock, and would be tried for ever.
    monkeypatch.setattr(waiting, "floor", lambda *_: 0.0)
    time_sweep(plan, {"n": now}, inputs_of_size, "n", (4, 16, 64))
    assert [each.parameters["n"] for each in came if each.final and each.median_s] == timed_at


@pytest.mark.rest
@pytest.mark.parametrize(("now", "coldest"), [(16, 16), (999, 8)], ids=["in the sweep", "not in the sweep"])
def test_first_calls_start_from_empty_caches_at_the_setting_in_force(now: int, coldest: int) -> None:
    came: list[Measurement] = []
    plan = Plan(7, jax.devices()[0], {"double": double}, ("jit",), 0.01, came.append)
    time_sweep(plan, {"n": now}, inputs_of_size, "n", (8, 16, 32))
    assert [each.parameters["n"] for each in came if each.final and each.cold] == [coldest]


# -- what would take too long ------------------------------------------------------------------


Costs = list[tuple[Value, float, float]]


@pytest.mark.parametrize(
    ("costs", "value", "words"),
    [
        ([], 64, ""),
        ([(8, 0.1, 0.1)], 64, ""),
        ([(8, 1.0, 0.1)], 64, "one call would take about 8 s, and the budget is 0.5 s"),
        # A call whose cost is mostly fixed stays cheap.
        ([(8, 0.1, 0.1), (64, 0.1, 0.1)], 512, ""),
        ([(8, 0.01, 0.1), (64, 0.08, 0.1)], 512, "one call would take about 0.64 s, and the budget is 0.5 s"),
        # A fixed cost and one for each element: 0.1 s and 0.8 ms each.
        ([(100, 0.001, 0.18), (10_000, 0.001, 8.1)], 20_000, "the first call would take about 16 s"),
        # First calls that differ by no more than noise predict as one point does: not much.
        ([(32, 0.001, 0.6), (1024, 0.001, 1.7)], 32768, ""),
        ([(32, 0.001, 0.6), (1024, 0.001, 1.7)], 327680, "the first call would take about 540 s"),
        # Cubic, as a matrix product.
        ([(10, 1e-4, 0.1), (100, 0.1, 0.1)], 200, "one call would take about 0.8 s, and the budget is 0.5 s"),
        ([(8, 1.0, 0.1), (64, 8.0, 0.1)], 16, ""),
        ([("small", 8.0, 0.1)], "large", ""),
        ([(True, 8.0, 0.1)], False, ""),
    ],
)
def test_a_value_is_skipped_when_its_cost_would_exceed_the_budget(costs: Costs, value: Value, words: str) -> None:
    history = CostHistory()
    for each, call_s, first_s in costs:
        history.add(each, call_s, first_s)
    assert str(history.reason_to_skip(value, budget_s=0.5)) == words


@pytest.mark.parametrize(("value", "words"), [(8, ""), (64, ""), (512, "it failed at 64 already")])
def test_a_larger_value_than_one_that_failed_is_skipped(value: Value, words: str) -> None:
    history = CostHistory()
    history.add_failure(64)
    assert str(history.reason_to_skip(value, budget_s=0.5)) == words
