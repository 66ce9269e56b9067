"""What the editor is told about names: from the namespace of a loaded program, without running any of its code."""

from __future__ import annotations

import types
from typing import Any

import jax
import jax.numpy as jnp
import pytest

from explorer.messages import NameAnswer, NameMatter, NameQuestion
from explorer.worker.code.names import LARGE_BYTES, Names

PROGRAM = '''import jax
import jax.numpy as jnp
import numpy as np

W = jnp.ones((3, 4))


class Trap:
    @property
    def bad(self):
        raise SystemExit("a property of the person's ran")

    def __getattr__(self, name):
        raise SystemExit("__getattr__ of the person's ran")

    def go(self, a, b=1):
        """Goes."""


trap = Trap()


def noise(key, shape=(2,)):
    """Return noise.

    At length.
    """
    return jax.random.normal(key, shape)


def f(x, key):
    y = jnp.sin(x) * 2
    z = y.at[0].set(1)
    HERE
    return y
'''


@pytest.fixture(scope="module")
def names() -> Names:
    module = types.ModuleType("program")
    exec(PROGRAM.replace("HERE", "pass"), module.__dict__)
    made = Names(_nobody)
    made.remember(module, {"x": jnp.ones((32, 10)), "key": jax.random.key(0)})
    return made


def _nobody(answer: NameAnswer) -> None:
    raise AssertionError(f"{answer} was sent and not returned")


def ask(names: Names, text: str, matter: NameMatter, chosen: str = "") -> NameAnswer:
    """Put `text` into the program, the cursor at its ``|``, and return the answer."""
    before, _, after = PROGRAM.replace("HERE", text).partition("|")
    line = before.count("\n") + 1
    column = len(before) - before.rfind("\n") - 1
    return names.answer(NameQuestion(7, matter, before + after, line, column, chosen))


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("jnp.cumsu|", "cumsum"),
        ("jax.random.no|", "normal"),
        ("jax.random.NO|", "normal"),
        ("x.resh|", "reshape"),
        ("y.sha|", "shape"),
        ("z.me|", "mean"),
        ("y.at[0].se|", "set"),
        ("jnp.ones(3).su|", "sum"),
        ("(x + 1).su|", "sum"),
        ("jax.random.normal(key, (2,)).argm|", "argmax"),
        ("W.T.su|", "sum"),
        ("trap.g|", "go"),
        ("trap.ba|", "bad"),
        ('"abc".jo|', "join"),
        ("ke|", "key"),
        ("nois|", "noise"),
        ("retu|", "return"),
        ("rang|", "range"),
        ("noise(key, sh|", "shape="),
        ("q = jnp.sum(x, ax|", "axis="),
        ("q = jnp.sum(\n        x, ax|", "axis="),
    ],
)
def test_the_best_completion(names: Names, text: str, first: str) -> None:
    answer = ask(names, text, "complete")
    assert (answer.number, answer.matter) == (7, "complete")
    assert answer.names[0].text == first


@pytest.mark.parametrize("text", ["nothing_of_that_name.|", "trap.missing.|", "x = 1e|", "jax.lax.scan(f, x).|"])
def test_where_nothing_is_known_nothing_is_offered(names: Names, text: str) -> None:
    assert [each.text for each in ask(names, text, "complete").names if each.text.startswith("__")] == []
    assert ask(names, text, "complete").prefix == ""


def test_private_names_are_offered_only_when_asked_for(names: Names) -> None:
    assert all(not each.text.startswith("_") for each in ask(names, "jax.|", "complete").names)
    assert "__init__" in [each.text for each in ask(names, "trap.__i|", "complete").names]


def test_an_import_that_has_not_run_yet_is_known_if_it_is_loaded(names: Names) -> None:
    answer = ask(names, "pass\n\nimport jax.nn as neural\n\nneural.rel|", "complete")
    assert answer.names[0].text == "relu"


@pytest.mark.parametrize(
    ("text", "title", "parameter"),
    [
        ("jnp.sum(|", "jnp.sum", "a"),
        ("jnp.sum(x, |)", "jnp.sum", "axis=None"),
        ("jnp.sum(x, keepdims=|", "jnp.sum", "keepdims=False"),
        ("noise(key, |", "noise", "shape=(2,)"),
        ("noise(jax.random.key(0), |", "noise", "shape=(2,)"),
        ("noise(jax.random.key(|", "jax.random.key", "seed"),
        ("trap.go(|", "trap.go", "a"),
        ("jnp.where(x > 0, |", "jnp.where", "x=None"),
    ],
)
def test_a_call_knows_which_parameter_is_next(names: Names, text: str, title: str, parameter: str) -> None:
    answer = ask(names, text, "call")
    assert (answer.title, answer.parameters[answer.current]) == (title, parameter)


@pytest.mark.parametrize("text", ["jax.vmap(noise, in_axes=(|0, 1))", "x|", "noise(key)|", "missing(|"])
def test_outside_of_a_known_call_there_is_no_hint(names: Names, text: str) -> None:
    assert ask(names, text, "call").parameters == ()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("x|", {"title": "x", "value": "float32[32,10]"}),
        ("k|ey", {"title": "key", "value": "key<fry>[]"}),
        ("y|", {"title": "y", "value": "array"}),
        ("W|", {"title": "W", "value": "float32[3,4]"}),
        ("noi|se(key)", {"title": "noise", "parameters": ("key", "shape=(2,)"), "doc": "Return noise."}),
        ("jax.ran|dom.key(0)", {"title": "jax.random", "doc": "Utilities for pseudo-random number generation."}),
        ("j|np.sin(x)", {"title": "jnp"}),
        ("retur|n", {"title": ""}),
        ("trap.ba|d", {"title": "trap.bad", "doc": ""}),
    ],
)
def test_what_a_name_is(names: Names, text: str, told: dict[str, Any]) -> None:
    answer = ask(names, text, "describe")
    assert {field: getattr(answer, field) for field in told} == told


def test_a_name_of_the_list_is_described_in_place_of_the_word(names: Names) -> None:
    assert ask(names, "jax.random.no|", "describe", chosen="normal").title == "jax.random.normal"


def test_markup_is_taken_out_of_the_docstring(names: Names) -> None:
    doc = ask(names, "jax.jit|", "describe").doc
    assert doc.startswith("Sets up fun for just-in-time compilation")


def test_a_large_namespace_is_let_go_of_before_the_next_program_loads() -> None:
    module = types.ModuleType("program")
    made = Names(_nobody)
    for value, kept in ((jnp.ones(3), True), (_Large(), False)):
        module.__dict__["data"] = value
        made.remember(module, {})
        made.make_room()
        question = NameQuestion(1, "complete", "dat", 1, 3)
        assert ("data" in [each.text for each in made.answer(question).names]) is kept


class _Large:
    nbytes = LARGE_BYTES + 1


_Large.__module__ = "numpy"
