"""Fixes of findings of values and tracers: the edits, their effect, and where none is offered."""

from __future__ import annotations

from collections.abc import Iterator

import jax
import numpy as np
import pytest

from explorer.messages import TOP_LEVEL, Finding, Span
from explorer.worker.code import user_code
from explorer.worker.fixes import proposals
from explorer.worker.process.process_state import ProcessSettings
from explorer.worker.syntax.code_tree import with_edits
from tests.corpus.cases import case, judged
from tests.worker.analysed import report
from tests.worker.fixes.test_fixes import changed

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


# -- tracers ----------------------------------------------------------------------------------


def test_a_copied_value_is_there_for_whoever_waits() -> None:
    reading = case("leaked-tracer", "a_list_that_is_read")
    fixed = with_edits(reading.source, judged(reading)[0].fixes[0].edits).replace(reading.name, "run")
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
    assert not list(proposals.proposed_for_finding(Finding("unused-key", "warning", "Unused."), "import jax\n"))


def test_a_script_keeps_its_last_update() -> None:
    script = "import jax.numpy as jnp\nx = jnp.zeros(2)\nx.at[0].set(1.0)\n"
    (finding,) = report(script, TOP_LEVEL, traces=True, finding_fixes=True).findings or ()
    assert [with_edits(script, each.edits).split("\n")[2] for each in finding.fixes] == ["x = x.at[0].set(1.0)"]


@pytest.mark.parametrize(
    "jitted", ["@jax.jit\ndef step(m):\n    m.n += 1", "def step(m):\n    m.n += 1\nf = jax.jit(step)"]
)
def test_a_model_of_nnx_that_changes_is_jitted_by_nnx(jitted: str) -> None:
    source = f"import jax\nfrom flax import nnx\n{jitted}\n"
    row = source.split("\n").index("    m.n += 1") + 1
    finding = Finding("host-state", "bug", "Lost.", (Span(row, 4, row, 12),))
    (found,) = proposals.proposed_for_finding(finding, source)
    assert with_edits(source, found.edits) == source.replace("jax.jit", "nnx.jit")
    assert not list(proposals.proposed_for_finding(finding, source.replace("from flax import nnx", "")))
