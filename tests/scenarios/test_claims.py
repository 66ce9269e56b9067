"""Sentences of lessons that no measure of their sheets holds, in both languages, next to JAX doing what they say."""

from __future__ import annotations

import functools
import pickle
import runpy
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

Check = Callable[[], None]
CLAIMS: list[tuple[Check, str, str, str]] = []


def says(lesson: str, english: str, korean: str) -> Callable[[Check], Check]:
    """Keep a check, which fails where JAX contradicts these words of the `lesson`."""

    def keep(holds: Check) -> Check:
        CLAIMS.append((holds, lesson, english, korean))
        return holds

    return keep


class Adder:
    """Adds 1, and counts how often it is traced."""

    def __init__(self) -> None:
        self.traces = 0

    def add(self, x: Any) -> Any:
        self.traces += 1
        return x + 1


@says("jit_in_a_loop", "only by a weak reference", "약하게 참조(weak reference)")
def jit_holds_a_method_weakly() -> None:
    kept, dropped = Adder(), Adder()
    alive = [kept.add for _ in range(5)]
    for method in alive:
        jax.jit(method)(1.0)
    for _ in range(5):
        jax.jit(dropped.add)(1.0)
    assert (kept.traces, dropped.traces) == (1, 5)


@says("written_in_place", "takes as many bytes", "바이트 수가 같은 출력")
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


@says("written_in_place", "at least {{writes}} copies", "적어도 {{writes}}번 복사")
@says(
    "from_pytorch",
    "An argument it copies first, unless you donate it",
    "인자는 호출에 기부(donate)하지 않으면 먼저 복사",
)
def each_call_copies_its_argument() -> None:
    write_at = script("written_in_place").names["write_at"]
    assert str(write_at.lower(jnp.zeros(1000), 0).compile().as_text()).count("copy(") == 1
    of_its_own = jax.jit(lambda i: jnp.zeros(1000).at[i].set(9.0).at[i + 1].set(9.0))
    assert str(of_its_own.lower(0).compile().as_text()).count("copy(") == 0


@says("written_in_place", "there is one `copy`", "인자의 `copy`가 하나")
def one_call_copies_its_argument_once() -> None:
    code = script("written_in_place").names
    text = code["one_call"].lower(code["inputs"]()["x"], writes=20).compile().as_text()
    assert (text.count("copy("), text.count("dynamic-update-slice(")) == (1, 20)


@says("folded_away", "only one constant is left", "남은 것은 상수 하나")
def a_table_that_is_no_argument_is_folded() -> None:
    code = script("folded_away").names
    assert "dot" not in code["closed_over"].lower().compile().as_text()
    assert "dot" in code["as_argument"].lower(**code["inputs"]()).compile().as_text()


@says("thirty_two_bits", "keeps 24 binary digits", "이진수로 24자리")
def a_float_has_24_digits() -> None:
    assert jnp.float32(2**24 - 1) + 1 == 2**24 == jnp.float32(2**24) + 1


@says("key_reuse_in_init", "the square root of 128", "128의 제곱근")
def the_last_layer_is_the_first() -> None:
    code = script("key_reuse_in_init").names
    first, middle, last = code["layer_by_layer"](**code["inputs"]())
    np.testing.assert_allclose(last[:, 0] * np.sqrt(128), first[0], rtol=1e-6)
    np.testing.assert_allclose(middle[0] * np.sqrt(128), first[0], rtol=1e-6)


@says("beyond_the_end", "moves its start back", "시작을 뒤로 옮겨")
def an_update_moves_its_start_back() -> None:
    update = jax.lax.dynamic_update_slice(jnp.arange(5.0), jnp.full(4, 9.0), (3,))
    assert update.tolist() == [0, 9, 9, 9, 9]


