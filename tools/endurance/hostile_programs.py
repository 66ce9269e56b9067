"""Harmful programs: each of the acts in ``hostile_acts`` in each of the positions from which code can be called.

They harm only their own process and its children, write to the folder of the run alone, and do nothing without such a
run.
"""

from __future__ import annotations

import random
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tools.endurance.processes import MARK

HOME_NAME = "hostile-home"
"""Of the folder that is home to them, with their temporary files in it."""
HEAD = f"""\
import atexit, builtins, ctypes, faulthandler, gc, json, os, signal, sys, tempfile, threading, time
import jax, jax.numpy as jnp, numpy as np

MARK, HOME, TMP = os.environ["{MARK}"], os.environ["HOME"], os.environ["TMPDIR"]
assert HOME.endswith("{HOME_NAME}") and TMP.startswith(HOME)
tempfile.tempdir = TMP

def _own(path):
    assert os.path.realpath(path).startswith(os.path.dirname(HOME))
    return path

def _guard():
    with open(f"/proc/{{os.getppid()}}/cmdline", "rb") as file: assert b"explorer.worker" in file.read()
    return os.getppid()

"""
PLACES = {
    "the top level": "kept = _act()\ndef f(x=1.0): return jnp.sin(x)\n",
    "inputs": "def inputs(): return dict(x=_act())\ndef f(x): return x\n",
    "a default": "def inputs(n=_act(), m=2): return dict(x=jnp.ones(m))\ndef f(x): return x\n",
    "a variant": "def f(): return _act()\ndef g(): return jnp.ones(3)\n",
    "jit": "@jax.jit\ndef f(x=1.0): return _act()\n",
    "vmap": "def f(): return jax.vmap(lambda x: (_act(), x)[1])(jax.random.normal(jax.random.key(0), (3,)))\n",
    "pure_callback": "def called(x):\n    _act()\n    return np.float32(1)\n"
    "def f(): return jax.pure_callback(called, jax.ShapeDtypeStruct((), 'float32'), 1.0)\n",
    "debug.callback": "def f():\n    y = jax.jit(lambda x: (jax.debug.callback(lambda y: _act(), x), x)[1])(1.0)\n"
    "    jax.effects_barrier()\n    return y\n",
    "a thread": "def f():\n    t = threading.Thread(target=_act)\n    t.start()\n    t.join(1.0)\n"
    "    return jnp.ones(3)\n",
    "__del__": "class D:\n    def __del__(self): _act()\ndef f():\n    d = D()\n    return jnp.ones(3)\n",
    "the end": "atexit.register(_act)\ndef f(): return jnp.ones(3)\n",
    "__repr__": "class R:\n    def __repr__(self): return str(_act())\n    __str__ = __format__ = __repr__\n"
    "def f():\n    r = R()\n    return r, f'{r!r}'\n",
    "__eq__ and __hash__": "class R:\n    def __eq__(self, other): return _act()\n"
    "    def __hash__(self): return _act() or 3\n"
    "def f(): return R(), jax.jit(lambda r: 1.0, static_argnums=0)(R()) if jnp.ones(1)[0] else 1.0\n",
    "properties": "class R:\n    shape = property(lambda self: _act())\n    dtype = ndim = size = __array__ = shape\n"
    "    def __len__(self): return _act()\ndef inputs(): return dict(r=R())\ndef f(r): return r\n",
    "a generator": "def _g():\n    yield 1.0\n    yield _act()\ndef f(): return list(_g())\n",
    "a handler": "def f():\n    try: raise ValueError('first')\n    except ValueError: return _act()\n"
    "    finally: f.done = 1\n",
    "a coroutine": "import asyncio\nasync def _g(): return _act()\ndef f(): return asyncio.run(_g())\n",
}
DIES = " | dies"
MODULE = "a module"
IMPORTING = """
def f():
    folder = tempfile.mkdtemp(dir=TMP)
    with open(os.path.join(folder, "hostile_one.py"), "w") as file: file.write(TEXT)
    sys.path.insert(0, folder)
    import hostile_one
    return hostile_one.kept
"""


class Hostile(NamedTuple):
    """One program that does harm."""

    name: str
    source: str
    may_die: bool
    """Whether its process may end, because it takes away what a report needs."""


class _Act(NamedTuple):
    name: str
    body: str
    may_die: bool


def programs(chance: random.Random) -> Iterator[Hostile]:
    """Yield all programs: each act once in a random position, then each in another, and so on."""
    acts, places = list(_acts()), [*PLACES, MODULE]
    chance.shuffle(acts)
    chance.shuffle(places)
    for turn in range(len(places)):
        for number, act in enumerate(acts):
            yield _program(act, places[(number + turn) % len(places)])


def read(file: Path) -> Hostile:
    """Return the program that was saved as `file`."""
    source = file.read_text(encoding="utf-8", errors="surrogateescape")
    title = source.partition("\n")[0]
    return Hostile(title.removeprefix("# "), source, title.endswith(DIES))


def count() -> int:
    """Return how many there are."""
    return len(list(_acts())) * (len(PLACES) + 1)


def _acts() -> Iterator[_Act]:
    for file in sorted((Path(__file__).parent / "hostile_acts").glob("*.txt")):
        for part in file.read_text(encoding="utf-8").split("=== ")[1:]:
            title, _, body = part.partition("\n")
            yield _Act(f"{file.stem}: {title.removesuffix(DIES)}", body, title.endswith(DIES))


def _program(act: _Act, place: str) -> Hostile:
    does = f"{HEAD}def _act():\n{textwrap.indent(act.body, '    ')}\n"
    name = f"{act.name}, in {place}"
    comment = f"# {name}{DIES if act.may_die else ''}\n"
    if place == MODULE:
        return Hostile(name, f"{comment}{HEAD}TEXT = {f'{does}kept = _act()'!r}\n{IMPORTING}", act.may_die)
    return Hostile(name, f"{comment}{does}{PLACES[place]}", act.may_die)
