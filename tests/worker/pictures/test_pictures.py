"""Outputs, draws and differences become pictures with a verdict in words."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from explorer.messages import Finding, Picture, Span
from explorer.worker.pictures import pictures as noise
from explorer.worker.pictures.arrays import cropped_shape, rooms
from explorer.worker.pictures.pictures import pictures

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(32, 10)).astype(np.float32)
NOISE = RANDOM.normal(size=(32, 10)).astype(np.float32)
ROW = NOISE[:1]
ONE_KEY = Finding("shared-noise", "bug", "", axis=0, examples=32, distinct=1)


def only(outputs: Any, *findings: Finding, **inputs: Any) -> Picture:
    """Return the one picture of the outputs."""
    (picture,) = (each for each in pictures(outputs, inputs, findings) if each.role == "output")
    return picture


def test_equal_rows_share_a_group_and_the_finding_names_the_cause() -> None:
    picture = only(np.repeat(ROW, 32, 0), ONE_KEY)
    assert picture.groups.numpy().tolist() == [0] * 32
    assert (picture.axis, picture.distinct) == (0, 1)
    assert str(picture.verdict) == "32 examples, 1 distinct row: they all share one key"


VERDICTS = {
    "equal rows without a finding": (np.repeat(ROW, 32, 0), "32 examples, 1 distinct row"),
    "all different": (NOISE, "32 examples, all different"),
    "four rows": (np.repeat(NOISE[:4], 8, 0), "32 examples, 4 distinct rows"),
    "one row": (ROW, "1 example"),
    "one value per example": (NOISE[:, 0], "32 values"),
    "no dimension": (np.float32(1.5), "one value: 1.5"),
    "one value in a row": (np.ones((1, 1)), "1 example: 1.0"),
    "constant": (np.zeros((32, 10)), "32 examples, every value is 0.0"),
    "all NaN": (np.full((3, 2), np.nan), "3 examples, every value is NaN"),
    "empty batch": (np.zeros((0, 10)), "0 examples: the batch is empty"),
    "empty rows": (np.zeros((5, 0)), "5 examples without any values"),
    "short masks repeat": (
        np.array([[True, False], [False, True]] * 16),
        "32 examples, 2 distinct rows: too short to rule out chance",
    ),
    "short masks that all agree": (np.array([[True, False, True]] * 32), "32 examples, 1 distinct row"),
    "long masks": (np.eye(24, dtype=bool), "24 examples, all different"),
    "small integers": (np.arange(32) % 5, "32 values"),
    "floats that are a mask": (
        np.array([[0.0, 2.0], [2.0, 0.0]] * 16),
        "32 examples, 2 distinct rows: too short to rule out chance",
    ),
    "images": (np.repeat(NOISE.reshape(32, 5, 2)[:1], 4, 0), "4 examples, 1 distinct"),
}


@pytest.mark.parametrize(("output", "verdict"), VERDICTS.values(), ids=VERDICTS)
def test_verdict_says_what_the_rows_show(output: np.ndarray, verdict: str) -> None:
    assert str(only(output).verdict) == verdict


CAUSES = {
    "rows differ by their input": (NOISE, ONE_KEY, "32 examples, all different, but one key made all of their noise"),
    "four keys": (
        np.repeat(NOISE[:4], 8, 0),
        Finding("shared-noise", "bug", "", axis=0, examples=32, distinct=4),
        "32 examples, 4 distinct rows: they share 4 keys",
    ),
    "on purpose": (
        np.repeat(ROW, 32, 0),
        Finding("shared-noise", "note", "", axis=0, examples=32, distinct=1),
        "32 examples, 1 distinct row: they all share one key, on purpose",
    ),
    "another kind of finding": (
        np.repeat(ROW, 32, 0),
        Finding("key-reuse", "bug", "", axis=0, examples=32),
        "32 examples, 1 distinct row",
    ),
    "a finding about another batch": (np.repeat(ROW, 8, 0), ONE_KEY, "8 examples, 1 distinct row"),
}


@pytest.mark.parametrize(("output", "finding", "verdict"), CAUSES.values(), ids=CAUSES)
def test_a_cause_is_named_only_where_a_finding_gives_it(output: np.ndarray, finding: Finding, verdict: str) -> None:
    assert str(only(output, finding).verdict) == verdict


def test_examples_lie_along_the_axis_of_the_finding_on_which_they_are_equal() -> None:
    chains = np.repeat(NOISE[:4, np.newaxis], 32, axis=1)
    picture = only(chains, Finding("shared-noise", "bug", "", axis=1, examples=32, distinct=1))
    assert (picture.axis, len(picture.groups.numpy()), picture.distinct) == (1, 32, 1)
    assert str(picture.verdict) == "32 examples along axis 1, 1 distinct: they all share one key"
    finding = Finding("shared-noise", "bug", "", axis=0, examples=8, distinct=1)
    columns = np.repeat(NOISE[:8, :1], 8, 1)
    assert str(only(columns, finding).verdict) == "8 examples along axis 1, 1 distinct column: they all share one key"
    output, difference = pictures(X[:8, :8] + columns, {"x": X[:8, :8]}, [finding])
    assert (
        str(difference.verdict)
        == "8 examples along axis 1, 1 distinct column to within rounding: they all share one key"
    )
    assert output.axis == 1
    assert str(output.verdict) == "8 examples along axis 1, all different, but one key made all of their noise"
    assert only(NOISE[:8, :8], finding).axis == 0


ELSEWHERE = {
    "two equal columns": (NOISE[:, [0, 1, 0]], "32 examples, all different, but along axis 1 only 2 of 3 are"),
    "equal pictures along the last axis": (
        NOISE.reshape(4, 8, 10)[:, :, [0] * 5],
        "4 examples, all different, but along axis 2 only 1 of 5 are",
    ),
    "columns of padding": (np.pad(NOISE, ((0, 0), (0, 3))), "32 examples, all different"),
    "columns of a few bits": (np.eye(16, dtype=bool)[:, [0, 1, 0]], "16 examples, 3 distinct rows: too short"),
}


@pytest.mark.parametrize(("output", "verdict"), ELSEWHERE.values(), ids=ELSEWHERE)
def test_all_different_is_not_reported_without_the_slices_that_are_equal(output: np.ndarray, verdict: str) -> None:
    assert str(only(output).verdict).startswith(verdict)
    assert str(only(output).verdict).removeprefix(verdict) in ("", " to rule out chance")


def test_the_axis_of_the_examples_of_a_leaf_may_be_known() -> None:
    columns = np.repeat(NOISE[:, :1], 3, 1)
    first, second = pictures({"a": columns, "b": NOISE}, {}, [], axes=(1, 0))
    assert (first.axis, str(first.verdict)) == (1, "3 examples along axis 1, 1 distinct column")
    assert (second.axis, str(second.verdict)) == (0, "32 examples, all different")


def test_rows_are_examples_only_if_there_are_as_many() -> None:
    found = pictures([np.eye(4), np.eye(3)], {}, (), counts={3})
    assert [str(each.verdict) for each in found] == ["4 rows, all different", "3 examples, all different"]


def test_difference_shows_shared_and_independent_noise_under_different_inputs() -> None:
    made = pictures(X + ROW, {"x": X}, [ONE_KEY])
    difference = made[-1]
    assert (difference.role, difference.name, difference.distinct) == ("difference", "output - x", 1)
    assert str(difference.verdict) == "32 examples, 1 distinct row to within rounding: they all share one key"
    assert "rounding" in str(difference.note)
    difference = pictures(X + NOISE, {"x": X}, [])[-1]
    assert str(difference.verdict) == "32 examples, all different"
    assert str(difference.note) == ""


DIFFERENCES = {
    "the argument of the same shape": (X, {"x": X, "y": X[:3]}, ["output - x"]),
    "every one of them": (X, {"x": X, "y": X}, ["output - x", "output - y"]),
    "not an integer one": (X, {"x": np.zeros((32, 10), int)}, []),
    "not for an integer output": (np.zeros((32, 10), int), {"x": X}, []),
    "leaves at the same place": ({"w": X, "b": X}, {"p": {"w": X}}, ["output['w'] - p['w']"]),
    "not for single numbers": (1.0, {"x": 2.0}, []),
}


@pytest.mark.parametrize(("output", "inputs", "names"), DIFFERENCES.values(), ids=DIFFERENCES)
def test_outputs_are_compared_with_inputs_that_match(output: Any, inputs: dict[str, Any], names: list[str]) -> None:
    assert [each.name for each in pictures(output, inputs, []) if each.role == "difference"] == names


def test_leaves_of_a_pytree_are_named_as_python_writes_them() -> None:
    made = pictures({"a": [X, 3], "b": (True,)}, {}, [])
    assert [each.name for each in made] == ["output['a'][0]", "output['a'][1]", "output['b'][0]"]
    assert [each.shape for each in made] == [(32, 10), (), ()]


NOT_ARRAYS = {
    "nothing": None,
    "text": "noise",
    "an object": object(),
    "a huge integer": 2**80,
    "an array of objects": np.array([object()]),
    "text in an array": np.array(["a"]),
    "times": np.array([1], "m8[s]"),
    "keys that cannot be sorted": {1: X, "a": X},
}


@pytest.mark.parametrize("output", NOT_ARRAYS.values(), ids=NOT_ARRAYS)
def test_what_is_no_array_of_numbers_is_left_out(output: Any) -> None:
    assert pictures(output, {}, []) == ()


def test_a_deleted_array_and_a_leaked_tracer_are_left_out() -> None:
    leaked = []
    jax.make_jaxpr(leaked.append)(1.0)
    gone = jnp.ones(3)
    gone.delete()
    assert pictures([gone, leaked[0]], {}, []) == ()


DTYPES = {
    "bool": "|b1",
    "int8": "|i1",
    "uint32": "<u4",
    "int4": "<i4",
    "float16": "<f4",
    "bfloat16": "<f4",
    "float32": "<f4",
    "complex64": "<f4",
}


@pytest.mark.parametrize("dtype", DTYPES)
def test_values_come_in_a_type_that_every_reader_has(dtype: str) -> None:
    picture = only(jnp.asarray(np.arange(6).reshape(3, 2) % 2, dtype))
    assert (picture.dtype, picture.values.dtype) == (dtype, DTYPES[dtype])
    assert picture.values.numpy().tolist() == [[0, 1], [0, 1], [0, 1]]


def test_numpy_types_that_jax_does_not_have_are_shown_too() -> None:
    for dtype in (np.float64, np.longdouble, np.dtype(">f4"), np.complex128):
        assert str(only(np.ones((2, 2), dtype)).verdict) == "2 examples, every value is 1.0"


def test_complex_values_are_grouped_by_their_bits_and_shown_as_magnitude() -> None:
    picture = only(np.array([[3 + 4j], [4 + 3j]], np.complex64))
    assert picture.values.numpy().tolist() == [[5.0], [5.0]]
    assert picture.distinct == 2
    assert "magnitude" in str(picture.note)


def test_keys_are_shown_as_their_key_data() -> None:
    picture = only(jax.random.split(jax.random.key(0), 4))
    assert (picture.shape, picture.dtype) == ((4, 2), "uint32")
    assert "keys" in str(picture.note)
    assert only(jax.random.key(7)).shape == (1, 2)


def test_range_leaves_out_what_is_not_finite() -> None:
    picture = only(np.array([[1.0, np.nan], [-2.0, np.inf]]))
    assert (picture.low, picture.high, picture.not_finite) == (-2.0, 1.0, 2)
    nothing = only(np.array([np.nan, np.inf]))
    assert (nothing.low, nothing.high, nothing.not_finite) == (0.0, 0.0, 2)


def test_draws_keep_their_names_and_are_counted_where_names_repeat() -> None:
    span = Span(4, 0, 4, 6)
    draws = [("normal, line 4", span, ROW[0]), ("normal, line 4", span, ROW[0]), ("bits", None, np.arange(3))]
    made = pictures(None, {}, [], draws)
    assert [each.name for each in made] == ["normal, line 4", "normal, line 4 (2)", "bits"]
    assert made[0].role == "draw"
    assert made[0].span == span


def test_a_large_array_is_cropped_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(noise, "MAX_SENT", 2**10)
    picture = only(np.arange(10_000 * 4, dtype=np.float32).reshape(10_000, 4))
    assert (picture.shape, picture.values.shape) == ((10_000, 4), (256, 4))
    assert len(picture.groups.numpy()) == 10_000
    assert picture.high == 39_999
    assert str(picture.note) == "Showing rows 0 to 255 of 10,000."


CROPS = {
    "small": ((32, 10), 0, 2**10, [32, 10]),
    "rows first": ((10**6, 10), 0, 10**5, [10**4, 10]),
    "then the longest axis": ((2, 10**9), 0, 2**20, [2, 2**19]),
    "rows of another axis": ((4, 10**6, 2), 1, 2**12, [4, 512, 2]),
    "many rows of many columns": ((10**5, 10**5), 0, 2**20, [256, 4096]),
}


@pytest.mark.parametrize(("shape", "axis", "room", "stops"), CROPS.values(), ids=CROPS)
def test_axes_are_cropped_from_their_ends(shape: tuple[int, ...], axis: int, room: int, stops: list[int]) -> None:
    assert cropped_shape(shape, axis, room) == stops


def test_an_array_too_large_to_look_through_is_refused_with_its_size() -> None:
    picture = only(np.broadcast_to(np.float32(1), (100_000, 10_000)))
    assert str(picture.verdict) == "1,000,000,000 values (4.0 GB): too large to compare the examples"
    assert picture.shape == (100_000, 10_000)
    assert picture.values.numpy().size <= noise.MAX_SENT
    assert len(picture.groups.numpy()) == 0


def test_so_many_examples_are_compared_and_more_pictures_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(noise, "MAX_EXAMPLES", 20)
    picture = only(NOISE)
    assert (picture.distinct, len(picture.groups.numpy())) == (20, 20)
    assert str(picture.verdict) == "32 examples, the first 20 all different"
    assert str(picture.note) == "Only the first 20 examples are compared."
    monkeypatch.setattr(noise, "MAX_PICTURES", 3)
    made = pictures([1.0] * 5, {}, [])
    assert len(made) == 3
    assert str(made[-1].note) == "Arrays that are not shown: 2."


def test_a_picture_does_not_change_with_the_program_s_array() -> None:
    array = np.ones((2, 2))
    picture = only(array)
    array[:] = 7
    assert picture.values.numpy().tolist() == [[1.0, 1.0], [1.0, 1.0]]


ROOMS = {
    "one large array": ([100], [16]),
    "small ones leave room for the large": ([2, 100, 3], [10, 16, 14]),
    "even shares": ([100, 100, 100], [10, 10, 10]),
    "nothing": ([], []),
}


@pytest.mark.parametrize(("sizes", "shares"), ROOMS.values(), ids=ROOMS)
def test_large_arrays_share_what_small_ones_leave(sizes: list[int], shares: list[int]) -> None:
    assert rooms(sizes, 16, 30) == shares
