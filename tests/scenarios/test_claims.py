"""Sentences of lessons that no measure of their sheets holds, in both languages, next to JAX doing what they say."""

from __future__ import annotations

import collections
import functools
import importlib.util
import io
import operator
import os
import pickle
import runpy
import subprocess
import sys
import tempfile
import unittest
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.experimental import checkify
from jax.extend.random import threefry_2x32
from jax.sharding import AxisType, NamedSharding, PartitionSpec

from tests.scenarios.code_run import SCENARIOS, script

Check = Callable[[], None]
CLAIMS: list[tuple[Check, str, str, str]] = []


def says(lesson: str, english: str, korean: str) -> Callable[[Check], Check]:
    """Keep a check, which fails where JAX contradicts these words of the `lesson`."""

    def keep(holds: Check) -> Check:
        once = functools.cache(holds)
        CLAIMS.append((once, lesson, english, korean))
        return once

    return keep


def fails(error: type[Exception], function: Callable[..., Any], *arguments: Any) -> None:
    """Fail unless the call ends in this error."""
    with pytest.raises(error):
        function(*arguments)


def equations(function: Callable[..., Any], *arguments: Any, **named: Any) -> int:
    """Return how many equations the jaxpr has, inner ones not counted."""
    return len(jax.make_jaxpr(function)(*arguments, **named).eqns)


class Adder:
    """Adds 1, and counts how often it is traced."""

    def __init__(self) -> None:
        self.traces = 0

    def add(self, x: Any) -> Any:
        self.traces += 1
        return x + 1


@says("written_in_place", "at least {{writes}} copies", "적어도 {{writes}}번 복사")
@says(
    "from_pytorch",
    "An argument it copies first, unless you donate it",
    "인자는 호출에 내주지(donate) 않으면 먼저 복사",
)
@says("written_in_place", "there is one `copy`", "인자의 `copy`가 하나")
@says("from_pytorch", "XLA writes into an array that the program itself", "XLA는 프로그램이 스스로 만든 배열에는")
@says("written_in_place", "writes into its carry in place", "carry에 이렇게 제자리에 씁니다")
@says("written_in_place", "takes as many bytes", "바이트 수가 같은 출력")
def each_call_copies_its_argument() -> None:
    write_at = script("written_in_place").names["write_at"]
    assert str(write_at.lower(jnp.zeros(1000), 0).compile().as_text()).count("copy(") == 1
    of_its_own = jax.jit(lambda i: jnp.zeros(1000).at[i].set(9.0).at[i + 1].set(9.0))
    assert str(of_its_own.lower(0).compile().as_text()).count("copy(") == 0
    code = script("written_in_place").names
    text = code["one_call"].lower(code["inputs"]()["x"], writes=20).compile().as_text()
    assert (text.count("copy("), text.count("dynamic-update-slice(")) == (1, 20)
    loop = jax.jit(lambda x: jax.lax.fori_loop(0, 50, lambda i, c: c.at[i].set(1.0), x))
    assert str(loop.lower(jnp.zeros(1000)).compile().as_text()).count("f32[1000]{0} copy(") == 1
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


@says("over_devices", "The default, `Explicit`", "기본값 `Explicit`")
@says("many_devices", "The default, `Explicit`", "기본값 `Explicit`")
@says("partitionable", "The default, `Explicit`", "기본값 `Explicit`")
@says("sharding_in_types", "`Explicit` by default", "기본값이 `Explicit`")
@says("sharding_in_types", "`2 * by_rows` has the same type", "`2 * by_rows`의 타입도 같습니다")
@says("sharding_in_types", "changes a layout at any point", "어디서나 나누는 방식을 바꿉니다")
def a_mesh_is_explicit_by_default() -> None:
    def product(mesh: Any) -> Any:
        laid = (NamedSharding(mesh, PartitionSpec(*axes)) for axes in ((None, "devices"), ("devices", None)))
        return jax.jit(jnp.matmul)(*(jax.device_put(jnp.ones((4, 4)), each) for each in laid))

    product(jax.make_mesh((1,), ("devices",), axis_types=(AxisType.Auto,)))
    mesh = jax.make_mesh((1,), ("devices",))
    assert mesh.axis_types == (AxisType.Explicit,)
    with pytest.raises(Exception, match="out_sharding"):
        product(mesh)
    rows, whole = PartitionSpec("devices", None), PartitionSpec(None, None)
    laid = jax.device_put(jnp.ones((4, 4)), NamedSharding(mesh, rows))
    kinds = [
        jax.typeof(each).sharding.spec
        for each in (laid, 2 * laid, jax.sharding.reshard(laid, NamedSharding(mesh, whole)))
    ]
    assert kinds == [rows, rows, whole]


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


@says("resumed_from_disk", "same generator (`impl=`)", "같은 생성기(`impl=`)")
@says("old_and_new_keys", "pass it as `impl=`", "`impl=`로 알려 주세요")
def a_saved_key_needs_its_generator() -> None:
    key = jax.random.key(7, impl="rbg")
    words = jnp.asarray(np.asarray(jax.random.key_data(key)))
    assert jax.random.normal(jax.random.wrap_key_data(words, impl="rbg")) == jax.random.normal(key)
    fails(TypeError, jax.random.wrap_key_data, words)


@says("shapes_decide", "combination of shapes and dtypes", "조합마다")
@says("jit_step_by_step", "Three more things can ask for a new program", "새 프로그램이 필요한 경우가 세 가지 더")
@says("shapes_decide", "are two programs", "서로 다른 프로그램입니다")
@says("static_recompiles", "JAX finds its program again", "있던 프로그램을 찾아 씁니다")
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
@says("one_key_for_the_batch", "It stays silent", "아무 말이 없습니다")
@says("loop_scan_vmap", "it knows that a loop reuses the key", "루프가 key를 다시 쓴다는 것을")
@says("kept_and_spent", "A split spends its key as a draw does", "split도 추출처럼 key를 소비하는데")
@says("kept_and_spent", "even if nothing were drawn", "아무것도 뽑지 않더라도")
@says("parent_and_child", "either spends it", "어느 쪽이든 key를 소비합니다")
@says("seed_that_came_back", "and it reports nothing", "값이 같은 배열이 둘이라서")
@says("shared_on_purpose", "declares to JAX's checker", "`jax.random.clone(key)`")
@says("parent_and_child", "does not count it as a use", "`fold_in`")
@says("fold_in_or_split", "even if you fold in the same number twice", "`fold_in`")
@says("parent_and_child", "It reports nothing if you draw", "아무 말이 없습니다")
def the_checker_raises_eagerly_and_under_jit() -> None:
    draw, split = jax.random.normal, jax.random.split
    twice: list[Callable[[Any], Any]] = [
        lambda key: (jax.random.uniform(key), draw(key)),
        lambda key: (split(key), split(key)),
        lambda key: (draw(key), split(key)),
        lambda key: jax.lax.scan(lambda c, _: (c + draw(key), None), 0.0, length=2),
    ]
    with jax.debug_key_reuse(True):
        for function in (*twice, *map(jax.jit, twice)):
            with pytest.raises(jax.errors.KeyReuseError):
                function(jax.random.key(0))
        shared: Callable[..., Any] = jax.vmap(lambda x, key: x + draw(key), in_axes=(0, None))
        assert shared(jnp.zeros(4), jax.random.key(0)).shape == (4,)
        assert draw(jax.random.key(1)) == draw(jax.random.key(1))
    with jax.debug_key_reuse(True):
        key = jax.random.key(0)
        jax.random.normal(key)
        jax.random.normal(jax.random.clone(key))
        key = jax.random.key(0)
        jax.random.normal(jax.random.fold_in(key, 1))
        jax.random.normal(jax.random.fold_in(key, 1))
        jax.random.normal(key)


@says("boolean_masks", "no error, no warning", "오류도 경고도 없습니다")
@says("boolean_masks", "(with `initial=`)", "(`initial=`과 함께)")
@says("beyond_the_end", "Without `throw` you would not see it", "`throw`가 없으면 오류가 보이지 않습니다")
@says("beyond_the_end", "Each check adds operations to the program", "검사마다 프로그램에 연산이 늘어납니다")
def no_error_because_of_a_value() -> None:
    found = jax.jit(lambda x: jnp.nonzero(x > -1, size=4)[0])(jnp.arange(5.0))
    assert found.tolist() == [0, 1, 2, 3]

    def checked(x: Any) -> Any:
        checkify.check(jnp.all(x < 4), "too large")
        return x

    error, _ = jax.jit(checkify.checkify(checked))(jnp.arange(5.0))
    assert "too large" in error.get()
    x = jnp.arange(5.0)
    assert jnp.mean(x, where=x > 2) == 3.5
    with pytest.raises(ValueError, match="initial"):
        jnp.max(x, where=x > 2)
    read: Callable[..., Any] = operator.getitem
    indexed = checkify.checkify(read, errors=checkify.index_checks)
    assert equations(indexed, x, 3) > equations(read, x, 3)


