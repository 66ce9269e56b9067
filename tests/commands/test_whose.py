"""Responsibility for bugs: a library, imitated by a small installed package, and code that uses it."""

from __future__ import annotations

import json
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest

from explorer.commands.programs import run
from explorer.commands.programs.script import Script
from tests.commands.programs import write

LIBRARY = '''
import jax
from jax import random

class Sequence:
    """As hk.PRNGSequence."""
    def __init__(self, seed):
        self._key = random.key(seed)
    def __next__(self):
        self._key, sub = random.split(self._key)
        return sub

class Rngs:
    """As nnx.Rngs."""
    def __init__(self, seed):
        self._key, self._count = random.key(seed), 0
    def noise(self):
        self._count += 1
        return random.fold_in(self._key, self._count)

_rng = []

def next_rng_key():
    _rng[0], sub = random.split(_rng[0])
    return sub

def transform(function):
    def apply(rng, x):
        _rng[:] = [rng]
        return function(x)
    return apply

def hashed(key, x):
    """As a dropout of linen, which folds the hash of its path in."""
    return x * random.normal(random.fold_in(key, 1234), x.shape)

def dropout(key, x):
    return x * random.bernoulli(key, 0.5, x.shape)

def sample(key):
    """Uses the key that it is given twice."""
    return random.normal(key) + random.uniform(key)

def simulate():
    """Uses a key of its own in a loop."""
    key = random.key(0)
    return [random.normal(key) for _ in range(3)]

def infer(model, seed):
    """Draws with a key that it hands to the model, too."""
    key = random.split(random.key(seed))[0]
    return model(key) + random.normal(key)
'''

USES = {
    "a key of a sequence, drawn from twice": ("k = next(lib.Sequence(42))\nnormal(k)\nnormal(k)", ["bug"]),
    "a key of rngs, drawn from twice": ("k = lib.Rngs(0).noise()\nnormal(k)\nnormal(k)", ["bug"]),
    "keys of rngs": ("r = lib.Rngs(0)\nnormal(r.noise())\nnormal(r.noise())", []),
    "a key from inside a transformed function": (
        "def f(x):\n    k = lib.next_rng_key()\n    return normal(k) + uniform(k)\nlib.transform(f)(key(0), X)",
        ["bug"],
    ),
    "one rng for each step": (
        "def f(x):\n    return lib.dropout(lib.next_rng_key(), x)\n"
        "apply, rng = lib.transform(f), key(0)\nfor _ in range(3):\n    apply(rng, X)",
        ["bug"],
    ),
    "a rng for each step": (
        "def f(x):\n    return lib.dropout(lib.next_rng_key(), x)\n"
        "apply, rngs = lib.transform(f), lib.Sequence(0)\nfor _ in range(3):\n    apply(next(rngs), X)",
        [],
    ),
    "one key, hashed at each step": ("k = key(0)\nfor _ in range(3):\n    lib.hashed(k, X)", ["bug"]),
    "a library's function given one key twice": ("k = key(0)\nlib.dropout(k, X)\nlib.dropout(k, 2 * X)", ["bug"]),
    "a library that uses the key it is given twice": ("lib.sample(key(0))", ["note"]),
    "the same, in a loop with one key": ("k = key(0)\nfor _ in range(2):\n    lib.sample(k)", ["bug"]),
    "the same, in a loop with a key each": ("for k in split(key(0)):\n    lib.sample(k)", ["note"]),
    "a library with a key of its own": ("lib.simulate()", []),
    "a library that spends a key once, and user code once in a callback": ("lib.infer(normal, 0)", []),
    "user code that spends a key twice in a callback of a library": (
        "lib.infer(lambda k: normal(k) + uniform(k), 0)",
        ["bug"],
    ),
}


