"""``pytest --jax-keys`` on small suites: failures, allowances, reports."""

from __future__ import annotations

import json
import linecache
import re
import sys
from pathlib import Path

import jax
import pytest

# What the suites import stays imported from one to the next.
from explorer.library import recording_file
from explorer.recording.in_pytest.recorded_test import RunTotals
from explorer.worker.runs import in_process

ROOT = Path(__file__).parent.parent.parent
SUITE = """import jax
import jax.numpy as jnp
import pytest

def add_noise(row, key):
    return row + jax.random.normal(key, row.shape)

def test_sound():
    jax.vmap(add_noise)(jnp.zeros((4, 3)), jax.random.split(jax.random.key(0), 4))

def test_planted():
    jax.vmap(add_noise, in_axes=(0, None))(jnp.zeros((4, 3)), jax.random.key(0))
"""
PLUGIN = ("-p", "no:jax-explorer", "-p", "jax_explorer.pytest_plugin")
"""The plugin is loaded by its entry point only where the package is installed; then that one is switched off."""
PLANTED = "shared-noise in test_suite.py:6"
STAY_IMPORTED = jax, in_process


@pytest.fixture
def ran(pytester: pytest.Pytester):
    """Run a suite, next to MODEL, with the option and return the result."""

    def run(suite: str = SUITE, *options: str, settings: str = "") -> pytest.RunResult:
        pytester.makepyfile(test_suite=suite, model=MODEL)
        # The suite before it had the same name, in this process.
        linecache.clearcache()
        if settings:
            pytester.makepyprojecttoml(f"[tool.jax-explorer]\n{settings}")
        given = (*PLUGIN, "-p", "no:cacheprovider", "-p", "no:xdist", *options)
        return pytester.runpytest_inprocess(*given)

    return run


def test_nothing_is_recorded_without_the_option(ran) -> None:
    result = ran()
    result.assert_outcomes(passed=2)
    result.stdout.no_fnmatch_line("*jax keys*")


def test_a_bug_fails_its_test_with_the_users_lines(ran) -> None:
    result = ran(SUITE, "--jax-keys")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(
        [
            "bug[[]shared-noise[]]: 4 examples share one key: *",
            "*--> test_suite.py:6:18",
            "*return row + jax.random.normal(key, row.shape)",
            "*^^^* drawn here",
            "*lesson: jax-explorer open one_key_for_the_batch",
            '  @pytest.mark.jax_keys_allow("shared-noise")',
            f'*allow = [[]"{PLANTED}"[]]',
            "*= jax keys =*",
            "bug  shared-noise  test_suite.py:6  1 test",
            "2 tests recorded in * s, * s of it to begin, end and read the recordings",
        ]
    )
    assert not re.search(r"explorer[\\/]recording", result.stdout.str())


@pytest.mark.parametrize("words", ["shared-noise", "shared", "any in test_*.py", PLANTED, "noise in test_suite.py"])
def test_what_the_project_allows_fails_nothing(ran, words: str) -> None:
    result = ran(SUITE, "--jax-keys", settings=f"allow = [{words!r}, 'reuse in other.py:3']")
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(["allowed  shared-noise *", "not needed in this run: allow 'reuse in other.py:3'"])
    result.stdout.no_fnmatch_line(f"*not needed*{words}*")


@pytest.mark.parametrize("words", ["reuse", "shared-noise in test_suite.py:7", "shared-noise in other.py"])
def test_what_allows_other_things_allows_nothing(ran, words: str) -> None:
    result = ran(SUITE, "--jax-keys", settings=f"allow = [{words!r}]")
    result.assert_outcomes(passed=1, failed=1)


@pytest.mark.parametrize(("mark", "failed"), [("'shared'", 0), ("", 0), ("'reuse', 'shared-noise'", 0), ("'reuse'", 1)])
def test_a_mark_allows_kinds_in_its_test(ran, mark: str, failed: int) -> None:
    suite = SUITE.replace("def test_planted", f"@pytest.mark.jax_keys_allow({mark})\ndef test_planted")
    ran(suite, "--jax-keys", "--strict-markers").assert_outcomes(passed=2 - failed, failed=failed)


def test_paths_say_whose_findings_count(ran) -> None:
    ran(SUITE, "--jax-keys", settings="paths = ['src']").assert_outcomes(passed=2)
    ran(SUITE, "--jax-keys", settings="paths = ['./test_suite.py']").assert_outcomes(passed=1, failed=1)


