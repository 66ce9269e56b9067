"""The calls lens shows the behaviour of jit: hits, the lines that ran, and the differences of misses."""

from __future__ import annotations

import contextlib
import textwrap

import pytest
from msgspec.structs import replace

from explorer.messages import TOP_LEVEL, Applied, Transform, Transforms
from explorer.worker.code.user_code import LoadedProgram, load
from explorer.worker.process.output import PrintedText
from explorer.worker.runs.lenses import calls as lens_module
from explorer.worker.runs.lenses.calls import VariantCalls, calls_lens
from explorer.worker.runs.lenses.watched_calls import LensCall

HEAD = """
from functools import partial
import jax, jax.numpy as jnp
def inputs(): return dict(x=jnp.ones(3), key=jax.random.key(0))
"""
PLAIN = Transforms()
HEAD_LINES = HEAD.count("\n")


def loaded(body: str, name: str = "<calls>") -> LoadedProgram:
    return load(HEAD + textwrap.dedent(body).lstrip("\n"), name)


def lens_of(body: str, variant: str = "run", transforms: Transforms = PLAIN) -> VariantCalls:
    """Return the lens of `variant` in a program that begins with HEAD; its own first line is HEAD_LINES + 1."""
    printed = PrintedText(lambda _: None)
    with contextlib.redirect_stdout(printed.stream()):
        return calls_lens(replace(loaded(body), transforms=transforms), variant, printed)


def differs(call: LensCall) -> list[str]:
    return [f"{each.part} of {each.name}" if each.name else each.part for each in call.differs]


def test_a_function_of_a_script_is_called_as_often_as_the_script_calls_it() -> None:
    script = "import jax\n@jax.jit\ndef step(x): return x + 1\nfor each in range(160):\n    step(1.0)\n"
    found = calls_lens(load(script, "<script>"), TOP_LEVEL, PrintedText(lambda _: None), "step", 160)
    assert [str(each) for each in found.notes] == [
        "The script's calls of step: 160. This is the first one.",
        "It is made twice.",
    ]


# -- hits, misses, and what differs ---------------------------------------------------------------------


DIFFERING = {
    "f(x), f(x + 1)": [None, []],
    "f(x), f(jnp.ones(5))": [None, ["shape of x"]],
    "f(x), f(jnp.ones(3, int))": [None, ["dtype of x"]],
    "f(x), f(jnp.ones((3, 1), int))": [None, ["shape of x", "dtype of x"]],
    "f(jnp.float32(1)), f(1.0), f(2.0)": [None, ["weak type of x"], []],
    "f(x, n=2), f(x, n=2), f(x, n=3)": [None, [], ["static value of n"]],
    "f((x, x)), f({'a': x}), f((x, x))": [None, ["structure"], []],
    "f(x), f(x=x)": [None, ["structure"]],
    "jax.jit(lambda x: x)(x), jax.jit(lambda x: x)(x)": [None, ["function object"]],
    "jax.jit(g)(x), jax.jit(g)(x)": [None, []],
    "f(x), jax.clear_caches(), f(x)": [None, ["forgotten"]],
    "f(x), f(jnp.ones(5)), f(jnp.ones(5, int))": [None, ["shape of x"], ["dtype of x"]],
}


@pytest.mark.parametrize("calls", DIFFERING)
def test_a_miss_differs_from_the_nearest_entry_in_what_is_other(calls: str) -> None:
    found = lens_of(f"""
        @partial(jax.jit, static_argnames="n")
        def f(x, n=1): return x
        def g(x): return x
        def run(x): return [{calls}]
    """)
    wanted = DIFFERING[calls]
    assert [differs(each) for each in found.calls] == [each or [] for each in wanted]
    assert [each.hit for each in found.calls] == [each == [] for each in wanted]
    assert found.traces == sum(each != [] for each in wanted)


def test_another_setting_of_jax_is_a_reason_too() -> None:
    found = lens_of("""
        @jax.jit
        def f(x): return x @ x
        def run(x):
            f(x)
            with jax.default_matmul_precision("float32"): return f(x)
    """)
    assert differs(found.calls[1]) == ["settings"]