@says("arrays_and_numpy", "An array of JAX never changes", "JAX의 배열은 바뀌지 않습니다")
@says("arrays_and_numpy", "Without a name for the result the line does nothing", "그 줄은 아무 일도 하지 않고")
@says("from_pytorch", "a new array, under the old name", "같은 이름의 새 배열")
@says("written_in_place", "alone on a line does nothing", "만 적힌 줄은 아무 일도 하지 않습니다")
@says("written_in_place", "That happens in NumPy with", "NumPy에서 `counts[[0, 2, 2, 3]] += 1`이 그렇습니다")
@says("what_keeps_memory", "That is NumPy. In JAX a slice", "NumPy가 그렇습니다. JAX에서는 슬라이스도")
def an_array_of_jax_never_changes() -> None:
    first = jnp.arange(5.0)
    second = first
    second += 10
    assert [first[0], second[0]] == [0, 10]
    with pytest.raises(TypeError, match="immutable"):
        first[0] = 99.0
    first.at[0].set(99.0)
    assert first[0] == 0
    changed = first.at[1].add(1).at[2].multiply(3).at[0].max(7)
    assert changed[:3].tolist() == [7, 2, 6]
    counts = np.zeros(4)
    assert counts[1:].base is counts
    counts[[0, 2, 2, 3]] += 1
    assert counts.tolist() == [1, 0, 1, 1]


@says("arrays_and_numpy", "stays the float that it is", "dtype이 그대로입니다")
@says("arrays_and_numpy", "the dtype of an array of floats", "실수 배열의 dtype을")
@says("arrays_and_numpy", "takes float64", "float64를 고릅니다")
@says("arrays_and_numpy", "has only every second integer", "정수가 하나 걸러 하나만")
@says("arrays_and_numpy", "brings its own", "자기 dtype을 가지고 옵니다")
@says("arrays_and_numpy", "both libraries take the wide one", "두 라이브러리 모두 더 넓은 쪽을")
@says("thirty_two_bits", "JAX takes the wider of both", "더 넓은")
@says("shapes_decide", "it would become a bfloat16", "bfloat16")
@says("carry_of_a_scan", "is a float32 in JAX", "int32와 float32의 합은 float32입니다")
@says("carry_of_a_scan", "it gives way to the dtype", "함께 계산하는 쪽의 dtype을 따릅니다")
def jax_promotes_by_kind() -> None:
    integers, halves = np.arange(3, dtype=np.int32), np.ones(3, np.float16)
    assert [(integers + halves).dtype, (halves + np.ones(3, np.float32)).dtype] == ["float64", "float32"]
    x = jnp.asarray(halves)
    sums = [jnp.asarray(integers) + x, x + jnp.ones(3), x + 1.5, x + np.float64(1.5)]
    assert [each.dtype for each in sums] == ["float16", "float32", "float16", "float32"]
    assert (jnp.asarray(integers) + 1.5).dtype == "float32"
    assert [np.float16(each) for each in (2049, 4094, 4098)] == [2048, 4094, 4096]
    with jax.numpy_dtype_promotion("strict"), pytest.raises(Exception, match="promotion"):
        jnp.asarray(integers) + x
    assert (jnp.zeros(2, jnp.bfloat16) + 0.0).dtype == jnp.bfloat16
    assert (jnp.zeros(2, jnp.bfloat16) + jnp.float32(0)).dtype == jnp.float32


@says("arrays_and_numpy", "you cannot write into what it returns", "반환된 배열의 값은 바꿀 수 없습니다")
@says("arrays_and_numpy", "return an array of JAX.)", "JAX의 배열을 반환합니다.)")
@says("arrays_and_numpy", "`np.sin` returns an array of NumPy", "`np.sin`은 NumPy의 배열을 반환합니다")
@says("arrays_and_numpy", "has most functions of NumPy", "NumPy의 함수가 대부분 같은 이름으로")
def numpy_returns_its_own_arrays() -> None:
    x = jnp.arange(3.0)
    assert (type(np.sin(x)), type(np.mean(x))) == (np.ndarray, type(x))
    assert isinstance(jnp.sin(np.ones(3)), jax.Array)
    assert isinstance(np.ones(3) + x, jax.Array)
    assert not np.asarray(x).flags.writeable
    functions = [each for each in np.__all__ if callable(getattr(np, each))]
    assert sum(hasattr(jnp, each) for each in functions) > 0.8 * len(functions)


@says("forward_and_reverse", "the Jacobian times the tangent", "야코비 행렬에 탄젠트를 곱한 것")
@says("forward_and_reverse", "the cotangent times the Jacobian", "코탄젠트에 야코비 행렬을 곱한 것")
@says("forward_and_reverse", "the cotangent 1 it is `jax.grad`", "코탄젠트가 1이면 `jax.grad`입니다")
@says("forward_and_reverse", "`jax.jacobian` is `jacrev`", "`jax.jacobian`은 `jacrev`")
@says("forward_and_reverse", "`jax.hessian` is `jacfwd` of `jacrev`", "`jax.hessian`은 `jacrev`의 `jacfwd`")
@says("forward_and_reverse", "costs a small multiple of one gradient", "비용은 기울기 하나의 몇 배입니다")
def one_product_with_the_jacobian() -> None:
    def f(x: Any) -> Any:
        return jnp.stack([x[0] * x[1], jnp.sin(x[2])])

    x, tangent, cotangent = jnp.arange(1.0, 4), jnp.array([1.0, -2, 3]), jnp.array([2.0, -1])
    jacobian = jax.jacobian(f)(x)
    np.testing.assert_allclose(jax.jvp(f, (x,), (tangent,))[1], jacobian @ tangent, rtol=1e-6)
    np.testing.assert_allclose(jax.vjp(f, x)[1](cotangent)[0], cotangent @ jacobian, rtol=1e-6)
    np.testing.assert_allclose(jax.vjp(jnp.sum, x)[1](1.0)[0], jax.grad(jnp.sum)(x))

    def loss(x: Any) -> Any:
        return jnp.sum(x) ** 3

    x = jnp.ones(3)
    same: list[tuple[Callable[..., Any], ...]] = [
        (jax.jacobian, jax.jacrev),
        (jax.hessian, lambda f: jax.jacfwd(jax.jacrev(f))),
    ]
    for one, other in same:
        assert str(jax.make_jaxpr(one(loss))(x)) == str(jax.make_jaxpr(other(loss))(x))
    gradient = jax.grad(script("forward_and_reverse").names["loss"])
    assert equations(lambda x: jax.jvp(gradient, (x,), (x,)), x) < 4 * equations(gradient, x)


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
@says("old_and_new_keys", "`jax.random` takes both kinds", "`jax.random`은 두 종류를 다 받고")
@says("old_and_new_keys", "it is a `TypeError`", "거기서는 `TypeError`가 납니다")
@says("nested_vmap", "JAX does not guess", "JAX가 짐작해 주지는 않습니다")
@says("old_and_new_keys", "a key that no seed of 32 bits makes", "32비트 시드로는 나오지 않는 key")
def both_kinds_of_key_hold_the_same_words() -> None:
    old, new = jax.random.PRNGKey(42), jax.random.key(42)
    assert jax.random.wrap_key_data(old) == new
    assert [old.shape, str(old.dtype), new.shape, str(new.dtype)] == [(2,), "uint32", (), "key<fry>"]
    assert (jax.random.split(old, 4).shape, jax.random.split(new, 4).shape) == ((4, 2), (4,))
    with pytest.raises(ValueError, match="vmap"):
        jax.vmap(jax.random.normal)(new)
    assert jax.random.key_data(jax.random.key(42, impl="rbg")).shape == (4,)
    assert jax.random.normal(old) == jax.random.normal(new)
    assert (old + 1).tolist() == [1, 43]
    assert not any(jax.random.PRNGKey(seed)[0] for seed in (0, 7, 2**32 - 1))
    fails(TypeError, jnp.add, new, 1)
    with pytest.raises(ValueError, match="single"):
        jax.random.normal(jax.random.split(new, 1))


@says("mutable_refs", "and no copy", "복사도 없습니다")
@says("mutable_refs", "may not get the same ref as two arguments", "두 인자로 같은 ref를 넘길 수는 없습니다")
@says("mutable_refs", "needs one with an axis for the examples", "샘플 축이 있는 ref가 필요합니다")
@says("mutable_refs", "`grad` and `vmap` go through such refs", "`grad`와 `vmap`은 이런 ref를 지나갑니다")
def a_ref_is_written_in_its_own_memory() -> None:
    write = jax.jit(lambda ref, i: ref.__setitem__(i, 1.0))
    text = write.lower(jax.new_ref(jnp.zeros(1000)), 0).compile().as_text()
    assert "copy(" not in str(text)
    assert "<-" in str(jax.make_jaxpr(write)(jax.new_ref(jnp.zeros(3)), 0))
    ref = jax.new_ref(jnp.zeros(3))
    with pytest.raises(ValueError, match="only one reference"):
        jax.jit(lambda one, other: one[...] + other[...])(ref, ref)
    with pytest.raises(Exception, match="unbatched"):
        jax.vmap(lambda x: ref.__setitem__(0, x))(jnp.arange(3.0))
    rows = jax.new_ref(jnp.zeros((3, 2)))
    jax.vmap(lambda row, x: row.__setitem__(0, x))(rows, jnp.arange(3.0))
    assert rows[...][:, 0].tolist() == [0, 1, 2]
    inside = script("mutable_refs").names["with_a_ref_inside"]
    assert jax.vmap(jax.grad(inside))(jnp.arange(3.0)).tolist() == [1, 6, 17]


