"""The report where the code lacks the requested variant."""

from __future__ import annotations

import pytest

from tests.worker import analysed


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
