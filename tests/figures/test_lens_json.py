"""The JSON of lenses has the fields that docs promise."""

from __future__ import annotations

from tests.views.program.lenses.lens_answers import CALLS, DEVICES, GRADIENT, MEMORY, VMAP


def test_vmap_shows_each_equation_for_one_example_and_for_the_batch() -> None:
    found = VMAP.as_json()
    assert found["axes"] == ["i"]
    assert [each["primitive"] for each in found["equations"]] == [each.primitive for each in VMAP.equations]
    for record, equation in zip(found["equations"], VMAP.equations, strict=True):
        assert list(record) == ["id", "primitive", "line", "one", "batch", "mapped", "became"]
        assert (record["batch"], record["mapped"]) == (list(equation.batch), [list(each) for each in equation.mapped])


def test_gradient_shows_both_passes_and_what_is_kept_between_them() -> None:
    found = GRADIENT.as_json()
    assert list(found) == ["forward", "backward", "residuals", "residual_bytes"]
    assert found["backward"][-1] == {
        "id": 9,
        "primitive": "mul",
        "line": 3,
        "outputs": ["f32[5]"],
        "finite": False,
        "of": 0,
    }
    assert sum(each["bytes"] for each in found["residuals"]) == found["residual_bytes"]


def test_calls_show_the_cache_key_and_its_difference() -> None:
    found = CALLS.as_json()
    assert [each["hit"] for each in found] == [False, True, False]
    assert found[0]["lines"] == [4, 5, 7]
    assert found[0]["leaks"] == [{"name": "seen[0]", "type": "f32[3]", "line": 5}]
    assert found[2]["differs"] == ["shape of x", "static value of n"]
    assert found[2]["asked"] == {
        "shape of x": "(5,)",
        "dtype of x": "float32",
        "weak type of x": False,
        "static value of n": "2",
        "structure": "(*, n=static)",
        "function object": 1,
    }
    assert [each["traces"] for each in found] == [1, 1, 2]


def test_devices_shows_each_array_and_who_holds_which_part_of_it() -> None:
    found = DEVICES.as_json()
    assert [each["array"] for each in found] == ["x", "n", "xs", "w", "output"]
    assert found[1] == {"array": "n", "sharding": "", "pieces": []}
    assert found[2]["pieces"][2] == {"device": 2, "index": "[4:8, :]", "replicated": True}


def test_memory_shows_each_buffer_and_the_peak() -> None:
    found = MEMORY.as_json()
    assert [each["live"] for each in found["buffers"]] == [
        [list(span) for span in each.spans] for each in MEMORY.blocks
    ]
    assert (found["peak_bytes"], found["peak_line"], found["reserved_bytes"], found["library_bytes"]) == (
        max(found["live_bytes"]),
        5,
        2048 + 1024 + 6144,
        1 << 20,
    )
