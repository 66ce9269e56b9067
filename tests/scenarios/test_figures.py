"""The figures that the lessons are built on, computed with plain JAX from the code of each scenario."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from explorer.library import recording_file
from jax_explorer import recording
from tests.scenarios.code_run import afresh, call, outputs, result, script

pytestmark = pytest.mark.rest


def distinct(rows: Any) -> int:
    """Return how many different rows there are along the first axis."""
    return len(np.unique(np.asarray(rows), axis=0))


# -- 1: keys ----------------------------------------------------------------------------------


def test_a_seed_and_a_key() -> None:
    numbers = outputs("seed_and_key")
    assert numbers["numpy_global_state"][0] == 0.5488135039273248
    assert numbers["same_key_twice"].tolist() == pytest.approx([-0.028304616] * 2)
    assert jax.random.key_data(script("seed_and_key").names["inputs"]()["key"]).tolist() == [0, 42]


def test_the_children_of_seed_42() -> None:
    key = script("split_tree").names["inputs"]()["key"]
    words = jax.random.key_data(jax.random.split(key)).tolist()
    assert words == [[1832780943, 270669613], [64467757, 2916123636]]
    assert result("split_tree", "one_split").tolist() == pytest.approx([0.60576403, 0.07592554])


def test_folding_in_the_step_and_splitting_up_front_draw_the_same() -> None:
    ways = outputs("key_patterns")
    np.testing.assert_array_equal(ways["fold_in_the_step"], ways["split_up_front"])
    np.testing.assert_array_equal(ways["thread_the_key"], ways["key_in_the_state"])


def test_layers_from_one_key_repeat_each_other() -> None:
    first, middle, last = result("key_reuse_in_init", "layer_by_layer")
    assert first[0, 0] == pytest.approx(-0.04002877)
    np.testing.assert_allclose(last[:, 0] * np.sqrt(128), first[0], rtol=1e-6)
    np.testing.assert_allclose(middle[0] * np.sqrt(128), first[0], rtol=1e-6)
    assert result("key_reuse_in_init", "network_for_digits")[0].shape == (784, 256)


def test_two_dropouts_from_one_key_are_one_mask() -> None:
    masks = outputs("dropout_two_keys")
    assert distinct(masks["one_key"]) == 1
    assert distinct(masks["two_keys"]) == 2


def test_child_i_of_a_split_is_fold_in_of_i() -> None:
    ways = outputs("fold_in_or_split")
    for other in ("fold_in_all_at_once", "split_all_at_once"):
        np.testing.assert_array_equal(ways["fold_in_each_step"], ways[other])
    assert not np.isin(ways["split_chain"], ways["split_all_at_once"]).all()


def test_noise_of_the_parent_is_read_off_the_children() -> None:
    leaked = result("parent_and_child", "draw_then_split")
    np.testing.assert_array_equal(leaked["noise"], leaked["keys"])
    clean = result("parent_and_child", "split_first")
    assert abs(np.corrcoef(clean["noise"], clean["keys"])[0, 1]) < 0.4


def test_two_nights_part_where_the_keys_end_and_a_recording_shows_why(tmp_path: Path) -> None:
    for seed in range(3):
        nights = outputs("what_a_recording_keeps", seed=seed)
        last, tonight = nights["last_night"], nights["tonight"]
        np.testing.assert_array_equal(last[:16], tonight[:16])
        assert last[16] < tonight[16]
        assert last[-1] < 0.1 < tonight[-1]
    names = script("what_a_recording_keeps").names
    with recording(save=tmp_path / "night.jaxrec"):
        call(names["last_night"], names["inputs"]())
    report = recording_file.read(tmp_path / "night.jaxrec").report
    assert [each.kind for each in report.findings or ()] == ["key-reuse"]
    assert [(each.role, each.shape, each.distinct) for each in report.pictures or ()] == [("draw", (40, 8, 8), 16)]


@pytest.mark.parametrize(("variant", "correlation"), [("one_key", 0.98), ("two_keys", 0.0)])
def test_uniform_and_normal_of_one_key_correlate(variant: str, correlation: float) -> None:
    pair = result("same_key_other_distribution", variant)
    assert np.corrcoef(pair["position"], pair["speed"])[0, 1] == pytest.approx(correlation, abs=0.1)


@pytest.mark.parametrize(("variant", "one", "prefix"), [("flag_on", -0.028304616, 1), ("flag_off", -0.18471177, 2)])
def test_the_partitionable_flag_changes_numbers_and_prefixes(variant: str, one: float, prefix: int) -> None:
    drawn = result("partitionable", variant)
    assert drawn["one"] == pytest.approx(one)
    assert distinct(drawn["four and eight"]) == prefix


# -- 2: batches -------------------------------------------------------------------------------


@pytest.mark.parametrize(("variant", "distinct"), [("shared_key", 1), ("key_per_example", 32), ("one_big_draw", 32)])
def test_one_key_for_the_batch_makes_this_many_distinct_rows(variant: str, distinct: int) -> None:
    rows = np.asarray(outputs("one_key_for_the_batch")[variant])
    assert rows.shape == (32, 10)
    assert len(np.unique(rows, axis=0)) == distinct


def test_the_two_right_ways_have_no_number_in_common() -> None:
    noise = outputs("one_key_for_the_batch")
    assert not np.isin(noise["key_per_example"], noise["one_big_draw"]).any()


def test_jax_itself_has_nothing_to_say_about_the_shared_key() -> None:
    code = afresh("one_key_for_the_batch")
    with jax.debug_key_reuse(True):
        noise = [code[name](**code["inputs"]()) for name in ("shared_key", "key_per_example", "one_big_draw")]
    assert distinct(noise[0]) == 1


def test_leaving_out_the_split_is_an_error_of_vmap() -> None:
    code = script("one_key_for_the_batch").names
    inputs = code["inputs"]()
    with pytest.raises(ValueError, match="axis 0"):
        jax.vmap(code["add_noise"], in_axes=(0, 0))(inputs["x"], inputs["key"])


@pytest.mark.parametrize(
    ("scenario", "variant", "rows"),
    [
        ("shared_by_closure", "closed_over", 1),
        ("shared_by_closure", "split_inside", 1),
        ("shared_by_closure", "repeated_keys", 1),
        ("shared_by_closure", "key_per_example", 16),
        ("shared_by_closure", "fold_in_the_place", 16),
        ("mlp_forward_with_dropout", "keys_not_split", 1),
        ("mlp_forward_with_dropout", "key_per_example", 16),
        ("loop_scan_vmap", "python_loop", 1),
        ("loop_scan_vmap", "scan", 1),
        ("loop_scan_vmap", "vmapped", 1),
        ("nested_vmap", "key_per_chain", 4),
    ],
)
def test_shared_keys_make_equal_rows(scenario: str, variant: str, rows: int) -> None:
    assert distinct(result(scenario, variant)) == rows


@pytest.mark.parametrize(("variant", "masks", "rows_of_zeros"), [("key_of_the_step", 1, 8), ("key_per_example", 32, 0)])
def test_a_feature_that_all_examples_drop_has_a_gradient_of_zeros(variant: str, masks: int, rows_of_zeros: int) -> None:
    step = result("dropout_in_a_training_step", variant)
    assert distinct(step["keep"]) == masks
    assert step["rows_of_zeros"] == rows_of_zeros
    dropped = ~np.asarray(step["keep"]).any(axis=0)
    np.testing.assert_array_equal(dropped, (np.asarray(step["gradient"]) == 0).all(axis=1))


def test_dropout_keeps_about_what_it_should() -> None:
    mask = result("dropout_in_a_training_step", "key_per_example")["keep"]
    assert mask.mean() == pytest.approx(0.75, abs=0.05)


def test_the_place_in_the_batch_makes_the_keys_of_a_split() -> None:
    ways = outputs("shared_by_closure")
    np.testing.assert_array_equal(ways["fold_in_the_place"], ways["key_per_example"])


@pytest.mark.parametrize(
    ("variant", "scatter"), [("worlds_with_one_weather", 0.18), ("worlds_with_two_weathers", 1.33)]
)
def test_differences_under_one_weather_scatter_less(variant: str, scatter: float) -> None:
    assert result("shared_on_purpose", variant).std() == pytest.approx(scatter, rel=0.1)


def test_one_big_draw_and_many_small_ones_differ_but_agree_in_spread() -> None:
    noise = outputs("big_draw_or_many")
    assert not (noise["one_big_draw"] == noise["one_draw_each"]).any()
    assert all(each.std() == pytest.approx(1, abs=0.05) for each in noise.values())


def test_chains_share_along_one_axis_of_two() -> None:
    noise = result("nested_vmap", "key_per_chain")
    assert distinct(noise) == 4
    assert [distinct(chain) for chain in noise] == [1] * 4


def test_shared_augmentation_flips_all_pictures_together() -> None:
    tails = {
        variant: np.asarray(jnp.argmax(pictures.sum(axis=1), axis=1) > pictures.shape[2] // 2)
        for variant, pictures in outputs("augment_images").items()
    }
    assert len(set(tails["one_key_for_all"][:16].tolist())) == 1
    assert len(set(tails["key_per_picture"][:16].tolist())) == 2


def test_shared_noise_leaves_one_effective_example_and_a_higher_loss() -> None:
    shared, independent = outputs("what_it_costs").values()
    assert shared["effective_examples"] == pytest.approx(1, abs=0.2)
    assert independent["effective_examples"] == pytest.approx(64, rel=0.15)
    assert shared["loss"][-20:].mean() > 1.2 * independent["loss"][-20:].mean()


# -- 3: what jit sees -------------------------------------------------------------------------


def test_the_first_jaxpr_has_two_equations() -> None:
    code = script("first_jaxpr").names
    jaxpr = jax.make_jaxpr(code["multiply_and_add"])(**code["inputs"]())
    assert [equation.primitive.name for equation in jaxpr.eqns] == ["mul", "add"]


def test_a_vector_leaves_no_equations() -> None:
    code = script("shapes_decide").names
    assert not jax.make_jaxpr(code["vector"])(code["inputs"]()["three"]).eqns
    assert len(jax.make_jaxpr(code["two_axes"])(code["inputs"]()["table"]).eqns) == 1


@pytest.mark.parametrize(("variant", "lines"), [("print_in_three_calls", 1), ("debug_print_in_three_calls", 3)])
def test_each_print_speaks_this_often(variant: str, lines: int, capsys: pytest.CaptureFixture[str]) -> None:
    code = afresh("print_is_not_there")
    jax.block_until_ready(call(code[variant], code["inputs"]()))
    jax.effects_barrier()
    assert len(capsys.readouterr().out.splitlines()) == lines


def test_the_function_that_prints_is_log_log_div() -> None:
    code = script("print_is_not_there").names
    jaxpr = jax.make_jaxpr(code["log2_with_print"])(**code["inputs"]()).eqns[0].params["jaxpr"]
    assert [equation.primitive.name for equation in jaxpr.eqns] == ["log", "log", "div"]


@pytest.mark.parametrize(
    ("scenario", "variant", "programs"),
    [("static_recompiles", "static_n", 8), ("static_recompiles", "traced_n", 1), ("shapes_decide", "four_calls", 3)],
)
def test_jit_traces_once_for_each_static_value_and_each_shape(scenario: str, variant: str, programs: int) -> None:
    code = script(scenario).names
    inputs = code["inputs"]()
    jaxpr = jax.make_jaxpr(lambda: call(code[variant], inputs))()
    assert len({id(equation.params["jaxpr"]) for equation in jaxpr.eqns if "jaxpr" in equation.params}) == programs


@pytest.mark.parametrize("variant", ["static_n", "traced_n"])
def test_the_sums_of_powers_are_right(variant: str) -> None:
    sums = result("static_recompiles", variant)
    x = np.linspace(0, 0.9, 1000)
    np.testing.assert_allclose(sums[2], x + x**2 + x**3, rtol=1e-4)


def test_all_fixed_ways_to_branch_and_loop_agree() -> None:
    code = script("if_on_a_value").names
    for name in ("with_where", "with_cond", "with_static_argument"):
        assert (code[name](3), code[name](-3)) == (6, 3)
    code = script("while_on_a_value").names
    for name in ("jit_of_the_body", "with_static_argument", "with_while_loop"):
        assert code[name](10, 20) == 30


def test_both_ways_to_a_random_depth_agree() -> None:
    ways = [result("random_depth", name) for name in ("loop_to_a_traced_bound", "scan_with_a_mask")]
    assert ways[0].shape == (300, 32)
    np.testing.assert_allclose(*ways, atol=1e-5)


# -- 4 and 5: what it costs, vmap and friends -------------------------------------------------


def test_selu_gives_the_same_numbers_eager_and_under_jit() -> None:
    numbers = outputs("selu_eager_or_jit", n=1001)
    np.testing.assert_allclose(numbers["selu"], numbers["selu_jit"], rtol=1e-5)
    assert numbers["selu"][-1] == pytest.approx(1.0507010 * 5)
    assert numbers["selu"][0] == pytest.approx(1.0507010 * 1.6732632 * (np.exp(-5.0) - 1))


def test_all_ways_to_convolve_a_batch_agree_with_numpy() -> None:
    rows = np.arange(10.0).reshape(2, 5)
    wanted = [np.correlate(row, [2.0, 3.0, 4.0], mode="valid") for row in rows]
    ways = outputs("convolve_a_batch")
    assert len(ways) == 5
    for way in ways.values():
        np.testing.assert_array_equal(way, wanted)
        assert way[0].tolist() == [11.0, 20.0, 29.0]


def test_a_closed_over_table_is_folded_into_one_constant() -> None:
    code = script("folded_away").names
    folded = code["closed_over"].lower().compile().as_text()
    honest = code["as_argument"].lower(**code["inputs"]()).compile().as_text()
    assert "dot" not in folded
    assert "dot" in honest


def test_axes_in_and_out() -> None:
    ways = outputs("in_axes_out_axes")
    assert ways["batch_in_columns"].tolist() == [[11, 25], [20, 16], [29, 7]]
    assert ways["batch_in_rows"].tolist() == ways["one_filter"].tolist() == [[11, 20, 29], [25, 16, 7]]


def test_leaves_of_the_trees(capsys: pytest.CaptureFixture[str]) -> None:
    assert afresh("trees")["count_leaves"]().tolist() == [3, 3, 3, 2]
    assert len(capsys.readouterr().out.splitlines()) == 4


def test_gradients_with_and_without_stop_gradient() -> None:
    gradients = outputs("stop_gradient")
    assert gradients["without_stop_gradient"].tolist() == pytest.approx([2.4, -2.4, 2.4])
    assert gradients["with_stop_gradient"].tolist() == pytest.approx([-2.4, -4.8, 2.4])


def test_counting_up_in_a_loop_ends_at_30() -> None:
    assert {int(each) for each in outputs("jit_in_a_loop").values()} == {30}
