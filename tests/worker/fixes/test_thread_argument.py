"""One more argument for a function: its position, and the calls that pass all arguments."""

from __future__ import annotations

import ast

import pytest

from explorer.worker.errors.code_tree import CodeTree, FunctionNode, with_edits
from explorer.worker.fixes.functions import WRAPPERS
from explorer.worker.fixes.thread_argument import applications, with_argument, with_parameter


def function(code: CodeTree, name: str = "f") -> FunctionNode:
    return next(each for each in code.parents if isinstance(each, ast.FunctionDef) and each.name == name)


def threaded(text: str) -> str:
    """Return `text` with the argument ``k`` for its function ``f``, and ``K`` in each call."""
    code = CodeTree.of(text)
    edit, place = with_parameter(code, function(code), "k")
    return with_edits(
        text, [edit, *(with_argument(code, each, place, "k", "K") for each in applications(code, function(code)))]
    )


FORMS = {
    "def f():\n    pass\nf()\n": "def f(k):\n    pass\nf(K)\n",
    "def f(*a):\n    pass\nf(1)\n": "def f(k, *a):\n    pass\nf(K, 1)\n",
    "def f(x, *, n):\n    pass\nf(1, n=2)\n": "def f(x, k, *, n):\n    pass\nf(1, K, n=2)\n",
    "def f(x, n=1):\n    pass\nf(1)\nf(1, 2)\n": "def f(x, k, n=1):\n    pass\nf(1, K)\nf(1, K, 2)\n",
    "def f(x):\n    pass\nf(x=1)\n": "def f(x, k):\n    pass\nf(x=1, k=K)\n",
    "def f(å, x):\n    pass\nf(1, 'ü')\n": "def f(å, x, k):\n    pass\nf(1, 'ü', K)\n",
    "def f(x):\n    pass\nf = jit(f)\nf(1)\nf(2)\n": "def f(x, k):\n    pass\nf = jit(f)\nf(1, K)\nf(2, K)\n",
    "def f(x):\n    pass\ndef g(f):\n    return f(1)\nf(2)\n": (
        "def f(x, k):\n    pass\ndef g(f):\n    return f(1)\nf(2, K)\n"
    ),
    **{
        f"def f(x):\n    pass\ng = {wrapper}(f)\ng(2)\n": f"def f(x, k):\n    pass\ng = {wrapper}(f)\ng(2, K)\n"
        for wrapper in WRAPPERS
    },
}


@pytest.mark.parametrize("text", FORMS)
def test_an_argument_stands_behind_those_without_a_default(text: str) -> None:
    assert threaded(text) == FORMS[text]


@pytest.mark.parametrize("use", ["list(map(f, [1]))", "g(f)", "f(*a)", "[f][0](1)", "vmap(f)(x)", "partial(f, 1)(2)"])
def test_where_a_function_goes_is_not_guessed(use: str) -> None:
    with pytest.raises(ValueError, match=r"^$"):
        threaded(f"def f(x):\n    pass\n{use}\n")


def test_the_calls_of_a_method_are_not_guessed() -> None:
    with pytest.raises(ValueError, match=r"^$"):
        threaded("class A:\n    def f(self):\n        pass\na.f()\n")
