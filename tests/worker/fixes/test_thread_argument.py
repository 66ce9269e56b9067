"""One more argument for a function: its position, and its way through each wrapper."""

from __future__ import annotations

import ast

import pytest

from explorer.worker.errors.code_tree import CodeTree, FunctionNode, with_edits
from explorer.worker.fixes.functions import WRAPPERS
from explorer.worker.fixes.keys.closures import handed_down
from explorer.worker.fixes.silent.passed_argument import PassedArgument
from explorer.worker.fixes.thread_argument import applications, thread_argument

EVERY_WRAPPER = (*WRAPPERS, "partial")


def function(code: CodeTree, name: str = "f") -> FunctionNode:
    return next(each for each in code.parents if isinstance(each, ast.FunctionDef) and each.name == name)


def threaded(text: str) -> str:
    """Return `text` with the argument ``k`` for its function ``f``, which is handed ``K`` in each call."""
    code = CodeTree.of(text)
    return with_edits(text, thread_argument(code, function(code), "k", lambda _: "K"))


FORMS = {
    "def f():\n    pass\nf()\n": "def f(k):\n    pass\nf(K)\n",
    "def f(*a):\n    pass\nf(1)\n": "def f(k, *a):\n    pass\nf(K, 1)\n",
    "def f(x, *, n):\n    pass\nf(1, n=2)\n": "def f(x, k, *, n):\n    pass\nf(1, K, n=2)\n",
    "def f(x, n=1):\n    pass\nf(1)\nf(1, 2)\n": "def f(x, k, n=1):\n    pass\nf(1, K)\nf(1, K, 2)\n",
    "def f(x):\n    pass\nf(x=1)\n": "def f(x, k):\n    pass\nf(x=1, k=K)\n",
    "def f(å, x):\n    pass\nf(1, 'ü')\n": "def f(å, x, k):\n    pass\nf(1, 'ü', K)\n",
    "def f(a, x):\n    pass\ng = partial(f, 1)\ng(2)\n": "def f(a, x, k):\n    pass\ng = partial(f, 1)\ng(2, K)\n",
    "def f(x):\n    pass\nf = jit(f)\nf(1)\nf(2)\n": "def f(x, k):\n    pass\nf = jit(f)\nf(1, K)\nf(2, K)\n",
    "class A:\n    def f(self, x):\n        pass\na.f(1)\n": (
        "class A:\n    def f(self, x, k):\n        pass\na.f(1, K)\n"
    ),
    "def f(x):\n    pass\ndef g(f):\n    return f(1)\nf(2)\n": (
        "def f(x, k):\n    pass\ndef g(f):\n    return f(1)\nf(2, K)\n"
    ),
}


@pytest.mark.parametrize("text", FORMS)
def test_an_argument_stands_behind_those_without_a_default(text: str) -> None:
    assert threaded(text) == FORMS[text]


@pytest.mark.parametrize(
    "use", ["list(map(f, [1]))", "g(f)", "f(*a)", "[f][0](1)", "vmap(f, in_axes=0)(x)", "partial(f, 1, 2, 3)()"]
)
def test_where_a_function_goes_is_not_guessed(use: str) -> None:
    with pytest.raises(ValueError, match=r"^$"):
        threaded(f"def f(x):\n    pass\n{use}\n")


def test_a_method_is_not_taken_for_another_of_its_name() -> None:
    with pytest.raises(ValueError, match=r"^$"):
        threaded("class A:\n    def f(self):\n        pass\nclass B:\n    def f(self):\n        pass\na.f()\n")


def test_calls_with_a_part_of_the_arguments_are_no_applications() -> None:
    code = CodeTree.of("def f(a, x):\n    pass\npartial(f, 1)(2)\n")
    with pytest.raises(ValueError, match=r"^$"):
        applications(code, function(code))


@pytest.mark.parametrize("wrapper", EVERY_WRAPPER)
def test_what_is_read_outside_is_handed_through_each_wrapper(wrapper: str) -> None:
    text = f"def f(x):\n    return x\n\ng = {wrapper}(f)\n\ndef run():\n    return g(2)\n"
    code = CodeTree.of(text)
    handing = PassedArgument(code, "now", lambda _: "time()")
    handing.to(function(code))
    assert with_edits(text, handing.edits) == text.replace("f(x)", "f(x, now)").replace("g(2)", "g(2, time())")


@pytest.mark.parametrize("wrapper", EVERY_WRAPPER)
def test_a_key_is_handed_down_through_each_wrapper(wrapper: str) -> None:
    text = f"def f(x):\n    return draw(key, x)\n\ndef run(key):\n    return {wrapper}(f)(2)\n\nf(1)\n"
    code = CodeTree.of(text)
    made = with_edits(text, handed_down(code, function(code, "run"), "key", "own"))
    assert made == text.replace("f(x)", "f(x, key)").replace("(f)(2)", "(f)(2, own)").replace("\nf(1)", "\nf(1, key)")
