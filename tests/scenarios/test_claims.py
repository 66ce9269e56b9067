"""Sentences of lessons that no measure of their sheets holds, each in both languages, next to JAX doing what they say.

Ids with U are the rows of an expert's review; the other rows are held by the conditions of their lessons.
"""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.experimental import checkify
from jax.sharding import AxisType, NamedSharding, PartitionSpec

from tests.scenarios.code_run import SCENARIOS, script


class Adder:
    """Adds 1, and counts how often it is traced."""

    def __init__(self) -> None:
        self.traces = 0

    def add(self, x: Any) -> Any:
        self.traces += 1
        return x + 1


def jit_holds_a_method_weakly() -> None:
    kept, dropped = Adder(), Adder()
    alive = [kept.add for _ in range(5)]
    for method in alive:
        jax.jit(method)(1.0)
    for _ in range(5):
        jax.jit(dropped.add)(1.0)
    assert (kept.traces, dropped.traces) == (1, 5)


def donation_needs_as_many_bytes() -> None:
    same_size: list[Callable[[Any], Any]] = [lambda x: x.astype(jnp.int32), lambda x: x.reshape(64, 64)]
    other_size: list[Callable[[Any], Any]] = [lambda x: x.astype(jnp.float16), lambda x: x[:100]]
    for function in (*same_size, *other_size):
        x = jnp.zeros(4096)
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            jax.jit(function, donate_argnums=0)(x)
        assert x.is_deleted() == (function in same_size)
    # As many elements of another size are kept without a warning.
    assert ["not usable" in str(each.message) for each in warned] == [True]


def each_call_copies_its_argument() -> None:
    write_at = script("written_in_place").names["write_at"]
    assert str(write_at.lower(jnp.zeros(1000), 0).compile().as_text()).count("copy(") == 1
    of_its_own = jax.jit(lambda i: jnp.zeros(1000).at[i].set(9.0).at[i + 1].set(9.0))
    assert str(of_its_own.lower(0).compile().as_text()).count("copy(") == 0


def one_call_copies_its_argument_once() -> None:
    code = script("written_in_place").names
    text = code["one_call"].lower(code["inputs"]()["x"], writes=20).compile().as_text()
    assert (text.count("copy("), text.count("dynamic-update-slice(")) == (1, 20)


def a_table_that_is_no_argument_is_folded() -> None:
    code = script("folded_away").names
    assert "dot" not in code["closed_over"].lower().compile().as_text()
    assert "dot" in code["as_argument"].lower(**code["inputs"]()).compile().as_text()


def a_float_has_24_digits() -> None:
    assert jnp.float32(2**24 - 1) + 1 == 2**24 == jnp.float32(2**24) + 1


def the_last_layer_is_the_first() -> None:
    code = script("key_reuse_in_init").names
    first, middle, last = code["layer_by_layer"](**code["inputs"]())
    np.testing.assert_allclose(last[:, 0] * np.sqrt(128), first[0], rtol=1e-6)
    np.testing.assert_allclose(middle[0] * np.sqrt(128), first[0], rtol=1e-6)


def an_update_moves_its_start_back() -> None:
    update = jax.lax.dynamic_update_slice(jnp.arange(5.0), jnp.full(4, 9.0), (3,))
    assert update.tolist() == [0, 9, 9, 9, 9]


def a_mesh_is_explicit_by_default() -> None:
    def product(mesh: Any) -> Any:
        laid = (NamedSharding(mesh, PartitionSpec(*axes)) for axes in ((None, "devices"), ("devices", None)))
        return jax.jit(jnp.matmul)(*(jax.device_put(jnp.ones((4, 4)), each) for each in laid))

    product(jax.make_mesh((1,), ("devices",), axis_types=(AxisType.Auto,)))
    mesh = jax.make_mesh((1,), ("devices",))
    assert mesh.axis_types == (AxisType.Explicit,)
    with pytest.raises(Exception, match="out_sharding"):
        product(mesh)


def a_linear_step_can_be_regrouped() -> None:
    def join(first: Any, second: Any) -> Any:
        return first[0] * second[0], second[0] * first[1] + second[1]

    names = script("scan_step_by_step").names
    given = names["inputs"]()
    poured = given["poured"]
    _, levels = jax.lax.associative_scan(join, (jnp.full_like(poured, 0.5), poured))
    assert levels.tolist() == [8, 4, 2, 9, 4.5, 2.25]
    assert levels[-1] == names["scan"](**given)[0]