@says("over_devices", "The default, `Explicit`", "기본값 `Explicit`")
def a_mesh_is_explicit_by_default() -> None:
    def product(mesh: Any) -> Any:
        laid = (NamedSharding(mesh, PartitionSpec(*axes)) for axes in ((None, "devices"), ("devices", None)))
        return jax.jit(jnp.matmul)(*(jax.device_put(jnp.ones((4, 4)), each) for each in laid))

    product(jax.make_mesh((1,), ("devices",), axis_types=(AxisType.Auto,)))
    mesh = jax.make_mesh((1,), ("devices",))
    assert mesh.axis_types == (AxisType.Explicit,)
    with pytest.raises(Exception, match="out_sharding"):
        product(mesh)


@says("scan_step_by_step", "can be regrouped", "묶는 순서를 바꿀 수 있습니다")
def a_linear_step_can_be_regrouped() -> None:
    def join(first: Any, second: Any) -> Any:
        return first[0] * second[0], second[0] * first[1] + second[1]

    names = script("scan_step_by_step").names
    given = names["inputs"]()
    poured = given["poured"]
    _, levels = jax.lax.associative_scan(join, (jnp.full_like(poured, 0.5), poured))
    assert levels.tolist() == [8, 4, 2, 9, 4.5, 2.25]
    assert levels[-1] == names["scan"](**given)[0]


@says("trees", "For `grad` they must be floating-point", "`grad`에는 실수여야")
def grad_takes_floating_point_leaves() -> None:
    def loss(tree: Any) -> Any:
        return tree["w"] * tree["n"]

    assert jax.grad(loss)({"w": 1.0, "n": 2.0})["w"] == 2
    assert jax.jit(loss)({"w": 1.0, "n": 2}) == 2
    with pytest.raises(TypeError, match="int32"):
        jax.grad(loss)({"w": 1.0, "n": 2})


@says("resumed_from_disk", "same generator (`impl=`)", "같은 생성기(`impl=`)")
@says("old_and_new_keys", "pass it as `impl=`", "`impl=`로 알려 주세요")
def a_saved_key_needs_its_generator() -> None:
    key = jax.random.key(7, impl="rbg")
    words = jnp.asarray(np.asarray(jax.random.key_data(key)))
    assert jax.random.normal(jax.random.wrap_key_data(words, impl="rbg")) == jax.random.normal(key)
    with pytest.raises(TypeError):
        jax.random.wrap_key_data(words)


@says("beyond_the_end", "the largest for unsigned", "없으면 가장 큰 수")
def take_fills_by_dtype() -> None:
    signed, unsigned, real = (jnp.take(jnp.ones(3, dtype), 9) for dtype in ("int8", "uint8", "float32"))
    assert (int(signed), int(unsigned)) == (-128, 255)
    assert jnp.isnan(real)


@says("kept_and_spent", "JAX's default settings, `split", "기본 설정에서 `split")
def first_children_depend_on_a_setting() -> None:
    for partitionable in (True, False):
        with jax.threefry_partitionable(partitionable):
            one, two = (jax.random.key_data(jax.random.split(jax.random.key(0), count)[0]) for count in (1, 2))
        assert np.array_equal(one, two) == partitionable


@says("shapes_decide", "combination of shapes and dtypes", "조합마다")
@says("jit_step_by_step", "Three more things can ask for a new program", "새 프로그램이 필요한 때가 셋 더")
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


@says(
    "same_key_other_distribution", "it ends the program with a `KeyReuseError`", "`KeyReuseError`로 프로그램을 끝냅니다"
)
@says("one_key_for_the_batch", "raises a `KeyReuseError`", "`KeyReuseError`가 납니다")
@says("kept_and_spent", "raises a `KeyReuseError`", "`KeyReuseError`가 납니다")
def the_checker_raises_eagerly_and_under_jit() -> None:
    def two_draws(key: Any) -> Any:
        return jax.random.uniform(key), jax.random.normal(key)

    with jax.debug_key_reuse(True):
        both: list[Callable[[Any], Any]] = [two_draws, jax.jit(two_draws)]
        for function in both:
            with pytest.raises(jax.errors.KeyReuseError):
                function(jax.random.key(0))
        shared: Callable[..., Any] = jax.vmap(lambda x, key: x + jax.random.normal(key), in_axes=(0, None))
        assert shared(jnp.zeros(4), jax.random.key(0)).shape == (4,)


