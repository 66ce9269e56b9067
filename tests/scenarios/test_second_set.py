"""The figures of the second set of lessons, computed with plain JAX from the code of each scenario."""

from __future__ import annotations

import jax
import numpy as np
import pytest

from tests.scenarios.code_run import afresh, outputs, result, script

pytestmark = pytest.mark.rest

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


def test_the_noise_of_steps_0_to_9_comes_again_as_10_to_19() -> None:
    rows = outputs("resumed_from_disk")
    np.testing.assert_array_equal(rows["seed_at_the_start"][:10], rows["seed_at_the_start"][10:])
    np.testing.assert_array_equal(rows["key_in_the_file"], rows["never_stopped"])
    assert len(np.unique(rows["key_from_the_step"], axis=0)) == 20


# -- 2: scan --------------------------------------------------------------------------------


def test_a_leaking_tank_leaks_the_same_in_all_three_loops() -> None:
    for level, losses in outputs("scan_step_by_step").values():
        assert level == 2.25
        assert losses.tolist() == [0, 4, 2, 1, 4.5, 2.25]


@pytest.mark.parametrize("variant", ["scan", "fori_loop"])
@pytest.mark.parametrize("steps", [6, 600])
def test_a_scan_is_one_equation_for_any_length(variant: str, steps: int) -> None:
    code = script("scan_step_by_step").names
    jaxpr = jax.make_jaxpr(code[variant])(**code["inputs"](steps=steps))
    (loop,) = (each for each in jaxpr.eqns if each.primitive.name == "scan")
    assert loop.params["length"] == steps
    assert [each.primitive.name for each in loop.params["jaxpr"].eqns].count("div") == 1


def test_chains_with_shared_keys_fall_together_and_pass_the_test() -> None:
    together, own = result("biased_chain", "one_key"), result("biased_chain", "own_keys")
    assert together["apart"] == pytest.approx(8 * 0.9**100, rel=0.01)
    assert together["r_hat"] < 1.0 < 1.1 < own["r_hat"]


@pytest.mark.parametrize(("variant", "least", "most"), [("runs_of_one_key", 100, 999), ("runs_of_own_keys", 0.8, 1.3)])
def test_estimates_of_chains_scatter_as_claimed_with_keys_of_their_own(variant: str, least: float, most: float) -> None:
    assert least < result("biased_chain", variant)["times"] < most


# -- 3: what jit sees -------------------------------------------------------------------------


def test_a_mask_picks_as_many_as_it_will_and_a_box_holds_four() -> None:
    assert [len(each) for each in result("boolean_masks", "three_limits")] == [3, 2, 1]
    box = result("boolean_masks", "box_of_four")
    assert box["places"].tolist() == [3, 4, 0, 0]
    assert box["picked"].tolist() == [13, 14, 10, 10]
    assert result("boolean_masks", "box_of_four", limit=-1.0)["places"].tolist() == [0, 1, 2, 3]


def test_beyond_the_end_reading_clamps_and_writing_drops() -> None:
    read = result("beyond_the_end", "read")
    assert (read["on"], read["back"], read["slice"].tolist()) == (4, 0, [1, 2, 3, 4])
    assert result("beyond_the_end", "write")["set"].tolist() == [0, 1, 2, 3, 4]
    assert result("beyond_the_end", "write")["sums"].tolist() == [9, 9, 9, 0]
    ways = result("beyond_the_end", "read_with_mode")
    assert jax.numpy.isnan(ways["take"])
    assert (ways["fill"], ways["clip"]) == (-1, 4)


def test_what_python_does_while_tracing_stays_as_it_was_in_the_first_call() -> None:
    assert outputs("once_per_compile")["global_count"].tolist() == [2, 2, 2]
    assert len(set(outputs("once_per_compile")["numpy_noise"].tolist())) == 1
    handed = outputs("once_per_compile")["handed_through"]
    assert handed["counted"].tolist() == [2, 3, 4]
    assert len(set(handed["noisy"].tolist())) == 3


def test_a_tracer_that_was_kept_is_found_out_when_it_is_used() -> None:
    code = afresh("a_tracer_escapes")
    inputs = code["inputs"]()
    assert [code[name](**inputs) for name in ("append_and_count", "call_back")] == [1, 3]
    assert len(np.unique(code["return_and_use"](**inputs), axis=0)) == 3
    with pytest.raises(jax.errors.UnexpectedTracerError, match="was created on line"):
        code["append_and_use"](**inputs)
    code["kept"].clear()


@pytest.mark.parametrize(
    ("variant", "part", "types"),
    [
        ("append_in_the_carry", r"carry\[1\]", r"float32\[0\].*float32\[1\].*shapes do not match"),
        ("start_with_an_array", "total", r"int32\[\].*float32\[\].*dtypes do not match"),
    ],
)
def test_a_carry_must_come_out_as_it_went_in(variant: str, part: str, types: str) -> None:
    with pytest.raises(TypeError, match=f"{part} has type {types}"):
        result("carry_of_a_scan", variant)


