"""Programs on Flax, Equinox, Optax, BlackJAX and NumPyro: recorded unchanged, and judged as user code."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax, random

from explorer.messages import Finding
from explorer.worker.program.retraces import CompilationMeter
from tests.worker.recorded import recorded
from tests.worker.recording.test_call_log import calls_of

# The libraries warn of each other's and of their own old names.
pytestmark = pytest.mark.filterwarnings("default")

X = jnp.ones((4, 3))
REUSED, SHARED = {("key-reuse", None)}, {("shared-noise", 4)}


def bugs(program: Callable[[], Any]) -> list[Finding]:
    """Return the bugs of `program`, after checking that recording does not change its result by a bit."""
    plain, found = program(), recorded(program)
    assert [_bits(leaf) for leaf in jax.tree.leaves(found.recording.result)] == [
        _bits(leaf) for leaf in jax.tree.leaves(plain)
    ]
    assert found.graph.draws > 0
    assert found.graph.notes == ()
    return [finding for finding in found.findings if finding.level == "bug"]


def _bits(leaf: Any) -> bytes:
    if isinstance(leaf, jax.Array) and jnp.issubdtype(leaf.dtype, jax.dtypes.prng_key):
        leaf = random.key_data(leaf)
    return np.asarray(leaf).tobytes()


# -- programs on a library that is handed in ----------------------------------------------------


def layers_and_dropout_of_one_rngs(nnx: Any) -> Any:
    rngs = nnx.Rngs(0)
    model = nnx.Sequential(nnx.Linear(3, 5, rngs=rngs), nnx.Dropout(0.5, rngs=rngs), nnx.Linear(5, 2, rngs=rngs))
    step = nnx.jit(lambda model, x: model(x))
    return step(model, X), step(model, X)


def dropouts_given_one_key(nnx: Any) -> Any:
    key = random.key(0)
    drop = nnx.Dropout(0.5)
    return drop(X, rngs=key), drop(2 * X, rngs=key)


def applied_at_each_step_with_one_key(linen: Any) -> Any:
    key = random.key(0)
    drop = linen.Dropout(0.5, deterministic=False)
    return [drop.apply({}, step * X, rngs={"dropout": key}) for step in (1, 2)]


def models_that_are_all_made_of_one_key(linen: Any) -> Any:
    return jax.vmap(linen.Dense(2).init, in_axes=(None, 0))(random.key(0), X)


def mlp_and_dropout_for_each_example(eqx: Any) -> Any:
    for_weights, for_dropout = random.split(random.key(0))
    model = eqx.nn.MLP(3, 2, 8, 2, key=for_weights)
    drop = eqx.nn.Dropout(0.5)
    step = eqx.filter_jit(jax.vmap(lambda x, key: drop(model(x), key=key)))
    return step(X, random.split(for_dropout, 4))


def dropout_mapped_with_one_key(eqx: Any) -> Any:
    drop = eqx.nn.Dropout(0.5)
    return jax.vmap(lambda x, key: drop(x, key=key), in_axes=(0, None))(X, random.key(0))


def layers_that_start_from_one_key(eqx: Any) -> Any:
    key = random.key(0)
    layers = eqx.nn.Linear(3, 3, key=key), eqx.nn.Linear(3, 3, key=key)
    return [layer.weight for layer in layers]


def _trained(optimiser: Any, steps: int = 3) -> Any:
    parameters = {"weights": X, "biases": jnp.zeros(3)}

    @jax.jit
    def step(parameters: Any, state: Any) -> Any:
        slopes = jax.grad(lambda tree: sum((leaf**2).sum() for leaf in jax.tree.leaves(tree)))(parameters)
        changes, state = optimiser.update(slopes, state, parameters)
        return jax.tree.map(jnp.add, parameters, changes), state

    state = optimiser.init(parameters)
    for _ in range(steps):
        parameters, state = step(parameters, state)
    return parameters


def noisy_sgd(optax: Any) -> Any:
    return _trained(optax.noisy_sgd(0.1, key=random.key(0)))


def optimisers_of_one_key(optax: Any) -> Any:
    key = random.key(0)
    return [_trained(optax.noisy_sgd(rate, key=key), steps=1) for rate in (0.1, 0.01)]


def _density(x: Any) -> Any:
    return -0.5 * (x**2).sum()


def nuts_with_a_key_for_each_step(blackjax: Any) -> Any:
    sampler = blackjax.nuts(_density, step_size=0.5, inverse_mass_matrix=jnp.ones(2), max_num_doublings=3)

    def step(state: Any, key: Any) -> Any:
        state, _ = sampler.step(key, state)
        return state, state.position

    return lax.scan(step, sampler.init(jnp.ones(2)), random.split(random.key(0), 5))[1]


def chains_mapped_with_one_key(blackjax: Any) -> Any:
    sampler = blackjax.additive_step_random_walk(_density, blackjax.mcmc.random_walk.normal(jnp.ones(2)))
    states = jax.vmap(sampler.init)(jnp.arange(8.0).reshape(4, 2))
    return jax.vmap(sampler.step, in_axes=(None, 0))(random.key(0), states)[0].position


def _model(numpyro: Any, x: Any) -> Any:
    scale = numpyro.sample("scale", numpyro.distributions.HalfNormal(1.0))
    return numpyro.sample("y", numpyro.distributions.Normal(x, scale))


def chains_side_by_side(numpyro: Any) -> Any:
    def model() -> None:
        numpyro.sample("x", numpyro.distributions.Normal(0.0, 1.0))

    kernel = numpyro.infer.NUTS(model, max_tree_depth=3)
    chains = numpyro.infer.MCMC(
        kernel, num_warmup=5, num_samples=5, num_chains=2, chain_method="vectorized", progress_bar=False
    )
    chains.run(random.key(0))
    return chains.get_samples()


def model_seeded_alike_for_each_example(numpyro: Any) -> Any:
    key = random.key(0)
    return jax.vmap(lambda x: numpyro.handlers.seed(_model, key)(numpyro, x))(jnp.arange(4.0))


PROGRAMS: dict[Callable[[Any], Any], tuple[str, set[tuple[str, int | None]]]] = {
    layers_and_dropout_of_one_rngs: ("flax.nnx", set()),
    dropouts_given_one_key: ("flax.nnx", REUSED),
    applied_at_each_step_with_one_key: ("flax.linen", REUSED),
    models_that_are_all_made_of_one_key: ("flax.linen", SHARED),
    mlp_and_dropout_for_each_example: ("equinox", set()),
    dropout_mapped_with_one_key: ("equinox", SHARED),
    layers_that_start_from_one_key: ("equinox", REUSED),
    noisy_sgd: ("optax", set()),
    optimisers_of_one_key: ("optax", REUSED),
    nuts_with_a_key_for_each_step: ("blackjax", set()),
    chains_mapped_with_one_key: ("blackjax", SHARED),
    chains_side_by_side: ("numpyro", set()),
    model_seeded_alike_for_each_example: ("numpyro", SHARED),
}


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_a_program_on_a_library_is_judged_as_any_other(program: Callable[[Any], Any]) -> None:
    name, found = PROGRAMS[program]
    library = pytest.importorskip(name)
    assert {(each.kind, each.examples) for each in bugs(lambda: program(library))} == found


# -- what only one library has ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("axes", "split", "found"),
    [({"params": None}, False, []), ({"params": 0}, True, []), ({"params": 0}, False, ["shared-noise"])],
)
def test_flax_weights_that_a_batch_shares_are_right_and_equal_members_are_not(
    axes: dict[str, int | None], split: bool, found: list[str]
) -> None:
    linen = pytest.importorskip("flax.linen")
    mapped = linen.vmap(linen.Dense, variable_axes=axes, split_rngs={"params": split})

    class Net(linen.Module):
        @linen.compact
        def __call__(self, x: Any) -> Any:
            return mapped(2)(x)

    assert [each.kind for each in bugs(lambda: Net().init(random.key(0), X))] == found


def test_flax_dropout_of_one_mask_for_all_is_found() -> None:
    linen = pytest.importorskip("flax.linen")

    class Layer(linen.Module):
        @linen.compact
        def __call__(self, x: Any) -> Any:
            return linen.Dropout(0.5, deterministic=False)(linen.Dense(2)(x))

    class Net(linen.Module):
        @linen.compact
        def __call__(self, x: Any) -> Any:
            split = {"params": False, "dropout": False}
            return linen.vmap(Layer, variable_axes={"params": None}, split_rngs=split)()(x)

    found = bugs(lambda: Net().init(dict(zip(("params", "dropout"), random.split(random.key(0)), strict=True)), X))
    assert [each.kind for each in found] == ["shared-noise"]
    assert "`Dropout` on line" in str(found[0].message)
    assert "`split_rngs={...: True}`" in str(found[0].message)


def test_flax_objects_are_given_a_key_for_each_example_in_the_words_of_the_library() -> None:
    nnx = pytest.importorskip("flax.nnx")
    drop = nnx.Dropout(0.5)
    noisy = nnx.vmap(lambda rngs, x: drop(x, rngs=rngs), in_axes=(None, 0))
    found = bugs(lambda: noisy(nnx.Rngs(0), X))
    assert [each.kind for each in found] == ["shared-noise"]
    assert "`nnx.split_rngs(splits=...)`" in str(found[0].message)


def test_equinox_filter_jit_is_counted_with_the_reason_of_each_trace() -> None:
    eqx = pytest.importorskip("equinox")

    class Scale(eqx.Module):
        weight: Any
        activation: Any

        @eqx.filter_jit
        def __call__(self, x: Any, rate: Any, *, back: bool = False) -> Any:
            return self.activation(self.weight * x) * (-rate if back else rate)

    plain, other = Scale(X, jnp.tanh), Scale(X, jnp.sin)
    with CompilationMeter(lambda filename: filename == __file__).watching() as meter:
        for layer, x, rate in ((plain, X, 1.0), (Scale(2 * X, jnp.tanh), X, 1.0), (plain, X[:1], 1.0), (plain, X, 2.0)):
            layer(x, rate)
        other(X, 1.0)
        plain(X, jnp.float32(1))
        plain(X, 1.0, back=True)
        eqx.filter_jit(lambda: 2 * X)()
    call, of_nothing = meter.traces()
    assert (call.name, call.traces, call.compiles, of_nothing.traces) == ("__call__", 6, 6, 1)
    assert [(event.reason, str(event.sentence).split()[0]) for event in call.events] == [
        ("first call", "It"),
        ("new shape", "x"),
        ("new static value", "rate"),
        ("new static value", "self"),
        ("new structure", "The"),
        ("new structure", "The"),
    ]


def test_the_curves_of_equinox_filter_jit_have_the_names_of_the_loop() -> None:
    pytest.importorskip("equinox")
    source = """
import equinox as eqx

model, count, x = eqx.nn.Linear(3, 1, key=jax.random.key(0)), jnp.int32(0), jnp.ones((2, 3))

@eqx.filter_jit
def step(model, count, x):
    return model, count + 1, jnp.mean(jax.vmap(model)(x))

for _ in range(3):
    model, count, loss = step(model, count, x)
"""
    (calls,), _ = calls_of(source)
    assert {curve.name for curve in calls.iterations.curves} == {"model.bias", "count", "loss"}