def test_a_hit_names_the_call_whose_program_it_runs_and_runs_no_line() -> None:
    found = lens_of("""
        @jax.jit
        def f(x):
            print("tracing", x)
            return x + 1
        def run(x): return [f(x), f(jnp.ones(5)), f(x)]
    """)
    first, _, third = found.calls
    assert (third.hit, third.nearest, third.lines, third.printed) == (True, 1, (), "")
    assert first.lines == (HEAD_LINES + 3, HEAD_LINES + 4)
    assert first.printed == "tracing JitTracer(float32[3])\n"
    assert first.line == HEAD_LINES + 5
    assert [each.traces for each in found.calls] == [1, 2, 2]


def test_lines_show_the_tracers_that_they_name_and_how_often_they_ran() -> None:
    found = lens_of("""
        @jax.jit
        def f(x):
            for power in range(3):
                y = x * power
            return y
        def run(x): return [f(x), f(x)]
    """)
    lines = found.calls[0].traced
    assert [each.text for each in lines] == ["for power in range(3):", "    y = x * power", "return y"]
    assert [each.times for each in lines] == [4, 3, 1]
    assert lines[1].made == ("y: f32[3]",)
    found = lens_of("""
        @jax.jit
        def f(x):
            y = sum(x * power for power in range(3))
            return y
        def run(x): return [f(x), f(x)]
    """)
    lines = found.calls[0].traced
    assert [(each.times, each.made) for each in lines] == [(1, ("y: f32[3]",)), (1, ())]


# -- what is called --------------------------------------------------------------------------------------


def test_a_function_without_jit_is_called_under_jit_and_a_note_says_so() -> None:
    found = lens_of("def run(x): return x + 1")
    assert [each.hit for each in found.calls] == [False, True]
    assert "calls no jitted function" in str(found.notes[0])


@pytest.mark.parametrize("names", [["vmap"], ["grad"], ["jit"], ["vmap", "jit"]], ids="-".join)
def test_transforms_that_the_user_chose_are_around_it(names: list[Transform]) -> None:
    body = "def inputs(): return dict(x=jnp.ones((4, 3)))\ndef run(x): return (x**2).sum()"
    found = lens_of(body, transforms=Transforms(applied=tuple(Applied(name, summed=name == "grad") for name in names)))
    assert [each.hit for each in found.calls[:2]] == [False, True]
    assert found.calls[0].function == "run"
    assert found.calls[0].lines == (HEAD_LINES + 2,)


def test_what_makes_one_call_runs_twice_and_what_makes_none_is_reported_in_words() -> None:
    found = lens_of("run = jax.jit(lambda x: x + 1)")
    assert [each.hit for each in found.calls] == [False, True]
    assert "run twice" in str(found.notes[0])
    found = lens_of("""
        class Twice:
            def __call__(self, x): return x * 2
        run = Twice()
    """)
    assert found.calls == ()
    assert "No call of a jitted function" in str(found.sentence)


def test_what_inputs_call_is_not_reported() -> None:
    found = lens_of("""
        @jax.jit
        def f(x): return x
        def inputs(): return dict(x=f(jnp.ones(3)))
        def run(x): return f(x)
    """)
    assert [(each.number, each.hit, each.nearest, each.traces) for each in found.calls] == [
        (1, True, 0, 0),
        (2, True, 0, 0),
    ]
    assert found.traces == 0


def test_a_call_inside_a_trace_stands_in_the_call_around_it() -> None:
    found = lens_of("""
        @jax.jit
        def inner(x): return x * 2
        @jax.jit
        def outer(x): return inner(inner(x))
        def run(x): return [outer(x), outer(x)]
    """)
    seen = [(each.function, each.hit, each.inside) for each in found.calls]
    assert seen == [("outer", False, -1), ("inner", False, 1), ("inner", True, 1), ("outer", True, -1)]
    assert found.calls[0].lines == (HEAD_LINES + 4,)


def test_a_program_that_is_only_lowered_is_not_run() -> None:
    found = lens_of("""
        @jax.jit
        def f(x): return x
        def run(x): return [f.lower(x).compile()(x), f(x)]
    """)
    assert [(each.hit, each.is_call) for each in found.calls] == [(False, False), (True, True)]


# -- where things go wrong -------------------------------------------------------------------------------


def test_a_tracer_that_gets_out_is_reported_with_its_line() -> None:
    found = lens_of("""
        history = []
        @jax.jit
        def f(x):
            y = x + 1
            history.append(y)
            return y
        def run(x): return [f(x), f(x)]
    """)
    (leak,) = found.calls[0].leaks
    assert (leak.name, leak.type, leak.line) == ("history[0]", "f32[3]", HEAD_LINES + 4)
    assert found.calls[1].leaks == ()