def test_a_weak_start_gives_way_and_a_box_keeps_its_length() -> None:
    assert result("carry_of_a_scan", "start_with_a_number") == 30.5
    boxed = result("carry_of_a_scan", "box_and_count")
    assert boxed["count"] == 4
    assert boxed["box"].tolist() == [3.5, 4, 5, 9, 0, 0, 0, 0]


def test_thirty_two_bits_run_out() -> None:
    counts = result("thirty_two_bits", "float_count")
    assert counts["jax"].dtype == np.float32
    assert counts["jax"].tolist() == [1, 2, 3, 4, 4, 4, 4, 4]
    assert counts["numpy"].tolist() == result("thirty_two_bits", "with_x64")["jax"].tolist() == list(range(1, 9))
    assert result("thirty_two_bits", "whole_count").tolist()[3:5] == [2147483647, -2147483648]
    total = result("thirty_two_bits", "add_up")
    assert total["one_by_one"] == pytest.approx(100958.34)
    assert total["sum"] == pytest.approx(100000, abs=0.1)
    assert jax.numpy.float32(16777216) + 1 == 16777216


def test_a_write_makes_a_new_array_and_a_donated_one_goes_into_the_old() -> None:
    plain, donated = (result("written_in_place", name) for name in ("plain_write", "donated_write"))
    assert (plain["x"][0], plain["y"][0], plain["same_place"]) == (0, 9, False)
    assert (donated["y"][0], donated["same_place"], donated["deleted"]) == (9, True, True)


def test_under_jit_twenty_writes_take_one_copy() -> None:
    code = script("written_in_place").names
    writes = code["one_call"]
    assert str(jax.make_jaxpr(lambda x: writes(x, writes=20))(code["inputs"]()["x"])).count("= scatter[") == 20
    optimised = writes.lower(code["inputs"]()["x"], writes=20).compile().as_text()
    assert optimised.count("copy(") == 1
    assert optimised.count("dynamic-update-slice(") == 20


def test_modules_under_jit_keep_read_count_and_return_what_the_lesson_says() -> None:
    pytest.importorskip("flax")
    eqx = pytest.importorskip("equinox")
    name = "modules_under_jit"
    assert result(name, "read_by_closure") == {"before": 2, "after": 2}
    assert result(name, "passed_to_nnx_jit") == 3
    assert result(name, "passed_to_filter_jit").tolist() == pytest.approx([np.tanh(2), np.tanh(5), np.sin(2)])
    assert result(name, "returned") == {"first": 0, "last": 3}
    for variant, error in {"counted_by_closure": "trace level", "passed_to_jax_jit": "layer.activation"}.items():
        with pytest.raises(Exception, match=error):
            result(name, variant)
    layer = script(name).names["new_layer"]()
    with pytest.raises(AttributeError, match="assign"):
        layer.count = 1
    traced = []

    @eqx.filter_jit
    def scaled(rate: float) -> None:
        traced.append(rate)

    for rate in (0.1, 0.2, jax.numpy.float32(0.1), jax.numpy.float32(0.2)):
        scaled(rate)
    assert len(traced) == 3


# -- 5: vmap and friends ----------------------------------------------------------------------


def test_a_zero_for_the_tree_fails_until_all_sizes_agree() -> None:
    with pytest.raises(ValueError, match="inconsistent sizes"):
        result("axes_of_a_tree", "zero_for_the_tree")
    sizes = {"features": 4, "hidden": 4, "heads": 4}
    wrong, right = (result("axes_of_a_tree", name, **sizes) for name in ("zero_for_the_tree", "one_for_each_part"))
    assert wrong.shape == right.shape
    assert not np.isclose(wrong, right).any()
    assert result("axes_of_a_tree", "twice").shape == (3, 6)


def test_a_mean_over_devices_is_made_equal_and_a_product_is_one_however_it_is_cut() -> None:
    with pytest.raises(ValueError, match="require replication"):
        result("over_devices", "mean_of_rows")
    x = script("over_devices").names["inputs"]()["x_by_rows"]
    np.testing.assert_allclose(result("over_devices", "mean_of_means"), x.mean(axis=0), rtol=1e-6)
    ways = (result("over_devices", f"cut_along_{axis}") for axis in ("rows", "features"))
    np.testing.assert_allclose(*ways, rtol=1e-5)


# -- 6: gradients -----------------------------------------------------------------------------


@pytest.mark.parametrize(("variant", "at_zero"), [("slope", np.nan), ("guarded_slope", 0.0)])
def test_a_second_where_keeps_nan_out_of_the_gradient(variant: str, at_zero: float) -> None:
    np.testing.assert_array_equal(result("nan_from_nowhere", variant), [at_zero, 1.0, 0.5, 0.25])


def test_the_mean_of_the_gradients_of_all_examples_is_the_gradient_of_the_mean() -> None:
    rows = np.asarray(result("gradient_of_each", "of_each"))
    np.testing.assert_allclose(rows, result("gradient_of_each", "in_a_loop"), rtol=1e-5)
    np.testing.assert_allclose(rows.mean(axis=0), result("gradient_of_each", "of_the_mean"), rtol=1e-6)
    means = result("gradient_of_each", "two_means", longest=1.0)
    assert 3 * np.std(means["of_the_rows"]) < np.std(means["of_the_mean"])