def record_of(folder: Path, source: str) -> dict[str, Any]:
    """Run `source` next to the installed library and return the report."""
    package = write(folder, "site-packages/imitated_library/__init__.py", LIBRARY).parent
    head = f"import sys\nsys.path.append({str(package.parent)!r})\nsys.modules.pop('imitated_library', None)\n"
    head += "import jax.numpy as jnp\nimport imitated_library as lib\n"
    head += "from jax.random import fold_in, key, normal, split, uniform\nX = jnp.ones(3)\n"
    report = folder / "report.json"
    run.run(Script(str(write(folder, "train.py", head + source))), str(report))
    record = json.loads(report.read_text())
    assert record["error"] is None
    return record


def line_of(folder: Path, code: str) -> int:
    lines = (folder / "train.py").read_text(encoding="utf-8").splitlines()
    return next(number for number, line in enumerate(lines, 1) if code in line)


@pytest.mark.parametrize("name", USES)
def test_what_counts_is_who_spends_a_key_not_who_made_it(tmp_path: Path, name: str) -> None:
    source, levels = USES[name]
    found = [each for each in record_of(tmp_path, source)["findings"] if each["kind"] != "unused-key"]
    assert [(each["kind"], each["level"]) for each in found] == [("key-reuse", level) for level in levels]


def test_all_lines_of_a_finding_are_the_users(tmp_path: Path) -> None:
    source, _ = USES["one key, hashed at each step"]
    (finding,) = record_of(tmp_path, source)["findings"]
    assert {place["file"] for place in finding["places"]} == {str(tmp_path / "train.py")}
    lines = {place["role"]: place["line"] for place in finding["places"]}
    assert lines == {"made": line_of(tmp_path, "k = key(0)"), "spent": line_of(tmp_path, "lib.hashed(k, X)")}
    assert finding["message"].endswith(
        "The cause is a key that is passed on more than once: split that one, one key for each call."
    )


def test_a_key_that_several_layers_hash_is_one_finding_at_the_call_that_hands_it_on(tmp_path: Path) -> None:
    source = """
        def net(k, x):
            x = lib.hashed(k, x)
            return lib.hashed(fold_in(k, 1), x)

        drop = key(5)
        for _ in range(3):
            net(drop, X)
    """
    (finding,) = record_of(tmp_path, textwrap.dedent(source))["findings"]
    passed = line_of(tmp_path, "net(drop, X)")
    assert [each["line"] for each in finding["places"] if each["role"] == "passed"] == [passed]
    assert f"on line {passed}, one key for each call." in finding["message"]


def test_the_package_of_a_module_that_is_run_is_the_users(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = write(tmp_path, "site-packages/studied_package/__init__.py", "").parent
    write(package, "model.py", "import jax\n\ndef draw(key):\n    return jax.random.normal(key)\n")
    draws = "key = jax.random.key(0)\ndraw(key)\ndraw(key)\n"
    write(package, "train.py", f"import jax\nfrom studied_package.model import draw\n\n{draws}")
    monkeypatch.setattr(sys, "path", [*sys.path, str(package.parent)])
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "report.json"
    assert run.run(Script("studied_package.train", is_module=True), str(file)) == 1
    (finding,) = json.loads(file.read_text())["findings"]
    assert (finding["files"], finding["lines"]) == ([str(package / "model.py")] * 2, [4, 4])
    assert [each["line"] for each in finding["places"] if each["role"] == "passed"] == [5, 6]


def test_an_installed_script_is_the_users_and_what_is_installed_next_to_its_folder_is_not(tmp_path: Path) -> None:
    draws = "import jax\nkey = jax.random.key(0)\njax.random.normal(key)\njax.random.bits(key)\n"
    script = write(tmp_path, "site-packages/with_a_script/train.py", draws)
    file = tmp_path / "report.json"
    run.run(Script(str(script)), str(file))
    (finding,) = json.loads(file.read_text())["findings"]
    assert (finding["files"], finding["lines"]) == ([str(script)] * 2, [3, 4])
