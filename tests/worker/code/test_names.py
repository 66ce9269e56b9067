"""The editor's information about names, from the namespace of a loaded program, without running any of its code."""

from __future__ import annotations

import types

import jax
import jax.numpy as jnp
import pytest

from explorer.messages import NameAnswer, NameQuestion
from explorer.worker.code.names import NameAnswers

PROGRAM = '''import jax
import jax.numpy as jnp
import numpy as np

W = jnp.ones((3, 4))


class Trap:
    def __init__(self):
        self.weights = jnp.ones(3)

    @property
    def bad(self):
        raise SystemExit("a property of the person's ran")

    def __getattr__(self, name):
        raise SystemExit("__getattr__ of the person's ran")

    def __call__(self, x):
        return x

    def go(self, a, b=1):
        """Goes."""


trap = Trap()
few = jnp.arange(3.0) / 3
deleted = jnp.ones(3)
deleted.delete()


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
def names() -> NameAnswers:
    module = types.ModuleType("program")
    exec(PROGRAM.replace("HERE", "pass"), module.__dict__)
    made = NameAnswers(_no_one)
    made.remember(module, {"x": jnp.ones((32, 10)), "key": jax.random.key(0)})
    return made


def _no_one(answer: NameAnswer) -> None:
    raise AssertionError(f"{answer} was sent and not returned")


def ask(names: NameAnswers, text: str, *, completes: bool = False) -> NameAnswer:
    """Put `text` into the program, the cursor at its ``|``, and return the answer."""
    before, _, after = PROGRAM.replace("HERE", text).partition("|")
    line = before.count("\n") + 1
    column = len(before) - before.rfind("\n") - 1
    return names.answer(NameQuestion(7, before + after, line, column, completes))


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("jnp.cumsu|", "cumsum"),
        ("jax.random.no|", "normal"),
        ("x.resh|", "reshape"),
        ("y.sha|", "shape"),
        ("z.me|", "mean"),
        ("y.at[0].se|", "set"),
        ("jnp.ones(3).su|", "sum"),
        ("(x + 1).su|", "sum"),
        ("(-x).su|", "sum"),
        ("jax.random.normal(key, (2,)).argm|", "argmax"),
        ("q = jnp.add(x, 1).su|", "sum"),
        ("W.T.su|", "sum"),
        ("trap.g|", "go"),
        ("trap.ba|", "bad"),
        ("trap.wei|", "weights"),
        ("trap.weights.su|", "sum"),
        ("ke|", "key"),
        ("local = 1; loc|", "local"),
        ("nois|", "noise"),
        ("retu|", "return"),
        ("rang|", "range"),
    ],
)
def test_a_name_that_fits_is_offered(names: NameAnswers, text: str, name: str) -> None:
    answer = ask(names, text, completes=True)
    assert answer.number == 7
    assert name in answer.names


def test_a_variable_is_what_it_was_set_to_last_and_own_names_come_before_those_of_python(names: NameAnswers) -> None:
    assert "reshape" in ask(names, "q = q0 = x\n    q = jnp.sin(q)\n    q.|", completes=True).names
    assert "upper" in ask(names, 'q = x\n    q = "abc"\n    q.|', completes=True).names
    offered = ask(names, "n|", completes=True).names
    assert offered.index("noise") < offered.index("next") < offered.index("nonlocal")
    assert offered.index("x") < offered.index("False")


@pytest.mark.parametrize("text", ["nothing_of_that_name.|", "trap.missing.|", "x = 1e.|", "jax.lax.scan(f, x).|"])
def test_where_nothing_is_known_nothing_is_offered(names: NameAnswers, text: str) -> None:
    assert ask(names, text, completes=True).names == ()


def test_private_names_are_offered_only_when_asked_for_and_what_is_being_written_is_no_name(names: NameAnswers) -> None:
    assert all(not each.startswith("_") for each in ask(names, "jax.|", completes=True).names)
    assert "__init__" in ask(names, "trap.__i|", completes=True).names
    assert "nois" not in ask(names, "nois|", completes=True).names
    assert "noise" in ask(names, "noise|", completes=True).names


@pytest.mark.parametrize(
    ("text", "title", "doc"),
    [
        ("x|", "x: float32[32,10]", ""),
        ("k|ey", "key: key<fry>[]", ""),
        ("y|", "y: Array", ""),
        ("W|", "W: float32[3,4]", ""),
        ("few|", "few: float32[3] = [0.    , 0.3333, 0.6667]", ""),
        ("deleted|", "deleted: float32[3]", ""),
        ("noi|se(key)", "noise(key, shape=(2,))", "Return noise."),
        ("noise|(", "noise(key, shape=(2,))", "Return noise."),
        ("trap.go|(", "trap.go(a, b=1)", "Goes."),
        ("trap|(1)", "trap(x)", ""),
        ("jax.random.k|ey(0)", "jax.random.key(seed, impl=None, ", None),
        ("x.su|m()", "x.sum(axis=None, dtype=None, out=None, keepdims=False, initial=None, where=None, ", None),
        ("jax.ran|dom.key(0)", "jax.random", "Utilities for pseudo-random number generation."),
        ("retur|n", "", ""),
        ("Non|e", "", ""),
        ("trap.ba|d", "", ""),
        ("missing|", "", ""),
        ("x + |", "", ""),
    ],
)
def test_what_a_name_is(names: NameAnswers, text: str, title: str, doc: str | None) -> None:
    answer = ask(names, text)
    assert answer.title.startswith(title)
    assert bool(answer.title) == bool(title)
    assert doc is None or answer.doc == doc


def test_markup_is_taken_out_of_the_docstring(names: NameAnswers) -> None:
    doc = ask(names, "jax.jit|").doc
    assert doc.startswith("Sets up fun for just-in-time compilation")
