"""The figures of the second set of lessons, computed with plain JAX from the code of each scenario."""

from __future__ import annotations

import jax
import numpy as np
import pytest

from tests.scenarios.code_run import result

pytestmark = pytest.mark.xdist_group("the code of the scenarios")

# -- 1: keys ----------------------------------------------------------------------------------


def test_the_batch_of_epoch_1_is_the_test_set_of_seed_1() -> None:
    test, *batches = np.asarray(result("seed_that_came_back", "numbered_seeds"))
    assert jax.random.normal(jax.random.key(1)) == test[0] == pytest.approx(-0.15443718)
    assert [np.array_equal(test, batch) for batch in batches] == [False, True, False, False]


@pytest.mark.parametrize(("epochs", "distinct"), [(4, 5), (12, 12)])
def test_another_seed_comes_back_once_there_are_as_many_epochs(epochs: int, distinct: int) -> None:
    assert len(np.unique(result("seed_that_came_back", "other_seed", epochs=epochs), axis=0)) == distinct
    assert len(np.unique(result("seed_that_came_back", "one_root", epochs=epochs), axis=0)) == epochs + 1


def test_a_split_into_one_gives_the_first_of_two() -> None:
    key = jax.random.key(0)
    (only,), (first, _) = (jax.random.key_data(jax.random.split(key, count)).tolist() for count in (1, 2))
    assert only == first == [1797259609, 2579123966]


def test_what_was_kept_and_what_was_spent_draw_the_same() -> None:
    weights, mask, data = np.asarray(result("kept_and_spent", "one_and_two"))
    np.testing.assert_array_equal(weights, data)
    three = np.asarray(result("kept_and_spent", "three_at_once"))
    np.testing.assert_array_equal(three[:2], [weights, mask])
    assert len(np.unique(three, axis=0)) == len(np.unique(result("kept_and_spent", "kept_each_time"), axis=0)) == 3