def test_a_bug_is_where_the_key_is_used_and_not_where_it_was_made(ran) -> None:
    suite = "import jax, model\ndef test_model():\n    model.twice(jax.random.key(0))\n"
    ran(suite, "--jax-keys", settings="allow = ['reuse in test_*.py']").assert_outcomes(failed=1)
    ran(suite, "--jax-keys", settings="paths = ['test_suite.py']").assert_outcomes(passed=1)


@pytest.mark.parametrize("source", ["", "src"])
def test_a_package_of_the_project_with_one_of_our_names_is_what_its_tests_import(
    ran, pytester: pytest.Pytester, source: str
) -> None:
    folder = pytester.path / source / "explorer"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text("")
    (folder / "mine.py").write_text("import jax\ndef draw(key):\n    return jax.random.normal(key)\n")
    pytester.makeini(f"[pytest]\npythonpath = {source or '.'}\n")
    suite = """
    import jax
    from explorer.mine import draw
    def test_it():
        key = jax.random.key(0)
        draw(key), draw(key)
    """
    result = ran(suite, "--jax-keys=strict")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["bug[[]key-reuse[]]: *", "*explorer/mine.py:3*"])
    assert sys.modules["explorer"].__dict__["OUR_FILES"]


def test_where_nothing_runs_nothing_is_reported_for_jax(ran) -> None:
    ran(SUITE, "--jax-keys", "--collect-only").stdout.fnmatch_lines(["no test was recorded"])


def test_levels_say_what_fails(ran) -> None:
    suite = "import jax\ndef test_waste():\n    jax.random.normal(jax.random.split(jax.random.key(0), 3)[0])\n"
    mild = ran(suite, "--jax-keys", "-rP")
    mild.assert_outcomes(passed=1)
    mild.stdout.fnmatch_lines(["note[[]unused-key[]]: *", "note  unused-key  test_suite.py:3  1 test"])
    ran(suite, "--jax-keys", settings="levels = ['bug', 'note']").assert_outcomes(failed=1)
    ran(SUITE, "--jax-keys", settings="levels = []").assert_outcomes(passed=2)


def test_values_are_checked_where_that_is_wanted(ran) -> None:
    suite = "import jax.numpy as jnp\ndef test_beyond():\n    x = jnp.arange(3)\n    assert x[7] == 2\n"
    ran(suite, "--jax-keys").assert_outcomes(passed=1)
    result = ran(suite, "--jax-keys", settings="values = true")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["bug[[]out-of-bounds[]]: *"])


MODEL = """import jax
def draw(key):
    return jax.random.normal(key)
def twice(key):
    return jax.random.normal(key) + jax.random.normal(key)
def loop(key):
    return [jax.random.normal(key) for _ in range(3)]
def shared(key):
    return jax.vmap(lambda x: x + jax.random.normal(key))(jax.numpy.zeros(3))
def fold(key):
    return jax.random.normal(jax.random.fold_in(key, 1))
def each(use, key):
    return [use(key) for _ in range(2)]
def make():
    return jax.random.key(0)
def shape():
    return jax.eval_shape(jax.random.normal, jax.random.key(0)).shape
"""


def _suite(body: str) -> str:
    return "import jax, model\ndef test_it():\n" + "".join(f"    {line}\n" for line in body.split("; "))


@pytest.mark.parametrize(
    "body",
    [
        "x = jax.random.normal(jax.random.key(0)); model.draw(jax.random.key(0))",
        "x = jax.random.normal(jax.random.PRNGKey(0)); model.draw(jax.random.PRNGKey(0))",
        "key = jax.random.key(0); model.draw(key); model.draw(key)",
        "key = jax.random.key(0); model.draw(key); model.draw(jax.random.split(key)[1])",
        "key = jax.random.key(0); model.draw(key); model.fold(key)",
        "for _ in range(2): model.draw(jax.random.key(0))",
        "model.shape(); key = jax.random.key(0); model.draw(key); model.draw(key)",
        "key = jax.random.key(0); [jax.random.normal(key) for _ in range(2)]",
    ],
)
def test_a_test_that_reuses_a_key_from_its_own_seed_gets_a_warning(ran, body: str) -> None:
    result = ran(_suite(body), "--jax-keys", "-rP")
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(
        ["warning[[]key-reuse[]]: *", "1 warning failed no test. *", "  --jax-keys=strict: *", "  levels = *"]
    )
    strict = ran(_suite(body), "--jax-keys=strict")
    strict.assert_outcomes(failed=1)
    strict.stdout.no_fnmatch_line("*failed no test*")


