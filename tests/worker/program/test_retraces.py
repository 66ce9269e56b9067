from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from explorer.messages import FromWorker, FunctionTraces, Report, Request, Snapshot, TraceReason
from explorer.worker.program.retraces import CompilationMeter
from explorer.worker.runs.analyse import analyse
from tests.worker.analysed import channel, report, snapshot

Calls = Iterable[tuple[tuple[Any, ...], dict[str, Any]]]


def metered(function: Callable[[], object]) -> tuple[FunctionTraces, ...]:
    with CompilationMeter(lambda filename: filename == __file__).watching() as meter:
        function()
    return meter.traces()


def called(calls: Calls, **options: Any) -> FunctionTraces:
    @partial(jax.jit, **options)
    def plain(a: Any, b: Any = 1) -> Any:
        return jax.tree.leaves(a)[0] * 2

    def all_calls() -> None:
        for positional, named in calls:
            plain(*positional, **named)

    (traces,) = metered(all_calls)
    return traces


def one(*values: Any) -> Calls:
    return [((value,), {}) for value in values]


@pytest.mark.parametrize(
    ("calls", "options", "reasons"),
    [
        (one(jnp.ones(3), jnp.ones(3)), {}, ["first call"]),
        (one(jnp.ones(3), jnp.ones(5), jnp.ones(3), jnp.ones((2, 3))), {}, ["first call", "new shape", "new shape"]),
        (one(jnp.float32(1), jnp.int32(1)), {}, ["first call", "new dtype"]),
        (one(jnp.float32(1), 1.0, 2.0), {}, ["first call", "new weak type"]),
        (one([jnp.ones(3)], (jnp.ones(3),)), {}, ["first call", "new structure"]),
        (one({"a": 1, "b": 2}, {"b": 2, "a": 1}), {}, ["first call"]),
        ([((1,), {"b": n}) for n in (1, 2, 1)], {"static_argnames": "b"}, ["first call", "new static value"]),
        ([((1, n), {}) for n in (1, 2, 1)], {"static_argnums": 1}, ["first call", "new static value"]),
    ],
)
def test_each_trace_has_its_reason(calls: Calls, options: dict[str, Any], reasons: list[TraceReason]) -> None:
    traces = called(calls, **options)
    assert (traces.name, traces.traces, traces.compiles) == ("plain", len(reasons), len(reasons))
    assert [event.reason for event in traces.events for _ in range(event.count)] == reasons
    assert all(event.span is not None and event.sentence for event in traces.events)


def test_the_sentence_names_the_argument_and_both_shapes() -> None:
    event = called(one(jnp.ones(3), jnp.ones(5))).events[1]
    assert str(event.sentence) == "a came with a new shape: f32[5] instead of f32[3]."


def test_the_sentence_names_the_static_argument_and_its_value() -> None:
    event = called([((1,), {"b": n}) for n in (1, 2)], static_argnames="b").events[1]
    assert str(event.sentence) == "b is static and has a new value, 2: it is part of the program."


def count_up(i: Any) -> Any:
    return i + 1


class Counter:
    def up(self, i: Any) -> Any:
        return i + 1


COUNTER = Counter()


@pytest.mark.parametrize(
    ("wrapped", "times"),
    [(lambda: count_up, 1), (lambda: partial(count_up), 6), (lambda: lambda i: i + 1, 6), (lambda: COUNTER.up, 6)],
    ids=["the function", "a partial", "a lambda", "a method"],
)
def test_a_new_function_object_in_each_iteration_is_traced_in_each_iteration(
    wrapped: Callable[[], Callable[[Any], Any]], times: int
) -> None:
    def loop() -> None:
        for _ in range(6):
            jax.jit(wrapped())(1)

    jax.clear_caches()
    (traces,) = metered(loop)
    assert (traces.traces, traces.compiles) == (times, times)
    assert min(traces.trace_s, traces.lower_s, traces.compile_s) > 0
    assert {event.reason for event in traces.events[1:]} <= {"new function object"}
    assert sum(event.count for event in traces.events) == times


METHODS = """
import jax

class Counter:
    def up(self, i):
        return i + 1

def run():
    counter = Counter()
    for i in range(3):
        jax.jit(counter.up)(i)
"""


def test_no_detector_keeps_a_method_alive_so_that_jit_finds_its_program_again() -> None:
    assert [each.compiles for each in report(METHODS, "run", traces=True).traces or ()] == [3]


def test_what_jax_traces_to_lower_an_operation_does_not_hide_a_compile() -> None:
    # To draw, JAX 0.11 lowers a lambda of its own.
    (found,) = metered(lambda: jax.jit(lambda key: jax.random.normal(key, (3,)))(jax.random.key(0)))
    assert (found.name, found.traces, found.compiles) == ("<lambda>", 1, 1)


def test_what_is_traced_inside_another_is_not_compiled_by_itself() -> None:
    inner = jax.jit(lambda x: x + 1)

    @jax.jit
    def outer(x: Any) -> Any:
        return inner(x) * inner(x[:1])

    found = {each.name: each for each in metered(lambda: outer(np.ones(3)))}
    assert list(found) == ["outer", "<lambda>"]
    assert (found["outer"].traces, found["outer"].compiles) == (1, 1)
    assert (found["<lambda>"].traces, found["<lambda>"].compiles) == (2, 0)


def test_a_static_argument_may_fail_at_any_question() -> None:
    class Silent:
        def __repr__(self) -> str:
            raise ValueError("no")

    def call() -> None:
        jax.jit(lambda x, _: x, static_argnums=1)(1.0, Silent())

    (traces,) = metered(call)
    assert traces.traces == 1


def test_what_the_library_jits_is_not_counted() -> None:
    def add(x: Any) -> Any:
        return jnp.where(x > 0, x, 0).sum()

    assert metered(lambda: add(jnp.ones(17))) == ()


LOOP = """
import jax
from functools import partial

def inputs(n=8):
    return {"n": n}

def add_one(i):
    return i + 1

def partials(n):
    i = 0
    for _ in range(n):
        i = jax.jit(partial(add_one))(i)
    return i

def plainly(n):
    i = 0
    for _ in range(n):
        i = jax.jit(add_one)(i)
    return i
"""


def reports(source: str, **options: Any) -> dict[str, Report]:
    found = snapshot(source, traces=True, **options)
    assert found.failure is None
    return {report.name: report for report in found.reports}


def test_a_report_shows_the_traces_of_an_ordinary_run() -> None:
    found = reports(LOOP)
    assert [(each.name, each.traces, each.compiles) for each in found["partials"].traces or ()] == [("add_one", 8, 8)]
    (plainly,) = found["plainly"].traces or ()
    # The number that came back is an array, unlike the 0 that went in, but as weak.
    assert (plainly.traces, plainly.compiles) == (1, 1)
    assert plainly.span.line == 8


def test_a_program_without_jit_has_no_traces_and_one_that_fails_has_none_known() -> None:
    assert reports("def f():\n    return 1\n")["f"].traces == ()
    assert reports("import jax\ndef f():\n    jax.jit(len)\n    raise ValueError\n")["f"].traces is None


TWO_JITTED = """
import jax

@jax.jit
def first():
    return 1

@jax.jit
def second():
    return 2
"""


def test_traces_are_reported_as_they_come() -> None:
    sent: list[FromWorker] = []
    analyse(Request(1, TWO_JITTED, "<test>", traces=True), channel(sent))
    counted = [[report.traces is not None for report in each.reports] for each in sent if isinstance(each, Snapshot)]
    assert [True, False] in counted