def fusions(text: Any) -> int:
    return str(text).count(" fusion(")


@says("first_jaxpr", "it translates it to StableHLO", "StableHLO로 옮기고(*lower*)")
@says("selu_eager_or_jit", "inside one `jit` equation", "`jit` 식 하나 안에")
@says("first_jaxpr", "The two operations have become one *fusion*", "fusion")
@says("jit_step_by_step", "calls a *fusion* for each call", "호출마다 *fusion*을 하나씩")
@says("selu_eager_or_jit", "It put the operations into one `fusion`", "연산을 `fusion` 하나로")
@says("selu_eager_or_jit", "it uses `expm1`", "`expm1`을 써서")
@says("too_small_to_win", "XLA fuses them into one loop", "XLA는 이들을 루프 하나로 합쳐")
@says("which_line_is_slow", "are one *fusion*", "하나로 *융합*됩니다")
@says("folded_away", "only one constant is left", "남은 것은 상수 하나")
@says("unrolled", "XLA can then fuse across them", "XLA가 여러 단계를 합칠 수 있기")
@says("selu_eager_or_jit", "the HLO has two fusions", "HLO에 fusion이 둘 있습니다")
@says("first_jaxpr", "in the HLO the product is computed once", "HLO에서는 곱셈을 한 번만 합니다")
@says("first_jaxpr", "XLA drops it", "쓰이지 않는 식은 XLA가 버립니다")
def xla_fuses_a_formula() -> None:
    code = script("first_jaxpr").names
    lowered = jax.jit(code["multiply_and_add"]).lower(**code["inputs"]())
    assert "stablehlo.multiply" in lowered.as_text()
    assert fusions(lowered.compile().as_text()) == 1
    code = script("jit_step_by_step").names
    assert fusions(jax.jit(code["with_jit"]).lower(**code["inputs"]()).compile().as_text()) == 3
    code = script("selu_eager_or_jit").names
    assert fusions(jax.jit(code["selu_jit"]).lower(**code["inputs"]()).compile().as_text()) == 1
    assert fusions(jax.jit(lambda x: jnp.sum(code["selu"](x))).lower(**code["inputs"]()).compile().as_text()) == 2
    plain, (call,) = (jax.make_jaxpr(code[each])(**code["inputs"]()).eqns for each in ("selu", "selu_jit"))
    assert [each.primitive for each in call.params["jaxpr"].eqns] == [each.primitive for each in plain]
    assert "expm1" in str(jax.make_jaxpr(jax.nn.selu)(1.0))
    for lesson, name in (("too_small_to_win", "polynomial"), ("which_line_is_slow", "chain")):
        assert fusions(jax.jit(script(lesson).names[name]).lower(jnp.ones(1000)).compile().as_text()) == 1
    step = script("unrolled").names["step"]
    assert fusions(jax.jit(lambda x: step(step(step(x)))).lower(jnp.ones(1000)).compile().as_text()) == 1
    twice = str(jax.jit(lambda x, y: (jnp.sin(x), x * y + x * y)[1]).lower(2.0, 3.0).compile().as_text())
    assert (twice.count(" multiply("), "sine(" in twice) == (1, False)
    code = script("folded_away").names
    assert "dot" not in code["closed_over"].lower().compile().as_text()
    assert "dot" in code["as_argument"].lower(**code["inputs"]()).compile().as_text()


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


@says("which_loop", "Forward mode, `jax.jvp`, works", "`jax.jvp`")
@says("which_loop", "with their values frozen", "`vmap`")
@says("random_depth", "keep their value", "자기 값을 지킵니다")
def a_while_loop_goes_forward_and_waits() -> None:
    def loop(x: Any) -> Any:
        return jax.lax.while_loop(lambda c: c < 10, lambda c: 2 * c, x)

    assert jax.jvp(loop, (1.0,), (1.0,)) == (16, 16)
    assert jax.vmap(loop)(jnp.array([1.0, 9, 11])).tolist() == [16, 18, 11]


@says("a_training_step", "every weight moves by 0.1, the rate in `step`. With", "0.1씩 움직입니다. 상태가 비어 있으면")
@says("a_training_step", "After some twenty steps this loss falls no further", "스무 단계쯤 지나면")
def adam_begins_with_steps_of_its_rate() -> None:
    code = script("a_training_step").names
    given = code["inputs"]()
    weights, _ = code["step"](*code["start"](), given["x"], given["y"])
    again, _ = code["step"](weights, code["start"]()[1], given["x"], given["y"])
    np.testing.assert_allclose(jnp.abs(jnp.stack([weights, again - weights])), 0.1, rtol=1e-4)
    later = code["state_not_kept"](**given)["loss"][19:]
    assert later.min() > 0.99 * later[0] > 100 * code["train"](**given)["loss"][-1]


def ranks(numbers: Any) -> Any:
    return np.argsort(np.argsort(np.asarray(numbers)))


@says("same_key_other_distribution", "same *quantile*", "분위")
@says("same_key_other_distribution", "(gamma, beta, Poisson, randint)", "(gamma, beta, poisson, randint)")
def simple_samplers_share_their_quantile() -> None:
    key, random = jax.random.key(3), jax.random
    uniform = ranks(random.uniform(key, (500,)))
    for sampler in (random.normal, random.exponential, random.gumbel, random.cauchy, random.logistic):
        assert np.corrcoef(uniform, ranks(sampler(key, (500,))))[0, 1] > 0.999
    assert np.corrcoef(uniform, ranks(random.laplace(key, (500,))))[0, 1] < -0.999
    hidden = [random.gamma(key, 2.0, (500,)), random.beta(key, 2.0, 2.0, (500,)), random.randint(key, (500,), 0, 999)]
    hidden.append(random.poisson(key, 4.0, (500,)))
    assert all(abs(np.corrcoef(uniform, ranks(each))[0, 1]) < 0.2 for each in hidden)


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


@says("arrays_and_numpy", "about 7 decimal digits", "십진수로 7자리쯤")
@says("thirty_two_bits", "its floats have 53 binary digits", "이진수로 53자리")
@says("thirty_two_bits", "neighbouring numbers are 2 apart", "이웃한 수의 간격이 2라서")
@says("sixteen_bits", "8 are for the exponent and 7", "8비트는 지수에, 7비트는")
@says("sixteen_bits", "has 5 bits for the exponent and 10", "지수에 5비트, 자릿수에 10비트")
@says("sixteen_bits", "from 6e-8 to 65,504", "6e-8에서 65,504까지")
@says("sixteen_bits", "bfloat16 numbers are 2 apart", "bfloat16은 2씩 떨어져")
@says("thirty_two_bits", "keeps 24 binary digits", "이진수로 24자리")
@says("when_the_loss_became_nan", "between 1 - 0.00000006 and 1", "float32에는 1 - 0.00000006과 1 사이에")
def each_float_has_its_digits() -> None:
    bits = {jnp.bfloat16: (8, 7), np.float16: (5, 10), np.float32: (8, 23), np.float64: (11, 52)}
    for dtype, parts in bits.items():
        assert (jnp.finfo(dtype).nexp, jnp.finfo(dtype).nmant) == parts
    assert 1e7 < 2**24 < 1e8
    assert np.spacing(np.float32(2**24)) == 2
    assert f"{1 - np.nextafter(np.float32(1), np.float32(0)):.8f}" == "0.00000006"
    assert (float(jnp.finfo("float16").max), f"{jnp.finfo('float16').smallest_subnormal:.0e}") == (65504, "6e-08")
    assert [float(jnp.bfloat16(each)) for each in (257, 258, 511)] == [256, 258, 512]
    assert jnp.float32(2**24 - 1) + 1 == 2**24 == jnp.float32(2**24) + 1


@says("seed_and_key", "sets a state that belongs to the whole program", "프로그램 전체가 함께 쓰는 상태")
@says("seed_and_key", "keeps the state in your own object", "상태를 자기 객체에 둡니다")
def numpy_keeps_a_state() -> None:
    before, elsewhere = np.random.get_state(), np.random.default_rng
    np.random.seed(0)
    first, own = np.random.rand(), elsewhere(0)
    from_own, second = [own.random(), own.random()], np.random.rand()
    np.random.set_state(before)
    again = np.random.RandomState(0)
    assert [first, second] == [again.rand(), again.rand()]
    assert from_own == elsewhere(0).random(2).tolist()


@says("seed_and_key", "there is no error and no warning", "오류도 경고도 없습니다")
@says("seed_and_key", "and changes nothing", "아무것도 바꾸지 않습니다")
@says("split_tree", "Earlier draws do not matter", "그 전에 무엇을 뽑았는지는 상관없습니다")
@says("seed_that_came_back", "is the same key wherever", "어디에서 호출해도 같은 key")
def a_draw_depends_on_its_key_alone() -> None:
    key, draw = jax.random.key(3), jax.random.normal
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        first, _, again = draw(key), draw(jax.random.key(4), (9,)), draw(key)
    assert first == again == draw(jax.random.key(3))


