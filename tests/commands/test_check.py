from __future__ import annotations

import pytest

from explorer.commands.check import check, judge
from explorer.figures.json_records import check_record, report_record
from explorer.library import library
from explorer.messages import Failure, Finding, Level, Report, Snapshot, Span
from explorer.scenario.scenario import Scenario, VariantPlan
from explorer.scenario.texts import Texts

PLANS = (
    VariantPlan("bug", Texts("Bug"), expects=("shared-noise",)),
    VariantPlan("warned", Texts("Warned"), expects=("silent-cast",)),
    VariantPlan("fix", Texts("Fix")),
    VariantPlan("fails", Texts("Fails"), error="TypeError"),
)
SCENARIO = Scenario("one", "built-in", "one/code.py", "import jax\nkey = 한글(jax)\n", Texts("One"), variants=PLANS)
BARE = Scenario("/x/own.py", "file", "/x/own.py", SCENARIO.source, Texts("own.py"))


def found(name: str, *kinds: str, level: Level = "bug", error: str = "") -> Report:
    findings = tuple(Finding(kind, level, "Why.", (Span(2, 6, 2, 13), Span(1, 0, 1, 6))) for kind in kinds)
    return Report(name, "error" if error else "ok", Failure(error, "no") if error else None, findings=findings)


@pytest.mark.parametrize(
    ("scenario", "report", "code", "words"),
    [
        (SCENARIO, found("bug", "shared-noise"), 0, ""),
        (SCENARIO, found("bug"), 1, "expected is shared-noise"),
        (SCENARIO, found("bug", "shared-noise", "key-reuse"), 1, "has key-reuse, shared-noise"),
        (SCENARIO, found("fix", "unused-key", level="note"), 0, ""),
        (SCENARIO, found("warned", "silent-cast", "recompiles", level="warning"), 0, ""),
        (SCENARIO, found("warned", "recompiles", level="warning"), 1, "expected is silent-cast"),
        (SCENARIO, found("warned", "silent-cast", level="note"), 1, "expected is silent-cast"),
        (SCENARIO, found("fix", "key-reuse"), 1, "expected is nothing"),
        (SCENARIO, found("fails", error="TypeError"), 0, ""),
        (SCENARIO, found("fails", error="ValueError"), 2, "raised ValueError"),
        (SCENARIO, found("fails"), 2, "raised nothing"),
        (SCENARIO, found("fix", error="ValueError"), 2, "failed: ValueError"),
        (BARE, found("own"), 0, ""),
        (BARE, found("own", "key-reuse"), 1, "has key-reuse"),
        (BARE, found("own", "key-reuse", error="E"), 2, "failed"),
    ],
)
def test_a_program_must_show_its_expected_findings(scenario: Scenario, report: Report, code: int, words: str) -> None:
    complaints, exit_code = judge(scenario, Snapshot(1, "cpu:0", True, reports=(report,)))
    assert exit_code == code
    assert words in " ".join(complaints)
    assert bool(complaints) == bool(code)


def test_code_that_cannot_run_is_exit_code_2() -> None:
    snapshot = Snapshot(1, "cpu:0", True, failure=Failure("SyntaxError", "bad"))
    assert judge(BARE, snapshot) == (("SyntaxError: bad",), 2)


BAD_INPUT = """
import itertools, time
import jax
import jax.extend.random
import jax.numpy as jnp
from jax import random

def half_way():
    key = random.key(0)
    random.normal(key), random.uniform(key)
    raise ValueError("half way")

def endless():
    for number in itertools.count():
        noise = random.normal(random.fold_in(random.key(0), number % 5))
        if isinstance(noise, jax.core.Tracer):
            return noise
        time.sleep(0.01)

def terabytes():
    return random.normal(random.key(0), (10**7, 10**7)).sum()

def corrupted():
    return random.normal(jnp.zeros(3, jnp.uint32))

own = jax.extend.random.define_prng_impl(
    key_shape=(3,),
    seed=lambda seed: jnp.full(3, seed, jnp.uint32),
    split=lambda key, shape: key + jnp.arange(1, 1 + shape[0], dtype=jnp.uint32)[:, None],
    random_bits=lambda key, width, shape: jnp.full(shape, key.sum(), jnp.uint32),
    fold_in=lambda key, number: key + number,
    name="own",
)

def own_kind():
    first, second = random.split(random.key(7, impl=own))
    return random.normal(first) + random.uniform(first) + random.normal(second)

def nothing():
    return jax.vmap(random.normal)(random.split(random.key(0), 0))
"""
OUTCOME = {
    "half_way": ("ValueError", "half way", "key-reuse"),
    "endless": ("Timeout", "It was still running after 6 s", "key-reuse"),
    "terabytes": ("JaxRuntimeError", "ut of memory allocating", ""),
    "corrupted": ("TypeError", "got shape=(3,)", ""),
    "own_kind": ("", "", "key-reuse"),
    "nothing": ("", "", ""),
}


@pytest.mark.rest
@pytest.mark.process
@pytest.mark.usefixtures("one_worker")
def test_what_programs_do_with_keys_before_they_fail_is_reported() -> None:
    scenario = Scenario("/x/bad.py", "file", "/x/bad.py", BAD_INPUT, Texts("bad.py"))
    others = tuple(name for name in OUTCOME if name != "endless")
    runs = check(scenario, variants=others), check(scenario, variants=("endless",), timeout_s=6.0)
    reports = [report for run in runs for report in run.snapshot.reports]
    for report in reports:
        failure, words, kind = OUTCOME[report.name]
        assert (report.failure.type if report.failure else "") == failure
        assert words in (str(report.failure.message) if report.failure else "")
        assert [finding.kind for finding in report.findings or ()] == [kind] * bool(kind)
        assert report.keys is not None
    assert [report.name for report in reports] == [*others, "endless"]


@pytest.mark.process
@pytest.mark.usefixtures("one_worker")
def test_the_checker_of_jax_is_asked_when_wanted_and_its_answers_are_in_the_record() -> None:
    scenario = library.open_target("one_key_for_the_batch")
    checked = check(scenario, variants=("shared_key",), jax_checker=True)
    variant = check_record(scenario.id, checked.jax, checked.snapshot)["variants"][0]
    assert {"static": "finds nothing", "runtime": "finds nothing"}.items() <= variant["jax_checker"].items()
    assert "does not look along the axes" in variant["jax_checker"]["comparison"]
    assert "jax_checker" not in report_record(found("own"))
