"""Programs whose own pytree classes check their arguments behave as in Python on every path."""

from __future__ import annotations

import contextlib
import io
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from explorer.commands.programs import run
from explorer.commands.programs.script import Script
from explorer.messages import Printed, Request
from explorer.recording import recording
from explorer.recording.in_notebook import cell_magic
from explorer.worker.program import retraces
from tests.link.shared_worker import SharedWorker
from tests.recording.test_in_pytest import PLUGIN
from tests.worker.analysed import report

pytestmark = pytest.mark.rest

HEAD = """import jax
import jax.numpy as jnp
import numpy as np

class Tree:
    def __init__(self, mu, sigma):
        self.mu, self.sigma = self.take(mu), self.take(sigma)
    def take(self, given):
        return given
    def tree_flatten(self):
        return (self.mu, self.sigma), self.about()
    def about(self):
        return None
    @classmethod
    def tree_unflatten(cls, aux, children):
        return cls(*children)
"""
COMPUTES = "    def take(self, given): return jnp.asarray(given) + 0\n"
MEASURES = """    def take(self, given):
        self.sizes = len(jnp.shape(given)), len(given) if jnp.ndim(given) else 0
        return given
"""
IS_PICKY = """    def take(self, given):
        if not isinstance(given, (float, jax.Array)): raise TypeError(f"no {given!r}")
        return given
"""
COMPARES = """    def about(self): return ABOUT
class About:
    def __hash__(self): return 1
    def __eq__(self, other): return np.ones(3) == 1
ABOUT = About()
"""
FAILS_WHEN_SHOWN = """    def about(self): return Tag()
class Tag:
    def __hash__(self): return 1
    def __eq__(self, other): return True
    def __repr__(self): raise ValueError("not for show")
"""
NAMED_TUPLE = (
    HEAD.partition("class")[0]
    + """import collections
class Tree(collections.namedtuple("Tree", ["mu", "sigma", "note"], defaults=[None])): pass
def flat(tree): return tree[:2], tree.note
jax.tree_util.register_pytree_node(Tree, flat, lambda note, xs: Tree(*xs, note or "built"))
"""
)
REGISTERED = "jax.tree_util.register_pytree_node_class(Tree)\n"
BODY = """
def inputs():
    return dict(tree=Tree(1.0, 2.0), key=jax.random.key(0))

def work(tree, key):
    return Tree(tree.mu + 2 * tree.sigma, jax.random.normal(key))

def f(tree, key):
    print("RUN")
    keys, jitted = jax.random.split(key, 3), jax.jit(work)
    for each in keys[:2]:
        made = jitted(tree, each)
        print(made.mu, made.sigma)
    given_away = jax.jit(lambda tree: Tree(tree.mu + 1, tree.sigma), donate_argnums=0)
    for _ in range(3):
        made = given_away(made)
    print(made.mu)
    print(jitted(Tree(jnp.ones(2), jnp.ones(2)), keys[2]).mu)
    print(jax.lax.scan(lambda tree, x: (Tree(tree.mu + x, tree.sigma), x), made, jnp.ones(3))[0].mu)
    print(jax.grad(lambda tree: jax.jit(lambda tree: tree.mu * tree.sigma)(tree))(Tree(1.0, 2.0)).mu)

if __name__ == "__main__":
    f(**inputs())
"""
STATIC = """
import functools
class Tree:
    def __hash__(self): return 1
    def __eq__(self, other): return np.ones(3) == 1
    def __repr__(self): raise ValueError("not for show")

def inputs():
    return dict(tree=Tree(), x=2.0)

@functools.partial(jax.jit, static_argnums=0, static_argnames="by_name")
def work(tree, x, by_name=None):
    return x * 2

def f(tree, x):
    print("RUN")
    for size in (1, 2, 2, 3):
        print(work(tree, jnp.ones(size)), work(tree, jnp.ones(size), by_name=tree))

if __name__ == "__main__":
    f(**inputs())
"""
PROGRAMS = {
    "counts what is done with its objects": (Path(__file__).parent / "hostile" / "classes.py").read_text(
        encoding="utf-8"
    ),
    "computes when it is built": HEAD + COMPUTES + REGISTERED + BODY,
    "takes the length of what it is built of": HEAD + MEASURES + REGISTERED + BODY,
    "takes nothing but floats and arrays": HEAD + IS_PICKY + REGISTERED + BODY,
    "compares as arrays do": HEAD + COMPARES + REGISTERED + BODY,
    "cannot be shown": HEAD + FAILS_WHEN_SHOWN + REGISTERED + BODY,
    "is a named tuple with a pytree of its own": NAMED_TUPLE + BODY,
    "is static and compares as arrays do": HEAD.partition("class")[0] + STATIC,
}
InPython = dict[str, tuple[Path, str]]
PLAIN = """
import contextlib, io, json, runpy, sys
said = {}
for path in sys.argv[1:]:
    with contextlib.redirect_stdout(io.StringIO()) as out:
        runpy.run_path(path, run_name="__main__")
    said[path] = out.getvalue()
print(json.dumps(said))
"""


