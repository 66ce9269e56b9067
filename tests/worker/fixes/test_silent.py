"""Fixes of findings that JAX passes over in silence: the edits, their effect, and where none is offered."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import jax
import numpy as np
import pytest

from explorer.messages import Finding
from explorer.worker.code import user_code
from explorer.worker.errors.code_tree import with_edits
from explorer.worker.fixes import for_findings
from explorer.worker.process.settings_kept import ProcessSettings
from tests.worker.analysed import report
from tests.worker.checks.inspected import PROGRAMS

HEAD = """import functools
import random
import time
import uuid
from functools import partial
import jax
import jax.numpy as jnp
import numpy as np
"""


@pytest.fixture(autouse=True)
def settings() -> Iterator[None]:
    """Restore settings that the programs change."""
    before = ProcessSettings.now()
    yield
    before.restore()


def bug(source: str, kind: str, *, finding_fixes: bool = True) -> list[Finding]:
    """Return the findings of `kind` in ``run`` of `source` above level note, with their fixes."""
    result = report(source, "run", traces=True, value_checks=True, finding_fixes=finding_fixes)
    assert result.status == "ok"
    return [each for each in result.findings or () if each.kind == kind and each.level != "note"]


def changed(before: str, after: str) -> str:
    """Return the lines of `after` that are not in `before`, joined."""
    old = before.split("\n")
    return " / ".join(line.strip() for line in after.split("\n") if line not in old)


def outputs(source: str) -> object:
    """Return the output of ``run`` of `source`."""
    program = user_code.load(source, "<fixed>")
    return jax.tree.map(np.asarray, program.function("run", ())())


def check(source: str, kind: str, expected: tuple[str, ...]) -> list[str]:
    """Assert that a finding of `kind` is fixed by edits with the `expected` lines; return the findings afterwards."""
    finding = bug(source, kind)[0]
    fixed_source = [with_edits(source, each.edits) for each in finding.fixes]
    assert tuple(changed(source, each) for each in fixed_source) == expected
    for each in fixed_source:
        assert bug(each, kind, finding_fixes=False) == []
    return fixed_source


# -- random numbers and clocks ----------------------------------------------------------------

JIT = "\n@jax.jit\ndef f(x):\n    return {body}\n\ndef run():\n    return {call}\n"


def jitted(body: str, call: str = "f(jnp.ones(3))") -> str:
    return HEAD + JIT.format(body=body, call=call)


DRAWS = {
    "np.random.normal(size=x.shape)": "jax.random.normal(key, x.shape)",
    "np.random.normal(0.0, 2.0, size=3)": "2.0 * jax.random.normal(key, (3,))",
    "np.random.normal(1.0, 1.0)": "(1.0 + jax.random.normal(key))",
    "np.random.normal(loc=x.ndim, scale=x.ndim + 1)": "(x.ndim + (x.ndim + 1) * jax.random.normal(key))",
    "np.random.standard_normal(len(x))": "jax.random.normal(key, (len(x),))",
    "np.random.randn(3)": "jax.random.normal(key, (3,))",
    "np.random.randn(2, 3).sum()": "jax.random.normal(key, (2, 3)).sum()",
    "np.random.rand()": "jax.random.uniform(key)",
    "np.random.random(x.shape)": "jax.random.uniform(key, x.shape)",
    "np.random.uniform(-1.0, 1.0, x.shape)": "jax.random.uniform(key, x.shape, minval=-1.0, maxval=1.0)",
    "np.random.uniform(low=2.0, high=3.0)": "jax.random.uniform(key, minval=2.0, maxval=3.0)",
    "np.random.exponential(2.0, x.shape)": "2.0 * jax.random.exponential(key, x.shape)",
    "np.random.randint(10)": "jax.random.randint(key, (), 0, 10)",
    "np.random.randint(1, 7, size=(3,))": "jax.random.randint(key, (3,), 1, 7)",
    "np.random.default_rng().integers(0, 5)": "jax.random.randint(key, (), 0, 5)",
    "random.random()": "jax.random.uniform(key)",
    "random.gauss(0.0, 1.0)": "jax.random.normal(key)",
    "random.uniform(2, 3)": "jax.random.uniform(key, minval=2, maxval=3)",
    "random.randint(1, 6)": "jax.random.randint(key, (), 1, 6 + 1)",
    "random.randrange(6)": "jax.random.randint(key, (), 0, 6)",
}


@pytest.mark.rest
@pytest.mark.parametrize(("draw", "new"), DRAWS.items())
def test_a_draw_takes_its_numbers_from_a_key_that_is_passed_in(draw: str, new: str) -> None:
    source = jitted(f"x + {draw}")
    check(source, "host-random", (f"def f(x, key): / return x + {new} / return f(jnp.ones(3), jax.random.key(0))",))


NOISE = "np.random.normal()"
CALLS = [
    pytest.param(
        jitted(f"x + {NOISE}", "f(1.0) + f(2.0)"),
        "def f(x, key): / return x + jax.random.normal(key) / "
        "return f(1.0, jax.random.key(0)) + f(2.0, jax.random.key(1))",
        id="a key for each call",
    ),
    pytest.param(
        jitted(f"x + {NOISE}", "[f(float(i)) for i in range(3)]"),
        "def f(x, key): / return x + jax.random.normal(key) / "
        "return [f(float(i), jax.random.fold_in(jax.random.key(0), i)) for i in range(3)]",
        id="a key for each round of a comprehension",
    ),
    pytest.param(
        jitted(f"x + {NOISE} * {NOISE}"),
        "def f(x, key): / return x + jax.random.normal(jax.random.fold_in(key, 0)) * "
        "jax.random.normal(jax.random.fold_in(key, 1)) / return f(jnp.ones(3), jax.random.key(0))",
        id="two draws of one function",
    ),
    pytest.param(
        f"{HEAD}\n@jax.jit\ndef f(x):\n    return x + {NOISE}\n\ndef run():\n    x = 0.0\n    for step in [1, 2, 3]:\n"
        "        x = f(x)\n    return x\n",
        "def f(x, key): / return x + jax.random.normal(key) / noise_keys = jax.random.key(0) / "
        "noise_keys, noise_key = jax.random.split(noise_keys) / x = f(x, noise_key)",
        id="a key for each round of a loop that does not count",
    ),
    pytest.param(
        f"{HEAD}\n@jax.jit\ndef f(x=1.0):\n    return x + {NOISE}\n\ndef run():\n    return f() + f(2.0)\n",
        "def f(key, x=1.0): / return x + jax.random.normal(key) / "
        "return f(jax.random.key(0)) + f(jax.random.key(1), 2.0)",
        id="before arguments with defaults",
    ),
    pytest.param(
        f"{HEAD}\nfilter_jit = jax.jit\n\ndef f(x):\n    return x + {NOISE}\n\nf = filter_jit(f)\n\n"
        "def run():\n    return f(2.0)\n",
        "def f(x, key): / return x + jax.random.normal(key) / return f(2.0, jax.random.key(0))",
        id="through the wrapper of a library, under the same name",
    ),
    pytest.param(
        f"{HEAD}\ndef noise(n):\n    return np.random.normal(size=n)\n\n"
        "@jax.jit\ndef f(x):\n    return x + noise(3)\n\ndef run():\n    return f(1.0)\n",
        "def noise(n, key): / return jax.random.normal(key, n) / def f(x, key): / return x + noise(3, key) / "
        "return f(1.0, jax.random.key(0))",
        id="through a helper",
    ),
    pytest.param(
        f"{HEAD}\ndef run():\n    return jax.vmap(lambda x: x + {NOISE})(jnp.zeros(3))\n",
        "return jax.vmap(lambda x, key: x + jax.random.normal(key))(jnp.zeros(3), "
        "jax.random.split(jax.random.key(0), len(jnp.zeros(3))))",
        id="a key for each example",
    ),
    pytest.param(
        f"{HEAD}\ndef run():\n    return jax.lax.fori_loop(0, 5, lambda i, x: x + {NOISE}, 0.0)\n",
        "return jax.lax.fori_loop(0, 5, lambda i, x: x + "
        "jax.random.normal(jax.random.fold_in(jax.random.key(0), i)), 0.0)",
        id="a key for each round of fori_loop",
    ),
    pytest.param(
        f"{HEAD}\ndef inputs():\n    return dict(x=1.0)\n\n@jax.jit\ndef run(x):\n    return x + {NOISE}\n",
        "return dict(x=1.0, key=jax.random.key(0)) / def run(x, key): / return x + jax.random.normal(key)",
        id="a variant gets it from inputs",
    ),
    pytest.param(
        f"{HEAD}\ndef inputs(seed=0):\n    return {{'x': 1.0}}\n\n@jax.jit\ndef run(x):\n    return x + {NOISE}\n",
        "return {'x': 1.0, \"key\": jax.random.key(1)} / def run(x, key): / return x + jax.random.normal(key)",
        id="and from a dict that is written out",
    ),
    pytest.param(
        f"{HEAD}\nstep = jax.jit(jax.grad(lambda w: w * {NOISE}))\n\ndef run():\n    return step(1.0)\n",
        "step = jax.jit(jax.grad(lambda w, key: w * jax.random.normal(key))) / return step(1.0, jax.random.key(0))",
        id="through wrappers and a name",
    ),
]


@pytest.mark.parametrize(("source", "after"), CALLS)
def test_the_key_is_handed_over_from_where_nothing_is_traced(source: str, after: str) -> None:
    check(source, "host-random", (after,))


NO_MEND_FOR_DRAWS = {
    "a choice of Python": jitted("x if random.random() < 0.5 else -x"),
    "the body of a scan": f"{HEAD}\ndef run():\n"
    f"    return jax.lax.scan(lambda c, x: (c + {NOISE}, x), 0.0, jnp.ones(3))\n",
    "a function that goes elsewhere": f"{HEAD}\n@jax.jit\ndef f(x):\n    return x + {NOISE}\n\ndef run():\n"
    "    return list(map(f, [1.0, 2.0]))\n",
    "a draw that jax.random has not": jitted("x + np.random.binomial(5, 0.5)"),
    "another draw that it has in another form": jitted("x + np.random.choice(5, size=3, replace=False)"),
    "a loop that counts nothing": jitted(f"x + {NOISE}", "[f(x) for x in (1.0, 2.0)]"),
    "an identifier": jitted("x + uuid.uuid4().int % 1000"),
}


@pytest.mark.parametrize("source", NO_MEND_FOR_DRAWS.values(), ids=NO_MEND_FOR_DRAWS)
def test_no_draw_is_changed_where_the_form_is_not_known(source: str) -> None:
    (finding,) = bug(source, "host-random")
    assert finding.fixes == ()


def test_a_clock_is_read_outside_and_passed_in() -> None:
    check(
        jitted("x + time.perf_counter() % 0.001"),
        "host-random",
        ("def f(x, now): / return x + now % 0.001 / return f(jnp.ones(3), time.perf_counter())",),
    )


def test_a_clock_that_is_read_twice_stays() -> None:
    assert [each.fixes for each in bug(jitted("x + (time.time() - time.time())"), "host-random")] == [(), ()]


# -- state ------------------------------------------------------------------------------------

STATES = sorted((PROGRAMS / "host_state").glob("fixed_*.py"))


@pytest.mark.parametrize("fixed", STATES, ids=lambda path: path.stem.removeprefix("fixed_"))
def test_what_is_passed_in_computes_what_python_does(fixed: Path) -> None:
    bad = fixed.with_name(fixed.name.replace("fixed_", "bad_", 1))
    with jax.disable_jit():
        expected = outputs(bad.read_text(encoding="utf-8"))
    jax.tree.map(np.testing.assert_array_equal, outputs(fixed.read_text(encoding="utf-8")), expected)


# -- tracers ----------------------------------------------------------------------------------


def test_a_copied_value_is_there_for_whoever_waits() -> None:
    fixed = (PROGRAMS / "leaked_tracer" / "fixed_a_list_that_is_read.py").read_text(encoding="utf-8")
    assert outputs(fixed.replace("y + len(store)", "y, float(store[0])")) == (1.0, 2.0)


# -- indices ----------------------------------------------------------------------------------


def of_values(body: str) -> str:
    head = f"{HEAD}import warnings\nwarnings.simplefilter('ignore')\nX = jnp.arange(1.0, 6.0)\n"
    return f"{head}\ndef run():\n    return {body}\n"


MODES = {
    "X[9]": 'X.at[9].get(mode="clip")',
    "X[-6]": 'X.at[-6].get(mode="clip")',
    "X[jnp.array([0, 7])]": 'X.at[jnp.array([0, 7])].get(mode="clip")',
    "(X + 1)[9]": '(X + 1).at[9].get(mode="clip")',
    "jnp.ones((2, 3))[1, 5]": 'jnp.ones((2, 3)).at[1, 5].get(mode="clip")',
    "jnp.take(X, jnp.array([0, 9]))": 'jnp.take(X, jnp.array([0, 9]), mode="fill")',
    "jnp.take(jnp.arange(5), jnp.array([9]))": 'jnp.take(jnp.arange(5), jnp.array([9]), mode="fill")',
    "X.at[5].set(0.0)": 'X.at[5].set(0.0, mode="drop")',
    "X.at[jnp.array([1, 8])].add(1.0)": 'X.at[jnp.array([1, 8])].add(1.0, mode="drop")',
    "jax.lax.fori_loop(0, 6, lambda i, t: t + X[i], 0.0)": (
        'jax.lax.fori_loop(0, 6, lambda i, t: t + X.at[i].get(mode="clip"), 0.0)'
    ),
}


@pytest.mark.parametrize(("body", "new"), MODES.items())
def test_a_mode_says_what_jax_does_anyway(body: str, new: str) -> None:
    source = of_values(body)
    (fixed_source,) = check(source, "out-of-bounds", (f"return {new}",))
    np.testing.assert_array_equal(outputs(fixed_source), outputs(source))


@pytest.mark.parametrize("index", ["len(X)", "X.shape[0]", "X.size"])
def test_the_length_as_an_index_is_the_last_element_first_of_all(index: str) -> None:
    source = of_values(f"X[{index}]")
    clip = f'return X.at[{index}].get(mode="clip")'
    fixed_source, _ = check(source, "out-of-bounds", ("return X[-1]", clip))
    assert outputs(fixed_source) == 5.0


@pytest.mark.parametrize("body", ["jax.lax.dynamic_slice(X, (4,), (3,))", "X.at[len(X)].set(X[0])[0]"])
def test_an_index_is_left_alone_where_more_than_one_thing_may_be_meant(body: str) -> None:
    labels = [str(fix.label) for each in bug(of_values(body), "out-of-bounds") for fix in each.fixes]
    assert not any(each.startswith("Take the last") for each in labels)


# -- types ------------------------------------------------------------------------------------

X64 = 'jax.config.update("jax_enable_x64", True)'
TYPES = {
    "jnp.zeros(3, jnp.float64)": ("jnp.zeros(3, jnp.float32)", X64),
    "jnp.array([1.0], dtype='float64')": ('jnp.array([1.0], dtype="float32")', X64),
    "jnp.arange(5, dtype=jnp.int64)": ("jnp.arange(5, dtype=jnp.int32)", X64),
    "X.astype(np.float64)": ("X.astype(np.float32)", X64),
    "jnp.asarray(np.array([3, 2**40]))": (X64,),
    "jnp.arange(5) * 1_000_000_000": (X64,),
    "jnp.int32(100_000) * jnp.int32(100_000)": (),
    "jnp.array([1e30]).astype(jnp.int32)": (),
}


@pytest.mark.parametrize(("body", "after"), TYPES.items())
def test_a_type_is_asked_for_as_it_is_given_or_64_bits_are_turned_on(body: str, after: tuple[str, ...]) -> None:
    source = of_values(body)
    before = outputs(source)
    fixed_source = check(source, "silent-cast", tuple(each if each == X64 else f"return {each}" for each in after))
    if len(fixed_source) == 2:
        jax.config.update("jax_enable_x64", False)
        np.testing.assert_array_equal(outputs(fixed_source[0]), before, strict=True)


def test_64_bits_are_off_again_when_they_have_been_tried() -> None:
    assert bug(of_values("jnp.zeros(3, jnp.float64)"), "silent-cast")[0].fixes
    assert not jax.config.jax_enable_x64


def test_64_bits_are_turned_on_behind_the_import_of_jax() -> None:
    (finding,) = bug(of_values("jnp.zeros(3, jnp.float64)"), "silent-cast")
    lines = with_edits(of_values("jnp.zeros(3, jnp.float64)"), finding.fixes[1].edits).split("\n")
    assert lines[lines.index("import jax") + 1] == X64


def test_what_has_no_maker_has_no_fix() -> None:
    assert not list(for_findings.proposed_for_finding(Finding("unused-key", "warning", "Unused."), "import jax\n"))
