from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import pytest

from explorer.messages import CheckerAnswer
from explorer.worker.lineage import jax_checker
from tests.worker.recorded import recorded

AGREES = "JAX's checker agrees."
SILENT = "JAX's checker finds nothing: "


def clean(key: jax.Array) -> Any:
    first, second = jax.random.split(key)
    return jax.random.normal(first) + jax.random.normal(second)


def reused(key: jax.Array) -> Any:
    return jax.random.normal(key) + jax.random.uniform(key)


def shared(key: jax.Array) -> Any:
    return jax.vmap(lambda row: row + jax.random.normal(key))(jnp.zeros(4))


def reused_and_shared(key: jax.Array) -> Any:
    return shared(key) + jax.random.uniform(key)


def raw(key: jax.Array) -> Any:
    old = jax.random.PRNGKey(0)
    return jax.random.normal(old) + jax.random.uniform(old)


def made_twice(key: jax.Array) -> Any:
    return jax.random.normal(jax.random.key(1)) + jax.random.uniform(jax.random.key(1))


def rebuilt(key: jax.Array) -> Any:
    again = jax.random.wrap_key_data(jax.random.key_data(key))
    return jax.random.normal(key) + jax.random.uniform(again)


def looked_at(key: jax.Array) -> Any:
    return jax.random.normal(jnp.where(True, key, key))


def decided_in_python(key: jax.Array) -> Any:
    return reused(key) if jnp.sum(jax.random.split(key).shape[0] * jnp.ones(1)) > 0 else 0.0


@pytest.mark.parametrize(
    ("program", "words"),
    [
        (clean, "JAX's checker agrees: it finds nothing either."),
        (reused, AGREES),
        (shared, f"{SILENT}it does not look along the axes of a batch"),
        (reused_and_shared, "agrees on the reuse, but does not see the sharing"),
        (raw, f"{SILENT}it does not follow raw keys"),
        (made_twice, f"{SILENT}it follows variables, and here one key value is made more than once"),
        (rebuilt, f"{SILENT}it follows variables, and here several of them hold one key value"),
        (looked_at, "reports reuse, but this run uses no key twice: it counts reading a key as a use"),
        (decided_in_python, "JAX's check of the run agrees."),
    ],
)
def test_why_jax_says_what_it_says(program: Callable[[jax.Array], Any], words: str) -> None:
    answers = jax_checker.ask(lambda: (program, {"key": jax.random.key(5)}))
    ours = recorded(program, jax.random.key(5))
    assert words in str(jax_checker.compared(answers, ours.findings, ours.lineage).comparison)


def test_both_checks_are_reported_in_words_of_jax() -> None:
    static, runtime = jax_checker.ask(lambda: (reused, {"key": jax.random.key(5)}))
    assert static.text.endswith("is already consumed.")
    assert runtime.text.startswith("Previously-consumed key")


def test_a_program_that_cannot_be_traced_is_reported_as_not_checked() -> None:
    static, _ = jax_checker.ask(lambda: (decided_in_python, {"key": jax.random.key(5)}))
    assert static == CheckerAnswer("failed", "cannot look at it: TracerBoolConversionError")


def test_the_flag_is_afterwards_as_it_was() -> None:
    jax_checker.ask(lambda: (reused, {"key": jax.random.key(5)}))
    assert not jax.config.jax_debug_key_reuse
