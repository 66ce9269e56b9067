"""Each error class that learners meet: explained, and fixed by edits that were tried before they are offered."""

from __future__ import annotations

import pytest

from explorer.messages import Edit, Failure, FromWorker, Request, Snapshot, Span
from explorer.worker.runs import analyse
from explorer.worker.syntax.code_tree import CodeTree, fix, with_edits
from tests.worker import analysed
from tests.worker.fixes.fix_cases import CASES, FixCase

HEAD = "import jax\nimport jax.numpy as jnp\nimport numpy as np\n\n"


def snapshots(source: str, *, fixes: bool = True) -> list[Snapshot]:
    """Return all snapshots of the program `source`, whose variant is ``run``; the last is the complete one."""
    sent: list[FromWorker] = []
    last = analyse.analyse(Request(1, source, "<code>", variants=("run",), fixes=fixes), analysed.channel(sent))
    return [*(each for each in sent if isinstance(each, Snapshot)), last]


def failure_of(source: str, *, fixes: bool = True) -> Failure | None:
    last = snapshots(source, fixes=fixes)[-1]
    return last.failure or last.reports[0].failure


def changed(before: str, after: str) -> str:
    """Return the lines of `after` that are not in `before`, joined."""
    old = before.split("\n")
    return " / ".join(line.strip() for line in after.split("\n") if line not in old)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.type}: {case.words}")
def test_an_error_is_explained_and_fixed(case: FixCase) -> None:
    source = f"{HEAD}{case.code}\n"
    found = failure_of(source)
    assert (found.type, case.words in str(found.explanation)) == (case.type, True), found.explanation
    assert "{" not in str(found.explanation)
    assert len(str(found.message).splitlines()) <= 4
    fixed_source = [with_edits(source, each.edits) for each in found.fixes]
    assert tuple(changed(source, each) for each in fixed_source) == case.fixed
    for after, made in zip(fixed_source, found.fixes, strict=True):
        assert failure_of(after, fixes=False) is None
        assert all(edit.old == _stands(source, edit.span) for edit in made.edits)


def _stands(source: str, span: Span) -> str:
    lines = source.split("\n")[span.line - 1 : span.end_line]
    lines[-1] = lines[-1][: span.end_column]
    return "\n".join([lines[0][span.column :], *lines[1:]])


def test_an_edit_that_does_not_help_is_not_offered() -> None:
    found = failure_of(f"{HEAD}def run(x=jnp.ones(3)):\n    x[0] = 2\n    raise ValueError\n")
    assert found.fixes == ()


def test_the_explanation_is_sent_before_the_fixes_are_tried() -> None:
    sent = snapshots(f"{HEAD}def run(x=jnp.ones(3)):\n    x[0] = 2\n")
    failures = [each.reports[0].failure for each in sent if each.reports and each.reports[0].failure]
    assert [len(each.fixes) for each in failures] == [0, 1]
    assert str(failures[0].explanation) == str(failures[1].explanation) != ""


def test_without_being_asked_nothing_is_tried() -> None:
    found = failure_of(f"{HEAD}print('x')\ndef run(x=jnp.ones(3)):\n    x[0] = 2\n", fixes=False)
    assert found.fixes == ()


def test_a_program_that_does_not_load_is_fixed_too() -> None:
    found = failure_of(f"{HEAD}table = jnp.ones(3)\ntable[0] = 2\ndef run():\n    return table\n")
    assert [str(each.label) for each in found.fixes] == ["Make a changed copy with .at[...]"]


@pytest.mark.parametrize(
    ("line", "drawing"),
    [
        ("x + bias", ["x      2  [3]", "bias      [2]"]),
        ("x @ bias", ["x      2  [3]", "bias  [2]"]),
        ("x @ x", ["x   2  [3]", "x  [2]  3"]),
        ("x.reshape(5, 2)", ["from  (2, 3)  6 values", "to    (5, 2)  10 values"]),
        ("jnp.concatenate([x, jnp.ones((3, 2))])", ["array 1   2  [3]", "array 2   3  [2]"]),
        ("jax.vmap(lambda a, b: 0)(x, jnp.ones(3))", ["a  [2]  3", "b  [3]"]),
        ("x.sum(3)", [""]),
    ],
)
def test_clashing_shapes_are_drawn(line: str, drawing: list[str]) -> None:
    found = failure_of(f"{HEAD}def run(x=jnp.ones((2, 3)), bias=jnp.ones(2)):\n    return {line}\n", fixes=False)
    assert found.drawing.split("\n") == drawing


def test_jaxs_own_text_and_its_page_come_along() -> None:
    found = failure_of(f"{HEAD}def run():\n    return jax.jit(lambda x: 1 if x else 2)(1.0)\n", fixes=False)
    assert found.original.startswith("Attempted boolean conversion of traced array")
    # JAX has moved its pages more than once.
    assert found.link.startswith("https://docs.jax.dev/en/latest/")
    assert found.link.endswith("errors.html#jax.errors.TracerBoolConversionError")


def test_a_fix_imports_what_it_uses() -> None:
    code = CodeTree.of('"""A program."""\nfrom __future__ import annotations\nx = 1\n')
    made = fix(code, "", Edit(Span(3, 4, 3, 5), "1", "jnp.ones(jax.device_count())"))
    assert with_edits(code.text, made.edits).split("\n")[2:5] == [
        "import jax",
        "import jax.numpy as jnp",
        "x = jnp.ones(jax.device_count())",
    ]
