"""Programs that change the worker's dependencies, or return objects with false answers, are reported like any other."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from explorer.link.pipe import WorkerPipe
from explorer.messages import Request
from tests.worker.analysed import report, snapshot

LIES = {
    "an array in name": "class V:\n    shape = dtype = ndim = size = property(lambda s: 1 / 0)\n",
    "an array by its class": "class V:\n    __class__ = jax.Array\n    shape = aval = property(lambda s: 1 / 0)\n",
    "odd shapes": "class V:\n    shape, dtype = (10**9, 'a'), jnp.ones(1)\n    def __len__(self): return -1\n",
    "an array of its own": "class A(np.ndarray):\n    shape = dtype = property(lambda s: 1 / 0)\n"
    "def V(): return np.ones(3).view(A)\n",
    "a deep one": "def V():\n    x = 1.0\n    for _ in range(10_000): x = [x]\n    return x\n",
    "a tree that fails": "class V: pass\njax.tree_util.register_pytree_node(V, lambda x: 1 / 0, print)\n",
    "a tracer": "def V():\n    kept = []\n    jax.vmap(lambda x: kept.append(x))(jnp.ones(3))\n    return kept\n",
}
BREAKS = {
    "jax.Array": "jax.Array = None",
    "msgspec": "import msgspec; msgspec.structs.replace = None",
    "linecache": "import linecache; linecache.cache = linecache.getline = linecache.getlines = None",
    "ast": "import ast; ast.parse = ast.walk = None",
    "collections": "import collections; collections.deque = collections.OrderedDict = None",
    "import": "import builtins; builtins.__import__ = None",
    "recursion": "import sys, inspect; sys.setrecursionlimit(len(inspect.stack()) + 50)",
    "modules": "import sys\n    for each in list(sys.modules): sys.modules[each] = None",
}
HEAD = "import jax\nimport jax.numpy as jnp\nimport numpy as np\n"


@pytest.mark.parametrize("lie", LIES.values(), ids=LIES)
def test_what_lies_about_itself_may_be_given_and_returned(lie: str) -> None:
    result = report(f"{HEAD}{lie}def inputs(): return dict(x=V())\ndef f(x): return x, V()\n", "f", draws=True)
    assert result.status == "ok", result.failure


@pytest.fixture(scope="module")
def own_worker() -> Iterator[WorkerPipe]:
    with WorkerPipe() as made:
        made.hello()
        yield made


@pytest.mark.process
@pytest.mark.parametrize("breaks", BREAKS.values(), ids=BREAKS)
def test_a_failure_is_reported_whatever_was_broken_before_it(own_worker: WorkerPipe, breaks: str) -> None:
    source = f"{HEAD}def f():\n    {breaks}\n    raise ValueError('why')\n"
    *_, last = own_worker.ask(Request(1, source, "<code>", variants=("f",), fixes=True), 60.0)
    assert last.failure is None
    failure = last.reports[0].failure
    assert (failure.type, failure.message, failure.span.line) == ("ValueError", "why", source.count("\n"))


def test_an_error_of_what_a_variant_returns_has_the_line_of_the_variant() -> None:
    failure = report("import jax\n@jax.jit\ndef f(x=1.0): return object()\n", "f").failure
    assert failure.span.line == 3


def test_our_own_end_of_time_raised_by_a_program_is_reported() -> None:
    source = "from explorer.worker.recording.interrupt import TimeLimit\ndef f(): raise TimeLimit\n"
    assert snapshot(source, variants=("f",)).failure is None