@says("first_jaxpr", "it runs it once with *tracers*", "자리표시자(*tracer*)를 넣어 한 번 실행하면서")
@says("print_is_not_there", "not when the compiled program runs", "컴파일된 프로그램이 실행될 때는 일어나지 않습니다")
@says("jit_step_by_step", "happen only while JAX traces", "trace할 때만 일어납니다")
@says("shapes_decide", "jit traces and compiles once more", "한 번 더 trace하고 컴파일합니다")
@says("once_per_compile", "The same happens to an attribute", "속성(`self.steps += 1`)")
@says("first_call_and_later", "Later calls with the same shapes only run", "다음 호출은 실행만 합니다")
@says("jit_step_by_step", "It is a *tracer*", "자리표시자(*tracer*)입니다")
@says("once_per_compile", "is the time of the trace", "`time.time()`은 trace한 시각입니다")
def python_runs_while_jax_traces() -> None:
    seen: list[Any] = []
    adder = Adder()

    @jax.jit
    def f(x: Any) -> Any:
        seen.append(x)
        return adder.add(x)

    for length in (4, 4, 4, 3):
        f(jnp.ones(length))
    assert [each.shape for each in seen] == [(4,), (3,)]
    assert all(isinstance(each, jax.core.Tracer) for each in seen)
    assert adder.traces == 2


@says("jit_step_by_step", "for as long as the function lives", "함수가 있는 동안 프로그램을")
@says("jit_in_a_loop", "by the function **object**", "함수 **객체**를 기준으로")
@says("shapes_decide", "jit finds its programs by the function", "함수를 기준으로 프로그램을 찾고")
@says("jit_in_a_loop", "makes a new object, too", "`jax.vmap(f)`나 함수를 반환하는 함수도")
@says("jit_in_a_loop", "only by a weak reference", "약한 참조(weak reference)로만")
@says("jit_in_a_loop", "Two of them are equal", "두 객체는 서로 같아서")
def programs_belong_to_the_function() -> None:
    traced: list[int] = []

    def f(x: Any) -> Any:
        traced.append(x.size)
        return x + 1

    for length in (*range(1, 30), *range(1, 30)):
        jax.jit(f)(jnp.ones(length))
    assert len(traced) == 29
    for _ in range(3):
        jax.jit(jax.vmap(f))(jnp.ones(1))
        jax.jit(functools.partial(f))(jnp.ones(1))
    assert len(traced) == 29 + 6
    kept, dropped = Adder(), Adder()
    alive = [kept.add for _ in range(5)]
    for method in alive:
        jax.jit(method)(1.0)
    for _ in range(5):
        jax.jit(dropped.add)(1.0)
    assert (kept.traces, dropped.traces) == (1, 5)
    assert kept.add == kept.add


@says("print_is_not_there", "no equation for `print`", "`print`는 tracer에 아무 일도 하지 않으므로")
@says("print_is_not_there", "`ordered=True` keeps the order", "`ordered=True`를 주면 순서를 지킵니다")
@says("checks_and_callbacks", "`ordered=True` forces an order", "`ordered=True`는 순서를 지키지만")
@says("a_tracer_escapes", "waits for the last one", "마지막 것이 올 때까지 기다립니다")
@says("a_tracer_escapes", "with values instead of tracers", "자리표시자가 아니라 값을 받습니다")
@says("checks_and_callbacks", "not at all if the result is not needed", "`jax.pure_callback`")
@says("checks_and_callbacks", "stops the compiled program at that line", "컴파일된 프로그램을 그 줄에서 멈춥니다")
def a_print_is_no_equation_and_a_callback_is() -> None:
    code = script("print_is_not_there").names
    (call,) = jax.make_jaxpr(code["log2_with_print"])(8.0).eqns
    assert [each.primitive.name for each in call.params["jaxpr"].eqns] == ["log", "log", "div"]
    seen: list[int] = []

    def step(i: Any, carry: Any) -> Any:
        jax.debug.callback(lambda each: seen.append(int(each)), i, ordered=True)
        return carry

    jax.jit(lambda: jax.lax.fori_loop(0, 20, step, 0.0))()
    jax.effects_barrier()
    assert seen == list(range(20))
    called: list[Any] = []

    def f(x: Any) -> Any:
        jax.pure_callback(called.append, jax.ShapeDtypeStruct((), jnp.float32), x)
        return x + 1

    jax.block_until_ready(jax.jit(f)(1.0))
    assert called == []
    shown = io.StringIO()

    def stopped(x: Any) -> None:
        jax.debug.breakpoint(stdin=io.StringIO("p x\nc\n"), stdout=shown)

    jax.jit(stopped)(6.0)
    jax.effects_barrier()
    assert "Array(6." in shown.getvalue()


@says("if_on_a_value", "are all in the program", "프로그램에 `gt`, `mul`, `neg`가 다 있고")
@says("if_on_a_value", "and the run takes one of them", "실행할 때 그중 하나로 갑니다")
@says("if_on_a_value", "only `2 * x` is left", "`2 * x`만 계산이 끝난 채로")
@says("if_on_a_value", "traces and compiles again", "`x`가 바뀔 때마다 다시 trace하고")
@says("cond_under_vmap", "takes one branch and leaves the other alone", "한 분기로만 가고 다른 분기는 건드리지")
@says("if_on_a_value", "by its hash, and an array has none", "해시로 구별하는데 배열에는 해시가 없습니다")
def a_choice_is_made_where_it_is_written() -> None:
    code = script("if_on_a_value").names
    (call,) = jax.make_jaxpr(code["with_where"])(3).eqns
    assert {"gt", "mul", "neg"} <= {each.primitive.name for each in call.params["jaxpr"].eqns}
    static = code["with_static_argument"]
    assert "6" in str(jax.make_jaxpr(static, static_argnums=0)(3))
    assert "gt" not in str(jax.make_jaxpr(static, static_argnums=0)(3))
    before = static._cache_size()
    for x in (101, 102, 101):
        static(x)
    assert static._cache_size() == before + 2
    fails(ValueError, static, jnp.ones(2))
    taken: list[str] = []

    def branch(name: str) -> Callable[[Any], Any]:
        return lambda x: (jax.debug.callback(lambda: taken.append(name)), x)[1]

    jax.jit(lambda x: jax.lax.cond(x > 0, branch("yes"), branch("no"), x))(3.0)
    jax.effects_barrier()
    assert taken == ["yes"]


@says("in_axes_out_axes", "It calls `convolve` **once**", "`convolve`는 **한 번** 호출되고")
@says("in_axes_out_axes", "`vmap` removes the first axis", "`vmap`은 첫 번째 축을 떼고")
@says("in_axes_out_axes", "stacked along a new first axis", "새로운 첫 번째 축을 따라 놓입니다")
@says("in_axes_out_axes", "the same as with two equal filters", "똑같은 필터 두 개를 하나씩")
@says("shared_by_closure", "`vmap` maps only over arguments", "`vmap`은 인자만 하나씩")
@says("shared_by_closure", "gives each example its index", "그 축에서의 자리 번호를")
@says("what_vmap_did_to_each_line", "with `out_axes` None", "`out_axes`를 None으로")
@says("convolve_a_batch", "`vmap` does not compile anything", "`vmap`은 컴파일하지 않습니다")
def vmap_calls_its_function_once_for_all() -> None:
    seen: list[Any] = []

    def product(x: Any, w: Any) -> Any:
        seen.append(x)
        return x * w

    xs, w = jnp.arange(6.0).reshape(2, 3), jnp.arange(3.0)
    rows = jax.vmap(product, in_axes=(0, None))(xs, w)
    assert [each.shape for each in seen] == [(3,)]
    assert np.array_equal(rows, jax.vmap(product)(xs, jnp.stack([w, w])))
    assert np.array_equal(rows, jax.vmap(lambda x: x * w)(xs))
    assert equations(jax.vmap(product), xs, xs) == 1
    assert jax.vmap(lambda _: w, out_axes=None)(xs).shape == (3,)
    index = jax.vmap(lambda _: jax.lax.axis_index("example"), axis_name="example")(xs)
    assert index.tolist() == [0, 1]


@says("key_reuse_in_init", "gives the same values", "같은 개수를 뽑으면 같은 값이")
@says("partitionable", "depends only on the key and `i`", "key와 `i`만으로 계산됩니다")
@says("partitionable", "they have nothing in common", "공통점이 없습니다")
@says("kept_and_spent", "JAX's default settings, `split", "기본 설정에서 `split")
@says("kept_and_spent", "whether you ask for two or three", "둘을 요청하든 셋을 요청하든")
@says("key_reuse_in_init", "the square root of 128", "128의 제곱근")
@says("partitionable", "in pairs from the two halves of the draw", "앞뒤 절반으로 나누어 짝을 지어")
@says("fold_in_or_split", "off, all of them change", "`jax_threefry_partitionable`을 끄면 모두 바뀝니다")
def a_number_of_a_draw_depends_on_its_index() -> None:
    key = jax.random.key(3)
    for partitionable in (True, False):
        with jax.threefry_partitionable(partitionable):
            row, column, longer = (jax.random.normal(key, each).ravel() for each in ((1, 8), (8, 1), (4, 4)))
            one, two = (jax.random.split(key, count)[0] for count in (1, 2))
        assert bool(one == two) == partitionable
        assert np.array_equal(row, column)
        assert np.isin(row, longer).tolist() == [partitionable] * 8
    with jax.threefry_partitionable(False):
        pairs = threefry_2x32(jax.random.key_data(key), jnp.array([3, 7], jnp.uint32))
        assert np.array_equal(jax.random.bits(key, (8,))[jnp.array([3, 7])], pairs)
        assert not (jax.random.split(key, 5) == jax.random.split(key, 6)[:5]).any()
    code = script("key_reuse_in_init").names
    first, middle, last = code["layer_by_layer"](**code["inputs"]())
    np.testing.assert_allclose(last[:, 0] * np.sqrt(128), first[0], rtol=1e-6)
    np.testing.assert_allclose(middle[0] * np.sqrt(128), first[0], rtol=1e-6)


