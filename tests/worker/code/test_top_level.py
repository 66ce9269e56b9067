"""Files without a function to run: their top level is reported as if it were one."""

from __future__ import annotations

from typing import Any

import pytest

from explorer.messages import TOP_LEVEL, Applied, Report, Snapshot, Transforms
from tests.worker import analysed

SHARED = """
import jax
import jax.numpy as jnp

key = jax.random.key(0)
xs = jnp.zeros((8, 4))


def add_noise(x, key):
    return x + jax.random.normal(key, x.shape)


noisy = jax.vmap(add_noise, in_axes=(0, None))(xs, key)
"""
MEANT = SHARED.replace("(0, None)", "0").replace("(xs, key)", "(xs, jax.random.split(key, 8))")
WITH_A_HELPER = SHARED + "\ndef make_data():\n    return jnp.ones(3)\n"
MAIN = """
import jax

def main():
    key = jax.random.key(0)
    return jax.random.normal(key) - jax.random.normal(key)

if __name__ == "__main__":
    main()
"""
GUARDED = SHARED.replace("noisy = ", 'if __name__ == "__main__":\n    noisy = ')

LIBRARY = """
import jax

class Predictive:
    def __init__(self, model, count=1):
        self.model, self.count = model, count

    def __getattr__(self, name):
        return name

    def __call__(self, data=None):
        return [self.model(data)] * self.count

"""


def names(snapshot: Snapshot) -> list[str]:
    return [variant.name for variant in snapshot.variants]


def top_level(source: str, **fields: Any) -> Report:
    return analysed.report(source, TOP_LEVEL, **fields)


@pytest.mark.parametrize(
    ("source", "variants"),
    [
        (SHARED, [TOP_LEVEL]),
        (WITH_A_HELPER, [TOP_LEVEL, "make_data"]),
        (WITH_A_HELPER + "\ndef inputs():\n    return {}\n", ["make_data"]),
        ("import jax.numpy as jnp\nx = jnp.ones(3)\n", [TOP_LEVEL]),
        ("import jax.numpy as jnp\nx = jnp.ones(3)\ndef f():\n    return x\n", ["f"]),
        ("def f(x):\n    return x\n", []),
        ("def f(x):\n    return x\nprint(f(1.0), f(2.0))\n", [TOP_LEVEL]),
        ("import jax\ndef f(x):\n    return x\ng = jax.jit(f)\n", []),
        ("import jax\nKEY = jax.random.key(0)\n", []),
        ("import jax.numpy as jnp\nprint(jnp.arange(3).sum())\n", [TOP_LEVEL]),
        ("import sys\ndef f(x):\n    return x\nsys.path.insert(0, '.')\n", []),
        ("import jax\ndef f(x):\n    return x\nprint(jax.grad(f)(1.0))\n", [TOP_LEVEL]),
        (LIBRARY + "def f(y=None):\n    return y + 1\nprint(Predictive(f, 3)(2))\n", [TOP_LEVEL]),
        (LIBRARY + "def f(y=None):\n    return y + 1\nfitted = Predictive(model=f)\n", []),
        (LIBRARY + "def f(y=1):\n    return y + 1\nprint(Predictive(f)(2), f())\n", [TOP_LEVEL]),
        (LIBRARY + "def f(y=1):\n    return y + 1\nprint(f)\nfast = jax.jit(f)\n", ["fast"]),
        (LIBRARY + "rngs = Predictive(len)\nprint(rngs)\n", [TOP_LEVEL]),
        (MAIN, [TOP_LEVEL]),
        (MAIN + "def f():\n    return 1\n", [TOP_LEVEL, "f"]),
        (GUARDED, [TOP_LEVEL]),
        (GUARDED + "def f(*, rate=1):\n    return 1\n", [TOP_LEVEL, "f"]),
        (GUARDED + "def inputs():\n    return {'x': jnp.ones(3), 'key': jax.random.key(0)}\n", ["add_noise"]),
    ],
)
def test_a_script_is_its_top_level_and_a_program_its_functions(source: str, variants: list[str]) -> None:
    assert names(analysed.snapshot(source)) == variants


