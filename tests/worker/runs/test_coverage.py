"""A report names the checked parts of the run, and the reasons for unchecked ones."""

from __future__ import annotations

import jax
import pytest

from explorer.messages import Extent, Finding, Level, Part, Report
from explorer.recording import recording
from explorer.worker.recording.interrupt import TimeLimit
from explorer.worker.runs import analyse, coverage, in_process, observe
from tests.worker import analysed
from tests.worker.analysed import report

CLEAN = "import jax\n\ndef run():\n    return jax.jit(jax.random.normal)(jax.random.key(0))\n"
CHANGES = CLEAN.replace("run():", "run(seen=[]):\n    seen.append(1)")
CALLS_BACK = """
import jax
import jax.numpy as jnp
from jax.experimental import io_callback

@jax.jit
def pick(x, i):
    io_callback(lambda _: None, None, i)
    return x[i]

def run():
    return pick(jnp.arange(3.0), 7)
"""


def words(found: Report) -> list[str]:
    return [each.words for each in found.coverage]


@pytest.mark.rest
def test_what_was_asked_for_was_checked_and_nothing_else_is_reported() -> None:
    assert words(report(CLEAN, "run")) == ["Keys: clean"]
    assert words(report(CLEAN, "run", traces=True)) == ["Keys: clean", "Tracing: clean"]
    result = report(CLEAN, "run", traces=True, value_checks=True)
    assert words(result) == ["Keys: clean", "Tracing: clean", "Values: clean"]
    assert {each.extent for each in result.coverage} == {"whole"}
    assert all(each.is_clean and each.sentence for each in result.coverage)


@pytest.mark.rest
def test_each_part_says_what_came_of_it() -> None:
    source = CLEAN.replace("(jax.random.key(0))", "(jax.random.key(0)) + jax.numpy.arange(3)[4]").replace(
        "def run():", "key = jax.random.key(1)\n\ndef run():\n    jax.random.normal(key) + jax.random.uniform(key)"
    )
    result = report(source, "run", traces=True, value_checks=True)
    assert words(result) == ["Keys: 1 bug", "Tracing: clean", "Values: 1 bug"]
    assert [each.worst for each in result.coverage] == ["bug", None, "bug"]


def test_a_function_that_the_top_level_calls_too_reuses_no_key_by_that() -> None:
    assert words(report(f"{CLEAN}\n\nrun()\n", "run")) == ["Keys: clean"]
    twice = CLEAN.replace("run():", "run(key=jax.random.key(0)):").replace("(jax.random.key(0))\n", "(key)\n")
    assert words(report(f"{twice}\n\njax.random.normal(jax.random.key(0))\n", "run")) == ["Keys: 1 bug"]


def test_without_keys_none_are_clean() -> None:
    (look,) = report("def run():\n    return 1.0\n", "run").coverage
    assert (look.words, str(look.sentence)) == ("Keys: none used", "The program uses no random keys.")
    (look,) = report("import numpy as np\n\ndef run():\n    return np.random.default_rng(0).normal()\n", "run").coverage
    assert str(look.sentence).endswith("come from NumPy, by `np.random.default_rng` on line 4.")


def test_a_program_that_traces_nothing_was_checked_all_the_same() -> None:
    assert words(report("def run():\n    return 1.0\n", "run", traces=True)) == ["Keys: none used", "Tracing: clean"]


@pytest.mark.parametrize(
    ("error", "extent", "says"),
    [
        (RuntimeError("broken"), "failed", "not checked: the check itself failed"),
        (SystemExit(3), "failed", "not checked: the check itself failed"),
        (TimeLimit(), "timeout", "not checked: it took too long"),
    ],
    ids=["an error", "an exit", "a time limit"],
)
def test_a_check_without_an_end_is_reported(
    monkeypatch: pytest.MonkeyPatch, error: BaseException, extent: Extent, says: str
) -> None:
    def fails(*_: object) -> None:
        raise error

    monkeypatch.setattr(observe, "inspected", fails)
    monkeypatch.setattr(observe, "checked", fails)
    result = report(CHANGES, "run", traces=True, value_checks=True)
    assert words(result) == ["Keys: clean", "Tracing: clean (changes of state not checked)", f"Values: {says}"]
    assert [each.extent for each in result.coverage] == ["whole", "partly", extent]
    assert not result.coverage[2].is_clean


def test_what_cannot_be_carried_out_again_is_not_called_clean_as_a_whole() -> None:
    result = report(CALLS_BACK, "run", value_checks=True)
    assert words(result)[-1] == "Values: clean where they can be checked"
    assert result.coverage[-1].extent == "partly"


def test_of_a_program_that_fails_only_its_keys_up_to_there_are_reported() -> None:
    result = report(f"{CLEAN}    raise ValueError\n".replace("return ", ""), "run", traces=True, value_checks=True)
    assert words(result) == ["Keys: clean until it ended"]


