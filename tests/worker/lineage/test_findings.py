"""Findings in small programs beyond the cases of the corpus, with their words."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import pytest
from jax import lax, random

from explorer.worker.code import own_modules
from explorer.worker.internals.spans import UserFiles
from explorer.worker.recording import recorder
from tests.corpus.cases import case
from tests.worker.lineage import a_library
from tests.worker.recorded import found_in, recorded

X = jnp.ones((8, 3))


def key() -> Any:
    return random.key(7)


def add_noise(x: Any, key: Any) -> Any:
    return x + random.normal(key, x.shape)


# -- one key for several examples: axis, examples, distinct ------------------------------------


@pytest.mark.parametrize("name", ["vmap_that_splits_inside", "vmap_of_a_scan"])
def test_noise_that_examples_share_is_found_under_jit(name: str) -> None:
    program = case("shared-noise", name).function()
    recording = recorder.record(jax.jit(program), is_user_code=lambda name: name == "<case>")
    assert [each.kind for each in found_in(recording) if each.level == "bug"] == ["shared-noise"]


def branches_of_one_key() -> Any:
    noise_key = key()

    def one(x: Any) -> Any:
        return lax.cond(x > 2, lambda: random.normal(noise_key), lambda: random.uniform(noise_key))

    return jax.vmap(one)(jnp.arange(8))


@pytest.mark.rest
def test_examples_that_take_different_branches_share_a_key_with_those_that_take_the_same() -> None:
    bugs = recorded(branches_of_one_key).findings
    assert [(each.kind, each.axis, each.examples, each.distinct) for each in bugs] == [
        ("shared-noise", 0, 3, 1),
        ("shared-noise", 0, 5, 1),
    ]


@pytest.mark.rest
def test_shared_noise_shows_the_draw_and_the_call_of_vmap() -> None:
    found = recorded(case("shared-noise", "vmap_that_does_not_map_the_key").function())
    finding = found.findings[0]
    assert found.sources(finding) == ["random.normal(key, x.shape)", "jax.vmap(add_noise, in_axes=(0, None))(X, key())"]
    assert str(finding.message) == (
        f"4 examples share one key: `normal` on line {finding.line} draws once and serves them all. "
        f"vmap on line {finding.spans[1].line} does not map the key; split it, one key for each example."
    )
    assert finding.keys == (0,)


@pytest.mark.rest
def test_draws_of_one_call_that_are_shared_are_one_finding() -> None:
    found = recorded(lambda: jax.vmap(lambda x: x + random.ball(key(), 3))(X))
    (finding,) = found.findings
    assert {(site.shape, site.inside) for site in found.graph.sites if site.operation == "draw"} == {
        ((), "ball"),
        ((3,), "ball"),
    }
    assert (finding.kind, len(finding.sites)) == ("shared-noise", 2)


@pytest.mark.rest
@pytest.mark.process
def test_devices_that_draw_with_one_key_are_found() -> None:
    program = """
from tests.corpus.cases import case
from tests.worker.recorded import recorded
for name in ("pmap_that_does_not_map_the_key", "shard_map_with_a_replicated_key", "shard_map_that_folds_its_index_in"):
    found = recorded(case("shared-noise", name).function()).findings
    print([(each.kind, each.axis, each.examples, each.distinct) for each in found])