@says("gradient_of_a_loss", "An integer in another argument does no harm", "다른 인자의 정수는 괜찮습니다")
@says("gradient_of_a_loss", "always has the structure of its parameter", "기울기의 구조는 언제나 파라미터의 구조와")
@says("gradient_of_a_loss", "would compute the loss twice", "손실을 두 번 계산합니다")
@says("gradient_of_a_loss", "One pass backward through the program", "역전파 한 번으로 둘 다")
@says("gradient_of_each", "A gradient has the shape of its argument", "기울기의 모양은 미분하는 변수")
@says("a_tracer_escapes", "lets the loss return more", "손실 말고 다른 것도 반환할 수")
@says("gradient_of_a_loss", "an integer has no slope", "정수에는 기울기가")
@says("gradient_of_a_loss", "Nothing is computed for `x` and `y`", "아무것도 계산하지 않습니다")
@says("gradient_of_a_loss", "`loss` must return a single number", "`loss`는 수 하나를 반환해야 합니다")
@says("gradient_of_a_loss", "does not try out a second `w`", "다른 `w`를 넣어 보는 것이 아닙니다")
@says("gradient_of_a_loss", "JAX looks at the dtype before it traces", "trace하기 전에 dtype을 봅니다")
def a_gradient_has_the_structure_of_its_parameter() -> None:
    def loss(tree: Any, n: Any) -> Any:
        return jnp.sum(tree["w"] ** 2) * n + jnp.exp(tree["b"][0])

    tree = {"w": jnp.ones((2, 3)), "b": [1.0]}
    slopes = jax.grad(loss)(tree, 3)
    assert jax.tree.map(jnp.shape, slopes) == jax.tree.map(jnp.shape, tree)
    twice = equations(lambda *all_: (loss(*all_), jax.grad(loss)(*all_)), tree, 3)
    assert equations(jax.value_and_grad(loss), tree, 3) < twice
    assert jax.grad(lambda x: (x**2, "more"), has_aux=True)(3.0) == (6, "more")
    assert jax.grad(lambda w: w * 2.0, allow_int=True)(1).dtype == jax.dtypes.float0
    code = script("gradient_of_a_loss").names
    given = code["inputs"]().values()
    count = [equations(jax.grad(code["loss"], each), *given) for each in (0, 1, (0, 1), (0, 1, 2, 3))]
    assert count[2] < min(count[0] + count[1], count[3])
    with pytest.raises(TypeError, match="scalar"):
        jax.grad(lambda w: w * 2)(jnp.ones(2))
    seen: list[Any] = []

    def squared(w: Any) -> Any:
        seen.append(w)
        return w**2

    assert jax.grad(squared)(3.0) == 6
    assert [isinstance(each, jax.core.Tracer) for each in seen] == [True]
    fails(TypeError, jax.grad(squared), 1)
    assert len(seen) == 1


@says("trees", "except in a static argument", "static 인자는 예외입니다")
@says("trees", "with two trees walks both together", "짝이 되는 리프끼리 계산합니다")
@says("trees", "In the jaxpr the tree is gone", "jaxpr에는 트리가 없습니다")
@says("trees", "For JAX a set is not a container", "리프")
@says("trees", "is a `TypeError`", "`TypeError`")
@says("trees", "An empty tuple has no leaves", "빈 튜플에는 리프가 없고")
@says("trees", "For `grad` they must be floating-point", "`grad`에서는 실수여야")
@says("classes_as_trees", "lists, tuples, dicts and named tuples", "리스트, 튜플, 딕셔너리, 이름 있는 튜플 안을")
def a_tree_is_taken_apart() -> None:
    tree = {"a": 1.0, "b": [2.0, 3.0]}
    assert jax.jit(lambda tree, name: tree[name], static_argnames="name")(tree, name="a") == 1
    assert jax.tree.map(lambda x, y: x - y, tree, tree) == {"a": 0, "b": [0, 0]}
    assert [each.shape for each in jax.make_jaxpr(lambda tree: tree)(tree).in_avals] == [()] * 3
    assert jax.tree.leaves([(), None, {1, 2}]) == [{1, 2}]
    assert jax.tree.leaves(collections.namedtuple("Pair", "first second")(1, [2])) == [1, 2]
    fails(TypeError, jax.jit(lambda tree: tree["x"]), {"x": 1.0, "name": "a"})

    def loss(tree: Any) -> Any:
        return tree["w"] * tree["n"]

    assert jax.grad(loss)({"w": 1.0, "n": 2.0})["w"] == 2
    assert jax.jit(loss)({"w": 1.0, "n": 2}) == 2
    with pytest.raises(TypeError, match="int32"):
        jax.grad(loss)({"w": 1.0, "n": 2})


@says("scan_step_by_step", "returns `None` there", "그 자리에 `None`을 반환합니다")
@says("scan_step_by_step", "carries everything and stacks nothing", "쌓는 것은 없는 `scan`")
@says("scan_step_by_step", "would make 1,000 copies", "복사본이 1,000개가 되고")
@says("unrolled", "With 1,000 steps it has 3,000 of them", "1,000단계면 식이 3,000개")
@says("unrolled", "even reverse-mode gradients work", "역방향(reverse-mode) 기울기(gradient)도")
@says("which_loop", "has a gradient if both ends are Python numbers", "양 끝이 Python 숫자이면 기울기가")
@says("carry_of_a_scan", "The structure may not change either", "구조도 바뀌면 안 됩니다")
@says("scan_step_by_step", "With a traced bound it becomes a `while`", "끝이 trace된 값이면 `while`이 되고")
@says("random_depth", "has no reverse-mode gradient", "역방향(reverse-mode) 기울기를 구할 수 없습니다")
@says("unrolled", "and `grad` works", "배열에 값이 있으므로 `grad`가 됩니다")
def a_scan_repeats_one_step() -> None:
    def double(carry: Any, x: Any) -> Any:
        return 2 * carry, None

    assert jax.lax.scan(double, 1.0, length=3) == (8, None)
    step = script("unrolled").names["step"]
    assert equations(lambda x: functools.reduce(lambda x, _: step(x), range(1000), x), 1.0) == 3000
    with pytest.raises(TypeError, match="structure"):
        jax.lax.scan(lambda c, _: ((*c, 0.0), None), (0.0, 0.0), length=2)

    def doubled(n: Any, x: Any) -> Any:
        return jax.lax.fori_loop(0, n, lambda _, c: 2 * c, x)

    (loop,) = jax.make_jaxpr(lambda x: doubled(3, x))(1.0).eqns
    assert (loop.params["num_carry"], loop.params["length"]) == (len(loop.outvars), 3)
    assert jax.grad(lambda x: doubled(3, x))(1.0) == 8
    assert jax.grad(lambda x: doubled(jnp.asarray(3), x))(1.0) == 8
    assert "while" in str(jax.make_jaxpr(doubled)(3, 1.0))
    with pytest.raises(ValueError, match="Reverse-mode"):
        jax.jit(jax.grad(doubled, argnums=1))(3, 1.0)


@says("stop_gradient", "`stop_gradient` returns its argument unchanged", "`stop_gradient`는 인자를 그대로 반환합니다")
@says("stop_gradient", "and `jvp`, which computes slopes", "순전파에서 함께 구하는 `jvp`")
@says("stop_gradient", "is missing", "역전파(backward pass)가 빠졌습니다")
@says("stop_gradient", "it is `estimate` plus a constant", "`estimate`에 상수를 더한 것")
@says("from_pytorch", "is the counterpart of it, and of `.detach()`", "그것과 `.detach()`를 대신합니다")
@says("stop_gradient", "a conversion to integers end it in the same way", "똑같이 끊깁니다")
def a_stopped_gradient_is_a_constant() -> None:
    stop = jax.lax.stop_gradient
    assert (stop(3.0), *jax.jvp(stop, (3.0,), (1.0,))) == (3, 3, 0)
    assert jax.value_and_grad(lambda x: 2 * (x + stop(jnp.round(x) - x)))(1.75) == (4, 2)
    code = script("stop_gradient").names
    kept, stopped = (code[each] for each in ("without_stop_gradient", "with_stop_gradient"))
    assert equations(kept, **code["inputs"]()) > equations(stopped, **code["inputs"]())
    assert jax.grad(lambda w: w * stop(w))(3.0) == 3
    ends: list[Callable[[Any], Any]] = [jnp.round, lambda x: jnp.argmax(jnp.stack([x, 1.0])), lambda x: x > 0]
    for function in (*ends, lambda x: x.astype(int)):
        assert jax.grad(lambda x, function=function: jnp.float32(function(x)))(1.5) == 0