def grad_takes_floating_point_leaves() -> None:
    def loss(tree: Any) -> Any:
        return tree["w"] * tree["n"]

    assert jax.grad(loss)({"w": 1.0, "n": 2.0})["w"] == 2
    assert jax.jit(loss)({"w": 1.0, "n": 2}) == 2
    with pytest.raises(TypeError, match="int32"):
        jax.grad(loss)({"w": 1.0, "n": 2})


def a_saved_key_needs_its_generator() -> None:
    key = jax.random.key(7, impl="rbg")
    words = jnp.asarray(np.asarray(jax.random.key_data(key)))
    assert jax.random.normal(jax.random.wrap_key_data(words, impl="rbg")) == jax.random.normal(key)
    with pytest.raises(TypeError):
        jax.random.wrap_key_data(words)


def take_fills_by_dtype() -> None:
    signed, unsigned, real = (jnp.take(jnp.ones(3, dtype), 9) for dtype in ("int8", "uint8", "float32"))
    assert (int(signed), int(unsigned)) == (-128, 255)
    assert jnp.isnan(real)


def first_children_depend_on_a_setting() -> None:
    for partitionable in (True, False):
        with jax.threefry_partitionable(partitionable):
            one, two = (jax.random.key_data(jax.random.split(jax.random.key(0), count)[0]) for count in (1, 2))
        assert np.array_equal(one, two) == partitionable


def jit_traces_each_combination_once() -> None:
    traced = []

    @functools.partial(jax.jit, static_argnums=1)
    def f(x: Any, n: int) -> Any:
        traced.append(n)
        return jax.tree.map(lambda each: each + n, x)

    new = [(jnp.ones(3), 1), (jnp.ones(4), 1), (jnp.ones(3, int), 1), (jnp.ones(3), 2), (3.0, 1), (jnp.float32(3), 1)]
    new += [([jnp.ones(3)], 0), ((jnp.ones(3),), 0)]
    for arguments in (*new, *new):
        f(*arguments)
    assert len(traced) == len(new)


def the_checker_raises_eagerly_and_under_jit() -> None:
    def two_draws(key: Any) -> Any:
        return jax.random.uniform(key), jax.random.normal(key)

    with jax.debug_key_reuse(True):
        for function in (two_draws, jax.jit(two_draws)):
            with pytest.raises(jax.errors.KeyReuseError):
                function(jax.random.key(0))
        shared = jax.vmap(lambda x, key: x + jax.random.normal(key), in_axes=(0, None))
        assert shared(jnp.zeros(4), jax.random.key(0)).shape == (4,)


def the_chain_rule_multiplies_zero_by_infinity() -> None:
    above = jnp.exp(jnp.float32(100))
    assert (above, 1 / (1 + above)) == (jnp.inf, 0)
    assert jnp.isnan(1 / (1 + above) * above)
    assert jnp.isnan(jax.grad(script("your_own_gradient").names["softplus"])(100.0))


def no_error_because_of_a_value() -> None:
    found = jax.jit(lambda x: jnp.nonzero(x > -1, size=4)[0])(jnp.arange(5.0))
    assert found.tolist() == [0, 1, 2, 3]

    def checked(x: Any) -> Any:
        checkify.check(jnp.all(x < 4), "too large")
        return x

    error, _ = jax.jit(checkify.checkify(checked))(jnp.arange(5.0))
    assert "too large" in error.get()


def a_gradient_stops_where_it_is_told() -> None:
    assert jax.grad(lambda w: w * jax.lax.stop_gradient(w))(3.0) == 3
    assert jax.grad(lambda w, b: w * b)(3.0, 2.0) == 2


def the_slope_of_an_integer_is_empty() -> None:
    assert jax.grad(lambda w: w * 2.0, allow_int=True)(1).dtype == jax.dtypes.float0


def grad_calls_its_function_once_with_a_tracer() -> None:
    seen: list[Any] = []
    assert jax.grad(lambda w: (seen.append(w), w**2)[1])(3.0) == 6
    assert [isinstance(each, jax.core.Tracer) for each in seen] == [True]


