"""What is reported of values beyond the cases of the corpus: how often, at which level, and what Python shows."""

from __future__ import annotations

import warnings
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from explorer.worker.checks.values import findings, watch
from tests.corpus.cases import case, judged
from tests.worker.checks.watched import alarms, found

pytestmark = pytest.mark.filterwarnings("ignore:Explicitly requested dtype", "ignore:overflow encountered in cast")

X = jnp.arange(1.0, 6.0)
"""Five numbers."""


def test_nan_that_does_not_come_out_is_a_note() -> None:
    (finding,) = judged(case("nan", "hidden_by_where"))
    assert finding.level == "note"
    assert "No output of this run depends on it" in str(finding.message)


def test_nan_that_python_looks_at_comes_out() -> None:
    def printed() -> Any:
        str(jnp.log(-1.0))
        return 0.0

    assert [each.level for each in found(printed)] == ["bug"]


def test_nan_that_is_carried_from_step_to_step_is_reported_once() -> None:
    @jax.jit
    def step(w: Any) -> Any:
        return w - jnp.log(w - 1.0)

    def train() -> Any:
        w = jnp.ones(3)
        for _ in range(5):
            w = step(w)
        return w

    (finding,) = found(train)
    assert "`log(0)`" in str(finding.message)
    assert finding.count == 1


def test_two_places_are_two_findings() -> None:
    def both() -> Any:
        return jax.jit(lambda x, i: x[i] + x[i + 1])(X, 5)

    assert len({(each.spans[0].column) for each in found(both)}) == 2


def test_a_place_in_a_python_loop_is_one_finding_and_counted() -> None:
    def often() -> Any:
        return [X[i] for i in range(8)]

    (finding,) = found(often)
    assert finding.count == 3


def test_a_warning_that_is_an_error_is_raised_as_ever() -> None:
    with warnings.catch_warnings(), watch.watched(lambda name: name == __file__) as log:
        warnings.simplefilter("error")
        with pytest.raises(UserWarning, match="Explicitly requested dtype float64"):
            jnp.zeros(3, jnp.float64)
    assert [each.kind for each in findings.value_findings(log)] == ["silent-cast"]


def test_a_warning_is_shown_at_the_line_that_asks() -> None:
    with warnings.catch_warnings(record=True) as shown, watch.watched(lambda name: name == __file__):
        warnings.simplefilter("always")
        jnp.zeros(3, jnp.float64)
    assert [each.filename for each in shown] == [__file__]


def test_a_type_that_is_asked_for_again_and_again_is_one_finding() -> None:
    def often() -> Any:
        return [jnp.zeros(3, jnp.float64) for _ in range(4)]

    (finding,) = found(often)
    assert finding.count == 4


def test_with_64_bits_nothing_is_lost() -> None:
    with jax.enable_x64(True):
        assert alarms(lambda: (jnp.zeros(3, jnp.float64), jnp.asarray(np.array([2**40])), jnp.int64(2**40) * 7)) == []


def test_64_bits_overflow_too() -> None:
    with jax.enable_x64(True):
        assert "does not fit int64" in alarms(lambda: jnp.int64(2**40) * jnp.int64(2**40))[0]