@says("your_own_gradient", "zero times infinity", "0 곱하기 무한대")
def the_chain_rule_multiplies_zero_by_infinity() -> None:
    above = jnp.exp(jnp.float32(100))
    assert [above, 1 / (1 + above)] == [jnp.inf, 0]
    assert jnp.isnan(1 / (1 + above) * above)
    assert jnp.isnan(jax.grad(script("your_own_gradient").names["softplus"])(100.0))


@says("boolean_masks", "no error, no warning", "오류도 경고도 없습니다")
def no_error_because_of_a_value() -> None:
    found = jax.jit(lambda x: jnp.nonzero(x > -1, size=4)[0])(jnp.arange(5.0))
    assert found.tolist() == [0, 1, 2, 3]

    def checked(x: Any) -> Any:
        checkify.check(jnp.all(x < 4), "too large")
        return x

    error, _ = jax.jit(checkify.checkify(checked))(jnp.arange(5.0))
    assert "too large" in error.get()


@says("from_pytorch", "is the counterpart of it, and of `.detach()`", "그것과 `.detach()`를 대신합니다")
def a_gradient_stops_where_it_is_told() -> None:
    assert jax.grad(lambda w: w * jax.lax.stop_gradient(w))(3.0) == 3
    assert jax.grad(lambda w, b: w * b)(3.0, 2.0) == 2


@says("gradient_of_a_loss", "an integer has no slope", "정수에는 기울기가")
def the_slope_of_an_integer_is_empty() -> None:
    assert jax.grad(lambda w: w * 2.0, allow_int=True)(1).dtype == jax.dtypes.float0


@says("gradient_of_a_loss", "does not try out a second `w`", "다른 `w`를 넣어 보는 것이 아닙니다")
def grad_calls_its_function_once_with_a_tracer() -> None:
    seen: list[Any] = []

    def squared(w: Any) -> Any:
        seen.append(w)
        return w**2

    assert jax.grad(squared)(3.0) == 6
    assert [isinstance(each, jax.core.Tracer) for each in seen] == [True]


@says("arrays_and_numpy", "An array of JAX never changes", "JAX의 배열은 바뀌지 않습니다")
@says("arrays_and_numpy", "Without a name for the result the line does nothing", "그 줄은 아무 일도 하지 않고")
@says("from_pytorch", "a new array, under the old name", "같은 이름의 새 배열")
def an_array_of_jax_never_changes() -> None:
    first = jnp.arange(5.0)
    second = first
    second += 10
    assert [first[0], second[0]] == [0, 10]
    with pytest.raises(TypeError, match="immutable"):
        first[0] = 99.0
    first.at[0].set(99.0)
    assert first[0] == 0
    assert [float(each) for each in (first.at[1].add(1)[1], first.at[2].multiply(3)[2], first.at[0].max(7)[0])] == [
        2,
        6,
        7,
    ]


@says("arrays_and_numpy", "No warning says so", "그렇고, 경고도 없습니다")
def jax_takes_32_bits_without_a_word() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert [jnp.asarray(each).dtype for each in (np.zeros(3), np.arange(3))] == ["float32", "int32"]


@says("arrays_and_numpy", "stays the float that it is", "자기 dtype 그대로입니다")
@says("arrays_and_numpy", "the dtype of an array of floats", "실수 배열의 dtype을")
def jax_promotes_by_kind() -> None:
    integers, halves = np.arange(3, dtype=np.int32), np.ones(3, np.float16)
    assert (integers + halves).dtype == "float64"
    x = jnp.asarray(halves)
    sums = [jnp.asarray(integers) + x, x + jnp.ones(3), x + 1.5, x + np.float64(1.5)]
    assert [each.dtype for each in sums] == ["float16", "float32", "float16", "float32"]
    assert (jnp.asarray(integers) + 1.5).dtype == "float32"
    assert [np.float16(each) for each in (2049, 4094, 4098)] == [2048, 4094, 4096]
    with jax.numpy_dtype_promotion("strict"), pytest.raises(Exception, match="promotion"):
        jnp.asarray(integers) + x


