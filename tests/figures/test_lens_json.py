"""The JSON of lenses has the fields that docs promise."""

from __future__ import annotations

from tests.views.program.lenses.told import CALLS, DEVICES, GRADIENT, VMAP


def test_vmap_tells_each_equation_for_one_example_and_for_the_batch() -> None:
    told = VMAP.as_json()
    assert told["axes"] == ["i"]
    assert [each["primitive"] for each in told["equations"]] == [each.primitive for each in VMAP.equations]
    for record, equation in zip(told["equations"], VMAP.equations, strict=True):
        assert list(record) == ["id", "primitive", "line", "one", "batch", "mapped", "became"]
        assert (record["batch"], record["mapped"]) == (list(equation.batch), [list(each) for each in equation.mapped])


def test_gradient_tells_both_passes_and_what_is_kept_between_them() -> None:
    told = GRADIENT.as_json()
    assert list(told) == ["forward", "backward", "residuals", "residual_bytes"]
    assert told["backward"][-1] == {
        "id": 9,
        "primitive": "mul",
        "line": 3,
        "outputs": ["f32[5]"],
        "finite": False,
        "of": 0,
    }
    assert sum(each["bytes"] for each in told["residuals"]) == told["residual_bytes"]


def test_calls_tell_what_the_cache_was_asked_with_and_what_differs() -> None:
    told = CALLS.as_json()
    assert [each["hit"] for each in told] == [False, True, False]
    assert told[0]["lines"] == [4, 5, 7]
    assert told[0]["leaks"] == [{"name": "seen[0]", "type": "f32[3]", "line": 5}]
    assert told[2]["differs"] == ["shape of x", "static value of n"]
    assert told[2]["asked"] == {
        "shape of x": "(5,)",
        "dtype of x": "float32",
        "weak type of x": False,
        "static value of n": "2",
        "structure": "(*, n=static)",
        "function object": 1,
    }
    assert [each["traces"] for each in told] == [1, 1, 2]


def test_devices_tells_each_array_and_who_holds_which_part_of_it() -> None:
    told = DEVICES.as_json()
    assert [each["array"] for each in told] == ["x", "n", "xs", "w", "output"]
    assert told[1] == {"array": "n", "sharding": "", "pieces": []}
    assert told[2]["pieces"][2] == {"device": 2, "index": "[4:8, :]", "replicated": True}
