"""The JSON of lenses has the fields that docs promise."""

from __future__ import annotations

from explorer.figures.lens_json import lens_record
from tests.views.program.lenses.told import DEVICES, GRADIENT, VMAP


def test_vmap_tells_each_equation_for_one_example_and_for_the_batch() -> None:
    told = lens_record(VMAP)
    assert told["axes"] == ["i"]
    assert [each["primitive"] for each in told["equations"]] == [each.primitive for each in VMAP.equations]
    for record, equation in zip(told["equations"], VMAP.equations, strict=True):
        assert list(record) == ["id", "primitive", "line", "one", "batch", "mapped", "became"]
        assert (record["batch"], record["mapped"]) == (list(equation.batch), [list(each) for each in equation.mapped])


def test_gradient_tells_both_passes_and_what_is_kept_between_them() -> None:
    told = lens_record(GRADIENT)
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


def test_devices_tells_each_array_and_who_holds_which_part_of_it() -> None:
    told = lens_record(DEVICES)
    assert [each["array"] for each in told] == ["x", "n", "xs", "w", "output"]
    assert told[1] == {"array": "n", "sharding": "", "pieces": []}
    assert told[2]["pieces"][2] == {"device": 2, "index": "[4:8, :]", "replicated": True}
