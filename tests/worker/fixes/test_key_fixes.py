"""Shared and reused keys are fixed by edits that leave no finding, and the outputs in their form."""

from __future__ import annotations

import ast
from typing import Any

import jax
import msgspec
import numpy as np
import pytest

from explorer.messages import Finding, Place, Report
from explorer.scenario import requests
from explorer.scenario.scenario import Scenario
from explorer.worker.code import user_code
from explorer.worker.code.calls import arguments_of
from explorer.worker.fixes.functions import references, with_argument, with_parameter
from explorer.worker.fixes.proposals import proposed_for_finding
from explorer.worker.runs import analyse, fix_trials
from explorer.worker.syntax.code_tree import CodeTree, with_edits
from explorer.worker.syntax.scopes import FunctionNode
from tests.corpus.cases import Case, cases, judged
from tests.scenarios.code_run import SCENARIOS
from tests.worker import analysed
from tests.worker.fixes.test_fixes import HEAD, changed, failure_of

NEEDS_DEVICES = ("many_devices", "over_devices")
"""Lessons whose bug needs more than one device."""
KINDS = {"key-reuse", "shared-noise"}
LESSONS = [
    each
    for each in SCENARIOS.values()
    # What fixes an object of another package is not known here.
    if any(KINDS & {*plan.expects} for plan in each.variants) and not each.requires
]


