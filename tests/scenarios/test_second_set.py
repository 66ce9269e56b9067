"""The figures of the lessons on what learners stumble over, computed with plain JAX from the code of each scenario."""

from __future__ import annotations

import numpy as np
import pytest

from tests.scenarios.code_run import result

pytestmark = pytest.mark.xdist_group("the code of the scenarios")


# -- 6: gradients -----------------------------------------------------------------------------


@pytest.mark.parametrize(("variant", "at_zero"), [("slope", np.nan), ("guarded_slope", 0.0)])
def test_a_second_where_keeps_nan_out_of_the_gradient(variant: str, at_zero: float) -> None:
    np.testing.assert_array_equal(result("nan_from_nowhere", variant), [at_zero, 1.0, 0.5, 0.25])