def test_a_hit_uses_the_globals_of_its_trace() -> None:
    found = lens_of("""
        scale, counter = 2.0, 0
        @jax.jit
        def inner(x): return x * scale
        @jax.jit
        def f(x):
            global counter
            counter += 1
            return inner(x) + counter
        def run(x):
            global scale
            f(x)
            scale = 3.0
            return [f(x), inner(x)]
    """)
    first, _, second, third = found.calls
    assert [(each.name, each.used, each.now) for each in second.stale] == [("scale", "2.0", "3.0")]
    assert [each.name for each in third.stale] == ["scale"]
    assert first.traced[0].made == ("counter = 1",)


def test_what_was_reported_before_an_error_stays_and_a_missing_hash_is_one_in_words() -> None:
    found = lens_of("""
        @jax.jit
        def f(x): return jnp.log(x) if x.shape == (3,) else x + jnp.ones(7)
        def run(x): return [f(x), f(jnp.ones(5))]
    """)
    assert [each.hit for each in found.calls] == [False, False]
    assert "TypeError" in found.calls[1].error
    assert found.failure is not None
    assert found.traces == 1
    found = lens_of("def run(x): return jax.jit(lambda x, n: x * len(n), static_argnums=1)(x, [1])")
    assert found.calls == ()
    assert "hash" in str(found.failure.message)


def test_a_donated_argument_is_gone_in_the_second_call() -> None:
    found = lens_of("""
        @partial(jax.jit, donate_argnums=0)
        def f(x): return x + 1
        def run(x): return [f(x), f(x)]
    """)
    assert [each.hit for each in found.calls] == [False, True]
    assert "deleted" in found.calls[1].error


@pytest.mark.rest
def test_callbacks_print_in_each_call_and_much_that_is_printed_is_cut() -> None:
    found = lens_of("""
        @jax.jit
        def f(x):
            for number in range(5000): print("traced", number)
            jax.debug.print("ran {x}", x=x[0])
            return x
        def run(x): return [f(x), f(x)]
    """)
    first, second = found.calls
    assert second.printed == "ran 1.0\n"
    assert len(first.printed) <= 2000


def test_a_method_that_is_jitted_for_each_object() -> None:
    found = lens_of("""
        class Model:
            @partial(jax.jit, static_argnums=0)
            def __call__(self, x): return x * 2
        def run(x): return [Model()(x), Model()(x)]
    """)
    assert [differs(each) for each in found.calls] == [[], ["static value of self"]]
    assert found.calls[0].asked.given[0].static == "<jax_explorer_program.Model object>"


def test_a_method_that_is_jitted_in_a_loop_is_traced_as_often_as_without_the_lens() -> None:
    found = lens_of("""
        class Model:
            def step(self, x): return x
        model = Model()
        def run(x):
            for _ in range(3): jax.jit(model.step)(x)
    """)
    assert [each.hit for each in found.calls] == [False] * 3
    assert [differs(each) for each in found.calls] == [[], ["function object"], ["function object"]]


def test_static_arguments_may_fail_at_any_question() -> None:
    found = lens_of("""
        class Silent:
            def __hash__(self): return 1
            def __eq__(self, other): raise ValueError("eq")
            def __repr__(self): raise ValueError("repr")
        f = jax.jit(lambda x, silent: x, static_argnums=1)
        def run(x): return [f(x, Silent()), f(x, Silent())]
    """)
    assert [each.asked.given[1].static for each in found.calls] == ["Silent"]
    assert "eq" in str(found.failure.message)


def test_many_traces_are_counted_and_the_first_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("explorer.worker.runs.lenses.watched_calls.MOST_CALLS", 20)
    monkeypatch.setattr(lens_module, "MOST_CALLS", 20)
    found = lens_of("""
        def run(x):
            for number in range(60): jax.jit(lambda x: x)(x)
    """)
    assert (found.count, found.traces, len(found.calls)) == (60, 60, 20)
    assert "20 of 60" in str(found.notes[0])


def test_long_loops_go_their_fast_way_in_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("explorer.worker.runs.lenses.watched_calls.MOST_SEEN", 50)
    monkeypatch.setattr(lens_module, "MOST_SEEN", 50)
    found = lens_of("""
        @jax.jit
        def f(x): return x
        def run(x):
            for number in range(100): f(x)
            return f(jnp.ones(5))
    """)
    assert (found.count, found.traces, len(found.calls)) == (50, 2, 50)
    assert "more than 50" in str(found.notes[0])
