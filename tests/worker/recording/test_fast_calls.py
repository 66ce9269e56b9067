"""Repeated calls take a fast path, which does not change the report."""

from __future__ import annotations

import gc
import threading
import weakref
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import random

from explorer.worker.internals.jit import fast_calls
from explorer.worker.recording import recorder
from explorer.worker.recording.recorder import KeyRecorder, Recording
from explorer.worker.runs import in_process

CALLS = 5


def draw(key: Any) -> Any:
    return random.normal(key)


def drawn_with(recording: Recording) -> list[list[int]]:
    """Return the keys that were drawn with, in the order of the run."""
    found: list[tuple[int, list[int]]] = []
    for entry in recording.log.entries():
        if entry.event.operation == "draw":
            keys = entry.arrays["keys"].reshape(len(entry.arrays["moments"]), -1)
            found += zip(entry.arrays["moments"].tolist(), keys.tolist(), strict=True)
    return [keys for _, keys in sorted(found)]


def looks(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Return a list that grows each time that a jit is carried out by the hook itself."""
    seen: list[Any] = []
    genuine = KeyRecorder.__call__

    def call(self: KeyRecorder, primitive: Any, *rest: Any) -> Any:
        if primitive.name == "jit":
            seen.append(primitive)
        return genuine(self, primitive, *rest)

    monkeypatch.setattr(KeyRecorder, "__call__", call)
    return seen


@pytest.mark.rest
def test_every_call_is_reported_in_order_though_none_is_checked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    step = jax.jit(lambda key: random.normal(key, (3,)))
    keys = [random.key(number) for number in range(CALLS)]
    seen = looks(monkeypatch)
    with recorder.recorded() as recording:
        outputs = [step(key) for key in keys]
    assert not seen
    assert drawn_with(recording) == [random.key_data(key).tolist() for key in keys]
    for key, output in zip(keys, outputs, strict=True):
        assert np.array_equal(output, step(key))


def test_calls_of_one_line_are_one_place() -> None:
    step = jax.jit(draw)
    key = random.key(0)
    with recorder.recorded() as recording:
        for _ in range(CALLS):
            step(key)
    (entry,) = recording.log.entries()
    assert len(entry.arrays["moments"]) == CALLS


def test_what_is_traced_runs_once_and_again_for_another_type() -> None:
    traced: list[Any] = []

    @jax.jit
    def step(key: Any, values: Any) -> Any:
        traced.append(values.shape)
        return values + random.normal(key, values.shape)

    with recorder.recorded() as recording:
        for shape in [(2,), (2,), (3,), (2,), (3,)]:
            step(random.key(1), jnp.zeros(shape))
    assert traced == [(2,), (3,)]
    assert len(drawn_with(recording)) == CALLS


def test_static_arguments_and_keywords_distinguish_calls() -> None:
    @jax.jit(static_argnames="count")
    def step(key: Any, *, count: int) -> Any:
        return [random.normal(each) for each in random.split(key, count)]

    with recorder.recorded() as recording:
        for count in (1, 2, 1, 2):
            assert len(step(random.key(1), count=count)) == count
    assert len(drawn_with(recording)) == 6


def test_a_function_that_forgets_its_programs_is_traced_again() -> None:
    traced: list[int] = []

    @jax.jit
    def step(key: Any) -> Any:
        traced.append(1)
        return random.normal(key)

    with recorder.recorded():
        step(random.key(0))
        step(random.key(0))
        step.clear_cache()
        step(random.key(0))
    assert len(traced) == 2


@pytest.mark.rest
def test_functions_are_not_kept_alive() -> None:
    with recorder.recorded():

        def drawing(key: Any) -> Any:
            return random.normal(key)

        step = jax.jit(drawing)
        step(random.key(0))
        step(random.key(0))
        known = weakref.ref(drawing)
        del drawing, step
        gc.collect()
        assert known() is None


def test_raw_keys_and_closed_over_ones_are_reported_at_each_call() -> None:
    key = random.key(7)
    raw = random.PRNGKey(8)
    inside, given = jax.jit(lambda: random.normal(key)), jax.jit(random.uniform)
    with recorder.recorded() as recording:
        for _ in range(3):
            inside(), given(raw)
    assert drawn_with(recording) == [random.key_data(key).tolist(), raw.tolist()] * 3


def test_each_recording_reports_all_its_calls() -> None:
    step = jax.jit(draw)
    for _ in range(2):
        with recorder.recorded() as recording:
            step(random.key(0)), step(random.key(0))
        assert len(drawn_with(recording)) == 2
    step(random.key(0))
    assert len(drawn_with(recording)) == 2


def test_calls_in_threads_are_reported() -> None:
    step = jax.jit(draw)
    with recorder.recorded() as recording:
        threads = [threading.Thread(target=step, args=(random.key(number),)) for number in range(CALLS)]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
    assert sorted(drawn_with(recording)) == [random.key_data(random.key(number)).tolist() for number in range(CALLS)]


def test_jaxs_own_check_that_a_program_asks_for_still_raises() -> None:
    step = jax.jit(draw)
    with recorder.recorded():
        key = random.key(0)
        step(key), step(key)
        with jax.debug_key_reuse(True), pytest.raises(jax.errors.KeyReuseError):
            step(key), step(key)


def test_a_key_that_is_given_away_is_kept_first() -> None:
    step = jax.jit(lambda key: random.split(key)[0], donate_argnums=0)
    with recorder.recorded() as recording:
        key = random.key(0)
        for _ in range(3):
            random.normal(key)
            key = step(key)
    assert len(drawn_with(recording)) == 3
    assert not recording.log.notes


def test_an_error_in_a_later_call_is_the_programs_own() -> None:
    step = jax.jit(lambda key, values: random.normal(key) + values.sum())
    with recorder.recorded():
        step(random.key(0), jnp.ones(2))
        with pytest.raises(TypeError, match="abstract array"):
            step(random.key(0), "two")
        with pytest.raises(TypeError, match="missing"):
            step(random.key(0))


def test_values_are_watched_in_functions_that_went_the_fast_way_before() -> None:
    divide = jax.jit(lambda values: jnp.zeros(3) / values)
    with recorder.recorded():
        divide(jnp.ones(3)), divide(jnp.ones(3))
        with in_process.recorded(values=True) as recording:
            divide(jnp.zeros(3))
    assert "nan" in {each.kind for each in in_process.report("program", recording).findings or ()}


def test_without_its_place_in_jax_all_calls_are_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(fast_calls._GENUINE, "_run_python_pjit", None)
    step = jax.jit(draw)
    seen = looks(monkeypatch)
    with recorder.recorded() as recording:
        step(random.key(0)), step(random.key(0))
    assert len(seen) == 2
    assert len(drawn_with(recording)) == 2
