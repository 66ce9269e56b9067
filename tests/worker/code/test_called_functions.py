"""The functions that a script calls: one is in its panes, with the arguments of its first call."""

from __future__ import annotations

import inspect
from typing import Any

import jax
import pytest

from explorer.messages import TOP_LEVEL, Measurement, Report, Subject, TimingRequest
from explorer.worker.code import user_code
from explorer.worker.runs import analyse
from tests.worker import analysed

SCRIPT = """
import functools
import jax
import jax.numpy as jnp


def init(key, width):
    return {"w": jax.random.normal(key, (3, width)), "b": jnp.zeros(width)}


def loss(params, x):
    return jnp.sum((x @ params["w"] + params["b"]) ** 2)


@functools.partial(jax.jit, donate_argnums=0)
def update(params, x, rate=0.1):
    return jax.tree.map(lambda p, g: p - rate * g, params, jax.grad(loss)(params, x))


def evaluate(params, xs):
    return jnp.stack([loss(params, x) for x in xs])


def main():
    key, drawn = jax.random.split(jax.random.key(0))
    params = init(drawn, 4)
    for number in range(3):
        key, drawn = jax.random.split(key)
        params = update(params, jax.random.normal(drawn, (5, 3)), rate=0.5)
    return evaluate(params, jnp.ones((2, 5, 3)))


if __name__ == "__main__":
    print(main())
"""


def subjects(source: str, **fields: Any) -> dict[str, Subject]:
    return {each.name: each for each in report(source, TOP_LEVEL, **fields).subjects}


def report(source: str, name: str, **fields: Any) -> Report:
    found = analysed.report(source, name, **fields)
    assert found.failure is None, found.failure
    return found


def test_the_functions_of_a_script_have_programs_and_the_jitted_one_goes_first() -> None:
    found = report(SCRIPT, TOP_LEVEL)
    assert [(each.name, each.line, each.calls, each.jitted) for each in found.subjects] == [
        ("update", 29, 3, True),
        ("loss", 21, 2, False),
        ("init", 26, 1, False),
        ("evaluate", 30, 1, False),
        ("main", 34, 1, False),
    ]
    assert (found.subject, found.program) == ("update", found.subjects[0].program)
    assert found.lenses == ("gradient", "calls", "memory", "time")
    chosen = report(SCRIPT, TOP_LEVEL, subject="evaluate")
    assert (chosen.subject, chosen.program.text) == ("evaluate", subjects(SCRIPT)["evaluate"].program.text)


INNER = """
import functools, jax, jax.numpy as jnp
def train(scale):
    @jax.jit
    def step(w, x):
        return w - scale * x
    w = jnp.ones(3)
    for _ in range(4):
        w = step(w, jnp.ones(3))
class Model:
    @functools.partial(jax.jit, static_argnums=0)
    def apply(self, x, *rest):
        return x * 2
    def __call__(self, x: int) -> int:
        return x + 1
def loss(w, x):
    return jnp.sum((w * x) ** 2)
x = jnp.ones(3)
train(0.5)
Model().apply(x, 1, 2)
Model()(x)
value = jax.value_and_grad(loss)(x, x)
slope = jax.jit(jax.grad(loss))
for each in range(3):
    slope(x, x)
doubled = jax.jit(lambda x: 2 * x)
doubled(x)
jax.vmap(lambda x: x + 1)(x)
"""


def test_functions_count_wherever_they_are_defined_and_jitted() -> None:
    found = subjects(INNER)
    assert {name: (each.line, each.calls, each.jitted) for name, each in found.items()} == {
        "train": (19, 1, False),
        "step": (9, 4, True),
        "slope": (25, 3, True),
        "Model.apply": (20, 1, True),
        "doubled": (27, 1, True),
        "value_and_grad(loss)": (22, 1, False),
        "Model.__call__": (21, 1, False),
        "vmap(<lambda>)": (28, 1, False),
    }