@says("when_the_loss_became_nan", "less than a float32 can show", "float32로 나타낼 수 없을 만큼")
@says("when_the_loss_became_nan", "The logarithm of 0 is minus infinity", "0의 로그는 음의 무한대입니다")
@says("sixteen_bits", "converts to float32 first", "먼저 float32로 바꾸어 더하고")
@says("thirty_two_bits", "after the largest comes the smallest", "가장 큰 수 다음에 가장 작은 수가")
@says("thirty_two_bits", "also next to a Python number", "Python의 수와 만나도 그대로")
@says("thirty_two_bits", "made without a dtype becomes a float64 now", "dtype 없이 만든 배열은 float64가")
@says("thirty_two_bits", "when you ask for a dtype by name", "dtype을 이름으로 요구하면")
@says("arrays_and_numpy", "No warning says so", "그렇고, 경고도 없습니다")
@says("thirty_two_bits", "becomes a float32 without any warning", "경고도 없이 float32가 됩니다")
@says("sixteen_bits", "asks for all of them", "모든 자릿수로 계산하라고 요청합니다")
@says("thirty_two_bits", "Python raises it when it converts", "너무 큰 수를 변환할 때 Python이 내는 오류")
def numbers_end_with_their_bits() -> None:
    fails(OverflowError, jnp.asarray, 2**31)
    assert [float(jax.nn.sigmoid(20.0)), float(jnp.log(0.0)), int(jnp.int32(2**31 - 1) + 1)] == [1, -np.inf, -(2**31)]
    assert "new_dtype=float32" in str(jax.make_jaxpr(jnp.sum)(jnp.zeros(3, jnp.bfloat16)))
    with jax.default_matmul_precision("highest"):
        assert "HIGHEST" in str(jax.make_jaxpr(jnp.matmul)(jnp.ones((2, 2)), jnp.ones((2, 2))))
    with pytest.warns(UserWarning, match="float64"):
        jnp.zeros(3, "float64")
    with jax.enable_x64(True):
        dtypes = [each.dtype for each in (jnp.zeros(3), jnp.asarray(np.zeros(3)), jnp.float32(1) + 1.5)]
    assert dtypes == ["float64", "float64", "float32"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert [jnp.asarray(each).dtype for each in (np.zeros(3), np.arange(3))] == ["float32", "int32"]


@says("nan_from_nowhere", "The same happens with `log`", "`log`, `1 / x`, `x ** 0.5`에서도")
@says("nan_from_nowhere", "of a zero vector gives NaN slopes", "영벡터의 `jnp.linalg.norm`은")
@says("nan_from_nowhere", "raises an error there", "바로 거기서 오류가 납니다")
@says("checks_and_callbacks", "stops at the first NaN", "첫 NaN에서 멈춥니다")
@says("cond_under_vmap", "gets no gradient from the branch", "그 분기에서 기울기(gradient)가 돌아오지")
@says("nan_from_nowhere", "it computes both branches and then selects", "두 쪽을 다 계산한 뒤에 고릅니다")
def a_slope_at_an_edge_is_nan() -> None:
    edges: list[Callable[[Any], Any]] = [jnp.sqrt, jnp.log, lambda x: 1 / x, lambda x: x**0.5]
    for edge in edges:
        assert jnp.isnan(jax.grad(lambda x, edge=edge: jnp.where(x > 0, edge(x), 0.0))(0.0))
        chosen = jax.vmap(lambda x, edge=edge: jax.lax.cond(x > 0, edge, jnp.zeros_like, x))
        assert jnp.isfinite(jax.grad(lambda xs, chosen=chosen: chosen(xs).sum())(jnp.arange(2.0))).all()
    assert jnp.isnan(jax.grad(jnp.linalg.norm)(jnp.zeros(2))).all()
    with jax.debug_nans(True):
        fails(FloatingPointError, jax.jit(jnp.log), -1.0)


@says("written_in_place", "another name for the same array is deleted", "다른 이름도 함께 지워집니다")
@says("written_in_place", "With another address JAX copies", "주소가 다르면 JAX가 복사하므로")
@says("written_in_place", "`jnp.array(buffer)` copies too", "`jnp.array(buffer)`도 복사합니다")
@says("to_the_device", "which the guard lets pass", "가드가 통과시킵니다")
@says("to_the_device", "or the `jnp.array(...)` that is sent", "`jnp.array(...)`")
def memory_is_given_away_or_copied() -> None:
    x = jnp.ones(3)
    name = x
    jax.jit(lambda x: x + 1, donate_argnums=0)(x)
    assert name.is_deleted()
    buffer = script("written_in_place").names["aligned_zeros"](5)
    arrays = jax.block_until_ready([jax.device_put(buffer[1:]), jnp.array(buffer)])
    buffer[:] = 9
    assert not any(each.any() for each in arrays)
    with jax.transfer_guard("disallow"):
        jax.device_put(buffer)
        fails(RuntimeError, jnp.array, [1.0])


@says("a_gradient_to_trust", "nothing compares it with the formula", "식과 비교해 보지 않습니다")
@says("a_gradient_to_trust", "like any other function, but in the backward pass", "역전파 때 그렇게 합니다")
@says("your_own_gradient", "One rule serves `grad`, `jvp` and second derivatives", "규칙 하나로 `grad`, `jvp`, 이계")
@says("your_own_gradient", "and here `jax.hessian` does, too", "여기서는 `jax.hessian`에도 필요합니다")
@says("your_own_gradient", "zero times infinity", "0 곱하기 무한대")
@says("your_own_gradient", "A JVP rule must be linear in the tangent", "tangent에 대해 선형이어야 합니다")
@says("a_gradient_to_trust", "JAX checks the number and the shapes of the gradients", "기울기의 개수와 모양을 검사하고")
@says("your_own_gradient", "made such that their slopes stay finite", "기울기가 유한하게 나오도록 만들어져")
def a_rule_is_taken_as_it_is() -> None:
    forward, backward, traced = jax.custom_jvp(jnp.sin), jax.custom_vjp(jnp.sin), []
    forward.defjvp(lambda x, change: (jnp.sin(x[0]), 5 * x[0] * change[0]))
    backward.defvjp(lambda x: (jnp.sin(x), x), lambda x, slope: traced.append(x) or (5 * slope,))
    assert (backward(1.0), traced) == (jnp.sin(1.0), [])
    slopes = [jax.grad(backward), jax.grad(forward), jax.grad(jax.grad(forward)), jax.jacfwd(forward)]
    assert [each(1.0) for each in slopes] == [5] * 4
    forward.defjvp(lambda x, change: (jnp.sin(x[0]), change[0] ** 2))
    fails(NotImplementedError, jax.grad(forward), 1.0)
    fails(TypeError, jax.jacfwd(backward), 1.0)
    fails(TypeError, jax.hessian(script("your_own_gradient").names["with_vjp"]), 2.0)
    for error, wrong in ((ValueError, (jnp.ones(2),)), (TypeError, (1.0, 1.0))):
        backward.defvjp(lambda x: (x, x), lambda *_, wrong=wrong: wrong)
        fails(error, jax.grad(backward), 1.0)
    safe: list[Callable[[Any], Any]] = [lambda x: jnp.logaddexp(x, 0.0), jnp.log1p, jax.nn.softplus]
    for function in (*safe, lambda x: jax.nn.logsumexp(jnp.stack([x, 0.0]))):
        assert jnp.isfinite(jax.grad(function)(100.0))
    above = jnp.exp(jnp.float32(100))
    assert [above, 1 / (1 + above)] == [jnp.inf, 0]
    assert jnp.isnan(1 / (1 + above) * above)
    assert jnp.isnan(jax.grad(script("your_own_gradient").names["softplus"])(100.0))


@says("forward_and_reverse", "evaluates the function once", "함수를 한 번 계산하고")
@says("gradient_of_each", "costs no more equations", "식의 수는 샘플 하나의 기울기와")
@says("gradient_of_many", "Under `vmap` no example sees another", "샘플이 다른 샘플을 보지 못합니다")
@says("gradient_of_many", "so it gets two slopes", "기울기도 두 개가")
@says("forward_and_reverse", "contains only what is linear", "선형인 부분만 있습니다")
def many_slopes_are_one_program() -> None:
    adder, x = Adder(), jnp.arange(3.0)
    push = jax.linearize(lambda x: adder.add(x) ** 2, x)[1]
    changes = [push(direction) for direction in jnp.eye(3)]
    assert (adder.traces, changes[2][2]) == (1, 6)
    slope = jax.grad(lambda x: jnp.sin(x) * x)
    one, each = str(jax.make_jaxpr(slope)(1.0)), str(jax.make_jaxpr(jax.vmap(slope))(x))
    assert one.count(" = ") == each.count(" = ")
    assert one.count("add_any") == 1
    both = jax.vmap(lambda x: (x, jax.lax.psum(x, "example")), axis_name="example")(x)
    assert [part.tolist() for part in both] == [[0, 1, 2], [3, 3, 3]]
    _, push = jax.linearize(lambda x: jnp.sin(x) ** 2, 1.0)
    primitives = {each.primitive.name for each in jax.make_jaxpr(push)(1.0).eqns}
    assert primitives <= {"mul", "convert_element_type", "pjit", "jit", "neg"}


@says("beyond_the_end", "Outside of `jit` the rule is the same", "`jit` 밖에서도 규칙이 같으므로")
@says("beyond_the_end", "it is shortened", "trace할 때 길이를 알 수 있으므로 짧아집니다")
@says("beyond_the_end", "*drops* a write beyond the end", "끝을 넘어 쓰는 것을 *버립니다(drop)*")
@says("beyond_the_end", "That is done once", "더하는 것은 한 번입니다")
@says("carry_of_a_scan", "is dropped silently", "말없이 버려집니다")
@says("boolean_masks", "`len(x)` is safe", "`len(x)`라면 안전합니다")
@says("beyond_the_end", "moves its start back", "시작을 앞으로 당겨")
@says("beyond_the_end", "the largest for unsigned", "없으면 가장 큰 수")
@says("beyond_the_end", "does not stop in the middle", "중간에 멈추고 Python 오류를 내지 않습니다")
def an_index_beyond_the_end() -> None:
    x = jnp.arange(5.0)
    reads: list[Callable[[Any, Any], Any]] = [lambda x, i: x[i], jax.jit(lambda x, i: x[i])]
    for read in reads:
        assert [float(read(x, i)) for i in (10, -2, -7)] == [4, 3, 0]
    assert (x[3:9].tolist(), x.at[9].set(9.0).tolist()) == ([3, 4], x.tolist())
    assert jnp.nonzero(x > -1, size=len(x))[0].tolist() == [0, 1, 2, 3, 4]
    update = jax.lax.dynamic_update_slice(jnp.arange(5.0), jnp.full(4, 9.0), (3,))
    assert update.tolist() == [0, 9, 9, 9, 9]
    signed, unsigned, real = (jnp.take(jnp.ones(3, dtype), 9) for dtype in ("int8", "uint8", "float32"))
    assert (int(signed), int(unsigned)) == (-128, 255)
    assert jnp.isnan(real)


@says("key_patterns", "JAX does not promise it", "JAX가 약속한 것은 아닙니다")
@says("shared_on_purpose", "It does not change the numbers", "숫자는 그대로입니다")
@says("resumed_from_disk", "`np.save` does not take a key", "`np.save`는 key를 그대로 받지 않습니다")
@says("dropout_in_a_training_step", "compares it with the probability", "뽑아 확률과 비교하는데")
@says("another_generator", "takes the key of the first example", "`rbg`는 첫 샘플의 key로")
@says("shared_by_closure", "child `i` of a split is `fold_in(key, i)`", "자식이 `fold_in(key, i)`")
@says("another_generator", "Splitting still uses threefry", "threefry")
@says("parent_and_child", "is child `i` of a split", "split의 `i`번째 자식")
@says("fold_in_or_split", "child `i` of a split is `fold_in(key, i)`", "자식이 곧 `fold_in(key, i)`입니다")
@says("another_generator", "`threefry2x32` is the default", "기본 생성기는 `threefry2x32`입니다")
@says("another_generator", "leaves the bits to XLA;", "비트를 XLA에 맡깁니다")
def keys_by_their_generator() -> None:
    key, draw = jax.random.key(3), jax.random.normal
    assert draw(jax.random.clone(key)) == draw(key)
    assert np.array_equal(jax.random.bernoulli(key, 0.3, (99,)), jax.random.uniform(key, (99,)) < 0.3)
    fails(TypeError, np.save, io.BytesIO(), key)
    fast = jax.random.split(jax.random.key(3, impl="rbg"), 4)
    assert np.array_equal(jax.vmap(draw)(fast), draw(fast[0], (4,)))
    assert "stablehlo.rng_bit_generator" in jax.jit(draw).lower(fast[0]).as_text()
    assert jax.config.jax_default_prng_impl == "threefry2x32"
    other = jax.random.key(3, impl="unsafe_rbg")
    assert jax.random.split(other, 3)[1] != jax.random.fold_in(other, 1)
    with jax.threefry_partitionable(False):
        assert jax.random.split(key, 3)[1] != jax.random.fold_in(key, 1)
    key = jax.random.key(3)
    assert all(jax.random.split(key, 5)[i] == jax.random.fold_in(key, i) for i in range(5))
    words, fast = (jax.random.key_data(jax.random.split(each)) for each in (key, jax.random.key(3, impl="rbg")))
    assert np.array_equal(fast, np.hstack([words, words]))


@says("concrete_value_needed", "`float()` and `int()` fail the same way", "`float()`와 `int()`도 똑같이")
@says("concrete_value_needed", "a `TracerArrayConversionError`", "`TracerArrayConversionError`가 납니다")
@says("checks_and_callbacks", "`assert` needs a value", "`assert`에는 값이 필요해서")
@says("checks_and_callbacks", "with jax.disable_jit():", "`with jax.disable_jit():`로 잠시 컴파일을 끄고")
@says("a_tracer_escapes", "JAX's message names the function", "JAX의 오류문에는 trace된 함수와")
def a_tracer_has_no_value() -> None:
    errors = jax.errors
    for convert in (float, int, lambda x: x.item()):
        fails(errors.ConcretizationTypeError, jax.jit(convert), 1.0)
    fails(errors.TracerBoolConversionError, jax.jit(bool), 1.0)
    fails(errors.TracerArrayConversionError, jax.jit(np.asarray), 1.0)
    with jax.disable_jit():
        assert jax.jit(float)(1.0) == 1
    kept: list[Any] = []
    jax.jit(lambda x: kept.append(2 * x))(1.0)
    with pytest.raises(errors.UnexpectedTracerError, match=r"traced for jit.\n.*\n.*created on line"):
        kept[0] + 1


@says("classes_as_trees", "is compared with `==`", "`==`로 비교합니다")
@says("classes_as_trees", "comparing two of them fails", "두 배열을 비교하면 오류가 납니다")
@says("classes_as_trees", "So `__init__` runs while JAX traces", "trace하는 동안 `__init__`이")
@says("axes_of_a_tree", "`vmap` compares lengths and nothing else", "`vmap`은 길이만 비교하는데")
@says("ahead_of_time", "XLA's programs are kept in that folder", "XLA의 프로그램이 그 폴더에 남습니다")
def the_cache_on_disk_keeps_programs() -> None:
    with tempfile.TemporaryDirectory() as folder:
        always = {"JAX_COMPILATION_CACHE_DIR": folder, "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0"}
        code = "import jax; jax.jit(lambda x: x + 1)(1)"
        subprocess.run([sys.executable, "-c", code], env={**os.environ, **always}, check=True)
        assert any("lambda" in each.name for each in Path(folder).iterdir())
    assert jax.config.jax_persistent_cache_min_compile_time_secs == 1


@says("ahead_of_time", "and works for each length", "어떤 길이든 됩니다")
@says("ahead_of_time", "if the package `flatbuffers` is installed", "패키지 `flatbuffers`가 있어야 합니다")
@says("ahead_of_time", "`pickle` refuses a jitted function", "jit된 함수는 `pickle`로 저장할 수 없습니다")
@says("ahead_of_time", "it is StableHLO, and needs none of your code", "StableHLO이고 여러분의 코드가 필요 없습니다")
@says("classes_as_trees", "work with it in the same way", "`jax.tree.map`, `vmap`, 옵티마이저도 똑같이")
def programs_of_trees_and_of_any_length() -> None:
    named = script("classes_as_trees").names["Named"]
    scale = jax.jit(lambda layer: layer.scale)
    assert scale(named(1.0, [1, 2])) == 1
    with pytest.raises(ValueError, match="metadata"):
        [scale(named(1.0, np.ones(2))) for _ in range(2)]
    registered = script("classes_as_trees").names["Registered"](jnp.arange(3.0), jnp.ones(3))
    doubled = jax.vmap(lambda layer: jax.tree.map(lambda x: 2 * x, layer))(registered)
    assert [doubled.scale.tolist(), doubled.shift.tolist()] == [[0, 2, 4], [2, 2, 2]]
    made: list[Any] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(named, "__init__", lambda layer, **fields: made.append(fields) or vars(layer).update(fields))
        jax.jit(lambda layer: layer.scale)(named(scale=1.0, activation="sin"))
    assert [isinstance(each["scale"], jax.core.Tracer) for each in made] == [False, True]
    fails(ValueError, jax.vmap(jnp.multiply), jnp.ones(3), jnp.ones(4))
    shape = jax.ShapeDtypeStruct(jax.export.symbolic_shape("n"), "float32")
    program = jax.export.export(jax.jit(jnp.sum))(shape)
    assert [program.call(jnp.ones(n)) for n in (3, 5)] == [3, 5]
    assert "stablehlo.reduce" in program.mlir_module()
    if importlib.util.find_spec("flatbuffers"):
        assert program.serialize()
    else:
        fails(ImportError, program.serialize)
    fails(AttributeError, pickle.dumps, jax.jit(jax_promotes_by_kind))


@says("which_loop", "applies the operation about 2 log₂(n) times", "2 log₂(n)번쯤 적용합니다")
@says("unrolled", "puts several steps into each iteration", "여러 단계를 가게 합니다")
@says("keep_or_recompute", "A policy is a function that JAX asks", "정책은 JAX가 배열마다 물어보는 함수입니다")
@says("what_lowers_the_peak", "JAX puts a barrier into the program", "프로그램에 장벽(barrier)을 넣습니다")
@says("what_keeps_memory", "Within a batch of 16 it uses `vmap`", "16개짜리 배치 안에서는 `vmap`을 쓰고")
@says("keep_or_recompute", "needs the cosine of its input", "들어온 수의 코사인이")
@says("unrolled", "by itself when it is lowered to StableHLO", "StableHLO로 lower할 때 같은 일을")
@says("keep_or_recompute", "`nothing_saveable` is the default", "`nothing_saveable`과 같습니다")
@says("keep_or_recompute", "the kept arrays are among its temporaries", "남긴 배열은 임시 메모리에 있습니다")
def what_a_program_is_made_of() -> None:
    adder: list[Any] = []
    jax.lax.associative_scan(lambda x, y: (adder.append(x), x + y)[1], jnp.ones(1024))
    assert len(adder) == 20
    batches = str(jax.make_jaxpr(lambda x: jax.lax.map(jnp.sin, x, batch_size=4))(jnp.ones(8)))
    assert ("scan[" in batches, ":f32[4] = sin" in batches) == (True, True)
    for unroll, sines in ((1, 1), (4, 4)):
        loop = jax.jit(lambda x, n=unroll: jax.lax.scan(lambda c, _: (jnp.sin(c), None), x, length=100, unroll=n)[0])
        assert str(loop.lower(1.0).compile().as_text()).count(" sine(") == sines
        assert loop.lower(1.0).as_text().count("func.call") == sines
    code = runpy.run_path(SCENARIOS["keep_or_recompute"].path)
    given, plain = code["inputs"](), code["plain"]
    temporary = jax.jit(jax.value_and_grad(plain)).lower(*given.values()).compile().memory_analysis().temp_size_in_bytes
    assert temporary >= code["kept_by"](plain, **given) * 2**20 - sum(each.nbytes for each in given.values())
    asked: list[Any] = []
    kept = jax.checkpoint(lambda x: jnp.sin(jnp.cos(x)), policy=lambda p, *_, **__: bool(asked.append(p.name)))
    assert "optimization_barrier" in jax.jit(jax.grad(kept)).lower(1.0).as_text()
    assert {"sin", "cos"} <= set(asked)
    default, nothing = (
        jax.checkpoint(jnp.sin, policy=each) for each in (None, jax.checkpoint_policies.nothing_saveable)
    )
    assert jax.tree.leaves(jax.vjp(default, 1.0)[1]) == jax.tree.leaves(jax.vjp(nothing, 1.0)[1])
    assert jax.tree.leaves(jax.vjp(jnp.sin, 1.0)[1]) == [jnp.cos(1.0)]


@says("too_small_to_win", "each equation is a small separate program", "식 하나하나가 따로 컴파일된 작은 프로그램")
@says("first_call_and_later", "each small operation separately", "eager도 작은 연산을 하나씩 컴파일해야")
def without_jit_each_operation_is_a_program() -> None:
    x = jnp.ones(37)
    with jax.log_compiles(), unittest.TestCase().assertLogs("jax", "WARNING") as logs:
        (x * x + x) * x + x
    compiled = [each for each in logs.output if "Finished XLA compilation" in each]
    assert [name in each for name, each in zip(("mul", "add"), compiled, strict=True)] == [True, True]


@says("another_generator", "JAX documents it as the fastest on a TPU", "JAX 문서에 따르면 TPU에서 가장 빠릅니다")
@says("another_generator", "JAX documents the exception", "JAX 문서에 적힌 예외입니다")
@says("split_tree", "the same bits on a CPU, a GPU and a TPU", "기본 생성기는 CPU, GPU, TPU에서 같은 비트를")
@says("partitionable", "It has been on since JAX 0.5", "JAX 0.5부터 켜져 있고")
@says("kept_and_spent", "JAX made its children that way before 0.5", "0.5 전의 JAX는 자식을 이렇게")
@says("to_the_device", "JAX documents that the call returns at once", "JAX 문서에 따르면 호출은 바로 돌아오고")
@says("many_devices", "JAX's documentation recommends `shard_map` instead", "JAX 문서도 `shard_map`을 권합니다")
def what_jax_documents() -> None:
    lines = str(jax.random.__doc__).splitlines()
    (head,) = (each for each in lines if each.lstrip().startswith("Property"))
    properties = {"Fastest on TPU": "rbg", "identical across CPU": "threefry", "exact ``jax.vmap``": "threefry"}
    for named, generator in properties.items():
        (line,) = (each for each in lines if named in each)
        ticks = {"threefry": line[head.index("Threefry*") :][:9], "rbg": line[head.index(" rbg ") :][:5]}
        assert [each for each, tick in ticks.items() if "✅" in tick] == [generator]
    assert "default as of JAX v0.5.0" in str(jax.random.__doc__)
    assert jax.config.jax_threefry_partitionable
    assert "always asynchronous" in str(jax.device_put.__doc__)
    assert "Use :py:func:`jax.shard_map` instead" in str(jax.pmap.__doc__)


@says("classes_as_trees", "register your models for you", "라이브러리는 모델을 알아서 등록합니다")
@says("from_pytorch", "trace again when the mode of a model changes", "모델의 모드가 바뀌면")
@says("modules_under_jit", "and strings that choose how a layer works", "층이 어떻게 계산할지 정하는 문자열도")
@says("modules_under_jit", "`layer.count = 1` is an error", "`layer.count = 1`은 오류입니다")
@says("modules_under_jit", "makes a program for each of its values", "값마다 프로그램이 생기고")
@says("modules_under_jit", "with `nnx.split`, and pass its arrays to `jax.jit`", "그 배열을 `jax.jit`에 넘기세요")
def models_of_libraries_are_trees() -> None:
    eqx, nnx = pytest.importorskip("equinox"), pytest.importorskip("flax.nnx")
    key, x, counter = jax.random.key(0), jnp.ones(50), Adder()
    norm, linear = eqx.nn.BatchNorm(3, "batch", mode="batch"), nnx.Linear(2, 3, rngs=nnx.Rngs(0))
    leaves = jax.tree.leaves((norm, eqx.nn.MLP(2, 3, 4, 2, key=key)))
    assert any(map(callable, leaves))
    assert "batch" in [each for each in leaves if isinstance(each, str)]
    assert len(jax.tree.leaves(linear)) == 2
    fails(AttributeError, setattr, norm, "count", 1)
    for rate in (0.1, 0.2, jnp.float32(0.1), jnp.float32(0.2)):
        eqx.filter_jit(Adder.add)(counter, rate)
    assert counter.traces == 3
    graph, arrays = nnx.split(linear)
    assert jax.jit(lambda arrays, x: nnx.merge(graph, arrays)(x))(arrays, x[:2]).shape == (3,)
    layer, model = eqx.nn.Dropout(0.5), nnx.Dropout(0.5, rngs=nnx.Rngs(0))
    masked = eqx.filter_jit(lambda layer: layer(x, key=key))
    outputs = [masked(layer), masked(eqx.nn.inference_mode(layer))]
    apply = nnx.jit(lambda model: model(x))
    outputs.append(apply(model))
    model.eval()
    outputs.append(apply(model))
    assert [bool((each == x).all()) for each in outputs] == [False, True, False, True]


@says("keys_in_flax", "two dropouts in one network get different keys", "두 dropout은 서로 다른 key를 받습니다")
def linen_counts_within_one_apply() -> None:
    linen = pytest.importorskip("flax.linen")
    network = linen.Sequential([linen.Dropout(0.5, deterministic=False), linen.Dropout(0.5, deterministic=False)])
    outputs = network.apply({}, jnp.ones(1000), rngs={"dropout": jax.random.key(0)})
    # Equal masks would keep one half.
    assert 0.2 < (outputs > 0).mean() < 0.3


@says("a_training_step", "replace the lines below `slope` in `step`", "`slope` 아래의 줄을 대신하고")
@says("a_training_run", "one more variant trains with its Adam", "그 Adam으로 학습하는 버전이 하나 더")
@says("once_per_compile", "Optimisers for JAX are built like this", "JAX용 옵티마이저가 이렇게 되어 있고")
@says("when_the_loss_became_nan", "which takes logits for this reason", "이 때문에 로짓을 받습니다")
def optax_passes_its_state_on() -> None:
    optax = pytest.importorskip("optax")
    w, adam = jnp.ones(3), optax.adam(0.1)
    updates, state = adam.update(2 * w, adam.init(w))
    np.testing.assert_allclose(optax.apply_updates(w, updates), 0.9, rtol=1e-5)
    assert (adam.init(w)[0].count, state[0].count) == (0, 1)
    code = script("a_training_run").names
    losses = code["with_optax"](**code["inputs"]())["loss"]
    assert losses[-1] < losses[0]
    assert optax.sigmoid_binary_cross_entropy(jnp.float32(-100), 1.0) == 100


@pytest.mark.parametrize(("holds", "lesson", "english", "korean"), CLAIMS, ids=[each[1] for each in CLAIMS])
def test_what_a_lesson_says_of_jax_is_what_jax_does(holds: Check, lesson: str, english: str, korean: str) -> None:
    path = Path(SCENARIOS[lesson].path)
    for language, words in {"en": english, "ko": korean}.items():
        story, sheet = (path.with_name(each).read_text("utf-8") for each in (f"story.{language}.md", "scenario.toml"))
        assert words in story + sheet
    holds()