DONATED = "import jax\nimport jax.numpy as jnp\nx = jnp.zeros(3)\ny = jax.jit(lambda x: x + 1, donate_argnums=0)(x)\n"


@pytest.mark.parametrize(
    "source",
    [
        DONATED,
        DONATED + "print(y)\n",
        "import sys\nprint(1)\nsys.exit(None)\n",
        "import sys\nprint(1)\nsys.exit(0)\n",
        "import sys\ndef main(given):\n    print(given)\nif __name__ == '__main__':\n    sys.exit(main(1))\n",
        "import sys\ndef main():\n    print(1)\n    sys.exit()\nif __name__ == '__main__':\n    main()\n",
    ],
)
def test_a_script_that_python_runs_without_an_error_has_none(source: str) -> None:
    found = analysed.snapshot(source, traces=True, value_checks=True)
    assert found.failure is None
    assert {(each.status, each.failure) for each in found.reports} == {("ok", None)}


@pytest.mark.parametrize("code", ["1", "'no data'", "2.0"])
def test_a_script_that_quits_with_a_code_has_failed(code: str) -> None:
    failure = analysed.snapshot(f"import sys\nprint(1)\nsys.exit({code})\n").failure
    assert failure.type == "SystemExit"


def test_the_top_level_of_a_scenario_is_not_offered() -> None:
    assert names(analysed.snapshot(WITH_A_HELPER, named=("make_data",))) == ["make_data"]


def test_what_the_top_level_did_with_its_keys_is_reported() -> None:
    report = top_level(SHARED, draws=True)
    assert report.status == "ok"
    assert (report.subject, [each.name for each in report.subjects]) == ("vmap(add_noise)", ["vmap(add_noise)"])
    assert [(each.kind, each.level) for each in report.findings or ()] == [("shared-noise", "bug")]
    assert (report.keys.nodes, report.keys.draws) == (1, 1)
    seen = [(each.role, each.name, each.distinct) for each in report.pictures or ()]
    assert seen[:2] == [("output", "output['noisy']", 1), ("output", "output['xs']", 1)]
    assert [role for role, _, _ in seen[2:]] == ["draw"]


def test_what_a_guard_holds_back_runs_and_nothing_is_found_where_each_example_has_its_key() -> None:
    assert [each.kind for each in top_level(GUARDED).findings or ()] == ["shared-noise"]
    report = top_level(MEANT)
    assert report.findings == ()
    assert [each.distinct for each in report.pictures or ()] == [8, 1]


def test_what_fixes_a_finding_is_tried_on_the_top_level_and_jax_is_asked_about_it() -> None:
    [finding] = top_level(SHARED, finding_fixes=True).findings or ()
    assert [edit.new for fix in finding.fixes for edit in fix.edits if "split" in edit.new] == [
        "jax.random.split(key, len(xs))"
    ]
    twice = "import jax\nkey = jax.random.key(0)\na = jax.random.normal(key)\nb = jax.random.normal(key)\n"
    checked = top_level(twice, jax_checker=True).jax_checker
    assert "consumed key" in checked.runtime.text
    assert str(checked.comparison) == "JAX's checker agrees."


def test_what_jit_traces_at_the_top_level_is_counted() -> None:
    source = "import jax\nf = jax.jit(lambda x: x + 1)\nprint(f(1.0), f(1))\n" + SHARED
    [traced] = top_level(source, traces=True).traces or ()
    assert len(traced.events) == 2


LOOP = """
import jax, jax.numpy as jnp
@jax.jit
def update(w, x):
    return w - 0.25 * x, jnp.log(w.sum())
w = jnp.ones(3)
for number in range(20):
    w, loss = update(w, jnp.ones(3))
"""


