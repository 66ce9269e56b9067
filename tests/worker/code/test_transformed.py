"""Each transform on several programs, compared with the same call written out in plain JAX."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from explorer.messages import Applied, Report, TimingRequest, Transforms
from explorer.worker.runs import analyse
from tests.worker import analysed

SOURCE = """
import jax
import jax.numpy as jnp


def inputs(batch=6, seed=0):
    key = jax.random.key(seed)
    x = jnp.arange(batch * 4.0).reshape(batch, 4)
    return dict(x=x, key=key, n=3, params=dict(w=jnp.ones(4), b=jnp.zeros(())), mode="double")


def noisy(x, key):
    return x + jax.random.normal(key, x.shape)


def loss(params, x):
    return jnp.mean(jnp.tanh(x @ params["w"] + params["b"]) ** 2)


def scaled(x, *, mode, n):
    return x * 2 if mode == "double" else x * n


def count(n):
    return jnp.arange(n)
"""
NAMESPACE: dict[str, Any] = {}
exec(SOURCE, NAMESPACE)
GIVEN = NAMESPACE["inputs"]()
X, KEY, PARAMS = GIVEN["x"], GIVEN["key"], GIVEN["params"]
noisy, loss, scaled = (NAMESPACE[name] for name in ("noisy", "loss", "scaled"))

VMAP, JIT, GRAD, JVP, CHECKPOINT = (Applied(name) for name in ("vmap", "jit", "grad", "jvp", "checkpoint"))
SUM = Applied("grad", summed=True)


def run(name: str, *applied: Applied, **flags: Any) -> Report:
    return analysed.report(SOURCE, name, transforms=Transforms(name, applied, **flags))


@pytest.mark.parametrize(
    ("name", "applied", "wanted"),
    [
        ("noisy", (JIT,), lambda: jax.jit(noisy)(X, KEY)),
        ("noisy", (CHECKPOINT,), lambda: jax.checkpoint(noisy)(X, KEY)),
        ("noisy", (VMAP,), lambda: jax.vmap(noisy, in_axes=(0, None))(X, KEY)),
        ("noisy", (VMAP, JIT), lambda: jax.jit(jax.vmap(noisy, in_axes=(0, None)))(X, KEY)),
        ("noisy", (Applied("vmap", {"x": 1}, 1),), lambda: jax.vmap(noisy, in_axes=(1, None), out_axes=1)(X, KEY)),
        ("noisy", (SUM,), lambda: jax.grad(lambda x: noisy(x, KEY).sum())(X)),
        ("noisy", (JVP,), lambda: jax.jvp(lambda x: noisy(x, KEY), (X,), (jnp.ones_like(X),))),
        ("noisy", (SUM, VMAP), lambda: jax.vmap(jax.grad(lambda x: noisy(x, KEY).sum()))(X)),
        ("loss", (JIT,), lambda: jax.jit(loss)(PARAMS, X)),
        ("loss", (GRAD,), lambda: jax.grad(loss)(PARAMS, X)),
        ("loss", (Applied("grad", argument="x"),), lambda: jax.grad(loss, 1)(PARAMS, X)),
        ("loss", (CHECKPOINT, GRAD, JIT), lambda: jax.jit(jax.grad(jax.checkpoint(loss)))(PARAMS, X)),
        ("loss", (JVP,), lambda: jax.jvp(lambda p: loss(p, X), (PARAMS,), (jax.tree.map(jnp.ones_like, PARAMS),))),
        ("loss", (GRAD, VMAP), lambda: jax.vmap(jax.grad(loss), in_axes=(None, 0))(PARAMS, X)),
        ("scaled", (VMAP,), lambda: jax.vmap(lambda x: scaled(x, mode="double", n=3))(X)),
        ("scaled", (JIT,), lambda: scaled(X, mode="double", n=3)),
        ("scaled", (CHECKPOINT, SUM), lambda: jax.grad(lambda x: scaled(x, mode="double", n=3).sum())(X)),
        ("count", (JIT,), lambda: jnp.arange(3)),
    ],
)
def test_a_transformed_variant_gives_what_plain_jax_gives(name: str, applied: tuple[Applied, ...], wanted: Any) -> None:
    report = run(name, *applied)
    assert report.status == "ok", report.failure
    outputs = [each for each in report.pictures or () if each.role == "output"]
    leaves = jax.tree.leaves(wanted())
    assert len(outputs) == len(leaves)
    for picture, leaf in zip(outputs, leaves, strict=True):
        np.testing.assert_allclose(picture.values.numpy(), leaf, rtol=1e-6)
    assert report.program.text


def test_program_keys_and_findings_follow() -> None:
    plain, mapped = run("noisy"), run("noisy", VMAP)
    assert not plain.findings
    assert [each.kind for each in mapped.findings or ()] == ["shared-noise"]
    assert mapped.pictures[0].distinct == 6
    jitted = run("noisy", VMAP, JIT)
    assert "name=noisy" in jitted.program.text
    assert [each.kind for each in jitted.findings or ()] == ["shared-noise"]


def test_only_the_chosen_variant_is_transformed() -> None:
    snapshot = analysed.snapshot(SOURCE, variants=("noisy", "loss"), transforms=Transforms("noisy", (SUM,)))
    noisy_report, loss_report = snapshot.reports
    assert str(noisy_report.pictures[0].verdict).endswith("every value is 1.0")
    assert loss_report.pictures[0].shape == ()


@pytest.mark.parametrize(
    ("name", "applied", "words"),
    [
        ("noisy", (Applied("vmap", {"x": None}),), "Map at least one argument"),
        ("noisy", (Applied("vmap", {"x": 1}), Applied("vmap", {"x": 1})), "shape (6,) has no such axis"),
        ("count", (GRAD,), "needs a floating-point argument"),
        ("count", (JVP,), "needs a floating-point argument"),
    ],
)
def test_what_cannot_be_transformed_is_reported_in_words(name: str, applied: tuple[Applied, ...], words: str) -> None:
    report = run(name, *applied)
    assert report.status == "error"
    for failure in (report.failure, report.program and report.program.failure):
        assert words in f"{failure.message} {failure.explanation}"


def test_axes_of_different_lengths_are_named() -> None:
    source = "import jax.numpy as jnp\ndef inputs(): return dict(a=jnp.ones((3, 2)), b=jnp.ones(2))\n"
    source += "def f(a, b): return a + b\n"
    report = analysed.report(source, "f", transforms=Transforms("f", (Applied("vmap", {"b": 0}),)))
    assert "one axis had size 3: axis 0 of argument a" in str(report.failure.message)


def test_the_gradient_of_an_array_is_explained_with_the_way_out_and_in_own_code_as_before() -> None:
    report = run("noisy", GRAD)
    for failure in (report.failure, report.program and report.program.failure):
        assert "returns an array of shape (6, 4)" in str(failure.explanation)
        assert "of the sum" in str(failure.explanation)
    source = "import jax, jax.numpy as jnp\ndef inputs(): return dict(x=jnp.ones(3))\n"
    source += "def f(x): return jax.grad(lambda x: x * 2)(x).sum()\n"
    report = analysed.report(source, "f", transforms=Transforms("f", (GRAD,)))
    assert "of the sum" not in str(report.failure.explanation)


@pytest.mark.rest
def test_x64_holds_for_one_run_only() -> None:
    snapshot = analysed.snapshot(SOURCE, variants=("noisy",), transforms=Transforms(x64=True))
    assert ("jax_enable_x64", "True") in snapshot.flags
    picture = (snapshot.reports[0].pictures or ())[0]
    assert picture.dtype == "float64"
    with jax.enable_x64(True):
        given = NAMESPACE["inputs"]()
        np.testing.assert_array_equal(picture.values.numpy(), noisy(given["x"], given["key"]))
    assert ("jax_enable_x64", "False") in analysed.snapshot(SOURCE).flags


def test_partitionable_holds_for_one_run_only() -> None:
    snapshot = analysed.snapshot(SOURCE, variants=("noisy",), draws=True, transforms=Transforms(partitionable=False))
    assert ("jax_threefry_partitionable", "False") in snapshot.flags
    output, draw = ((snapshot.reports[0].pictures or ())[place] for place in (0, 1))
    with jax.threefry_partitionable(False):
        np.testing.assert_array_equal(output.values.numpy(), noisy(X, KEY))
        np.testing.assert_allclose(draw.values.numpy(), jax.random.normal(KEY, X.shape), rtol=1e-4)
    assert ("jax_threefry_partitionable", "True") in analysed.snapshot(SOURCE).flags


def test_a_variant_says_what_it_is_called_with() -> None:
    variants = {each.name: each for each in analysed.snapshot(SOURCE).variants}
    types = {each.name: each.type for name in ("noisy", "loss", "scaled") for each in variants[name].arguments}
    assert types == {"x": "f32[6,4]", "key": "key<fry>[]", "params": "dict of 2 arrays", "mode": "str", "n": "int"}
    assert [each.by_name for each in variants["scaled"].arguments] == [False, True, True]


@pytest.mark.rest
def test_a_transformed_variant_is_timed_under_eager_and_jit() -> None:
    sent: list[Any] = []
    request = TimingRequest(
        1, SOURCE, "<test>", variants=("noisy",), budget_s=0.01, applied=Transforms("noisy", (VMAP,))
    )
    done = analyse.time(request, analysed.channel(sent))
    assert done.failure is None
    final = {each.transforms: each for each in sent if each.final}
    assert set(final) == {("eager",), ("jit",)}
    assert all(each.failure is None and each.median_s for each in final.values())
    notes = [str(note.text) for each in final.values() for note in each.notes if note.kind == "transforms"]
    assert notes == ["timed with transforms: jax.vmap(noisy, in_axes=(0, None))(x, key)"] * 2


def test_a_device_that_is_not_there_and_a_transform_that_cannot_be_timed_are_sentences() -> None:
    sent: list[Any] = []
    done = analyse.time(TimingRequest(1, SOURCE, "<test>", "gpu:0"), analysed.channel(sent))
    assert str(done.failure.message).startswith("There is no device gpu:0 here. JAX has cpu:0")
    assert sent == []
    request = TimingRequest(1, SOURCE, "<test>", variants=("count",), applied=Transforms("count", (GRAD,)))
    done = analyse.time(request, analysed.channel())
    assert "floating-point" in str(done.failure.message)
