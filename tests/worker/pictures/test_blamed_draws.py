"""What a finding says of the examples of a draw is what the picture of that draw shows."""

from __future__ import annotations

import msgspec
import pytest

from explorer.figures.blamed_draw import draw_of, of_script, worst_draw
from explorer.library import library
from explorer.messages import TOP_LEVEL
from explorer.scenario import requests
from explorer.worker.runs import analyse
from tests.worker import analysed

DROPOUT = """
import jax, jax.numpy as jnp
def dropout(key, x):
    return jnp.where(jax.random.bernoulli(key, 0.5, x.shape), x, 0)
def forward(w, x, key):
    return dropout(key, x @ w).sum()
@jax.jit
def step(w, xs, key):
    loss, grad = jax.value_and_grad(lambda w: jax.vmap(forward, (None, 0, None))(w, xs, key).mean())(w)
    return w - 0.1 * grad, loss
key = jax.random.key(0)
w, xs = jax.random.normal(key, (4, 8)), jnp.ones((6, 4))
for _ in range(5):
    key, sub = jax.random.split(key)
    w, loss = step(w, xs, sub)
"""
GROUPS = """
import jax, jax.numpy as jnp
def noisy(x, key):
    return x + jax.random.normal(key, (3,))
for seed in range(4):
    keys = jnp.repeat(jax.random.split(jax.random.key(seed), 2), 3)
    y = jax.vmap(noisy)(jnp.ones((6, 3)), keys)
"""
LOOP = """
import jax
key = jax.random.key(1)
rows = [jax.random.normal(key, (5,)) for _ in range(7)]
last = jax.random.uniform(jax.random.key(2), (40, 5))
"""
HIDDEN = """
import jax
def inputs():
    return {"x": jax.random.normal(jax.random.key(1), (6, 8)), "key": jax.random.key(0)}
def add_noise(example, key):
    return example + jax.random.normal(key, example.shape)
def noisy(x, key):
    return jax.vmap(add_noise, in_axes=(0, None))(x, key)
"""
MANY = "import jax\nkeys = jax.random.split(jax.random.key(7), 12)\n" + "".join(
    f"x{each} = jax.random.normal(keys[{each}], ({each + 2},))\n" for each in range(10)
)


@pytest.mark.parametrize("source", [DROPOUT, GROUPS, LOOP, MANY + DROPOUT], ids=["dropout", "groups", "loop", "many"])
def test_of_a_script_the_draw_of_the_worst_finding_is_shown_as_the_finding_counts_it(source: str) -> None:
    report = analysed.report(source, TOP_LEVEL, draws=True)
    finding = report.findings[0]
    shown, is_blamed = of_script(report)
    assert (shown, is_blamed) == (draw_of(report, finding), True)
    assert shown.span.line in finding.lines
    if finding.examples is not None:
        assert (shown.shape[shown.axis], shown.distinct) == (finding.examples, finding.distinct)
    else:
        assert shown.distinct == 1


def test_a_draw_of_another_key_is_not_blamed() -> None:
    report = analysed.report(HIDDEN, "noisy", draws=True)
    verdicts = {each.span.line: str(each.verdict) for each in report.pictures if each.role == "draw"}
    assert verdicts == {4: "6 examples, all different", 6: "6 examples, 1 distinct row: they all share one key"}
    assert worst_draw(report).span.line == 6


def test_without_a_finding_it_is_the_largest_array_whose_values_differ() -> None:
    source = "import jax\nk, l = jax.random.split(jax.random.key(0))\na = jax.random.normal(k, (9, 2))\nb = a[0]\n"
    source += "equal = jax.numpy.ones((80, 80))\n"
    shown, is_blamed = of_script(analysed.report(source, TOP_LEVEL, draws=True))
    assert (shown.name, is_blamed) == ("output['a']", False)


@pytest.mark.rest
@pytest.mark.parametrize(
    "lesson",
    ["one_key_for_the_batch", "shared_by_closure", "dropout_in_a_training_step", "in_axes_out_axes", "nested_vmap"],
)
def test_of_lessons_it_is_the_same(lesson: str) -> None:
    asked = requests.analysis(library.open_target(lesson))
    found = analyse.analyse(msgspec.structs.replace(asked, draws=True), analysed.channel([]))
    counted = [
        (report, each) for report in found.reports for each in report.findings or () if each.sites and each.examples
    ]
    for report, finding in counted:
        shown = draw_of(report, finding)
        assert (shown.shape[shown.axis], shown.distinct) == (finding.examples, finding.distinct), (report.name, finding)