@says("ahead_of_time", "`pickle` refuses a jitted function", "컴파일에 1초 넘게 걸린")
def a_jitted_function_is_not_pickled_and_a_quick_compile_not_kept() -> None:
    with pytest.raises(AttributeError):
        pickle.dumps(jax.jit(jax_promotes_by_kind))
    assert jax.config.jax_persistent_cache_min_compile_time_secs == 1


@says("arrays_and_numpy", "you cannot write into what it returns", "반환된 배열에는 쓸 수 없습니다")
@says("arrays_and_numpy", "return an array of JAX.)", "JAX의 배열을 반환합니다.)")
def numpy_returns_its_own_arrays() -> None:
    x = jnp.arange(3.0)
    assert (type(np.sin(x)), type(np.mean(x))) == (np.ndarray, type(x))
    assert isinstance(jnp.sin(np.ones(3)), jax.Array)
    assert isinstance(np.ones(3) + x, jax.Array)
    assert not np.asarray(x).flags.writeable


@says("forward_and_reverse", "the Jacobian times the tangent", "야코비 행렬에 탄젠트를 곱한 것")
@says("forward_and_reverse", "the cotangent times the Jacobian", "코탄젠트에 야코비 행렬을 곱한 것")
def one_product_with_the_jacobian() -> None:
    def f(x: Any) -> Any:
        return jnp.stack([x[0] * x[1], jnp.sin(x[2])])

    x, tangent, cotangent = jnp.arange(1.0, 4), jnp.array([1.0, -2, 3]), jnp.array([2.0, -1])
    jacobian = jax.jacobian(f)(x)
    np.testing.assert_allclose(jax.jvp(f, (x,), (tangent,))[1], jacobian @ tangent, rtol=1e-6)
    np.testing.assert_allclose(jax.vjp(f, x)[1](cotangent)[0], cotangent @ jacobian, rtol=1e-6)
    np.testing.assert_allclose(jax.vjp(jnp.sum, x)[1](1.0)[0], jax.grad(jnp.sum)(x))


@says("forward_and_reverse", "`jax.jacobian` is `jacrev`", "`jax.jacobian`은 `jacrev`")
@says("forward_and_reverse", "`jax.hessian` is `jacfwd` of `jacrev`", "`jax.hessian`은 `jacrev`의 `jacfwd`")
def one_derivative_made_of_others() -> None:
    def loss(x: Any) -> Any:
        return jnp.sum(x) ** 3

    x = jnp.ones(3)
    same: list[tuple[Callable[..., Any], ...]] = [
        (jax.jacobian, jax.jacrev),
        (jax.hessian, lambda f: jax.jacfwd(jax.jacrev(f))),
    ]
    for one, other in same:
        assert str(jax.make_jaxpr(one(loss))(x)) == str(jax.make_jaxpr(other(loss))(x))


@says("forward_and_reverse", "contains only what is linear", "선형인 부분만 있습니다")
def the_linear_part_is_linear() -> None:
    _, push = jax.linearize(lambda x: jnp.sin(x) ** 2, 1.0)
    primitives = {each.primitive.name for each in jax.make_jaxpr(push)(1.0).eqns}
    assert primitives <= {"mul", "convert_element_type", "pjit", "jit", "neg"}


@says("a_training_run", "So it is compiled once", "한 번만 컴파일합니다")
@says("a_training_run", "stays near the variance of y", "y의 분산 근처")
def a_training_run_compiles_its_step_once() -> None:
    code = runpy.run_path(SCENARIOS["a_training_run"].path)
    y = code["measured"](jax.random.key(1), 64)[1]
    mean = code["it_does_not_learn"](**code["inputs"](epochs=4))["loss"].mean()
    assert code["step"]._cache_size() == 1
    assert 0.7 * y.var() < mean < 1.6 * y.var()