CLAIMS: dict[str, tuple[Callable[[], None], str, str, str]] = {
    "U1": (jit_holds_a_method_weakly, "jit_in_a_loop", "only by a weak reference", "약하게 참조(weak reference)"),
    "U2": (donation_needs_as_many_bytes, "written_in_place", "takes as many bytes", "바이트 수가 같은 출력"),
    "U3": (each_call_copies_its_argument, "written_in_place", "at least {{writes}} copies", "적어도 {{writes}}번 복사"),
    "U4": (an_update_moves_its_start_back, "beyond_the_end", "moves its start back", "시작을 뒤로 옮겨"),
    "U6": (a_mesh_is_explicit_by_default, "over_devices", "The default, `Explicit`", "기본값 `Explicit`"),
    "U7": (a_linear_step_can_be_regrouped, "scan_step_by_step", "can be regrouped", "묶는 순서를 바꿀 수 있습니다"),
    "U8": (grad_takes_floating_point_leaves, "trees", "For `grad` they must be floating-point", "`grad`에는 실수여야"),
    "U9": (a_saved_key_needs_its_generator, "resumed_from_disk", "same generator (`impl=`)", "같은 생성기(`impl=`)"),
    "U10": (take_fills_by_dtype, "beyond_the_end", "the largest for unsigned", "없으면 가장 큰 수"),
    "U17": (
        first_children_depend_on_a_setting,
        "kept_and_spent",
        "JAX's default settings, `split",
        "기본 설정에서 `split",
    ),
    "F1": (one_call_copies_its_argument_once, "written_in_place", "there is one `copy`", "인자의 `copy`가 하나"),
    "F2": (a_table_that_is_no_argument_is_folded, "folded_away", "only one constant is left", "남은 것은 상수 하나"),
    "F3": (a_float_has_24_digits, "thirty_two_bits", "keeps 24 binary digits", "이진수로 24자리"),
    "F4": (the_last_layer_is_the_first, "key_reuse_in_init", "the square root of 128", "128의 제곱근"),
    "U18": (jit_traces_each_combination_once, "shapes_decide", "combination of shapes and dtypes", "조합마다"),
    "S1": (
        the_checker_raises_eagerly_and_under_jit,
        "same_key_other_distribution",
        "it ends the program with a `KeyReuseError`",
        "`KeyReuseError`로 프로그램을 끝냅니다",
    ),
    "S1b": (
        the_checker_raises_eagerly_and_under_jit,
        "one_key_for_the_batch",
        "raises a `KeyReuseError`",
        "`KeyReuseError`가 납니다",
    ),
    "S1c": (
        the_checker_raises_eagerly_and_under_jit,
        "kept_and_spent",
        "raises a `KeyReuseError`",
        "`KeyReuseError`가 납니다",
    ),
    "S2": (the_chain_rule_multiplies_zero_by_infinity, "your_own_gradient", "zero times infinity", "0 곱하기 무한대"),
    "S3": (
        the_slope_of_an_integer_is_empty,
        "gradient_of_a_loss",
        "only floating-point numbers have slopes",
        "기울기는 부동소수점 수에만",
    ),
    "S3b": (
        grad_calls_its_function_once_with_a_tracer,
        "gradient_of_a_loss",
        "does not try out a second `w`",
        "다른 `w`를 넣어 보는 것이 아닙니다",
    ),
    "S4": (no_error_because_of_a_value, "boolean_masks", "no error, no warning", "오류도 경고도 없습니다"),
    "S5": (
        a_gradient_stops_where_it_is_told,
        "from_pytorch",
        "is the counterpart of it, and of `.detach()`",
        "그것과 `.detach()`를 대신합니다",
    ),
    "S6": (
        each_call_copies_its_argument,
        "from_pytorch",
        "An argument it copies first, unless you donate it",
        "인자는 호출에 기부(donate)하지 않으면 먼저 복사",
    ),
    "S9": (
        jit_traces_each_combination_once,
        "jit_step_by_step",
        "Three more things can ask for a new program",
        "새 프로그램이 필요한 때가 셋 더",
    ),
}
"""By the row of the review: a function that fails where JAX contradicts the lesson, the lesson, its words."""


@pytest.mark.parametrize(("holds", "lesson", "english", "korean"), CLAIMS.values(), ids=CLAIMS)
def test_what_a_lesson_says_of_jax_is_what_jax_does(
    holds: Callable[[], None], lesson: str, english: str, korean: str
) -> None:
    for language, words in {"en": english, "ko": korean}.items():
        assert words in Path(SCENARIOS[lesson].path).with_name(f"story.{language}.md").read_text(encoding="utf-8")
    holds()