def finding(level: Level) -> Finding:
    return Finding("nan", level, "NaN.")


@pytest.mark.parametrize(
    ("levels", "says"),
    [(("note",), "1 note"), (("note", "bug", "note"), "1 bug, 2 notes"), (("warning",) * 2, "2 warnings")],
)
def test_what_was_found_is_counted_gravest_first(levels: tuple[Level, ...], says: str) -> None:
    part: Part = "values"
    assert str(coverage.part(part, [finding(each) for each in levels]).says) == says


def test_a_recording_claims_values_only_where_they_were_watched() -> None:
    for values, unseen, result in (
        (False, "state", "Values: not checked"),
        (True, "state and clocks", "Values: clean"),
    ):
        with recording(values=values) as keys:
            pass
        assert keys.report() == f"Keys: none used · Tracing: clean (changes of {unseen} not checked) · {result}"


def test_a_program_that_never_imported_jax_has_no_clean_values() -> None:
    result = in_process.report("plain.py", in_process.unrecorded())
    assert [each.extent for each in result.coverage] == ["whole", "partly", "no"]


TWICE = "key = jax.random.key(0)\n    a, b = {}, {}\n"
LESSONS = {
    "return jax.vmap(lambda x, k: x + jax.random.normal(k), in_axes=(0, None))(jnp.ones(3), jax.random.key(0))": (
        "one_key_for_the_batch"
    ),
    "return jax.vmap(lambda x, k: x + jax.random.normal(k))(jnp.ones(3), jnp.stack([jax.random.key(0)] * 3))": (
        "shared_by_closure"
    ),
    TWICE.format("jax.random.normal(key)", "jax.random.normal(key)"): "seed_and_key",
    TWICE.format("jax.random.normal(key)", "jax.random.uniform(key)"): "same_key_other_distribution",
    TWICE.format("jax.random.normal(key)", "jax.random.split(key)"): "parent_and_child",
    TWICE.format("jax.random.normal(key)", "jax.random.fold_in(key, 1)"): "parent_and_child",
    "[jax.random.normal(key) for key in [jax.random.key(0)] * 3]": "loop_scan_vmap",
    "key = jax.random.key(0)\n    [jax.random.normal(jax.random.fold_in(key, 1)) for _ in '123']": "fold_in_or_split",
    "return jax.random.normal(jax.random.split(jax.random.key(0), 3)[0])": "split_tree",
    "return jnp.arange(3.0)[7]": "beyond_the_end",
    "return jax.grad(lambda x: jnp.where(x > 0, jnp.sqrt(x), 0.0))(0.0)": "nan_from_nowhere",
    "return jnp.log(jnp.float32(-1))": "",
    "x = 1.0\n    for i in range(4):\n        x = jax.jit(lambda y: y + 1)(x)": "jit_in_a_loop",
}


@pytest.mark.parametrize(("body", "lesson"), LESSONS.items())
def test_a_finding_leads_to_the_lesson_that_speaks_of_it(body: str, lesson: str) -> None:
    source = f"import jax\nimport jax.numpy as jnp\n\ndef run():\n    {body}\n"
    found = report(source, "run", traces=True, value_checks=True).findings or ()
    assert [each.lesson for each in found][:1] == [lesson], found


# -- code without what was asked for -----------------------------------------------------------


@pytest.mark.parametrize("source", ["", "# to be written\n", "import jax\n", '"""What it will do."""\n', "a = 1\n"])
def test_code_without_anything_to_run_is_no_error_also_where_something_was_asked_for(source: str) -> None:
    found = analysed.snapshot(source, variants=("f",))
    assert (found.failure, found.reports, found.complete) == (None, (), True)


def test_what_is_asked_for_and_not_there_is_reported_where_there_is_something_else() -> None:
    found = analysed.snapshot("def g():\n    return 1.0\n", variants=("f",))
    assert [(report.name, report.failure.type) for report in found.reports] == [("f", "BadProgram")]


def test_a_function_that_lacks_its_inputs_says_so_instead_of_that_it_is_not_there() -> None:
    found = analysed.snapshot("def g(x):\n    return x\n", variants=("f",))
    assert found.failure.type == "NothingToRun"


# -- versions ----------------------------------------------------------------------------------


@pytest.mark.parametrize("newer", [0, 1])
def test_only_a_jax_that_is_newer_than_all_tested_ones_has_a_note(monkeypatch: pytest.MonkeyPatch, newer: int) -> None:
    major, minor = analyse.NEWEST_KNOWN
    monkeypatch.setattr(jax, "__version_info__", (major, minor + newer, 0))
    assert ["newer than" in str(note) for note in analyse.hello().notes] == [True] * newer