def test_an_object_whose_call_is_jitted_is_a_jitted_function() -> None:
    jitted = INNER.replace("    def __call__", "    @functools.partial(jax.jit, static_argnums=0)\n    def __call__")
    assert subjects(jitted)["Model.__call__"].jitted


@pytest.mark.parametrize(
    "source",
    [
        "def f(x): return x\ndef inputs(): return {}\nf(1.0)\n",
        "import jax.numpy as jnp\ndef f(x): return x\ng = lambda x: f(1.0)\nprint(jnp.ones(3))\n",
        "def f(x): return x if x < 1 else f(x - 1)\nf(3)\n",
        "import jax\nx = jax.random.normal(jax.random.key(0), (3,))\nprint(x.mean())\n",
    ],
    ids=["inputs", "not called", "without operations", "no function"],
)
def test_without_a_call_with_arrays_there_is_none(source: str) -> None:
    assert [each.subject for each in analysed.snapshot(source).reports if each.subject] == []


def test_a_script_runs_as_python_runs_it() -> None:
    source = """
from __future__ import annotations
from math import *
import dataclasses, inspect, sys, warnings
count: int = 3
@dataclasses.dataclass
class Data:
    scale: float = tau
    def told(self, x: list(range(3)) = ()) -> print(1):
        return super().__repr__()[:1], sys._getframe(1).f_code.co_name
for each in range(2):
    values = [pi * each for each in range(count) if each != count]
del each
def change(*given, **named):
    global count
    count += len(given) + len(named)
    return sys._getframe(1).f_lineno
lines = [change(*values[:2], **{"a": 1}), change(b=(lambda: change())())]
names = sorted(name for name in globals() if name in locals() and not name.startswith("_"))
def f(x, data, lines):
    return x * count
class Odd:
    inner = f(1, None, None)
    def __getattr__(self, name):
        raise KeyError(name)
try:
    Odd().missing(f(2, None, None))
except KeyError as error:
    names.append(str(error))
told = [inspect.signature(f), f.__code__.co_varnames, Data().told(), Data.told.__annotations__, lines, names]
raise ValueError(told, f(values[1], Data(), lines))
"""
    with pytest.raises(ValueError, match="missing") as plain:
        exec(compile(source, "<test>", "exec", dont_inherit=True), {"__name__": "__main__"})
    failure = analysed.snapshot(source).reports[0].failure
    assert (failure.type, str(failure.message), failure.line) == ("ValueError", str(plain.value), 31)


@pytest.mark.rest
def test_the_numbers_that_any_call_returns_are_curves_once() -> None:
    source = """
import jax
import jax.numpy as jnp

step = jax.jit(lambda w, x: (w - 0.1 * x, jnp.sum(w * x)))


def train(w, x):
    w, loss = step(w, x)
    return w, loss


def squares(w):
    total = jnp.sum(w**2)
    return total


w, x = jnp.ones(3), jnp.arange(3.0)
for number in range(4):
    (value, (low, count)), slope = jax.value_and_grad(lambda w: (jnp.sum(w), (w.min(), w.size)), has_aux=True)(w)
    w, passed_on = train(w, x)
    print(number, jnp.max(w), f"{jnp.mean(w):.2f}")
    jax.grad(squares)(w)
"""
    found = report(source, TOP_LEVEL).calls
    curves = {each.function: [curve.name for curve in each.iterations.curves] for each in found}
    first = "jax.value_and_grad(lambda w: (jnp.sum(w)"
    assert curves == {"<lambda>": ["loss"], first: ["value", "low"], "jnp.max": ["output"], "jnp.mean": ["output"]}
    assert all(each.iterations.length == 4 for each in found)