@pytest.fixture(scope="module")
def in_python(tmp_path_factory: pytest.TempPathFactory) -> InPython:
    """Return for each program its file, and its output in Python."""
    folder = tmp_path_factory.mktemp("programs")
    paths = {name: folder / f"program_{number}.py" for number, name in enumerate(PROGRAMS)}
    for name, path in paths.items():
        path.write_text(PROGRAMS[name], encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", PLAIN, *map(str, paths.values())], capture_output=True, text=True, check=True
    )
    results = json.loads(done.stdout.splitlines()[-1])
    return {name: (path, results[str(path)]) for name, path in paths.items()}


def by_run(path: Path) -> str:
    with contextlib.redirect_stdout(io.StringIO()) as out:
        assert run.run(Script(str(path)), values=True) == 0
    return out.getvalue()


def by_recording(path: Path) -> str:
    with contextlib.redirect_stdout(io.StringIO()) as out, recording():
        exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), {"__name__": "__main__"})
    return out.getvalue()


def by_a_cell(path: Path) -> str:
    interactive = pytest.importorskip("IPython.core.interactiveshell")
    with contextlib.redirect_stdout(io.StringIO()) as out:
        shell = interactive.InteractiveShell(user_ns={"__name__": "__main__"})
        cell_magic.register(shell)
        shell.display_pub.publish = lambda *_, **__: None
        shell.run_cell_magic("keys", "--values", path.read_text(encoding="utf-8"))
    return out.getvalue()


DOORS = [by_run, by_recording, by_a_cell]


@pytest.mark.parametrize("door", DOORS, ids=lambda door: door.__name__)
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_prints_what_it_prints_in_python(name: str, door: Callable[[Path], str], in_python: InPython) -> None:
    path, printed = in_python[name]
    assert door(path).removeprefix("RUN\n") == printed.removeprefix("RUN\n")


@pytest.mark.process
@pytest.mark.parametrize("name", PROGRAMS)
def test_the_worker_of_the_window_prints_what_python_prints(
    name: str, worker: SharedWorker, in_python: InPython
) -> None:
    path, printed = in_python[name]
    parts = dict.fromkeys(("fixes", "finding_fixes", "jax_checker", "traces", "value_checks"), True)
    request = Request(1, path.read_text(encoding="utf-8"), str(path), variants=("f",), **parts)
    *messages, last = worker.ask(request)
    (own_report,) = last.reports
    assert (own_report.status, own_report.failure) == ("ok", None)
    assert own_report.program.failure is None
    assert [each.extent for each in own_report.coverage] == ["whole"] * 3
    *_, last_run = "".join(each.text for each in messages if isinstance(each, Printed)).rpartition("RUN\n")
    assert last_run == printed.removeprefix("RUN\n")


def test_a_suite_with_such_programs_passes(in_python: InPython, pytester: pytest.Pytester) -> None:
    tests = "".join(
        f"def test_{number}():\n    runpy.run_path({str(path)!r}, run_name='__main__')\n"
        for number, (path, _) in enumerate(in_python.values())
    )
    pytester.makepyfile(test_suite="import runpy\n" + tests)
    result = pytester.runpytest_inprocess(
        *PLUGIN, "-p", "no:cacheprovider", "-p", "no:xdist", "--jax-keys", "--capture=no", "-q"
    )
    result.assert_outcomes(passed=len(in_python))
    results = result.stdout.str()
    for _, printed in in_python.values():
        assert printed in results


def test_an_error_of_ours_while_a_program_is_traced_does_not_reach_it(
    in_python: InPython, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise SystemExit("ours")

    monkeypatch.setattr(retraces, "why", fail)
    path, printed = in_python["computes when it is built"]
    with contextlib.redirect_stdout(io.StringIO()) as out, recording() as keys:
        exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), {"__name__": "__main__"})
    assert out.getvalue() == printed
    assert "Tracing: not checked: the check itself failed" in keys.report()
    own_report = report(path.read_text(encoding="utf-8"), "f", traces=True)
    assert (own_report.status, {each.part: each.extent for each in own_report.coverage}["tracing"]) == ("ok", "failed")