@says("old_and_new_keys", "A new key holds the same words", "새 key에도 같은 수가")
@says("old_and_new_keys", "`vmap` refuses it at once", "`vmap`이 바로 거부하고")
def both_kinds_of_key_hold_the_same_words() -> None:
    old, new = jax.random.PRNGKey(42), jax.random.key(42)
    assert jax.random.wrap_key_data(old) == new
    assert [old.shape, str(old.dtype), new.shape, str(new.dtype)] == [(2,), "uint32", (), "key<fry>"]
    assert (jax.random.split(old, 4).shape, jax.random.split(new, 4).shape) == ((4, 2), (4,))
    with pytest.raises(ValueError, match="vmap"):
        jax.vmap(jax.random.normal)(new)
    assert jax.random.key_data(jax.random.key(42, impl="rbg")).shape == (4,)


@says("mutable_refs", "and no copy", "복사도 없습니다")
def a_ref_is_written_in_its_own_memory() -> None:
    write = jax.jit(lambda ref, i: ref.__setitem__(i, 1.0))
    text = write.lower(jax.new_ref(jnp.zeros(1000)), 0).compile().as_text()
    assert "copy(" not in str(text)
    assert "<-" in str(jax.make_jaxpr(write)(jax.new_ref(jnp.zeros(3)), 0))


@says("mutable_refs", "may not get the same ref as two arguments", "두 인자로 같은 ref를 넘길 수는 없습니다")
@says("mutable_refs", "needs one with an axis for the examples", "샘플 축이 있는 ref가 필요합니다")
def a_ref_is_one_argument_and_has_an_axis_for_vmap() -> None:
    ref = jax.new_ref(jnp.zeros(3))
    with pytest.raises(ValueError, match="only one reference"):
        jax.jit(lambda one, other: one[...] + other[...])(ref, ref)
    with pytest.raises(Exception, match="unbatched"):
        jax.vmap(lambda x: ref.__setitem__(0, x))(jnp.arange(3.0))
    rows = jax.new_ref(jnp.zeros((3, 2)))
    jax.vmap(lambda row, x: row.__setitem__(0, x))(rows, jnp.arange(3.0))
    assert rows[...][:, 0].tolist() == [0, 1, 2]


def fusions(text: Any) -> int:
    return str(text).count(" fusion(")


@says("first_jaxpr", "The two operations have become one *fusion*", "fusion")
@says("jit_step_by_step", "calls a *fusion* for each call", "호출마다 *fusion*을 하나씩")
@says("selu_eager_or_jit", "It put the operations into one `fusion`", "연산을 `fusion` 하나로")
@says("selu_eager_or_jit", "it uses `expm1`", "`expm1`을 써서")
def xla_fuses_a_formula() -> None:
    code = script("first_jaxpr").names
    assert fusions(jax.jit(code["multiply_and_add"]).lower(**code["inputs"]()).compile().as_text()) == 1
    code = script("jit_step_by_step").names
    assert fusions(jax.jit(code["with_jit"]).lower(**code["inputs"]()).compile().as_text()) == 3
    code = script("selu_eager_or_jit").names
    assert fusions(jax.jit(code["selu_jit"]).lower(**code["inputs"]()).compile().as_text()) == 1
    assert "expm1" in str(jax.make_jaxpr(jax.nn.selu)(1.0))


@says("if_on_a_value", "it becomes a `select_n`", "`select_n`")
@says("if_on_a_value", "can still make a NaN", "NaN")
def a_cond_becomes_a_select_if_its_condition_is_mapped() -> None:
    def choose(flag: Any, x: Any) -> Any:
        return jax.lax.cond(flag, jnp.sin, jnp.cos, x)

    shared = str(jax.make_jaxpr(jax.vmap(choose, (None, 0)))(True, jnp.ones(3)))
    mapped = str(jax.make_jaxpr(jax.vmap(choose))(jnp.array([True] * 3), jnp.ones(3)))
    assert ("cond" in shared, "select_n" in shared) == (True, False)
    assert [each in mapped for each in ("cond", "select_n", "sin", "cos")] == [False, True, True, True]
    assert jnp.isnan(jax.grad(lambda x: jnp.where(x > 0, 1 / x, 0.0))(0.0))


