"""Watching does not change the watched program."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax, random

from explorer.recording import recording
from explorer.worker.checks.values import findings, watch
from tests.corpus import cases
from tests.worker.analysed import report
from tests.worker.recorded import recorded

PROGRAMS = [*cases.cases("out-of-bounds"), *cases.cases("nan")]


def bits(outputs: Any) -> list[bytes]:
    """Return the bits of all arrays in `outputs`."""
    leaves = [each for each in jax.tree.leaves(outputs) if isinstance(each, jax.Array)]
    keys = [jnp.issubdtype(each.dtype, jax.dtypes.prng_key) for each in leaves]
    return [
        np.asarray(random.key_data(each) if is_key else each).tobytes()
        for each, is_key in zip(leaves, keys, strict=True)
    ]


@pytest.mark.parametrize("case", PROGRAMS[::4], ids=str)
def test_a_watched_program_gives_its_own_bits(case: cases.Case) -> None:
    program = case.function()
    plain = bits(program())
    with watch.watched(lambda _: True):
        watched = bits(program())
    assert watched == plain


def train() -> Any:
    x = jnp.arange(5.0)

    @jax.jit
    def step(w: Any, key: Any) -> Any:
        return w + random.normal(key, w.shape) * x[7]

    w, key = jnp.zeros(3), random.key(0)
    for _ in range(3):
        w = step(w, key)
    return w


def test_keys_are_reported_as_without_watching() -> None:
    plain = bits(train())
    with recording(values=True) as keys:
        watched = bits(train())
    assert watched == plain
    alone = recorded(train).findings
    assert [each.kind for each in keys.findings] == [*(each.kind for each in alone), "out-of-bounds"]
    assert "index 7" in keys.report()


def test_what_is_changed_in_jax_is_put_back() -> None:
    from jax._src import array, dtypes

    before = dtypes.warnings, dtypes.canonicalize_value, array.ArrayImpl._value
    with pytest.raises(ZeroDivisionError), watch.watched(lambda _: True):
        raise ZeroDivisionError
    assert (dtypes.warnings, dtypes.canonicalize_value, array.ArrayImpl._value) == before


def test_what_a_callback_computes_is_not_waited_for() -> None:
    def program() -> Any:
        def host(x: Any) -> Any:
            return np.asarray(jnp.log(x))

        return jax.jit(lambda x: jax.pure_callback(host, jax.ShapeDtypeStruct((3,), jnp.float32), x))(jnp.zeros(3))

    with watch.watched(lambda name: name == __file__) as log:
        log.comes_out(program())
    assert [each.kind for each in findings.value_findings(log)] == ["nan"]


def test_a_script_has_no_result_that_it_calls_underscore_or_that_a_library_keeps() -> None:
    library: dict[str, Any] = {}
    exec(compile("import jax\ndef factor(x): return [jax.numpy.linalg.cholesky(x)]", "library.py", "exec"), library)
    with watch.watched(lambda name: name == __file__) as log:
        script = {"kept": jnp.log(jnp.zeros(3) - 1), "_": jnp.sqrt(jnp.zeros(3) - 1)}
        script |= {"solver": library["factor"](-jnp.eye(3)), "root": library["factor"](-jnp.eye(2))[0]}
        log.finish(script)
    assert [each.level for each in findings.value_findings(log)] == ["bug", "bug", "note", "note"]


def test_an_endless_loop_on_other_values_ends() -> None:
    @jax.jit
    def program(x: Any, i: Any) -> Any:
        # With anything but the last element this goes round for ever.
        start = x[i]
        return lax.while_loop(lambda y: y != 4.0, lambda y: y, start)

    def run() -> Any:
        return program(jnp.arange(5.0), 9)

    with watch.watched(lambda name: name == __file__) as log:
        run()
    assert [each.kind for each in findings.value_findings(log)] == ["out-of-bounds"]


def test_a_function_of_jaxs_that_ran_before_is_watched_too() -> None:
    source = "import jax\nimport jax.numpy as jnp\ndef f():\n    return jax.jit(jnp.log)(jnp.float32(-1))\n"
    result = report(source, "f", value_checks=True)
    assert [each.kind for each in result.findings or ()] == ["nan"]