"""
    settings = {**os.environ, "JAX_NUM_CPU_DEVICES": "4", "JAX_PLATFORMS": "cpu"}
    done = subprocess.run([sys.executable, "-c", program], env=settings, capture_output=True, text=True, check=True)
    assert done.stdout == "[('shared-noise', None, 4, 1)]\n" * 2 + "[]\n"


# -- one key used several times: the two places, and how many keys -----------------------------


def test_many_keys_used_twice_at_the_same_places_are_one_finding() -> None:
    def program() -> Any:
        some = random.split(key(), 5000)
        return jax.vmap(random.normal)(some), jax.vmap(random.uniform)(some)

    (finding,) = recorded(program).findings
    assert (finding.kind, finding.count, len(finding.keys)) == ("key-reuse", 5000, 1000)
    assert str(finding.message).startswith("5,000 keys are each drawn from more than once, by `normal`")


def test_places_in_several_files_are_reported_with_as_much_of_the_path_as_it_takes(tmp_path: Path) -> None:
    def line(folder: str, name: str) -> Any:
        path = tmp_path / folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("from jax import random\ndraw = random.normal\nnoise = draw(random.key(7))\n")
        code = compile(path.read_text(), str(path), "exec")
        return lambda: exec(code, {})

    def messages(*programs: Any) -> list[str]:
        recording = recorder.record(lambda: [program() for program in programs], is_user_code=own)
        return [str(each.message) for each in found_in(recording)]

    own = UserFiles(lambda name: name.startswith(str(tmp_path)))
    (alone,) = messages(line("a", "model.py"), line("a", "model.py"))
    assert "by `normal` on line 3, with" in alone
    (two,) = messages(line("a", "model.py"), line("a", "train.py"))
    assert "by `normal` on line 3 of model.py and `normal` on line 3 of train.py: " in two
    (alike,) = messages(line("a", "model.py"), line("b", "model.py"))
    assert "by `normal` on line 3 of a/model.py and `normal` on line 3 of b/model.py: " in alike


def test_a_module_next_to_the_program_is_the_users_own(monkeypatch: pytest.MonkeyPatch) -> None:
    def program() -> Any:
        return a_library.fitted(key())

    (note,) = recorded(program).findings
    monkeypatch.setattr(own_modules._Current, "home", f"{Path(a_library.__file__).parent}{os.sep}")
    (bug,) = recorded(program).findings
    assert (note.level, bug.level) == ("note", "bug")
    assert str(bug.message).endswith("Your own a_library.py does this: split it there, one key for each use.")


SPLIT = "_, child = random.split(random.key(0))\n"
DRAWN = "key = random.key(0)\nrandom.normal(key)\n"
FAR = 12 * "\n"
SCRIPTS = {
    "next to each other": (DRAWN + DRAWN, "bug"),
    "far apart": (DRAWN + FAR + DRAWN, "warning"),
    "far apart, one of them in a loop": (f"{DRAWN}{FAR}for _ in range(2):\n    random.normal(random.key(0))\n", "bug"),
    "many far apart, two of them close": (3 * (DRAWN + FAR) + DRAWN + DRAWN, "warning"),
    "many next to each other, one far apart": (4 * DRAWN + FAR + DRAWN, "bug"),
    "many, each a few lines from the next": (5 * (DRAWN + 5 * "\n"), "warning"),
    "two, a few lines apart": (2 * (DRAWN + 5 * "\n"), "bug"),
    "many far apart, and a function that is called twice": (
        f"def draw():\n    random.normal(random.key(0))\n{3 * (DRAWN + FAR)}draw()\ndraw()\n",
        "warning",
    ),
    "far apart, and once more in a function": (
        f"{DRAWN}{FAR}{DRAWN}{FAR}def draw():\n    random.normal(random.key(0))\n{FAR}draw()\n",
        "warning",
    ),
    "far apart, one of them in a function": (
        f"{DRAWN}{FAR}def draw():\n    random.normal(random.key(0))\ndraw()\n",
        "bug",
    ),
    "far apart, two keys at each place": (
        2 * f"first, other = map(random.key, (0, 1))\nrandom.normal(first)\nrandom.normal(other)\n{FAR}",
        "warning",
    ),
    "of another seed, where one is made again in many places": (
        4 * (DRAWN + FAR) + 2 * DRAWN.replace("0", "1"),
        "warning",
    ),
    "far apart, and two fold into a child that one draws from": (
        f"{SPLIT}random.normal(child)\n{FAR}" + 2 * f"{SPLIT}random.normal(random.fold_in(child, 1))\n{FAR}",
        "warning",
    ),
    "in a function that is called far apart": (
        f"def draw():\n    random.normal(random.key(0))\ndraw()\n{FAR}draw()\n",
        "bug",
    ),
}


@pytest.mark.parametrize("name", SCRIPTS)
def test_parts_of_a_script_that_start_from_one_seed_are_a_warning(name: str) -> None:
    script, level = SCRIPTS[name]
    code = compile(f"from jax import random\n{script}", "parts.py", "exec")
    recording = recorder.record(lambda: exec(code, {}), is_user_code=lambda name: name == "parts.py")
    assert {each.level for each in found_in(recording)} == {level}


# -- notes -------------------------------------------------------------------------------------


def test_children_that_nothing_uses_are_one_note_for_their_split() -> None:
    found = recorded(lambda: random.normal(random.split(key(), 5)[0]))
    (finding,) = found.findings
    assert (finding.kind, finding.level, finding.count, finding.keys) == ("unused-key", "note", 4, (2, 3, 4, 5))
    assert found.sources(finding) == ["random.split(key(), 5)"]


def test_only_children_of_that_split_are_in_that_note() -> None:
    def program() -> Any:
        keys = [random.split(random.fold_in(key(), number), 3) for number in range(2)]
        return random.normal(keys[0][0]), random.uniform(keys[0][0]), random.normal(keys[1][0])

    (unused_key,) = [each for each in recorded(program).findings if each.kind == "unused-key"]
    assert ("meant" in str(unused_key.message), unused_key.count) == (True, 2)


def test_sharing_on_purpose_is_a_note() -> None:
    found = recorded(case("shared-noise", "vmap_that_does_not_map_the_key").function(), shared_on_purpose=True)
    assert [(each.kind, each.level) for each in found.findings] == [("shared-noise", "note")]
    assert str(found.findings[0].message).endswith("serves them all. It is marked as on purpose.")
    assert found.findings[0].on_purpose


def test_what_a_library_does_with_a_key_of_its_own_in_each_call_is_one_note() -> None:
    def program() -> Any:
        first, second, third = random.split(key(), 3)
        fitted = a_library.fitted(first), a_library.fitted(second)
        return fitted, a_library.fitted(third)

    (finding,) = recorded(program).findings
    assert (finding.kind, finding.level, finding.count) == ("key-reuse", "note", 3)
    assert str(finding.message).endswith("A library does this with its own key.")