@pytest.fixture(autouse=True)
def on_a_slow_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Remove the time limits, which are not tested here."""
    monkeypatch.setattr(fix_trials, "TRIAL_S", 60.0)
    monkeypatch.setattr(fix_trials, "ALL_TRIALS_S", 300.0)


def grave(report: Report) -> list[Finding]:
    return [each for each in report.findings or () if each.level != "note"]


def returned(source: str) -> Any:
    """Return the output of ``run`` of `source` under plain JAX."""
    names: dict[str, Any] = {}
    exec(source, names)
    return names["run"](**arguments_of(names["run"], names.get("inputs", dict)()))


MENDED = [case for kind in sorted(KINDS) for case in cases(kind) if "mended" in str(case)]


@pytest.mark.rest
@pytest.mark.parametrize("case", MENDED, ids=str)
def test_a_fixed_program_has_its_outputs_in_their_form(case: Case) -> None:
    (finding,) = judged(case)
    sources = case.source, *(with_edits(case.source, each.edits) for each in finding.fixes)
    before, *after = (jax.eval_shape(user_code.load(each, "<case>").function(case.entry, ())) for each in sources)
    assert after == [before]


@pytest.mark.rest
@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.id)
def test_each_bug_of_a_lesson_is_fixed(lesson: Scenario) -> None:
    bugs = tuple(plan.name for plan in lesson.variants if KINDS & {*plan.expects})
    asked = msgspec.structs.replace(requests.analysis(lesson), variants=bugs, finding_fixes=True)
    for report in analyse.analyse(asked, analysed.channel()).reports:
        found = [each for each in grave(report) if each.level == "bug"]
        assert found or lesson.id in NEEDS_DEVICES
        assert all(each.fixes for each in found), report.name


def test_the_same_noise_on_all_devices_gets_the_number_of_the_device() -> None:
    source = SCENARIOS["many_devices"].source
    line = source.split("\n").index("    def on_device(x, key):") + 2
    code = CodeTree.of(source)
    (draw,) = [node for node in code.parents if hasattr(node, "func") and node.lineno == line and node.col_offset == 19]
    span = code.span(draw)
    finding = Finding("shared-noise", "bug", "", (span,), examples=4, places=(Place("spent", span),))
    after = [changed(source, with_edits(source, each.edits)) for each in proposed_for_finding(finding, source)]
    folded = 'jax.random.fold_in(key, jax.lax.axis_index("devices"))'
    assert after == [f"return x + jax.random.normal({folded}, x.shape)"]


NOISY = "jax.vmap(lambda r, k: r + jax.random.normal(k, (3,)))"
TOO_FEW = [
    (f"def run():\n    return {NOISY}(jnp.ones((8, 3)), jax.random.split(jax.random.key(0), 4))\n", "8"),
    (
        f"def run():\n    x, n = jnp.arange(24.0).reshape(8, 3), 4\n    keys = jax.random.split(jax.random.key(0), n)\n"
        f"    return {NOISY}(x, keys)\n",
        "len(x)",
    ),
    (
        f"def run(x=jnp.ones((8, 3))):\n    keys = jax.random.split(jax.random.key(0))\n    return {NOISY}(x, keys)\n",
        "len(x)",
    ),
    (
        "def inputs(batch=8):\n    key = jax.random.key(0)\n"
        '    return {"x": jnp.ones((batch, 3)), "keys": jax.random.split(key, num=4)}\n'
        f"def run(x, keys):\n    return {NOISY}(x, keys)\n",
        "batch",
    ),
    (
        "def run():\n    x, keys = jnp.ones((8, 3)), jax.random.split(jax.random.key(0), 9)\n"
        f"    return {NOISY}(x, keys)\n",
        "8",
    ),
]


@pytest.mark.rest
@pytest.mark.parametrize(("program", "count"), TOO_FEW)
def test_keys_are_made_as_many_as_there_are_examples(program: str, count: str) -> None:
    source = HEAD + program
    failure = failure_of(source)
    (fix,) = failure.fixes
    assert str(fix.label) == "Make as many keys as there are examples"
    assert [edit.new.removeprefix(", ") for edit in fix.edits] == [count]
    made = np.asarray(returned(with_edits(source, fix.edits)))
    for axis, length in enumerate(made.shape):
        assert np.unique(made, axis=axis).shape[axis] == length


def test_the_text_of_a_string_is_never_changed() -> None:
    formatted = 'print(f"{jax.random.normal(key)}")'
    source = f"{HEAD}def run():\n    key = jax.random.key(0)\n    {formatted}\n    return jax.random.normal(key)\n"
    (finding,) = grave(analysed.report(source, "run"))
    after = [with_edits(source, each.edits) for each in proposed_for_finding(finding, source)]
    assert [each for each in after if formatted not in each] == []


def test_a_fix_in_the_branch_of_an_elif_stands_before_the_whole_if() -> None:
    source = (
        f"{HEAD}def run(x=1.0):\n    key = jax.random.key(0)\n    a = jax.random.normal(key)\n"
        "    if x > 2:\n        a = 0\n"
        "    elif jax.random.normal(key) < 9:\n        a = a + jax.random.normal(key)\n    return a\n"
    )
    (finding,) = grave(analysed.report(source, "run", finding_fixes=True))
    lines = with_edits(source, finding.fixes[0].edits).split("\n")
    split = "    key, subkey = jax.random.split(key)"
    assert [lines[number + 1] for number, line in enumerate(lines) if line == split] == [
        "    a = jax.random.normal(subkey)",
        "    if x > 2:",
    ]


# -- one more argument for a function ----------------------------------------------------------


def function(code: CodeTree, name: str = "f") -> FunctionNode:
    return next(each for each in code.parents if isinstance(each, ast.FunctionDef) and each.name == name)


def threaded(text: str) -> str:
    """Return `text` with the argument ``k`` for its function ``f``, and ``K`` in each call."""
    code = CodeTree.of(text)
    edit, place = with_parameter(code, function(code), "k")
    calls = [code.parents[each] for each in references(code, function(code))]
    return with_edits(text, [edit, *(with_argument(code, each, place, "k", "K") for each in calls)])


FORMS = {
    "def f(x, *, n):\n    pass\nf(1, n=2)\n": "def f(x, k, *, n):\n    pass\nf(1, K, n=2)\n",
    "def f(x, n=1):\n    pass\nf(1)\nf(1, 2)\n": "def f(x, k, n=1):\n    pass\nf(1, K)\nf(1, K, 2)\n",
    "def f(x):\n    pass\nf(x=1)\n": "def f(x, k):\n    pass\nf(x=1, k=K)\n",
    "def f(å, x):\n    pass\nf(1, 'ü')\n": "def f(å, x, k):\n    pass\nf(1, 'ü', K)\n",
    "def f(x):\n    pass\ndef g(f):\n    return f(1)\nf(2)\n": (
        "def f(x, k):\n    pass\ndef g(f):\n    return f(1)\nf(2, K)\n"
    ),
}


@pytest.mark.parametrize("text", FORMS)
def test_an_argument_stands_behind_those_without_a_default(text: str) -> None:
    assert threaded(text) == FORMS[text]
