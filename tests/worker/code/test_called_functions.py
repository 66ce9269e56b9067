"""The functions that a script calls: each is a variant, with the arguments of its first call."""

from __future__ import annotations

from typing import Any

import jax
import numpy as np
import pytest

from explorer.messages import TOP_LEVEL, Measurement, Report, TimingRequest, Variant
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


def called(source: str) -> dict[str, int]:
    return {each.name: each.called_on for each in analysed.snapshot(source, variants=("",)).variants if each.called_on}


def report(source: str, name: str, **fields: Any) -> Report:
    found = analysed.report(source, name, **fields)
    assert found.failure is None, found.failure
    return found


@pytest.mark.rest
def test_each_function_that_a_script_calls_with_arguments_is_a_variant() -> None:
    assert called(SCRIPT) == {"init": 26, "update": 29, "evaluate": 30, "loss": 21}
    found = analysed.snapshot(SCRIPT.replace("print(main())", "jax.random.normal(jax.random.key(1)); main()"))
    assert [each.name for each in found.reports] == ["main"]


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("def f(x): return x\ndef inputs(): return {}\nf(1.0)\n", {}),
        ("from math import sqrt as inputs\ndef f(x): return x\nf(1.0)\n", {}),
        (
            "def _f(x): return x\ndef f(): return 1\nclass C:\n    def __init__(self, x): pass\n_f(1.0); f(); C(1.0)\n",
            {},
        ),
        ("def f(x): return x\ng = lambda: f(1.0)\ndef h(): return f(2.0)\n", {}),
        ("def f(x): return x  # jax-explorer: not a variant\ndef g(*xs): return xs\nf(1.0); g(1.0)\n", {}),
        (
            "import jax\ndef f(x): return x\ng = jax.jit(f)\nfor i in range(2):\n    y = [g(1.0) for _ in range(3)]\n",
            {"g": 5},
        ),
        ("import jax\n@jax.jit\ndef f(x): return g(x)\ndef g(x): return x\nf(1.0)\n", {"f": 5}),
        ("def f(x): return x if x < 1 else f(x - 1)\nf(3)\n", {"f": 2}),
        ("f(1.0)\ndef f(x: return x\n", {}),
    ],
    ids=[
        "inputs",
        "imported inputs",
        "private, no arguments, a class",
        "not called",
        "excluded",
        "assigned",
        "traced",
        "recursive",
        "syntax",
    ],
)
def test_only_what_runs_with_arrays_of_its_own_is_one(source: str, names: dict[str, int]) -> None:
    assert called(source) == names


@pytest.mark.rest
def test_it_runs_with_the_arguments_of_its_first_call_and_the_script_ends_there() -> None:
    source = SCRIPT + "print('after')\n"
    found = report(source, "update", traces=True, value_checks=True, jax_checker=True, draws=True)
    assert found.printed == ""
    assert found.program is not None
    assert found.lenses == ("gradient", "calls", "memory", "time")
    # The keys until that call: the two splits, and the draws of init and of the batch.
    assert found.keys.draws == 2
    assert found.findings == ()
    variant = next(each for each in analysed.snapshot(source, variants=("update",)).variants if each.name == "update")
    assert [(each.name, each.type) for each in variant.arguments] == [
        ("params", "dict of 2 arrays"),
        ("x", "f32[5,3]"),
        ("rate", "float"),
    ]
    assert (variant.line, variant.end_line, variant.called_on) == (16, 17, 29)


def test_its_values_are_those_of_plain_python() -> None:
    plain: dict[str, Any] = {"__name__": "plain"}
    exec(SCRIPT, plain)
    seen: list[Any] = []
    evaluate = plain["evaluate"]
    plain["evaluate"] = lambda params, xs: seen.append(evaluate(params, xs)) or seen[-1]
    plain["main"]()
    (picture,) = (each for each in report(SCRIPT, "evaluate").pictures or () if each.role == "output")
    assert np.array_equal(picture.values.numpy(), np.asarray(seen[0]))


@pytest.mark.rest
def test_two_of_them_and_the_top_level_run_next_to_each_other() -> None:
    source = SCRIPT.replace("print(main())", "main()")
    found = analysed.snapshot(source, variants=("update", "init"))
    assert [(each.name, each.status) for each in found.reports] == [("update", "ok"), ("init", "ok")]
    script = "import jax\ndef f(x): return x * 2\nkey = jax.random.key(0)\ny = f(jax.random.normal(key))\nz = f(y)\n"
    found = analysed.snapshot(script, variants=("f", TOP_LEVEL))
    assert [(each.name, each.status, each.keys and each.keys.draws) for each in found.reports] == [
        ("f", "ok", 1),
        (TOP_LEVEL, "ok", 1),
    ]
    assert [each.name for each in found.reports[1].pictures or ()] == ["output['z']", "output['y']"]


def test_a_call_in_a_branch_that_is_not_taken_is_not_known_and_that_is_reported() -> None:
    found = analysed.snapshot("def f(x): return x\nif f is None:\n    f(1.0)\n", variants=("f",))
    assert "did not call f with arrays of its own" in str(found.failure.message)


def test_a_wrapped_function_ends_the_script_once_and_runs_plainly_afterwards() -> None:
    source = """
import functools
def doubled(f):
    @functools.wraps(f)
    def call(x):
        return 2 * f(x)
    return call
def f(x):
    return x + 1
f = doubled(f)
try:
    f(3.0)
except Exception:
    pass
"""
    [picture] = (each for each in report(source, "f").pictures or () if each.role == "output")
    assert picture.values.numpy().tolist() == 8.0


def test_a_script_runs_as_python_runs_it_until_then() -> None:
    source = """
from math import *
import dataclasses
count: int = 3
@dataclasses.dataclass
class Data:
    scale: float = tau
for each in range(2):
    values = [pi * each for each in range(count) if each != count]
del each
try:
    missing
except NameError as error:
    told = str(error)
def change():
    global count
    count += 1
change()
names = sorted(name for name in globals() if name in locals() and not name.startswith("_"))
def f(x, data, told):
    return x * count
f(values[1], Data(), told)
"""
    found = report(source, "f")
    (picture,) = (each for each in found.pictures or () if each.role == "output")
    assert picture.values.numpy() == pytest.approx(4 * np.pi)


@pytest.mark.rest
def test_it_is_timed_with_those_arguments() -> None:
    sent: list[Any] = []
    wanted = TimingRequest(1, SCRIPT, "<test>", variants=("update", "init"), budget_s=0.05)
    done = analyse.time(wanted, analysed.channel(sent))
    assert done.failure is None
    final = [each for each in sent if isinstance(each, Measurement) and each.final]
    assert {(each.variant, each.transforms[0], each.failure) for each in final} == {
        (name, transform, None) for name in ("update", "init") for transform in ("eager", "jit")
    }
    # Next to jit it is timed without its own jit, which would donate its arguments.
    assert {
        (each.variant, *each.transforms) for each in final if any(note.kind == "without jit" for note in each.notes)
    } == {("update", "eager")}


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


def test_a_script_that_fails_offers_the_functions_that_it_called_before() -> None:
    source = SCRIPT.replace("print(main())", "main()\n    open('no such folder/x')")
    found = analysed.snapshot(source, variants=(TOP_LEVEL,))
    assert {each.name for each in found.variants} >= {"update", "init"}
    assert isinstance(found.variants[0], Variant)


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
