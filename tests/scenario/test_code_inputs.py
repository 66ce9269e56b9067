"""The parameters in the code, read without running it."""

from __future__ import annotations

from typing import Any

import pytest

from explorer.scenario import code_inputs
from tests.scenario.lessons import CODE


@pytest.mark.parametrize(
    ("source", "found"),
    [
        (CODE, {"batch": 4, "name": "a"}),
        ("def inputs(a, b=-2.5, *, c=True, d): return {}", {"b": -2.5, "c": True}),
        ("def inputs(a, b): return {}", {}),
        ("def inputs(key=make()): return {}", {}),
        ("def (", {}),
    ],
)
def test_parameters_are_read_off_the_code(source: str, found: dict[str, Any]) -> None:
    assert code_inputs.input_parameters(source) == found


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("SIZE = 3\ndef inputs(a, b=SIZE, *, c): return {}", {"a", "b", "c"}),
        ("def inputs(): return {}", set()),
        ("def inputs(**settings): return {}", None),
        ("inputs = make()", None),
    ],
)
def test_names_of_parameters_are_known_where_the_code_says_them(source: str, names: set[str] | None) -> None:
    assert code_inputs.input_names(source) == names


@pytest.mark.parametrize(
    ("source", "fitting"),
    [
        ("def inputs(batch=32):\n    return {}", True),
        ("def inputs(shape=(3, 4), batch=0.5):\n    return {}", True),
        ("def inputs(\n    shape=(3, 4),\n    batch=True,\n) -> dict[str, int]:  # all\n    return {}", False),
        ("def inputs(batch='8'): return {}", False),
        ("SIZE = '8'\ndef inputs(batch=SIZE):\n    return {}", True),
        ("def inputs(batch=", True),
    ],
)
def test_settings_fit_where_the_code_does_not_say_another_type(source: str, fitting: bool) -> None:
    assert code_inputs.fitting_settings({"batch": 8}, source) == ({"batch": 8} if fitting else {})
