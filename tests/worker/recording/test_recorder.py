"""Recording does not change a program, and leaves nothing behind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import export, lax, random
from jax.experimental import io_callback

from explorer.worker.internals import ahead_of_time, dispatch, jaxprs
from explorer.worker.lineage.key_graph import key_lineage
from explorer.worker.recording import event_log, recorder, rewritten_jit
from explorer.worker.recording.interrupt import Stopped
from tests.worker.recorded import found_in, graph_of
from tests.worker.recording import programs

X = jnp.arange(4.0)


def bits(tree: Any) -> list[bytes]:
    leaves = [jax.random.key_data(leaf) if hasattr(leaf, "_impl") else leaf for leaf in jax.tree.leaves(tree)]
    return [np.asarray(leaf).tobytes() for leaf in leaves]


def eager_noise(key: Any) -> Any:
    return jnp.sin(random.normal(key, (4,)) * 3) + random.uniform(random.fold_in(key, 1), (4,))


def iterations(key: Any) -> Any:
    def body(state: Any) -> Any:
        key, total = state
        key, sub = random.split(key)
        return key, total + random.uniform(sub)

    return lax.while_loop(lambda state: state[1] < 3, body, (key, 0.0))


def chosen(key: Any) -> Any:
    def one(number: Any, key: Any) -> Any:
        return lax.cond(number > 1, lambda key: random.normal(key) * 3 + 1, random.uniform, key)

    return jax.vmap(one)(jnp.arange(4), random.split(key, 4))


def gradient(key: Any) -> Any:
    def loss(x: Any) -> Any:
        step = jax.checkpoint(lambda total, key: jnp.sin(total * random.normal(key, x.shape)))
        return lax.scan(lambda total, key: (step(total, key), None), x, random.split(key, 3))[0].sum()

    return jax.value_and_grad(loss)(jnp.arange(3.0))


def samplers_that_split(key: Any) -> Any:
    return random.poisson(random.fold_in(key, 1), 3.0, (2,)), random.permutation(random.fold_in(key, 2), 6)


PROGRAMS = (eager_noise, iterations, chosen, gradient, samplers_that_split)


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("transform", [lambda function: function, jax.jit], ids=["eager", "jit"])
def test_the_result_is_that_of_the_plain_run_bit_for_bit(program: Callable[..., Any], transform: Any) -> None:
    function = transform(program)
    recording = recorder.record(lambda: function(random.key(3)))
    assert recording.error is None
    assert recording.log.notes == set()
    assert bits(recording.result) == bits(function(random.key(3)))


def test_an_interrupt_is_raised_and_leaves_jax_as_it_was() -> None:
    before = dispatch.key_reuse.call_impl_with_key_reuse_checks

    def program() -> None:
        raise Stopped

    with pytest.raises(Stopped):
        recorder.record(program)
    assert dispatch.key_reuse.call_impl_with_key_reuse_checks is before
    assert not dispatch.is_dispatched()
    assert jax.config.jax_debug_key_reuse is False


def test_a_program_that_asks_for_jaxs_own_checks_gets_them() -> None:
    def program() -> None:
        key = random.key(0)
        with jax.debug_key_reuse(True):
            random.normal(key)
            random.normal(key)

    recording = recorder.record(program)
    assert isinstance(recording.error, jax.errors.KeyReuseError)
    assert graph_of(recording).draws == 1


def test_jaxs_own_checks_and_programs_traced_outside_a_recording_are_none_of_ours() -> None:
    def program(key: Any) -> Any:
        return jax.vmap(lambda x: x + random.normal(key))(jnp.arange(3.0))

    with jax.debug_key_reuse(True):
        assert not dispatch.is_dispatched()
        traced = jax.jit(program).trace(random.key(0))
    assert "~" not in traced.jaxpr.pretty_print(name_stack=True)
    recorder.record(lambda: jax.jit(program)(random.key(0)))
    text = jax.make_jaxpr(program)(random.key(0)).pretty_print(name_stack=True)
    assert "~" not in text
    assert "jax_explorer" not in text


def test_a_program_that_turns_jaxs_checks_off_for_good_gets_a_note_of_the_cost() -> None:
    def program() -> Any:
        first = random.normal(random.key(0))
        jax.config.update("jax_debug_key_reuse", False)
        return first, random.normal(random.key(1))

    recording = recorder.record(program)
    (note,) = recording.log.notes
    assert str(note).startswith("The program set jax_debug_key_reuse itself")
    assert graph_of(recording).draws == 1


def test_a_program_without_random_numbers_leaves_an_empty_log() -> None:
    recording = recorder.record(lambda: jax.jit(jnp.sin)(jnp.arange(3.0)).sum() + 1)
    assert recording.log.entries() == []
    assert graph_of(recording).nodes == 0


def test_the_gradient_of_a_loop_without_keys_is_compiled_as_in_the_plain_run() -> None:
    def slopes(w: Any) -> Any:
        loop = lax.scan(lambda x, _: (jnp.sin(w) @ x, None), X, length=8)[0]
        return loop.sum()

    def memory() -> Any:
        compiled: Any = jax.jit(jax.grad(slopes)).lower(jnp.ones((4, 4))).compile()
        return compiled.memory_analysis().temp_size_in_bytes

    jax.clear_caches()
    assert recorder.record(memory, is_user_code=lambda _: True).result == memory()


def test_unchanged_code_is_rewritten_once(monkeypatch: pytest.MonkeyPatch) -> None:
    function = jax.jit(lambda key: random.normal(key) + 1)
    recorder.record(lambda: function(random.key(0)))
    monkeypatch.setattr(rewritten_jit, "_jitted", lambda *_: pytest.fail("rewritten again"))
    recording = recorder.record(lambda: function(random.key(1)))
    assert recording.error is None
    assert recording.log.notes == set()


def test_what_cannot_be_rewritten_runs_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> None:
        raise RuntimeError

    monkeypatch.setattr(rewritten_jit, "_jitted", fail)
    function = jax.jit(lambda key: random.normal(key) * 5)
    recording = recorder.record(lambda: function(random.key(0)))
    assert set(map(str, recording.log.notes)) == {"Keys used inside <lambda> could not be seen."}
    assert bits(recording.result) == bits(function(random.key(0)))


def test_a_loop_with_more_iterations_than_there_is_room_for_is_seen_whole() -> None:
    def program(key: Any) -> Any:
        return lax.while_loop(
            lambda state: state[1] < 9000, lambda state: (random.split(state[0])[0], state[1] + 1), key
        )

    def with_count(key: Any) -> Any:
        return program((key, 0))

    recording = recorder.record(lambda: jax.jit(with_count)(random.key(0)))
    assert recording.error is None
    assert graph_of(recording).splits == 9000


def test_a_loop_that_prints_runs_once(capfd: pytest.CaptureFixture[str]) -> None:
    def body(state: Any) -> Any:
        jax.debug.print("round {}", state[1])
        return random.split(state[0])[0], state[1] + 1

    recorder.record(lambda: lax.while_loop(lambda state: state[1] < 3, body, (random.key(0), 0)))
    jax.effects_barrier()
    assert capfd.readouterr().out.split("\n") == ["round 0", "round 1", "round 2", ""]


def test_a_program_that_wants_more_memory_than_there_is_keeps_what_went_before() -> None:
    def program() -> Any:
        key, own = random.split(random.key(0))
        random.normal(own)
        return random.normal(key, (10**7, 10**7)).sum()

    recording = recorder.record(lambda: jax.block_until_ready(program()))
    assert isinstance(recording.error, jax.errors.JaxRuntimeError)
    graph = graph_of(recording)
    assert (graph.splits, graph.draws) == (1, 1)


def test_a_loop_that_cannot_get_its_memory_raises_and_does_not_hang() -> None:
    def body(state: Any) -> Any:
        return random.split(state[0])[0], state[1] + random.normal(state[0], (10**7, 10**7)).sum()

    def program() -> Any:
        return jax.block_until_ready(lax.while_loop(lambda state: state[1] < 1, body, (random.key(0), 0.0)))

    recording = recorder.record(program)
    assert isinstance(recording.error, jax.errors.JaxRuntimeError)
    assert graph_of(recording).draws == 0


def test_draws_beyond_the_limit_are_counted_but_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(event_log, "MAX_KEYS", 50)

    def program() -> Any:
        some = jax.vmap(random.normal)(random.split(random.key(0), 10))
        return some, jax.vmap(random.normal)(random.split(random.key(1), 1000))

    recording = recorder.record(program)
    graph = graph_of(recording)
    assert recording.error is None
    assert graph.draws == 1010
    assert len(graph.draw_key.numpy()) == 10
    assert tuple(map(str, graph.notes)) == ("1,000 draws were counted, but are too many to show.",)


def test_donated_arguments_are_given_away_as_in_the_plain_run() -> None:
    function = jax.jit(lambda x, key: x + random.normal(key, x.shape), donate_argnums=0)
    x = jnp.arange(4.0) + 1
    recorder.record(lambda: function(x, random.key(0)))
    assert x.is_deleted()


# -- what goes past the dispatch point ---------------------------------------------------------


def carried_on(key: Any) -> Any:
    step = jax.jit(lambda key: tuple(random.split(key)), donate_argnums=0)
    first, left = step(key)
    second, last = step(left)
    return random.normal(first) + random.normal(second) + random.normal(last)


def only_passed_on(key: Any) -> Any:
    return random.normal(jax.jit(lambda key: key, donate_argnums=0)(key))


@pytest.mark.parametrize("make", [random.key, random.PRNGKey])
@pytest.mark.parametrize("program", [carried_on, only_passed_on], ids=lambda each: each.__name__)
def test_a_key_that_is_given_away_stays_in_the_log(program: Callable[..., Any], make: Callable[..., Any]) -> None:
    own_recording = recorder.record(lambda: program(make(3)))
    assert own_recording.error is None
    graph = graph_of(own_recording, outputs=own_recording.result)
    assert graph.seeds == 1
    assert [bytes(each) for each in graph.data.numpy()[:1]] == bits([make(3)])
    assert found_in(own_recording) == ()


def test_uses_of_a_key_that_is_gone_are_reported_as_not_seen() -> None:
    def program() -> Any:
        key = random.key(3)
        noise = random.normal(key)
        random.key_data(key).delete()
        return noise

    own_recording = recorder.record(program)
    assert "was deleted" in "".join(map(str, graph_of(own_recording).notes))


def test_a_program_compiled_before_the_recording_is_reported_as_not_seen() -> None:
    key = random.key(0)
    draws, is_plain = jax.jit(random.normal).lower(key).compile(), jax.jit(jnp.sin).lower(1.0).compile()
    assert recorder.record(lambda: is_plain(1.0)).log.notes == set()
    recording = recorder.record(lambda: draws(key))
    assert recording.log.notes == {ahead_of_time.UNSEEN}
    assert bits(recording.result) == bits(draws(key))


def test_an_exported_program_is_reported_as_not_seen() -> None:
    exported = export.export(jax.jit(lambda words: random.normal(random.wrap_key_data(words))))(random.PRNGKey(0))
    for function in (exported.call, jax.jit(lambda words: exported.call(words) + random.uniform(words))):
        recording = recorder.record(lambda function=function: function(random.PRNGKey(0)))
        assert recording.error is None
        assert recording.log.notes == {jaxprs.EXPORTED_UNSEEN}


def test_what_is_compiled_ahead_of_time_minds_its_arguments_as_in_the_plain_run() -> None:
    def program(*arguments: Any) -> Any:
        return jax.jit(lambda key, x: x + random.normal(key, x.shape)).lower(random.key(0), X).compile()(*arguments)

    for wrong in [(random.key(0),), (random.key(0), X[:2]), (random.key(0), X.astype(int))]:
        with pytest.raises(TypeError) as plain:
            program(*wrong)
        recording = recorder.record(lambda wrong=wrong: program(*wrong))
        assert str(recording.error) == str(plain.value)


def test_what_is_compiled_ahead_of_time_gives_away_what_it_is_given() -> None:
    def program() -> Any:
        function = jax.jit(lambda x, key: x + random.normal(key, x.shape), donate_argnums=0)
        compiled = function.lower(X, random.key(0)).compile({"xla_cpu_enable_fast_math": True})
        x = X + 1
        return compiled(x, random.key(0)), x.is_deleted()

    recording = recorder.record(program)
    assert recording.result[1]
    assert bits(recording.result) == bits(program())
    assert graph_of(recording).draws == 1


def test_a_loop_that_draws_in_python_runs_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rewritten_jit, "FIRST_ROOM", 64)

    def body(state: Any) -> Any:
        key, own = random.split(state[0])
        return key, state[1] + 1 + 0 * jax.pure_callback(on_the_host, shape, random.key_data(own))

    def on_the_host(words: Any) -> Any:
        return np.asarray(random.normal(jnp.asarray(words)))

    shape = jax.ShapeDtypeStruct((), jnp.float32)
    recording = recorder.record(lambda: lax.while_loop(lambda state: state[1] < 40, body, (random.key(0), 0.0)))
    graph = graph_of(recording)
    assert recording.error is None
    assert graph.draws == 40
    assert not [each for each in found_in(recording) if each.level == "bug"]


def test_what_a_callback_raises_ends_the_recorded_program() -> None:
    def program() -> Any:
        return jax.jit(lambda x: io_callback(lambda _: 1 / 0, jax.ShapeDtypeStruct((), jnp.float32), x))(1.0)

    assert "ZeroDivisionError" in str(recorder.record(program).error)


# -- random programs, held against plain Python ------------------------------------------------


def recorded_uses(recording: recorder.Recording) -> Counter[programs.Use]:
    """Return every draw, split and fold_in of a recording, as (operation, key data)."""
    known = key_lineage(recording)
    found: Counter[programs.Use] = Counter()
    for key, use in zip(known.consumed.keys.tolist(), known.consumed.use.tolist(), strict=True):
        found[known.book.uses[use].event.operation, known.book.words[key].tobytes()] += 1
    for uses, draws in zip(known.book.uses, known.draws, strict=True):
        operation = uses.event.operation
        if operation == "draw":
            once = np.setdiff1d(draws.keys, known.consumed.keys)
            assert (known.times[once] == 1).all()
        elif operation == "fold_in" and not uses.again:
            once = uses.spent
        else:
            continue
        found.update((operation, known.book.words[key].tobytes()) for key in once)
    return found


def differences(seed: int, depth: int) -> Iterator[str]:
    """Yield the errors in the recording of random program number `seed`."""
    program = programs.make(seed, depth)
    function = programs.as_jax(program)
    key = jax.random.key(seed)
    expected = Counter(programs.as_python(program, key))
    for form in (function, jax.jit(function)):
        plain = form(key, 1.0)
        recording = recorder.record(lambda form=form: form(key, 1.0))
        if recording.error is not None:
            yield f"raised {recording.error!r} for {program}"
            continue
        if np.asarray(plain).tobytes() != np.asarray(recording.result).tobytes():
            yield f"{plain!r} became {recording.result!r} for {program}"
        if recording.log.notes:
            yield f"{recording.log.notes} for {program}"
        found = recorded_uses(recording)
        if found != expected:
            yield f"{sorted((found - expected).values())} too many, {(expected - found)} missing for {program}"


@pytest.mark.parametrize("seed", range(6))
def test_random_programs_use_keys_as_plain_python_says(seed: int) -> None:
    assert list(differences(seed, depth=2)) == []