def test_one_is_timed_with_the_arguments_of_its_first_call() -> None:
    for source, name, ways in (
        (SCRIPT, "update", {"without jit"}),
        (INNER, "Model.apply", set()),
        (INNER, "vmap(<lambda>)", set()),
    ):
        sent: list[Any] = []
        done = analyse.time(TimingRequest(1, source, "<test>", budget_s=0.05, subject=name), analysed.channel(sent))
        assert done.failure is None
        final = [each for each in sent if isinstance(each, Measurement) and each.final]
        assert {(each.variant, each.transforms[0], each.failure) for each in final} == {
            (name, "eager", None),
            (name, "jit", None),
        }
        # Next to jit it is timed without its own jit, which would donate its arguments.
        assert ways <= {note.kind for each in final for note in each.notes}


def test_what_is_timed_has_no_notes_in_its_code() -> None:
    request = TimingRequest(1, SCRIPT, "<test>", subject="update")
    function, _ = user_code.load_requested(request).watched.found
    assert not any(name.startswith("__jax_explorer") for name in inspect.unwrap(function).__code__.co_names)


def called_by_a_library(function: Any, x: Any) -> Any:
    return function(x)


def test_without_any_the_library_that_calls_a_function_of_the_script_is_shown() -> None:
    source = f"""
import jax.numpy as jnp
from {__name__} import called_by_a_library

def square(x):
    return x * x

x = called_by_a_library(jnp.sin, jnp.ones(3))
y = called_by_a_library(square, x)
"""
    assert not subjects(source.replace("(square", "(jnp.cos"))
    (found,) = subjects(source).values()
    assert (found.name, found.lines) == ("called_by_a_library (9)", (6,))


def test_one_that_is_not_called_is_not_timed() -> None:
    source = "def f(x): return x\nif f is None:\n    f(1.0)\n"
    done = analyse.time(TimingRequest(1, source, "<test>", subject="f"), analysed.channel([]))
    assert "did not call f with arrays of its own" in str(done.failure.message)


def test_a_script_that_calls_inputs_itself_uses_no_key_twice() -> None:
    source = """
import jax
def inputs():
    return {"x": jax.random.normal(jax.random.key(0), (3,))}
def f(x):
    return x * 2
print(f(**inputs()))
"""
    assert report(source, "f").findings == ()


def test_a_script_that_fails_shows_the_functions_that_it_called_before() -> None:
    source = SCRIPT.replace("print(main())", "main()\n    open('no such folder/x')")
    (found,) = analysed.snapshot(source, variants=(TOP_LEVEL,)).reports
    assert (found.status, found.subject) == ("error", "update")


# -- variants that are transformed at their definition -----------------------------------------


WRAPPED = """
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
exec(WRAPPED, NAMESPACE)
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
    report = analysed.report(WRAPPED, name)
    assert report.failure is None
    assert report.program.failure is None
    assert report.pictures is not None
    [shown] = [each for each in report.pictures if each.role == "output"]
    assert (shown.values.numpy() == NAMESPACE[name](*CALLS[name])).all()


@pytest.mark.parametrize("name", ["decorated", "assigned"])
def test_a_key_that_in_axes_hands_to_every_example_is_reported(name: str) -> None:
    report = analysed.report(WRAPPED, name)
    assert [(each.kind, each.level) for each in report.findings or ()] == [("shared-noise", "bug")]
    assert report.program.text == str(jax.make_jaxpr(NAMESPACE[name])(X, KEY))


@pytest.mark.rest
def test_it_is_timed_too() -> None:
    sent: list[Any] = []
    request = TimingRequest(1, WRAPPED, "<test>", variants=tuple(CALLS), transforms=("eager", "jit"), budget_s=0.01)
    assert analyse.time(request, analysed.channel(sent)).failure is None
    last = {(each.variant, each.transforms): each for each in sent if isinstance(each, Measurement) and each.final}
    assert set(last) == {(name, (transform,)) for name in CALLS for transform in ("eager", "jit")}
    assert {name for name, each in last.items() if each.median_s is None} == set()