@says("trees", "For JAX a set is not a container", "리프")
@says("trees", "is a `TypeError`", "`TypeError`")
def some_objects_are_leaves() -> None:
    assert jax.tree.leaves([(), None, {1, 2}]) == [{1, 2}]
    with pytest.raises(TypeError):
        jax.jit(lambda tree: tree["x"])({"x": 1.0, "name": "a"})


@says("scan_step_by_step", "With a traced bound it becomes a `while`", "끝이 trace된 값이면 `while`이 되고")
def a_bound_decides_what_a_fori_loop_is() -> None:
    def doubled(n: Any, x: Any) -> Any:
        return jax.lax.fori_loop(0, n, lambda _, c: 2 * c, x)

    assert "scan" in str(jax.make_jaxpr(lambda x: doubled(3, x))(1.0))
    assert "while" in str(jax.make_jaxpr(doubled)(3, 1.0))
    with pytest.raises(ValueError, match="Reverse-mode"):
        jax.jit(jax.grad(doubled, argnums=1))(3, 1.0)


@says("which_loop", "Forward mode, `jax.jvp`, works", "`jax.jvp`")
@says("which_loop", "with their values frozen", "`vmap`")
def a_while_loop_goes_forward_and_waits() -> None:
    def loop(x: Any) -> Any:
        return jax.lax.while_loop(lambda c: c < 10, lambda c: 2 * c, x)

    assert jax.jvp(loop, (1.0,), (1.0,)) == (16, 16)
    assert jax.vmap(loop)(jnp.array([1.0, 9, 11])).tolist() == [16, 18, 11]


@says("a_training_step", "every weight moves by 0.1", "0.1씩 움직입니다")
def adam_begins_with_steps_of_its_rate() -> None:
    code = script("a_training_step").names
    given = code["inputs"]()
    weights, _ = code["step"](*code["start"](), given["x"], given["y"])
    np.testing.assert_allclose(jnp.abs(weights), 0.1, rtol=1e-4)


@says("stop_gradient", "a conversion to integers end it in the same way", "똑같이 끊깁니다")
def rounding_ends_a_gradient() -> None:
    ends: list[Callable[[Any], Any]] = [jnp.round, lambda x: jnp.argmax(jnp.stack([x, 1.0])), lambda x: x > 0]
    for function in (*ends, lambda x: x.astype(int)):
        assert jax.grad(lambda x, function=function: jnp.float32(function(x)))(1.5) == 0


@says("shared_by_closure", "child `i` of a split is `fold_in(key, i)`", "자식이 `fold_in(key, i)`")
@says("another_generator", "Splitting still uses threefry", "threefry")
def a_child_is_a_fold_in() -> None:
    key = jax.random.key(3)
    assert all(jax.random.split(key, 5)[i] == jax.random.fold_in(key, i) for i in range(5))
    words, fast = (jax.random.key_data(jax.random.split(each)) for each in (key, jax.random.key(3, impl="rbg")))
    assert np.array_equal(fast, np.hstack([words, words]))


def ranks(numbers: Any) -> Any:
    return np.argsort(np.argsort(np.asarray(numbers)))


@says("same_key_other_distribution", "same *quantile*", "분위")
def simple_samplers_share_their_quantile() -> None:
    key, random = jax.random.key(3), jax.random
    uniform = ranks(random.uniform(key, (500,)))
    for sampler in (random.normal, random.exponential, random.gumbel, random.cauchy, random.logistic):
        assert np.corrcoef(uniform, ranks(sampler(key, (500,))))[0, 1] > 0.999
    assert np.corrcoef(uniform, ranks(random.laplace(key, (500,))))[0, 1] < -0.999
    hidden = (random.gamma(key, 2.0, (500,)), random.beta(key, 2.0, 2.0, (500,)), random.randint(key, (500,), 0, 999))
    assert all(abs(np.corrcoef(uniform, ranks(each))[0, 1]) < 0.2 for each in hidden)


