"""Self-tests for an unknown version of JAX: tiny programs with known answers, one per ability."""

from __future__ import annotations

import linecache
from collections.abc import Callable
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp

from explorer.messages.lenses import LENSES
from explorer.text.text import Text, say
from explorer.worker.internals.spans import UserFiles
from explorer.worker.lineage import key_graph
from explorer.worker.lineage.misuse import findings
from explorer.worker.program import equations, retraces
from explorer.worker.recording import abilities, recorder
from explorer.worker.recording.interrupt import Interrupt
from explorer.worker.runs.lens import Functions
from explorer.worker.runs.lens_registry import lenses

_FILE = "<self-test>"
_SOURCE = """\
def waves(x):
    y = jnp.sin(x)
    return y * 2.0

def batch(x):
    return jax.vmap(waves)(x)

def used_twice(key):
    draw = jax.jit(lambda each: jax.random.normal(each, (2,)))
    return draw(key), draw(key)

def shared(key, x):
    return jax.vmap(lambda each: each + jax.random.normal(key))(x)

def split_well(key, x):
    keys = jax.jit(jax.random.split, static_argnums=1)(key, 3)
    return jax.vmap(lambda each, own: each + jax.random.normal(own))(x, keys)

def total(x):
    return jnp.sum(waves(x))
"""
_done: list[bool] = []


def notes() -> tuple[Text, ...]:
    """Return the notes for a JAX newer than all known ones. Abilities that fail are switched off."""
    once()
    newest = ".".join(map(str, abilities.NEWEST_KNOWN))
    note = say(
        "jax {jax} is newer than {known}, the newest that this was tested with.", jax=jax.__version__, known=newest
    )
    return (note, *abilities.sentences())


def once() -> None:
    """Switch off the abilities that fail with this untested JAX; repeated calls do nothing."""
    if not _done:
        _done.append(True)
        abilities.switch_off(*failing())


def failing() -> tuple[str, ...]:
    """Return the abilities that do not give the known answers."""
    return tuple(ability for ability, check in CHECKS.items() if not _holds(check))


def _holds(check: Callable[[Functions], bool]) -> bool:
    try:
        return check(_functions())
    except Interrupt:
        raise
    except Exception:
        return False


def _functions() -> dict[str, Callable[..., Any]]:
    """Return the functions of the tiny programs by name, made anew, so that no cache knows them."""
    linecache.cache[_FILE] = len(_SOURCE), None, _SOURCE.splitlines(keepends=True), _FILE
    made: dict[str, Any] = {"jax": jax, "jnp": jnp}
    exec(compile(_SOURCE, _FILE, "exec"), made)
    return made


_is_ours = UserFiles(lambda filename: filename == _FILE)


def _kinds(program: Callable[[], Any]) -> list[tuple[str, int]]:
    """Return (kind, line) of each finding on the keys of `program`."""
    recording = recorder.record(program, is_user_code=_is_ours)
    if recording.error is not None:
        raise recording.error
    known = key_graph.key_lineage(recording, outputs=recording.result)
    return [(each.kind, each.spans[0].line) for each in findings.find(known, to_its_end=True)]


def _keys(made: Functions) -> bool:
    key, x = jax.random.key(1), jnp.zeros(3)
    plain = made["used_twice"](key)
    recording = recorder.record(lambda: made["used_twice"](key), is_user_code=_is_ours)
    entries = [each for each in recording.log.entries() if each.event.operation == "draw"]
    drawn = [words for each in entries for words in each.arrays["keys"].reshape(-1, 2).tolist()]
    same = all(bool((ours == theirs).all()) for ours, theirs in zip(plain, recording.result, strict=True))
    return (
        same
        and drawn == [jax.random.key_data(key).tolist()] * 2
        and _kinds(lambda: made["used_twice"](key)) == [("key-reuse", 9)]
        and _kinds(lambda: made["split_well"](key, x)) == []
    )


def _sharing(made: Functions) -> bool:
    return _kinds(lambda: made["shared"](jax.random.key(1), jnp.zeros(3))) == [("shared-noise", 13)]


def _lines(made: Functions) -> bool:
    _, found, _ = equations.text_and_equations(jax.make_jaxpr(made["waves"])(1.0), _is_ours)
    return [(each.primitive, each.span and each.span.line) for each in found] == [("sin", 2), ("mul", 3)]


def _lens(works: Callable[[Functions, Callable[[str], bool]], bool], made: Functions) -> bool:
    return works(made, _is_ours)


def _traces(made: Functions) -> bool:
    meter = retraces.CompilationMeter(_is_ours)
    with meter.watching():
        waves = jax.jit(made["waves"])
        for size in (2, 2, 3):
            waves(jnp.ones(size))
    return [(each.traces, each.compiles) for each in meter.traces()] == [(2, 2)]


CHECKS: dict[str, Callable[[Functions], bool]] = {
    "keys": _keys,
    "sharing": _sharing,
    "lines": _lines,
    **{LENSES[name].ability: partial(_lens, each.works) for name, each in lenses().items() if each.works},
    "traces": _traces,
}