@pytest.mark.parametrize(
    "made",
    [
        "@pytest.fixture\ndef key():\n    return jax.random.key(0)\ndef test_it(key):",
        "KEY = jax.random.key(0)\ndef test_it():\n    key = KEY",
    ],
)
@pytest.mark.parametrize(("body", "failed"), [("model.draw(key); model.draw(key)", 0), ("model.twice(key)", 1)])
def test_a_key_of_a_fixture_or_of_the_module_is_the_test_s_own(ran, made: str, body: str, failed: int) -> None:
    suite = f"import jax, model, pytest\n{made}\n    {body}\n"
    ran(suite, "--jax-keys").assert_outcomes(passed=1 - failed, failed=failed)


@pytest.mark.parametrize(
    "body",
    [
        "model.twice(jax.random.key(0))",
        "key = jax.random.key(0); model.twice(key); model.draw(key)",
        "model.twice(jax.random.key(0)); model.draw(jax.random.key(0))",
        "model.loop(jax.random.key(0))",
        "model.shared(jax.random.key(0))",
        "model.each(jax.random.normal, jax.random.key(0))",
        "model.each(lambda key: jax.random.normal(key), jax.random.key(0))",
        "model.draw(model.make()); model.draw(model.make())",
        "model.shape(); model.twice(jax.random.key(0))",
        "key, _ = jax.random.split(jax.random.key(0)); model.draw(key); model.draw(key)",
    ],
)
def test_a_bug_in_the_code_under_test_fails_the_test_though_the_seed_is_the_tests(ran, body: str) -> None:
    ran(_suite(body), "--jax-keys").assert_outcomes(failed=1)


@pytest.mark.parametrize("file", ["tests/helper.py", "conftest.py", "test_base.py"])
def test_a_seed_in_the_helpers_of_tests_is_the_tests_own(ran, pytester: pytest.Pytester, file: str) -> None:
    path = pytester.path / file
    path.parent.mkdir(exist_ok=True)
    path.write_text("import jax\ndef make():\n    return jax.random.key(0)\n")
    pytester.makeini("[pytest]\npythonpath = . tests\n")
    suite = f"import jax, {path.stem} as helper\ndef test_it():\n" + "    jax.random.normal(helper.make())\n" * 2
    ran(suite, "--jax-keys", "test_suite.py").assert_outcomes(passed=1)


def test_a_seed_in_a_class_that_the_test_inherits_from_is_the_tests_own(ran, pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        base="""
        import unittest
        import jax, model
        class Base(unittest.TestCase):
            def setUp(self):
                self.key = jax.random.key(0)
            def check(self):
                model.draw(self.key), model.draw(self.key)
        """,
    )
    suite = "import base\nclass TestIt(base.Base):\n    def test_it(self):\n        self.check()\n"
    result = ran(suite, "--jax-keys")
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["1 warning failed no test. *"])


def test_the_option_takes_no_path_for_its_value_and_no_other_word(ran) -> None:
    ran(SUITE, "--jax-keys", "test_suite.py").assert_outcomes(passed=1, failed=1)
    ran(SUITE, "--jax-keys=strict", "test_suite.py").assert_outcomes(passed=1, failed=1)
    result = ran(SUITE, "--jax-keys=sometimes")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*--jax-keys*sometimes*"])


def test_a_recording_is_kept_of_each_test_that_fails(ran, pytester: pytest.Pytester) -> None:
    ran(SUITE, "--jax-keys", "--jax-keys-save=kept").assert_outcomes(passed=1, failed=1)
    (path,) = (pytester.path / "kept").iterdir()
    assert path.name == "test_suite.py_test_planted.jaxrec"
    run = recording_file.read(path)
    assert (run.about.program, run.source) == ("test_suite.py", SUITE)
    assert [(each.kind, each.spans[0].line) for each in run.report.findings or ()] == [("shared-noise", 6)]


def test_the_counts_of_another_process_are_added() -> None:
    counted, whole = RunTotals(tests=2, needed={"nan"}), RunTotals()
    counted.rows["bug", "nan", "test_a.py:1"] += 1
    whole.add_plain(json.loads(json.dumps(counted.to_plain())))
    assert whole == counted