@says("shared_on_purpose", "declares to JAX's checker", "`jax.random.clone(key)`")
@says("parent_and_child", "does not count it as a use", "`fold_in`")
@says("fold_in_or_split", "even if you fold in the same number twice", "`fold_in`")
def the_checker_lets_clone_and_fold_in_pass() -> None:
    with jax.debug_key_reuse(True):
        key = jax.random.key(0)
        jax.random.normal(key)
        jax.random.normal(jax.random.clone(key))
        key = jax.random.key(0)
        jax.random.normal(jax.random.fold_in(key, 1))
        jax.random.normal(jax.random.fold_in(key, 1))
        jax.random.normal(key)


@says("boolean_masks", "(with `initial=`)", "(`initial=`과 함께)")
def a_mean_may_leave_out_and_a_maximum_needs_a_start() -> None:
    x = jnp.arange(5.0)
    assert jnp.mean(x, where=x > 2) == 3.5
    with pytest.raises(ValueError, match="initial"):
        jnp.max(x, where=x > 2)


@says("shapes_decide", "it would become a bfloat16", "bfloat16")
def a_weak_type_gives_way() -> None:
    assert (jnp.zeros(2, jnp.bfloat16) + 0.0).dtype == jnp.bfloat16
    assert (jnp.zeros(2, jnp.bfloat16) + jnp.float32(0)).dtype == jnp.float32


@says("gradient_of_a_loss", "Nothing is computed for `x` and `y`", "아무것도 계산하지 않습니다")
@says("gradient_of_a_loss", "`loss` must return a single number", "`loss`는 수 하나를 반환해야 합니다")
def grad_computes_what_was_asked_for() -> None:
    code = script("gradient_of_a_loss").names
    given = code["inputs"]().values()
    loss, some, all_of_them = code["loss"], (0, 1), (0, 1, 2, 3)
    count = [len(jax.make_jaxpr(jax.grad(loss, argnums=each))(*given).eqns) for each in (some, all_of_them)]
    assert count[0] < count[1]
    with pytest.raises(TypeError, match="scalar"):
        jax.grad(lambda w: w * 2)(jnp.ones(2))


@says("carry_of_a_scan", "traces the step once more", "한 번 더")
@says("loop_scan_vmap", "only if it must first settle the type", "맞추어야 할 때만 한 번 더")
def a_weak_start_is_settled_by_another_trace() -> None:
    for start, traces in ((0, 2), (jnp.float32(0), 1)):
        traced: list[Any] = []

        def body(total: Any, x: Any, traced: list[Any] = traced) -> Any:
            traced.append(total)
            return total + x, None

        assert jax.lax.scan(body, start, jnp.ones(3))[0] == 3
        assert len(traced) == traces


@says("checks_and_callbacks", "not at all if the result is not needed", "`jax.pure_callback`")
def a_callback_that_nobody_needs_is_not_called() -> None:
    called = []

    def ask(x: Any) -> Any:
        called.append(x)
        return np.float32(1)

    def f(x: Any) -> Any:
        jax.pure_callback(ask, jax.ShapeDtypeStruct((), jnp.float32), x)
        return x + 1

    jax.block_until_ready(jax.jit(f)(1.0))
    assert called == []


@pytest.mark.parametrize(("holds", "lesson", "english", "korean"), CLAIMS, ids=[each[1] for each in CLAIMS])
def test_what_a_lesson_says_of_jax_is_what_jax_does(holds: Check, lesson: str, english: str, korean: str) -> None:
    for language, words in {"en": english, "ko": korean}.items():
        assert words in Path(SCENARIOS[lesson].path).with_name(f"story.{language}.md").read_text(encoding="utf-8")
    holds()