def test_three_ways_to_the_slopes_of_three_results() -> None:
    name = "gradient_of_many"
    np.testing.assert_array_equal(result(name, "jacobian"), np.diag([0.0, 2.0, 4.0]))
    np.testing.assert_array_equal(result(name, "jacobian", leak=1.0), [[1, 1, 1], [1, 3, 1], [1, 1, 5]])
    np.testing.assert_array_equal(result(name, "of_the_sum", leak=1.0), [3, 5, 7])
    np.testing.assert_array_equal(result(name, "one_by_one", leak=1.0), [1, 3, 5])


def test_differences_contradict_a_wrong_rule_for_one_argument() -> None:
    name = "a_gradient_to_trust"
    assert result(name, "with_rule_a") == result(name, "with_rule_b")
    for_x, for_sharp = np.asarray(result(name, "side_by_side"))
    assert for_x[0] == pytest.approx(for_x[1], rel=1e-3)
    assert for_sharp[0] > 0 > for_sharp[1]
    estimates = np.asarray(result(name, "smaller_steps"))
    assert estimates[-1] == 0
    np.testing.assert_allclose(estimates[1:4], for_sharp[1], rtol=1e-2)


def test_a_checkpoint_keeps_one_array_of_each_layer_and_the_gradient_stays() -> None:
    name, per_layer = "keep_or_recompute", 16 * 256 * 64 * 4 / 2**20
    sizes = {each: float(size) for each, size in result(name, "kept").items()}
    besides = sizes["weights"] + 256 * 64 * 4 / 2**20
    assert {each: (sizes[each] - besides) / per_layer for each in ("plain", "checkpointed", "with_policy")} == {
        # From 0.11 on JAX keeps one array less by itself.
        "plain": 4 if jax.__version_info__ < (0, 11) else 3,
        "checkpointed": 1,
        "with_policy": 2,
    }
    code = script(name).names
    slopes = [jax.grad(code[each])(*code["inputs"]().values()) for each in ("plain", "checkpointed", "with_policy")]
    np.testing.assert_allclose(slopes[1], slopes[0], rtol=1e-3, atol=1e-5)
    np.testing.assert_allclose(slopes[2], slopes[0], rtol=1e-3, atol=1e-5)


def test_under_vmap_cond_becomes_a_selection_unless_its_condition_is_the_same_for_all() -> None:
    code = script("cond_under_vmap").names
    arrays = code["inputs"]()
    mapped = str(jax.make_jaxpr(code["mapped"])(arrays["x"], arrays["threshold"]))
    by_flag = str(jax.make_jaxpr(code["by_flag"])(arrays["x"], arrays["hard"]))
    assert "cond[" not in mapped
    assert all(each in mapped for each in ("select_n", " cos ", " sin "))
    assert "cond[" in by_flag
    ways = outputs("cond_under_vmap")
    np.testing.assert_allclose(ways["mapped"], ways["with_where"], rtol=1e-5)


@pytest.mark.parametrize(
    ("variant", "bytes_of"),
    [
        ("two_names", {"both": 8_000_000, "one": 4_000_000}),
        ("kept_slice", {"bytes": 12}),
        ("kept_losses", {"bytes": 20}),
        ("kept_states", {"bytes": 20_000_000}),
    ],
)
def test_an_array_is_in_memory_while_something_refers_to_it(variant: str, bytes_of: dict[str, int]) -> None:
    found = result("what_keeps_memory", variant)
    assert {name: int(found[name]) for name in bytes_of} == bytes_of


def test_a_batch_size_bounds_the_memory_that_vmap_needs_for_all_points() -> None:
    ways = outputs("what_keeps_memory")
    np.testing.assert_allclose(ways["with_vmap"]["nearest"], ways["with_batches"]["nearest"], rtol=1e-6)
    assert ways["with_vmap"]["bytes"] > 30 * ways["with_batches"]["bytes"]
    few, many = (int(result("what_keeps_memory", "with_vmap", points=points)["bytes"]) for points in (200, 2000))
    assert many == pytest.approx(100 * few, rel=0.01)


@pytest.mark.parametrize(("variant", "equations"), [("python_loop", 3000), ("scan", 1), ("fori_loop", 1)])
def test_a_python_loop_is_written_out_and_a_scan_is_one_equation(variant: str, equations: int) -> None:
    code = script("unrolled").names
    jaxpr = jax.make_jaxpr(code[variant], static_argnums=1)(0.5, 1000)
    assert len(jaxpr.eqns) == equations
    assert float(result("unrolled", variant)) == pytest.approx(float(result("unrolled", "scan")), rel=1e-3)


def test_numpy_and_jax_compute_the_same_polynomial_by_twelve_operations() -> None:
    ways = outputs("too_small_to_win")
    np.testing.assert_allclose(ways["with_jax"], ways["with_numpy"], rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(ways["with_jit"], ways["with_numpy"], rtol=1e-5, atol=1e-6)
    code = script("too_small_to_win").names
    assert len(jax.make_jaxpr(code["with_jax"])(code["inputs"]()["x"]).eqns) == 12
