from __future__ import annotations

import pytest

from explorer.messages import Value
from explorer.worker.timing.cost_history import CostHistory

Costs = list[tuple[Value, float, float]]


@pytest.mark.parametrize(
    ("costs", "value", "words"),
    [
        ([], 64, ""),
        ([(8, 0.1, 0.1)], 64, ""),
        ([(8, 1.0, 0.1)], 64, "one call would take about 8 s, and the budget is 0.5 s"),
        # A call whose cost is mostly fixed stays cheap.
        ([(8, 0.1, 0.1), (64, 0.1, 0.1)], 512, ""),
        ([(8, 0.01, 0.1), (64, 0.08, 0.1)], 512, "one call would take about 0.64 s, and the budget is 0.5 s"),
        # A fixed cost and one for each element: 0.1 s and 0.8 ms each.
        ([(100, 0.001, 0.18), (10_000, 0.001, 8.1)], 20_000, "the first call would take about 16 s"),
        # First calls that differ by no more than noise predict as one point does: not much.
        ([(32, 0.001, 0.6), (1024, 0.001, 1.7)], 32768, ""),
        ([(32, 0.001, 0.6), (1024, 0.001, 1.7)], 327680, "the first call would take about 540 s"),
        # Cubic, as a matrix product.
        ([(10, 1e-4, 0.1), (100, 0.1, 0.1)], 200, "one call would take about 0.8 s, and the budget is 0.5 s"),
        ([(8, 1.0, 0.1), (64, 8.0, 0.1)], 16, ""),
        ([("small", 8.0, 0.1)], "large", ""),
        ([(True, 8.0, 0.1)], False, ""),
    ],
)
def test_a_value_is_skipped_when_its_cost_would_exceed_the_budget(costs: Costs, value: Value, words: str) -> None:
    history = CostHistory()
    for each, call_s, first_s in costs:
        history.add(each, call_s, first_s)
    assert str(history.reason_to_skip(value, budget_s=0.5)) == words


@pytest.mark.parametrize(("value", "words"), [(8, ""), (64, ""), (512, "it failed at 64 already")])
def test_a_larger_value_than_one_that_failed_is_skipped(value: Value, words: str) -> None:
    history = CostHistory()
    history.add_failure(64)
    assert str(history.reason_to_skip(value, budget_s=0.5)) == words
