"""The findings for each case are correct; ``python -m benchmarks.key_checker`` adds those of JAX."""

from __future__ import annotations

from typing import Any

import jax
import pytest

from tests.worker.lineage.checker_cases import OF_JAX, OURS
from tests.worker.lineage.checker_cases.table import Case, verdict
from tests.worker.recorded import recorded

pytestmark = pytest.mark.rest

CASES = [*OF_JAX, *OURS]


def _parameter(case: Case) -> Any:
    return pytest.param(case, id=case.program.__name__)


@pytest.mark.parametrize("case", [_parameter(case) for case in CASES])
def test_the_verdict_is_the_truth(case: Case) -> None:
    if jax.device_count() < case.devices:
        pytest.skip(f"It takes {case.devices} devices to go wrong.")
    found = recorded(case.program)
    assert verdict(found.findings) == case.truth
    assert tuple(each.kind for each in found.findings if each.level == "note") == case.notes
    bugs = [each for each in found.findings if each.level == "bug"]
    if case.shares is not None:
        assert [(each.axis, each.examples, each.distinct) for each in bugs] == [case.shares]
    if case.at:
        assert [tuple(found.sources(each)) for each in bugs] == [case.at]


def test_cases_are_distinguished_by_their_names() -> None:
    assert len({case.name for case in CASES}) == len(CASES)