@pytest.mark.parametrize("end", ["", "1 / 0\n"])
def test_the_numbers_that_a_training_loop_returns_are_curves_over_its_calls(end: str) -> None:
    (calls,) = top_level(LOOP + "jax.random.normal(jax.random.key(0))\n" + end).calls
    (loss,) = calls.iterations.curves
    assert (loss.name, calls.iterations.length, loss.first_not_finite) == ("loss", 20, 4)


def test_transforms_do_not_fit_the_top_level() -> None:
    report = top_level(SHARED, transforms=Transforms(TOP_LEVEL, (Applied("jit"),)))
    assert "is not a function" in str(report.failure.message)


TWICE = "import jax\nkey = jax.random.key(0)\nprint(jax.random.normal(key), jax.random.normal(key))\n"


@pytest.mark.parametrize(
    ("end", "error"), [("open('no such folder/x')\n", "FileNotFoundError"), ("raise SystemExit(1)\n", "SystemExit")]
)
def test_a_script_that_fails_late_shows_what_it_did_until_then(end: str, error: str) -> None:
    found = analysed.snapshot(TWICE + end, draws=True)
    assert (found.failure, names(found)) == (None, [TOP_LEVEL])
    (report,) = found.reports
    assert [(each.role, each.name) for each in report.pictures] == [
        ("draw", "normal, line 3"),
        ("draw", "normal, line 3 (2)"),
    ]
    assert (report.status, report.failure.type, report.failure.span.line) == ("error", error, 4)
    assert [(each.kind, each.level) for each in report.findings or ()] == [("key-reuse", "bug")]
    assert (report.keys.nodes, report.keys.draws) == (1, 2)
    assert [str(each.says) for each in report.coverage] == ["1 bug"]


@pytest.mark.parametrize(("makes", "nodes"), [("keys = jax.random.split(jax.random.key(0), 5)", 6), ("f(1)", 0)])
def test_a_script_that_fails_before_it_draws_shows_the_keys_and_calls_until_then(makes: str, nodes: int) -> None:
    found = analysed.snapshot(f"import jax\ndef f(x): return x\n{makes}\nraise ValueError\n")
    assert (found.failure, names(found)) == (None, [TOP_LEVEL])
    assert (found.reports[0].keys.nodes, found.reports[0].failure.type) == (nodes, "ValueError")


def test_a_script_that_fails_late_gets_the_fixes_of_its_error() -> None:
    failure = top_level("import jax\nx = jax.random.normal(jax.random.key(0), (3,))\nx[0] = 1.0\n", fixes=True).failure
    assert [edit.new for fix in failure.fixes for edit in fix.edits] == ["x = x.at[0].set(1.0)"]


@pytest.mark.parametrize(
    "source",
    [
        TWICE + "oops(\n",
        "import jax\nx = 0\n1 / x\n",
        f"{TWICE}def inputs():\n    return {{}}\ndef f():\n    return 1\n1 / 0\n",
    ],
    ids=["it does not compile", "it made no key and called nothing", "its functions are what is to run"],
)
def test_other_programs_that_do_not_load_have_no_results(source: str) -> None:
    found = analysed.snapshot(source)
    assert found.failure is not None
    assert (found.reports, found.variants) == ((), ())


@pytest.mark.parametrize(("steps", "notes"), [(1, 1), (3, 0)])
def test_a_key_that_a_loop_carries_on_is_not_said_to_be_meant_for_something_else(steps: int, notes: int) -> None:
    source = f"""
import jax
key = jax.random.key(0)
for _ in range({steps}):
    key, drawn = jax.random.split(key)
    print(jax.random.normal(drawn) + jax.random.normal(drawn))
"""
    kinds = [each.kind for each in top_level(source).findings or ()]
    assert sorted(kinds) == sorted(["key-reuse", *(["unused-key"] * notes)])
