"""Hostile errors are reported like any other: with their line, and cut to a readable length."""

from __future__ import annotations

import sys

import pytest

from explorer.messages import Failure
from explorer.worker.errors import exception_text
from tests.worker.analysed import report, snapshot

MOST_CHARACTERS = 20_000
"""The most characters of a whole report on an error."""

CLASS = "class E({base}):\n{body}\ndef f(): raise E('it')\n"
ERRORS = {
    "its own cause": ("def f():\n    e = ValueError('a')\n    raise e from e\n", "ValueError", "a", 3),
    "causes in a circle": (
        "def f():\n    a, b = ValueError('a'), ValueError('b')\n    a.__cause__, b.__cause__ = b, a\n    raise a\n",
        *("ValueError", "a", 4),
    ),
    "groups in groups": (
        "def f():\n    e = ValueError('a')\n    for _ in range(10_000): e = ExceptionGroup('g', [e])\n    raise e\n",
        *("ExceptionGroup", "g (1 sub-exception)", 4),
    ),
    "a long word": ("def f(): raise ValueError('a' * 10_000_000)\n", "ValueError", "aaa", 1),
    "many kinds of keys": ("def f(): raise TypeError('impl=PRNGImpl(' * 20_000)\n", "TypeError", "impl", 1),
    "a long name": ("def f(): raise NameError('it', name='a' * 1_000_000)\n", "NameError", "it", 1),
    "a long line of code": (f"def f(): raise ValueError('{'a' * 1_000_000}'[:2])\n", "ValueError", "aa", 1),
    "a SyntaxError of anything": (
        "def f():\n    e = SyntaxError(3)\n    e.lineno = 'x'; raise e\n",
        "SyntaxError",
        "3",
        3,
    ),
    "a text that fails": (
        CLASS.format(base="Exception", body="    def __str__(s): 1 / 0"),
        "E",
        exception_text.STR_FAILED,
        3,
    ),
    "a text that quits": (
        CLASS.format(base="Exception", body="    def __str__(s): raise SystemExit"),
        *("E", exception_text.STR_FAILED, 3),
    ),
    "a text that is none": (
        CLASS.format(base="Exception", body="    def __str__(s): return 3"),
        "E",
        exception_text.STR_FAILED,
        3,
    ),
    "properties": (
        CLASS.format(
            base="Exception", body="    __traceback__ = __cause__ = __context__ = __class__ = property(lambda s: 1 / 0)"
        ),
        *("E", "it", 3),
    ),
    "no attributes": (
        CLASS.format(base="Exception", body="    def __getattribute__(s, n): raise RuntimeError(n)"),
        *("E", "it", 3),
    ),
    "a class of classes": (
        "class M(type):\n    __name__ = __mro__ = property(lambda s: 1 / 0)\nclass E(Exception, metaclass=M): pass\n"
        "def f(): raise E('it')\n",
        *("E", "it", 4),
    ),
    "a surrogate": ("def f(): raise ValueError('a\\udcff')\n", "ValueError", r"a\udcff", 1),
    "an end that is no code": ("def f(): raise SystemExit((1, 2))\n", "SystemExit", "(1, 2)", 1),
    "the end of a generator": ("def f(): raise GeneratorExit('it')\n", "GeneratorExit", "it", 1),
    "an interrupt of its own": ("def f(): raise KeyboardInterrupt('it')\n", "KeyboardInterrupt", "it", 1),
    "a class of its own": (CLASS.format(base="BaseException", body="    pass"), "E", "it", 3),
    "cancelled": (
        "import asyncio\nasync def g(): raise asyncio.CancelledError('it')\ndef f(): asyncio.run(g())\n",
        *("CancelledError", "it", 2),
    ),
}


@pytest.mark.parametrize("case", ERRORS.values(), ids=ERRORS)
def test_it_is_reported_with_its_line(case: tuple[str, str, str, int]) -> None:
    source, kind, words, line = case
    failure = report(source, "f", fixes=True).failure
    assert (failure.type, failure.span.line) == (kind, line)
    assert words in str(failure.message)
    assert characters(failure) < MOST_CHARACTERS


REFUSES = """
def refuse(*_, **__): raise RuntimeError("refused")
class Meta(type):
    __instancecheck__ = __subclasscheck__ = __eq__ = __repr__ = __getattribute__ = refuse
    __hash__ = type.__hash__
class E(Exception, metaclass=Meta):
    __str__ = __repr__ = __eq__ = refuse
class Key(str):
    def __eq__(self, _): raise E
    def __hash__(self): return str.__hash__(self)
"""
"""An exception that refuses whatever it and its class are asked, and a name that raises it where it is compared."""


@pytest.mark.parametrize(
    "where",
    [
        "raise E",
        "def inputs(): raise E\ndef f(x): return x",
        "def inputs(): return {Key('x'): 1}\ndef f(x): return x",
        "def inputs(n=Key('n')): return {'x': n}\ndef f(x): return {x: 1}[Key('n')]",
        "def f(): raise E",
        "import jax\ndef f(): return jax.jit(lambda: (_ for _ in ()).throw(E))()",
    ],
)
def test_an_exception_that_refuses_every_question_is_one_of_the_program_wherever_it_is_raised(where: str) -> None:
    found = snapshot(f"{REFUSES}{where}\n")
    failures = [failure for each in (found, *found.reports) if (failure := each.failure) is not None]
    assert "InternalError" not in [each.type for each in failures]
    assert failures


@pytest.mark.parametrize("where", ["x = 1\nraise {}\n", "def inputs():\n    raise {}\ndef f(x): return x\n"])
@pytest.mark.parametrize("what", ["GeneratorExit", "KeyboardInterrupt", "BaseException"])
def test_what_code_raises_before_a_variant_runs_is_reported(where: str, what: str) -> None:
    failure = snapshot(where.format(what)).failure
    assert (failure.type, failure.span.line) == (what, 2)


def test_a_deep_traceback_is_reported_in_few_lines() -> None:
    source = (
        "import sys\ndef g(n):\n    if n == 0: raise ValueError('deep')\n    return h(n - 1)\n"
        "def h(n): return g(n)\ndef f():\n    sys.setrecursionlimit(100_000)\n    g(5_000)\n"
    )
    before = sys.getrecursionlimit()
    failure = report(source, "f").failure
    assert sys.getrecursionlimit() == before
    assert failure.span.line == 3
    assert "more places" in failure.traceback
    assert characters(failure) < MOST_CHARACTERS


def test_only_the_beginning_of_a_text_is_checked() -> None:
    class LongText(Exception):
        def __str__(self) -> str:
            return "a" * 10_000_000

    assert len(exception_text.text_of(LongText())) == exception_text.LONGEST_TEXT
    assert len(exception_text.text_of(ValueError("a" * 10_000_000))) == exception_text.LONGEST_TEXT


def test_causes_without_an_end_are_few() -> None:
    first = error = ValueError()
    for _ in range(10_000):
        error.__cause__ = error = ValueError()
    assert len(list(exception_text.causes_of(first))) <= exception_text.MOST_CAUSES


def characters(failure: Failure) -> int:
    return sum(
        map(len, map(str, (failure.type, failure.message, failure.explanation, failure.traceback, failure.original)))
    )
