"""What is said of each case is the truth; ``python -m benchmarks.key_checker`` adds what JAX says of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import jax
import pytest

from tests.worker.case_table import Case, verdict
from tests.worker.lineage.checker_cases import TABLE as OURS
from tests.worker.lineage.checker_cases_of_jax import TABLE as OF_JAX
from tests.worker.recorded import recorded

CASES = [*OF_JAX.cases, *OURS.cases]


def _parameter(case: Case) -> Any:
    return pytest.param(case, id=case.program.__name__)


@pytest.fixture(scope="module", autouse=True)
def quick_compilation() -> Iterator[None]:
    """Compile without optimising: each program runs once."""
    jax.config.update("jax_disable_most_optimizations", True)
    yield
    jax.config.update("jax_disable_most_optimizations", False)


@pytest.mark.parametrize("case", [_parameter(case) for case in CASES])
def test_the_verdict_is_the_truth(case: Case) -> None:
    if jax.device_count() < case.devices:
        pytest.skip(f"It takes {case.devices} devices to go wrong.")
    assert verdict(recorded(case.program).findings) == case.truth


def test_cases_are_told_apart_by_their_names() -> None:
    assert len({case.name for case in CASES}) == len(CASES)
