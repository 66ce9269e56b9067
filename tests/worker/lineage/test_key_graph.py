"""The graph of keys: every key value once, with its origin, its draws and their examples."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax, random

from explorer.figures.equal_rows import bit_equal_rows
from explorer.messages import ORIGINS, KeyGraph
from explorer.worker.pictures import repeated_draws
from explorer.worker.recording import recorder
from tests.worker.recorded import graph_of, recorded


def lines(graph: KeyGraph) -> list[str]:
    """Return each key as ``parent origin index``."""
    columns = graph.parent.numpy(), graph.origin.numpy(), graph.index.numpy()
    return [f"{parent} {ORIGINS[origin]} {index}" for parent, origin, index in zip(*columns, strict=True)]


def draws(graph: KeyGraph) -> list[tuple[int, str, int, int]]:
    """Return each draw as (key, sampler, example, examples served)."""
    columns = graph.draw_key, graph.draw_site, graph.draw_example, graph.draw_serves
    rows = zip(*(column.numpy().tolist() for column in columns), strict=True)
    return [(key, graph.sites[site].name, example, serves) for key, site, example, serves in rows]


def add_noise(x: Any, key: Any) -> Any:
    return x + random.normal(key, x.shape)


def test_a_key_for_each_example() -> None:
    def program() -> Any:
        return jax.vmap(add_noise)(jnp.ones((3, 2)), random.split(random.key(7), 3))

    found = recorded(program)
    assert lines(found.graph) == ["-1 seed 7", "0 split 0", "0 split 1", "0 split 2"]
    assert draws(found.graph) == [(1, "normal", 0, 1), (2, "normal", 1, 1), (3, "normal", 2, 1)]
    assert found.states == ["split", "drawn", "drawn", "drawn"]
    assert (found.graph.seeds, found.graph.splits, found.graph.draws) == (1, 1, 3)
    assert found.graph.split_key.numpy().tolist() == [0]


def test_key_data_is_that_of_the_keys() -> None:
    found = recorded(lambda: random.normal(random.split(random.key(7), 3)[1]))
    expected = [random.key(7), *random.split(random.key(7), 3)]
    assert found.graph.implementations == ("threefry2x32",)
    np.testing.assert_array_equal(found.graph.data.numpy(), [random.key_data(key) for key in expected])


def one_key(x: Any) -> Any:
    return jax.vmap(add_noise, in_axes=(0, None))(x, random.key(7))


def in_pairs() -> Any:
    pairs = random.split(random.key(7), (2, 3))
    return jax.vmap(lambda pair: random.normal(pair[0]) + random.uniform(pair[1]), in_axes=1)(pairs)


def computed_again() -> Any:
    key = random.key(7)
    return jax.grad(jax.checkpoint(lambda x: jnp.sin(x * random.normal(key))))(1.0)


DRAWS: dict[str, tuple[Callable[[], Any], list[tuple[int, str, int, int]]]] = {
    "one key for all examples": (lambda: one_key(jnp.ones((32, 2))), [(0, "normal", -1, 32)]),
    "the same in jit": (lambda: jax.jit(one_key)(jnp.ones((32, 2))), [(0, "normal", -1, 32)]),
    "equal keys for all examples": (
        lambda: jax.vmap(add_noise)(jnp.ones((4, 2)), jnp.broadcast_to(random.key(7), 4)),
        [(0, "normal", -1, 4)],
    ),
    "examples along the outermost axis on which keys differ": (
        lambda: jax.vmap(jax.vmap(add_noise, in_axes=(0, None)))(jnp.ones((2, 5, 3)), random.split(random.key(7), 2)),
        [(1, "normal", 0, 5), (2, "normal", 1, 5)],
    ),
    "examples along the second axis": (
        in_pairs,
        [(1 + n, "normal", n, 1) for n in range(3)] + [(4 + n, "uniform", n, 1) for n in range(3)],
    ),
    "what a derivative computes again": (computed_again, [(0, "normal", -1, 1)]),
    "an empty batch": (lambda: jax.vmap(add_noise)(jnp.ones((0, 2)), random.split(random.key(7), 0)), []),
}


@pytest.mark.parametrize(("program", "expected"), DRAWS.values(), ids=DRAWS)
def test_a_draw_has_its_key_its_example_and_all_that_it_serves(program: Callable[[], Any], expected: Any) -> None:
    found = recorded(program)
    assert draws(found.graph) == expected
    assert ("shared" in found.states) == any(serves > 1 for *_, serves in expected)


@pytest.mark.parametrize(
    ("program", "rows"),
    [
        (
            lambda: jax.vmap(add_noise)(jnp.ones((6, 2)), jnp.tile(random.split(random.key(7), 3), 2)),
            [0, 1, 2, 0, 1, 2],
        ),
        (lambda: jax.vmap(add_noise, in_axes=(0, None))(jnp.ones((3, 2)), random.key(7)), [0, 0, 0]),
        (
            lambda: jax.vmap(jax.vmap(add_noise, in_axes=(0, None)))(jnp.ones((2, 3, 2)), random.split(random.key(7))),
            [0, 0, 0, 1, 1, 1],
        ),
        (
            lambda: [jax.vmap(add_noise, in_axes=(0, None))(jnp.ones((3, 2)), random.key(7)) for _ in range(2)],
            [0, 0, 0],
        ),
    ],
    ids=["some keys are equal", "one key for all", "one key for each inner batch", "one key for all, twice"],
)
def test_raw_noise_has_a_row_for_each_example(program: Callable[[], Any], rows: list[int]) -> None:
    ((_, _, noise),) = repeated_draws.draws(recorded(program).graph)
    assert bit_equal_rows(noise).tolist() == rows


def test_raw_noise_is_drawn_again_next_to_keys_of_another_kind_which_are_wider() -> None:
    drawn = []

    def program() -> Any:
        drawn.append(random.normal(random.key(3), (4,)))
        return drawn[0] + random.normal(random.key(0, impl="rbg"), (4,))

    ((_, _, noise),) = repeated_draws.draws(recorded(program).graph)
    assert noise.tolist() == drawn[0].tolist()


def test_raw_keys_are_keys() -> None:
    def program() -> Any:
        first, second = random.split(random.PRNGKey(7))
        return random.normal(first), jax.vmap(random.uniform)(random.split(second, 2))

    found = recorded(program)
    expected = ["-1 seed 7", "0 split 0", "0 split 1", "2 split 0", "2 split 1"]
    assert lines(found.graph) == expected
    assert draws(found.graph) == [(1, "normal", -1, 1), (3, "uniform", 0, 1), (4, "uniform", 1, 1)]


def test_a_loop_makes_a_chain_in_the_order_of_its_iterations() -> None:
    def program() -> Any:
        def body(key: Any, _: None) -> Any:
            key, sub = random.split(key)
            return key, random.normal(sub)

        return lax.scan(body, random.key(7), None, 3)

    found = recorded(program)
    chain = ["-1 seed 7", "0 split 0", "0 split 1", "1 split 0", "1 split 1", "3 split 0", "3 split 1"]
    assert lines(found.graph) == chain
    assert [key for key, *_ in draws(found.graph)] == [2, 4, 6]
    assert found.states == ["split", "split", "drawn", "split", "drawn", "fresh", "drawn"]


def test_only_the_branch_that_is_taken_counts() -> None:
    def program(number: int) -> Any:
        branches = [random.normal, random.uniform, lambda key: random.normal(random.fold_in(key, 5))]
        return lax.switch(number, branches, random.key(7))

    assert draws(recorded(program, 1).graph) == [(0, "uniform", -1, 1)]
    assert lines(recorded(program, 2).graph) == ["-1 seed 7", "0 fold_in 5"]


def test_each_example_counts_in_the_branch_that_it_takes() -> None:
    def program() -> Any:
        def one(number: Any, key: Any) -> Any:
            return lax.cond(number > 1, lambda: random.normal(key), lambda: random.uniform(key))

        return jax.vmap(one)(jnp.arange(4), random.split(random.key(7), 4))

    assert sorted(draws(recorded(program).graph)) == [
        (1, "uniform", 0, 1),
        (2, "uniform", 1, 1),
        (3, "normal", 2, 1),
        (4, "normal", 3, 1),
    ]


def test_examples_that_are_done_use_no_keys_while_others_go_on() -> None:
    def program() -> Any:
        def one(iterations: Any, key: Any) -> Any:
            def body(state: Any) -> Any:
                key, sub = random.split(state[1])
                return state[0] + 1, key, state[2] + random.normal(sub)

            return lax.while_loop(lambda state: state[0] < iterations, body, (0, key, 0.0))[2]

        return jax.vmap(one)(jnp.array([0, 3, 1]), random.split(random.key(7), 3))

    found = recorded(program)
    assert [example for _, _, example, _ in draws(found.graph)] == [1, 2, 1, 1]
    assert found.graph.splits == 1 + 4


def test_a_key_that_was_used_before_it_was_made_is_a_root_with_another_parent() -> None:
    data = random.key_data(random.split(random.key(7))[1])

    def program() -> Any:
        return random.normal(random.wrap_key_data(data)), random.split(random.key(7))

    found = recorded(program)
    assert lines(found.graph) == ["-1 input 0", "-1 seed 7", "1 split 0"]
    assert found.graph.other_parents.numpy().tolist() == [[0, 1]]


def test_a_key_that_nothing_made_is_an_orphan() -> None:
    found = recorded(lambda: random.normal(random.wrap_key_data(jnp.array([1, 2], jnp.uint32))))
    assert lines(found.graph) == ["-1 input 0"]
    assert found.states == ["orphan"]


def test_keys_that_only_live_inside_a_sampler_say_so() -> None:
    found = recorded(lambda: random.permutation(random.key(7), 8))
    inside = [site.inside for site in found.graph.sites]
    assert inside == ["", "permutation", "permutation"]
    assert found.states[0] == "drawn"
    assert "unused" not in found.states


def test_sites_carry_the_code_as_the_user_wrote_it() -> None:
    def program() -> Any:
        key = random.fold_in(random.key(7), 3)
        return random.bernoulli(key, 0.5, (2, 3))

    found = recorded(program)
    assert [(site.operation, site.name, found.source(site.span)) for site in found.graph.sites] == [
        ("seed", "key", "random.key(7)"),
        ("fold_in", "fold_in", "random.fold_in(random.key(7), 3)"),
        ("draw", "bernoulli", "random.bernoulli(key, 0.5, (2, 3))"),
    ]
    assert (found.graph.sites[2].shape, found.graph.sites[2].dtype) == ((2, 3), "bool")


def test_the_code_inside_a_jitted_function_is_found() -> None:
    @jax.jit
    def inner(key: Any) -> Any:
        return random.normal(key)

    found = recorded(lambda: inner(random.key(7)))
    assert found.source(found.graph.sites[1].span) == "random.normal(key)"


def test_several_recordings_are_one_run() -> None:
    made: list[Any] = []
    loading = recorder.record(lambda: made.append(random.split(random.key(7))))
    running = recorder.record(lambda: random.normal(made[0][1]))
    graph = graph_of(loading, running)
    assert lines(graph) == ["-1 seed 7", "0 split 0", "0 split 1"]
    assert draws(graph) == [(2, "normal", -1, 1)]


def test_keys_in_the_outputs_are_not_unused() -> None:
    typed = recorded(lambda: {"next": random.split(random.key(7), 3)[:2]})
    assert typed.states == ["split", "fresh", "fresh", "unused"]
    raw = recorded(lambda: random.split(random.PRNGKey(7), 3)[1])
    assert raw.states == ["split", "unused", "fresh", "unused"]


def test_a_module_with_a_function_named_dtype_is_no_key() -> None:
    assert recorded(lambda: (random.key(7), lax)).states == ["fresh"]


def test_keys_of_other_generators_stand_next_to_them() -> None:
    def program() -> Any:
        return random.normal(random.key(1, impl="rbg")), random.normal(random.key(2))

    found = recorded(program)
    assert found.graph.implementations == ("rbg", "threefry2x32")
    assert found.graph.data.shape == (2, 4)
    assert found.graph.data.numpy()[1].tolist() == [0, 0, 0, 2]


def test_a_zero_key_is_not_taken_for_padding() -> None:
    def program() -> Any:
        def body(state: Any) -> Any:
            return state[0] + 1, random.split(state[1])[0]

        return lax.while_loop(lambda state: state[0] < 2, body, (0, random.key(0)))

    found = recorded(program)
    assert found.graph.nodes == 5
    assert found.graph.splits == 2


def test_a_hundred_thousand_keys_have_their_parents_before_them() -> None:
    def program() -> Any:
        def body(key: Any, _: None) -> Any:
            key, *subs = random.split(key, 51)
            return key, jax.vmap(random.normal)(jnp.stack(subs))

        return lax.scan(body, random.key(7), None, 2000)

    graph = recorded(program).graph
    assert graph.nodes == 1 + 2000 * 51
    assert graph.draws == 100_000
    parent = graph.parent.numpy()
    assert (parent < np.arange(len(parent))).all()
    assert (parent[1:] >= 0).all()
