"""Where a name of the editor is bound. `?` marks the name in question, `!` its definition."""

from __future__ import annotations

import pytest

from explorer.worker.code.names import definition


def asked(marked: str) -> tuple[str, tuple[int, int], tuple[int, int] | None]:
    """Return the text without marks, the position in question, and the expected position."""
    found: dict[str, tuple[int, int]] = {}
    lines = marked.split("\n")
    for row, line in enumerate(lines):
        for mark in "?!":
            if mark in line:
                found[mark] = row + 1, line.replace("!" if mark == "?" else "?", "").index(mark)
        lines[row] = line.replace("?", "").replace("!", "")
    return "\n".join(lines), found["?"], found.get("!")


@pytest.mark.parametrize(
    "marked",
    [
        "def !f(x):\n    return x\n?f(1)",
        "def f(!x):\n    return ?x",
        "def f(x):\n    !x = x + 1\n    return ?x\nx = 3",
        "def f(x):\n    !y = 1\n    return ?y\n    y = 2",
        "!K = 3\ndef f(x=?K):\n    K = 4",
        "!K = 3\nclass A:\n    K = 4\n    def m(self):\n        return ?K",
        "class A:\n    !K = 4\n    b = ?K",
        "import jax.numpy as !jnp\ny = ?jnp.ones(3)",
        "import !jax.numpy\ny = ?jax.numpy.ones(3)",
        "from a import (b,\n    c as !d)\n?d()",
        "x = 1\ny = [?x for !x in range(3)]",
        "!x = [[1]]\ny = [x for x in ?x]",
        "f = lambda !q: ?q + 1",
        "def f():\n    return ?g()\ndef !g():\n    pass",
        "!n = 0\ndef f():\n    global n\n    n = ?n + 1",
        "def f():\n    !n = 0\n    def g():\n        nonlocal n\n        return ?n",
        "한글 = 1; !é = 2\nprint(한글, ?é)",
        "def !f(x):\n    return x\ny = ?f(1)\nz = (f(",
        "for !i in range(3):\n    print(?i)",
        "try:\n    pass\nexcept ValueError as !e:\n    print(?e)",
    ],
)
def test_a_name_leads_to_where_it_is_bound(marked: str) -> None:
    source, place, wanted = asked(marked)
    assert definition(source, *place) == wanted


@pytest.mark.parametrize("marked", ["?print(1)", "a = b.?c", "?", "f(?x=1)", "((((\n?a"])
def test_a_name_from_elsewhere_leads_nowhere(marked: str) -> None:
    source, place, _ = asked(marked)
    assert definition(source, *place) is None
